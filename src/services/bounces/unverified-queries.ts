import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database } from "../../db/client.ts";
import { unverifiedBounces } from "../../db/schema/index.ts";
import { spanOf, type ListPage } from "../../lib/page.ts";
import { projectExists } from "../projects/index.ts";
import { isErased, isSuppressed, withHashes } from "../suppressions/index.ts";

export type UnverifiedRow = typeof unverifiedBounces.$inferSelect;

/** A report to hold for manual review. */
type NewUnverified = Pick<UnverifiedRow, "email" | "reason" | "words" | "logId"> & { kind: string };

/**
 * Upserts reports, one row per address: the newest report of an address wins. Skips erased
 * addresses, because an erasure may happen after the caller has looked for the mail. Does nothing
 * if `when` is false.
 */
export function keepUnverified(
  { db, config, now: clock }: Deps,
  projectId: string,
  reports: NewUnverified[],
  when: SQL = sql`true`,
) {
  const now = clock();
  const rows = JSON.stringify(reports.map((report) => withHashes(config, report)));
  return db.run(
    sql`insert into unverified_bounces (project_id, email, kind, reason, words, log_id, reports, first_seen_at, last_seen_at)
      select ${projectId}, value ->> 'email', value ->> 'kind', value ->> 'reason', value ->> 'words', value ->> 'logId', 1, ${now}, ${now}
      from json_each(${rows}) where ${when} and ${projectExists(projectId)}
        and not ${isErased(config, projectId)}
      on conflict do update set kind = excluded.kind, reason = excluded.reason, words = excluded.words,
        log_id = excluded.log_id, reports = reports + 1, last_seen_at = excluded.last_seen_at`,
  );
}

/** Returns the condition that a report still needs a decision. */
const isOpen = (projectId: string) =>
  and(
    eq(unverifiedBounces.projectId, projectId),
    sql`not ${isSuppressed(projectId, sql`unverified_bounces.email`)}`,
  );

/** The keyset cursor of a report: the time when it was last seen, and its address. */
export type UnverifiedKey = readonly [lastSeenAt: number, email: string];

/** Selects a page of the reports about addresses that are not suppressed, newest first. */
export function selectUnverified(db: Database, projectId: string, page: ListPage<UnverifiedKey>) {
  const { limit, offset } = spanOf(page);
  return db
    .select()
    .from(unverifiedBounces)
    .where(and(isOpen(projectId), follows(page)))
    .orderBy(desc(unverifiedBounces.lastSeenAt), unverifiedBounces.email)
    .limit(limit)
    .offset(offset);
}

/** Returns the condition that a report comes after the cursor of a page. */
function follows({ after }: ListPage<UnverifiedKey>): SQL | undefined {
  if (after === undefined || after === null) return undefined;
  const [at, email] = after;
  return sql`last_seen_at <= ${at} and (last_seen_at < ${at} or email > ${email})`;
}

/** Counts the same reports, up to `most`. */
export function countUnverified(db: Database, projectId: string, most: number) {
  return db.all<{ total: number }>(
    sql`select count(*) as total from (select 1 from unverified_bounces where ${isOpen(projectId)} limit ${most})`,
  );
}

const isOneOf = (projectId: string, emails: string[]) =>
  and(
    eq(unverifiedBounces.projectId, projectId),
    sql`${unverifiedBounces.email} in (select value from json_each(${JSON.stringify(emails)}))`,
  );

/** Selects the reports about these addresses. */
export function selectUnverifiedOf(db: Database, projectId: string, emails: string[]) {
  return db.select().from(unverifiedBounces).where(isOneOf(projectId, emails));
}

/** Removes the reports about these addresses. */
export function deleteUnverified(db: Database, projectId: string, emails: string[]) {
  return db.delete(unverifiedBounces).where(isOneOf(projectId, emails));
}

/** Removes reports that were last seen before a time. Runs every night. */
export function deleteOldUnverified(db: Database, before: number) {
  return db.run(sql`delete from unverified_bounces where last_seen_at < ${before}`);
}
