import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { followsId } from "../../db/paging.ts";
import { SUPPRESSION_REASONS, suppressions } from "../../db/schema/index.ts";
import { spanOf, type ListPage } from "../../lib/page.ts";

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];
export type SuppressionRow = typeof suppressions.$inferSelect;

/**
 * The counter of each reason in `project_counters`; each write updates it together with its rows.
 */
export const COUNTER_OF_REASON = {
  hard_bounce: sql.raw("suppressions_hard_bounce"),
  unsubscribed: sql.raw("suppressions_unsubscribed"),
  manual: sql.raw("suppressions_manual"),
} satisfies Record<SuppressionReason, SQL>;

/** Selects the project's entry of an address: at most one row, through an index. */
export function selectSuppression(db: Database, projectId: string, email: string) {
  return db
    .select()
    .from(suppressions)
    .where(and(eq(suppressions.projectId, projectId), eq(suppressions.email, email)));
}

/** The reason for which the address of a row of `subscribers` is suppressed; null if it is not. */
export const SUPPRESSED_BECAUSE = sql<SuppressionReason | null>`(select reason
  from suppressions listed
  where listed.project_id = subscribers.project_id and listed.email = subscribers.email)`;

/** Updates `last_seen_at` of entries that prevented a send. */
export function touchSuppressions(db: Database, projectId: string, emails: string[], now: number) {
  return db
    .update(suppressions)
    .set({ lastSeenAt: now })
    .where(and(eq(suppressions.projectId, projectId), isOneOf(emails)));
}

function isOneOf(emails: string[]) {
  return sql`${suppressions.email} in (select value from json_each(${JSON.stringify(emails)}))`;
}

/**
 * Selects a page of the list, newest first. Ids are in time order, so it is one index scan per
 * reason.
 */
export function selectPage(
  db: Database,
  projectId: string,
  reasons: readonly SuppressionReason[],
  page: ListPage<string>,
) {
  const { limit, offset } = spanOf(page);
  const branches = reasons.map(
    (reason) => sql`select * from (
      select id from suppressions indexed by suppressions_by_reason
      where project_id = ${projectId} and reason = ${reason} and ${followsId(page)}
      order by id desc limit ${limit + offset})`,
  );
  const ids = sql`select id from (${sql.join(branches, sql` union all `)}) order by id desc limit ${limit} offset ${offset}`;
  return db
    .select()
    .from(suppressions)
    .where(sql`${suppressions.id} in (${ids})`)
    .orderBy(desc(suppressions.id));
}

/** Selects the entry of an address or an id for these reasons, if it follows `after`: at most one row. */
export function selectOne(
  db: Database,
  projectId: string,
  { email, id }: { email?: string | undefined; id?: string | undefined },
  reasons: readonly SuppressionReason[],
  page: ListPage<string>,
) {
  return db
    .select()
    .from(suppressions)
    .where(
      and(
        eq(suppressions.projectId, projectId),
        email === undefined ? undefined : eq(suppressions.email, email),
        id === undefined ? undefined : eq(suppressions.id, id),
        inArray(suppressions.reason, [...reasons]),
        followsId(page),
      ),
    )
    .limit(1);
}

/** Selects the number of the project's entries for these reasons: one counter row. */
export function selectTotal(
  db: Database,
  projectId: string,
  reasons: readonly SuppressionReason[],
) {
  const counters = reasons.map((reason) => COUNTER_OF_REASON[reason]);
  return db.all<{ total: number }>(
    sql`select ${sql.join(counters, sql` + `)} as total from project_counters where project_id = ${projectId}`,
  );
}

/** Returns a condition for a batch: the project has this entry. */
export function suppressionExists(projectId: string, id: string): SQL {
  return sql`exists (select 1 from suppressions where id = ${id} and project_id = ${projectId})`;
}

/**
 * Returns an SQL expression for the address and reason of an entry as JSON. It must run before the
 * entry is deleted.
 */
export function suppressionFacts(id: string): SQL {
  return sql`(select json_object('email', email, 'reason', reason) from suppressions where id = ${id})`;
}

/** Subtracts an entry from the counter of its reason. It must run before the entry is deleted. */
export function uncountSuppression(db: Database, projectId: string, id: string) {
  const moved = SUPPRESSION_REASONS.map((reason) => {
    const counter = COUNTER_OF_REASON[reason];
    return sql`${counter} = ${counter} - (was.reason = ${reason})`;
  });
  return db.run(
    sql`update project_counters set ${sql.join(moved, sql`, `)} from (
        select reason from suppressions where id = ${id} and project_id = ${projectId}) was
      where project_id = ${projectId}`,
  );
}

/** Deletes an entry; returns its id if it existed. */
export function deleteSuppressionRow(db: Database, projectId: string, id: string) {
  return db
    .delete(suppressions)
    .where(and(eq(suppressions.projectId, projectId), eq(suppressions.id, id)))
    .returning({ id: suppressions.id });
}

/**
 * Returns an SQL expression, for a batch, for the number of these addresses that are not on the
 * list yet.
 */
export function countUnlisted(projectId: string, emails: string[]): SQL {
  return sql`(select count(*) from json_each(${JSON.stringify(emails)}) where not exists (
    select 1 from suppressions where project_id = ${projectId} and email = value))`;
}

/** Returns a condition for a batch: an address, given as an SQL expression, is on the list. */
export function isSuppressed(projectId: string, email: SQL): SQL {
  return sql`exists (select 1 from suppressions where project_id = ${projectId} and email = ${email})`;
}

/** Returns a condition for a batch: at least one of these addresses is not on the list yet. */
export function hasUnlisted(projectId: string, emails: string[]): SQL {
  return sql`exists (select 1 from json_each(${JSON.stringify(emails)}) where not exists (
    select 1 from suppressions where project_id = ${projectId} and email = value))`;
}
