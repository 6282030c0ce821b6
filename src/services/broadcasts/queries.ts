import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Database } from "../../db/client.ts";
import { followsId } from "../../db/paging.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { spanOf, type ListPage } from "../../lib/page.ts";
import { audienceOf, compileWhere, parseFixed } from "../segments/index.ts";
import { consentCondition, consentsTo } from "../topics/index.ts";
import { andGotNoEarlier, joinedLate } from "./resends.ts";

/** The counts of recorded mails. */
export type Counts = Pick<BroadcastRow, "sent" | "failed" | "bounced" | "suppressed">;
/** The counts of a broadcast; `unknown` is included in `failed`. */
export type LedgerCounts = Counts & Pick<BroadcastRow, "unknown">;

export type BroadcastRow = typeof broadcasts.$inferSelect;
export type NewBroadcast = Omit<typeof broadcasts.$inferInsert, "cutoffId" | "total">;

/**
 * Inserts a broadcast with its cut-off, the newest current subscriber, and the size of its
 * audience. `inTurn` replaces columns by SQL.
 */
export function insertBroadcast(
  db: Database,
  broadcast: NewBroadcast,
  inTurn: { state?: SQL; waitingFor?: SQL } = {},
) {
  const { projectId, status, source = null, audienceWhere = null, whereAt = 0 } = broadcast;
  const wanted = { projectId, status, source, audienceWhere, whereAt };
  return db
    .insert(broadcasts)
    .values({ ...broadcast, ...inTurn, cutoffId: newestOf(wanted), total: sizeOf(wanted) })
    .returning();
}

/** Returns SQL for the id of the newest subscriber eligible for an audience. */
export const newestOf = ({ projectId, status }: Audience): SQL<string> =>
  sql`coalesce((select max(id) from subscribers where project_id = ${projectId} and status = ${status}), '')`;

/**
 * Returns SQL for the size of an audience at the time of the query. The size of a whole status
 * comes from a counter; other audiences are counted.
 */
export function sizeOf(wanted: Audience): SQL<number> {
  const { projectId, status } = wanted;
  if (!isWholeStatus(wanted)) {
    const { from, where } = membersOf(wanted, undefined, true);
    return sql`(select count(*) from ${from} where ${where})`;
  }
  return sql`coalesce((select ${sql.raw(`subscribers_${status}`)} from project_counters where project_id = ${projectId}), 0)`;
}

export function selectBroadcast(db: Database, id: string) {
  return db.select().from(broadcasts).where(eq(broadcasts.id, id));
}

/** Selects a broadcast or draft of a project: at most one row. */
export function selectProjectBroadcast(db: Database, projectId: string | SQL, id: string) {
  return db
    .select()
    .from(broadcasts)
    .where(
      and(
        eq(broadcasts.id, id),
        eq(broadcasts.projectId, projectId),
        inArray(broadcasts.kind, ["broadcast", "draft"]),
      ),
    );
}

/** The broadcasts of a list: those in a state or, without one, all except drafts; `all` has drafts too. */
export interface Listed {
  projectId: string;
  state: BroadcastRow["state"] | "all" | undefined;
}

const isListed = ({ projectId, state }: Listed): SQL => {
  if (state === "all") return sql`project_id = ${projectId} and kind in ('draft', 'broadcast')`;
  const isDraft = state === "draft" || state === "scheduled";
  const inState = state === undefined ? sql`` : sql` and state = ${state}`;
  return sql`project_id = ${projectId} and kind = ${isDraft ? "draft" : "broadcast"}${inState}`;
};

/** Selects a page of a list of broadcasts, newest first. */
export function selectBroadcasts(db: Database, listed: Listed, page: ListPage<string>) {
  const { limit, offset } = spanOf(page);
  return db
    .select()
    .from(broadcasts)
    .where(and(isListed(listed), followsId(page)))
    .orderBy(desc(broadcasts.id))
    .limit(limit)
    .offset(offset);
}

/** Counts the broadcasts of a list through an index. */
export function countBroadcasts(db: Database, listed: Listed) {
  return db.all<{ total: number }>(
    sql`select count(*) as total from broadcasts where ${isListed(listed)}`,
  );
}

/**
 * Selects the counts of the unfinished chunks of the broadcasts whose ids `ids` selects. Finished
 * chunks have already added theirs to the broadcast, so both are read in one batch.
 */
export function selectOpenCounts(db: Database, ids: SQL) {
  return db.all<LedgerCounts & { broadcastId: string }>(
    sql`select broadcast_id as "broadcastId", sum(sent) as sent, sum(failed) as failed, sum(bounced) as bounced, sum(suppressed) as suppressed,
        sum(unknown) as unknown
      from broadcast_chunks where broadcast_id in (${ids}) group by broadcast_id`,
  );
}

/** Returns SQL for the ids of a page of `selectBroadcasts`. */
export function pageIds(listed: Listed, page: ListPage<string>): SQL {
  const { limit, offset } = spanOf(page);
  return sql`select id from broadcasts where ${isListed(listed)} and ${followsId(page)}
    order by id desc limit ${limit} offset ${offset}`;
}

