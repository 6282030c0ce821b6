import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import type { BounceReport } from "../../db/schema/index.ts";
import type { Deps } from "../../deps.ts";
import { addSelected } from "./rollups/add-to-rollups.ts";
import { bucketSql } from "./rollups/grains.ts";
import { idText, storedId, storedIdSql, storedStatus } from "./stored-form.ts";

/** A mail that a server accepted and later returned. `error` is one line for the log. */
export interface ReturnedMail {
  logId: string;
  error: string;
  reason: string;
  by: BounceReport["by"];
}

/**
 * Returns the statements that change entries of one project from `sent` to `bounced`, together with
 * the totals of the project and the counts of their broadcasts (API reference §6.2, §11.9).
 * Idempotent: unknown entries and entries of another status or project stay unchanged. Of several
 * bounces for one entry, the first counts. The statements do nothing if `when` is false.
 */
export function markBounced(
  { db, now }: Pick<Deps, "db" | "now">,
  projectId: string,
  returned: ReturnedMail[],
  when: SQL = sql`true`,
): Statement[] {
  if (returned.length === 0) return [];
  const first = new Map(returned.toReversed().map((mail) => [mail.logId, mail]));
  const mails = JSON.stringify([...first.values()]);
  return [
    moveTotals(db, projectId, mails, when),
    moveCounts(db, projectId, mails, when),
    setBounced(db, projectId, { mails, at: now() }, when),
  ];
}

/**
 * The entries that are still `sent`. Every statement that counts them must run before `setBounced`.
 */
const stillSent = (projectId: string, mails: string, when: SQL): SQL => sql`json_each(${mails})
  cross join log_entries l on l.id = ${storedIdSql(sql`value ->> 'logId'`)}
  where l.project_id = ${storedId(projectId)} and l.status = ${storedStatus("sent")} and ${when}`;

/**
 * Updates the totals. A mail that was opened or clicked no longer counts as such (decision D5). The
 * shortest bucket is an hour, so mails of the same hour and template are grouped.
 */
function moveTotals(db: Database, projectId: string, mails: string, when: SQL) {
  return addSelected(
    db,
    ["sent", "bounced", "opened", "clicked"],
    sql`with moved as (
        select ${bucketSql(sql`l.sent_at`, "hour")} as at, ${idText(sql`l.template_id`)} as template_id, count(*) as n,
          count(l.opened_at) as opened, count(l.clicked_at) as clicked
        from ${stillSent(projectId, mails, when)} group by 1, 2)
      select ${projectId} as project_id, 'log' as kind, '' as subject, '' as label, at, -n as sent, n as bounced,
        -opened as opened, -clicked as clicked
      from moved
      union all
      select ${projectId}, 'template', template_id, '', at, -n, 0, 0, 0 from moved where template_id is not null`,
  );
}

/**
 * Updates the counts of broadcasts. While a chunk is open, its own counts still include the mail as
 * sent. The row of the broadcast may therefore be negative, but the sum of both is always right. An
 * imported entry may name a broadcast of another project, whose counts do not change.
 */
function moveCounts(db: Database, projectId: string, mails: string, when: SQL) {
  return db.run(
    sql`update broadcasts set sent = sent - moved.n, bounced = bounced + moved.n
      from (select ${idText(sql`l.broadcast_id`)} as broadcast_id, count(*) as n
        from ${stillSent(projectId, mails, when)} and l.broadcast_id is not null group by 1) as moved
      where broadcasts.id = moved.broadcast_id and +broadcasts.project_id = ${projectId}`,
  );
}

/**
 * Marks the entries. The entry of an erased address gets no text, because the text may contain the
 * address. The unary plus keeps SQLite from using the status index, which would read all mails of
 * the project.
 */
function setBounced(
  db: Database,
  projectId: string,
  { mails, at }: { mails: string; at: number },
  when: SQL,
) {
  return db.run(
    sql`update log_entries set status = ${storedStatus("bounced")}, error = iif(to_email = '', null, mail.error), reason = mail.reason, returned = mail.returned
      from (select ${storedIdSql(sql`value ->> 'logId'`)} as entry_id, value ->> 'error' as error, value ->> 'reason' as reason,
        json_object('at', ${at}, 'by', value ->> 'by') as returned from json_each(${mails})) as mail
      where log_entries.id = mail.entry_id and +project_id = ${storedId(projectId)} and +status = ${storedStatus("sent")} and ${when}`,
  );
}
