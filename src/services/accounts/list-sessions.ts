import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { sessions } from "../../db/schema/index.ts";

/** The largest number of sessions in one list. No user has more in practice. */
const SESSIONS_PER_LIST = 200;

/**
 * Selects the live sessions of a session's user, newest first. `lastSeenAt` is accurate to the hour;
 * `current` is 1 for the session of the request.
 */
export function selectSessionsOfSession(db: Database, tokenHash: string, now: number) {
  const { id, createdAt, lastSeenAt, expiresAt, endsAt, ipAddress, userAgent } = sessions;
  const user = sql`(select user_id from sessions where token_hash = ${tokenHash})`;
  return db
    .select({
      id,
      createdAt,
      lastSeenAt,
      expiresAt,
      ipAddress,
      userAgent,
      current: sql<number>`${sessions.tokenHash} = ${tokenHash}`.as("current"),
    })
    .from(sessions)
    .where(
      and(eq(sessions.userId, user), isNull(sessions.name), gt(expiresAt, now), gt(endsAt, now)),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(SESSIONS_PER_LIST);
}
