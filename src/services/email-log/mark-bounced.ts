import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { addSelected } from "./rollups/add-to-rollups.ts";

/** A mail that a server accepted and later returned. `error` is one line for the log. */
export interface ReturnedMail {
  logId: string;
  error: string;
  reason: string;
}

/**
 * Returns the statements that move entries of one project from `sent` to `bounced` and update its
 * totals (API reference §6.2). Unknown entries and entries of another status or project stay as
 * they are, so a repeated bounce counts once. Of several bounces for one entry, the first counts.
 * The statements do nothing if `when` is false.
 */
export function markBounced(
  db: Database,
  projectId: string,
  returned: ReturnedMail[],
  when: SQL = sql`true`,
): Statement[] {
  if (returned.length === 0) return [];
  const first = new Map(returned.toReversed().map((mail) => [mail.logId, mail]));
  const mails = JSON.stringify([...first.values()]);
  return [moveTotals(db, projectId, mails, when), setBounced(db, projectId, mails, when)];
}

/** Updates the totals of entries that are still `sent`, so it must run before `setBounced`. */
function moveTotals(db: Database, projectId: string, mails: string, when: SQL) {
  return addSelected(
    db,
    ["log", "template"],
    ["sent", "bounced"],
    sql`with moved as (
        select l.sent_at as at, l.template_id from json_each(${mails})
        cross join email_logs l on l.id = value ->> 'logId'
        where l.project_id = ${projectId} and l.status = 'sent' and ${when})
      select ${projectId} as project_id, 'log' as kind, '' as subject, '' as label, at, -1 as sent, 1 as bounced
      from moved
      union all
      select ${projectId}, 'template', template_id, '', at, -1, 0 from moved where template_id is not null`,
  );
}

/**
 * Marks the entries. A plus keeps SQLite from using the status index, which would read all mails of
 * the project.
 */
function setBounced(db: Database, projectId: string, mails: string, when: SQL) {
  return db.run(
    sql`update email_logs set status = 'bounced', error = returned.error, reason = returned.reason
      from (select value ->> 'logId' as log_id, value ->> 'error' as error, value ->> 'reason' as reason from json_each(${mails})) as returned
      where email_logs.id = returned.log_id and +project_id = ${projectId} and +status = 'sent' and ${when}`,
  );
}
