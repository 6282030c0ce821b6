import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database, type Statement } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import { LAST_TIME } from "../../lib/durations.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { randomToken } from "../../lib/random-token.ts";
import { ACCESS_TOKEN_PREFIX, type UserActor } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { sessionExists } from "./queries.ts";

/** The largest number of access tokens of a person; our own choice. */
const MOST_TOKENS = 50;

export interface AccessTokenInput {
  name: string;
  /** Undefined for a token that never expires. */
  expiresAt?: number | undefined;
  /** The projects that the token reaches; undefined for all of the person. */
  projectIds?: string[] | undefined;
}

/** How a device login gets its token. */
interface Issue {
  /** The text of the token. */
  token: string;
  /** The condition on which it is created. */
  when: SQL;
  /** Runs after the token is written, in the same batch. */
  settle: (isCreated: SQL) => Statement;
  /** The error if the condition does not hold. */
  otherwise: () => Error;
}

/** An access token as its person sees it. Times that never come are null. */
export interface ListedToken {
  id: string;
  name: string;
  projectIds: string[] | null;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
}

/**
 * Creates a personal access token and returns it with its text, which the API shows only this once:
 * `pat_` and 256 random bits in base62. It acts as the person, with that person's current role. Authorized
 * by the session.
 * Throws not_found for a project of a workspace that the person does not belong to, then
 * too_many_access_tokens.
 */
export async function createAccessToken(
  ctx: Ctx,
  { userId }: UserActor,
  { name, expiresAt = LAST_TIME, projectIds: asked }: AccessTokenInput,
  issue?: Issue,
): Promise<ListedToken & { token: string }> {
  const { db, newId, now } = ctx.deps;
  const token = issue?.token ?? ACCESS_TOKEN_PREFIX + randomToken();
  const [id, tokenHash, createdAt] = [newId(), sha256Hex(token), now()];
  const projectIds = asked ? [...new Set(asked)] : null;
  const ids = projectIds && JSON.stringify(projectIds);
  const others = sql`exists (select 1 from json_each(${ids}) asked where not exists (
    select 1 from projects p cross join workspace_members m on m.workspace_id = p.workspace_id
    where p.id = asked.value and m.user_id = ${userId}))`;
  const isFull = sql`(select count(*) from sessions
    where user_id = ${userId} and name is not null) >= ${MOST_TOKENS}`;
  const fact = {
    scopeId: userId,
    action: "user.token_created",
    targetId: id,
    metadata: { name, ...(projectIds && { project_ids: projectIds }) },
  } as const;
  const [[refused], created] = await runBatch(db, [
    db.all<{ hasOthers: number; isFull: number }>(
      sql`select ${others} as "hasOthers", ${isFull} as "isFull"`,
    ),
    db.all(
      sql`insert into sessions (token_hash, user_id, created_at, expires_at, ends_at, id, name, project_ids)
        select ${tokenHash}, ${userId}, ${createdAt}, ${expiresAt}, ${expiresAt}, ${id}, ${name}, ${ids}
        where not ${others} and not ${isFull} and ${issue?.when ?? sql`true`} returning id`,
    ),
    auditStatement(ctx, fact, sessionExists(tokenHash)),
    ...(issue ? [issue.settle(sessionExists(tokenHash))] : []),
  ]);
  if (refused?.hasOthers) throw notFound("project");
  if (refused?.isFull) throw refusal("too_many_access_tokens", { max: MOST_TOKENS });
  if (issue && created.length === 0) throw issue.otherwise();
  return { ...listed({ id, name, projectIds: ids, createdAt, lastSeenAt: 0, expiresAt }), token };
}

interface TokenRow {
  id: string;
  name: string;
  projectIds: string | null;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
}

/** Selects the live access tokens of a session's user, newest first. */
export function selectTokensOfSession(db: Database, tokenHash: string, now: number) {
  return db.all<TokenRow>(
    sql`select id, name, project_ids as "projectIds", created_at as "createdAt",
        last_seen_at as "lastSeenAt", expires_at as "expiresAt" from sessions
      where user_id = (select user_id from sessions where token_hash = ${tokenHash})
        and name is not null and expires_at > ${now}
      order by created_at desc, id desc`,
  );
}

/** Returns a selected token with null for times that never come. */
export const listed = ({ projectIds, lastSeenAt, expiresAt, ...row }: TokenRow): ListedToken => ({
  ...row,
  projectIds: projectIds === null ? null : (JSON.parse(projectIds) as string[]), // stored as ids
  lastUsedAt: lastSeenAt || null,
  expiresAt: expiresAt === LAST_TIME ? null : expiresAt,
});
