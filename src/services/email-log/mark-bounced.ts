import { sql } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { DAY_MS, EVER_MS, HOUR_MS } from "../../lib/durations.ts";

/** A mail that a server accepted and later returned. `error` is one line for the log. */
export interface ReturnedMail {
  logId: string;
  error: string;
}

/**
 * Returns the statements that move entries of one project from `sent` to `bounced` and update its
 * totals (API reference §6.2). Unknown entries and entries of another status or project stay as
 * they are, so a repeated bounce counts once. Of several bounces for one entry, the first counts.
 */
export function markBounced(
  db: Database,
  projectId: string,
  returned: ReturnedMail[],
): Statement[] {
  if (returned.length === 0) return [];
  const first = new Map(returned.toReversed().map((mail) => [mail.logId, mail]));
  const mails = JSON.stringify([...first.values()]);
  return [moveTotals(db, projectId, mails), setBounced(db, projectId, mails)];
}

/** Updates the totals of entries that are still `sent`, so it must run before `setBounced`. */
function moveTotals(db: Database, projectId: string, mails: string) {
  return db.run(
    sql`with moved as (
        select l.sent_at as at, l.template_id from json_each(${mails})
        cross join email_logs l on l.id = value ->> 'logId'
        where l.project_id = ${projectId} and l.status = 'sent'
      ), grains as (
        select 'all' as grain, ${EVER_MS} as length union all select 'hour', ${HOUR_MS} union all select 'day', ${DAY_MS}
      ), moves as (
        select 'log' as kind, grain, at - at % length as bucket, '' as subject, count(*) as n, count(*) as bounced
        from moved cross join grains group by grain, bucket
        union all
        select 'template', grain, at - at % length as bucket, template_id, count(*), 0
        from moved cross join grains where template_id is not null and grain <> 'all'
        group by grain, bucket, template_id
      )
      insert into rollups (project_id, kind, grain, bucket_at, subject, sent, bounced)
      select ${projectId}, kind, grain, bucket, subject, -n, bounced from moves where true
      on conflict do update set sent = sent + excluded.sent, bounced = bounced + excluded.bounced`,
  );
}

/**
 * Marks the entries. A plus keeps SQLite from using the status index, which would read all mails of
 * the project.
 */
function setBounced(db: Database, projectId: string, mails: string) {
  return db.run(
    sql`update email_logs set status = 'bounced', error = returned.error
      from (select value ->> 'logId' as log_id, value ->> 'error' as error from json_each(${mails})) as returned
      where email_logs.id = returned.log_id and +project_id = ${projectId} and +status = 'sent'`,
  );
}