/**
 * Changes the state of a broadcast if it is in one of these states and `when` is true. Returns a
 * row on success.
 */
export function moveState(
  db: Database,
  projectId: string,
  id: string,
  from: BroadcastRow["state"][],
  change: SQLiteUpdateSetSource<typeof broadcasts>,
  when?: SQL,
) {
  return db
    .update(broadcasts)
    .set(change)
    .where(
      and(
        eq(broadcasts.id, id),
        eq(broadcasts.projectId, projectId),
        eq(broadcasts.kind, "broadcast"),
        inArray(broadcasts.state, from),
        when,
      ),
    )
    .returning();
}

/**
 * Returns the SQL condition that the broadcast is in one of these states; never true for a batch.
 */
export function isInState(projectId: string, id: string, states: BroadcastRow["state"][]): SQL {
  return sql`exists (select 1 from broadcasts where id = ${id} and project_id = ${projectId} and kind = 'broadcast' and state in (select value from json_each(${JSON.stringify(states)})))`;
}

/**
 * The fields that define the audience of a broadcast. A broadcast that was never a draft has only
 * the first three. `leavesOutMailed` excludes recipients of the broadcast that this one follows up
 * on: its chunks list their recipients, so a claim does not check again.
 */
export type Audience = Pick<BroadcastRow, "projectId" | "status" | "source"> & {
  leavesOutMailed?: true;
} & Partial<Pick<BroadcastRow, "id" | "topicId" | "audienceWhere" | "whereAt" | "fromId" | "plan">>;

const isWholeStatus = ({ source, topicId, audienceWhere, fromId = "", plan }: Audience) =>
  source === null && (topicId ?? audienceWhere ?? plan?.resend) == null && fromId === "";

/**
 * Returns the SQL condition on `subscribers` for a broadcast's audience. Each kind has its own
 * index. SQLite uses the index of sources only if the condition literally contains `source <> ''`.
 * The condition includes consent, so a subscriber who leaves the topic is not claimed. Throws 400
 * for a stored condition that does not compile. With a `range` of ids, reads only mailings in it.
 */
export function audience(wanted: Audience, range?: IdRange): SQL {
  const { projectId, audienceWhere: where = null, whereAt = 0, topicId = null } = wanted;
  const fits = where === null ? sql`` : sql` and ${compileWhere(projectId, where, whereAt, range)}`;
  const consents = topicId === null ? sql`` : sql` and ${consentCondition(topicId)}`;
  return sql`${ofStatus(wanted)}${consents}${fits}`;
}

/**
 * The same audience as the parts of a query; `id` is in the order of `from`, unless `inAnyOrder`.
 * The query starts at the consents to the topic, unless a tag of the condition narrows it further.
 */
export function membersOf(wanted: Audience, range?: IdRange, inAnyOrder = false): Members {
  const { projectId, audienceWhere: where = null, whereAt = 0, topicId = null } = wanted;
  const fitting = fittingOf(wanted, range, inAnyOrder);
  if (topicId === null) return fitting;
  if (!fitting.isWhole)
    return { ...fitting, where: sql`${fitting.where} and ${consentCondition(topicId)}` };
  const fits = where === null ? sql`` : sql` and ${compileWhere(projectId, where, whereAt, range)}`;
  return {
    from: sql`(${consentsTo(topicId)}) consenting cross join subscribers on subscribers.id = consenting.subscriber_id`,
    where: sql`${ofStatus(wanted, BY_ID)}${fits}`,
    id: sql`consenting.subscriber_id`,
  };
}

/**
 * The same audience, including subscribers without consent to its topic, whom a pre-flight counts.
 */
export const membersBeforeConsent = (wanted: Audience): Members => fittingOf(wanted);

function fittingOf(
  wanted: Audience,
  range?: IdRange,
  inAnyOrder = false,
): ReturnType<typeof audienceOf> {
  const { projectId, audienceWhere: where = null, whereAt: now = 0 } = wanted;
  if (where === null)
    return {
      from: sql`subscribers`,
      where: ofStatus(wanted),
      id: sql`subscribers.id`,
      isWhole: true,
    };
  const fitting = audienceOf(parseFixed(where), { projectId, now, range, inAnyOrder });
  const sign = fitting.isWhole ? undefined : BY_ID;
  return { ...fitting, where: sql`${fitting.where} and ${ofStatus(wanted, sign)}` };
}

/** The range of ids that a query reads, inclusive at both ends. */
export type IdRange = NonNullable<Parameters<typeof compileWhere>[3]>;

type Members = Omit<ReturnType<typeof audienceOf>, "isWhole">;

/** The unary plus keeps SQLite from using an index of the project: a lookup by id reads one row. */
export const BY_ID = sql`+`;

export function ofStatus(wanted: Audience, sign = sql``): SQL {
  const { projectId, status, source, fromId } = wanted;
  const bySource = source === null ? sql`` : sql` and source <> '' and source = ${source}`;
  const after = fromId ? sql` and (id > ${fromId} or ${joinedLate(wanted)})` : sql``;
  return sql`${sign}project_id = ${projectId} and status = ${status}${bySource}${after}${andGotNoEarlier(wanted)}`;
}
