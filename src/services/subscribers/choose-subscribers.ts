import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database, type Statement } from "../../db/client.ts";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import { findMatching, type Condition } from "../segments/index.ts";
import { pageIds } from "./list-queries.ts";
import type { SubscriberStatus } from "./queries.ts";

/**
 * The maximum number of subscribers that one call changes, so that it stays a short transaction;
 * our own limit.
 */
export const MOST_CHANGED = 1_000;

export type Chosen =
  | { ids: string[] }
  | {
      filter: {
        status?: SubscriberStatus | undefined;
        search?: string | undefined;
        tag?: string | undefined;
        importId?: string | undefined;
        /** A condition; it excludes the other fields. */
        where?: Condition | undefined;
      };
    };

/** The number of subscribers that a call changed, and true if some are left for the next call. */
export interface Progress {
  changed: number;
  more: boolean;
}

/**
 * The subscribers that a change skips: those that already have a status, or those that do not meet
 * `when`.
 */
export interface Change {
  to?: SubscriberStatus | undefined;
  when?: SQL;
}

/** The subscribers to change in one call. */
export interface Choice {
  ids: SQL;
  /** The query of the ids that remain after the change. */
  left: SQL;
}

/**
 * Chooses up to 1,000 subscribers to change. Returns undefined if there are certainly none. A batch
 * changes the tags before their index, so the subscribers found by a search, tag or condition are
 * read first, and the batch changes those that still qualify.
 * Throws 400 for a topic in a condition that the project does not have, and rate_limited for a
 * condition.
 */
export async function chooseSubscribers(
  ctx: Ctx,
  projectId: string,
  chosen: Chosen,
  change: Change,
): Promise<Choice | undefined> {
  if ("ids" in chosen) {
    const ids = idsAmong(projectId, chosen.ids, change);
    return { ids, left: ids };
  }
  const { search, tag, where } = chosen.filter;
  if (where) return chooseWhere(ctx, projectId, where, change);
  const left = idsOfFilter(projectId, chosen.filter, change);
  if (!left || (search === undefined && tag === undefined)) return left && { ids: left, left };
  const found = await ctx.deps.db.all<{ id: string }>(left);
  const ids = found.map(({ id }) => id);
  return { ids: idsAmong(projectId, ids, change), left };
}

async function chooseWhere(
  ctx: Ctx,
  projectId: string,
  where: Condition,
  change: Change,
): Promise<Choice> {
  const { to, when = sql`true` } = change;
  const found = await findMatching(ctx, projectId, where, {
    also: sql`subscribers.status is not ${to ?? null} and ${when}`,
    most: MOST_CHANGED + 1,
    field: "filter.where",
  });
  const ids = idsAmong(projectId, found.slice(0, MOST_CHANGED), change);
  return { ids, left: sql`select 1 where ${found.length > MOST_CHANGED ? 1 : 0}` };
}

/**
 * Runs the statements that change the chosen subscribers, and counts these before. `meta.changes` of
 * the change would also count what triggers of the database write.
 */
export async function runChange(
  db: Database,
  { ids, left }: Choice,
  statements: readonly Statement[],
): Promise<Progress> {
  const results = await runBatch(db, [
    db.all<{ changed: number }>(sql`select count(*) as changed from (${ids})`),
    ...statements,
    db.all<{ more: number }>(sql`select exists (${left}) as more`),
  ]);
  const [[counted]] = results;
  const [rest] = results.at(-1) as { more: number }[]; // the rows of the last statement
  return { changed: counted?.changed ?? 0, more: rest?.more === 1 };
}

function idsAmong(projectId: string, ids: string[], { to, when = sql`true` }: Change): SQL {
  return sql`select id from subscribers where id in (select value from json_each(${JSON.stringify(ids)}))
    and +project_id = ${projectId} and +status is not ${to ?? null} and ${when}`;
}

/**
 * Returns the query of the ids that a filter finds. It returns the same ids throughout a batch
 * until they are changed.
 */
function idsOfFilter(
  projectId: string,
  { status, search, tag, importId }: Extract<Chosen, { filter: unknown }>["filter"],
  { to, when }: Change,
): SQL | undefined {
  const statuses = SUBSCRIBER_STATUSES.filter((one) => one !== to && (!status || one === status));
  if (statuses.length === 0) return undefined;
  // Each call skips what earlier calls have changed.
  const filter = {
    statuses,
    search,
    tag,
    importId,
    when,
    sort: "created_at",
    isWhole: true,
  } as const;
  return pageIds(projectId, filter, { limit: MOST_CHANGED, offset: 0 });
}
