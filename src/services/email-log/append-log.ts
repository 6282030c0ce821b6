import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database, Statement } from "../../db/client.ts";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { projectExists } from "../projects/index.ts";
import { finishedEvents } from "./email-events.ts";
import type { LogEntry } from "./log-entry.ts";
import { isLogged } from "./find-entries.ts";
import { carriedId, carryId, storedId, storedStatusSql, storedSubject } from "./stored-form.ts";
import { addToRollups, type Addition } from "./rollups/add-to-rollups.ts";

/**
 * Returns the statements that log finished mails of one project, add to its totals and notify its
 * webhooks: three in all. An entry writes three rows (two for a broadcast's). The totals write
 * three rows, or five with a template; the entries of one settle share them.
 * The statements do nothing if `when` is false, if the project is deleted, or if the log already
 * has the first entry. So a batch with a lost answer can be repeated.
 */
export function appendLog(
  deps: Deps,
  projectId: string,
  entries: LogEntry[],
  when: SQL = sql`true`,
): Statement[] {
  const [first] = entries;
  if (!first) return [];
  const isWanted = sql`${when} and ${projectExists(projectId)} and not ${isLogged(sql`${first.id}`)}`;
  return [
    ...finishedEvents(deps, projectId, entries, isWanted),
    addToRollups(deps.db, projectId, LOG_STATUSES, entries.flatMap(additionsOf), isWanted),
    insertEntries(deps.db, projectId, entries, isWanted), // last: it makes the condition false
  ];
}

function insertEntries(db: Database, projectId: string, entries: LogEntry[], when: SQL) {
  const rows = JSON.stringify(entries.map(carryIds));
  const id = (name: keyof LogEntry) => carriedId(sql`value ->> ${sql.raw(`'${name}'`)}`);
  const subject = storedSubject(sql`value ->> 'subject'`, storedId(projectId), id("broadcastId"));
  return db.run(
    sql`insert into log_entries (id, project_id, subscriber_id, template_id, broadcast_id, to_email, subject, status, error, reason, tags, copies, sent_at, via_fallback, queue_id)
      select ${id("id")}, ${storedId(projectId)}, ${id("subscriberId")}, ${id("templateId")}, ${id("broadcastId")},
        value ->> 'toEmail', ${subject}, ${storedStatusSql(sql`value ->> 'status'`)}, value ->> 'error', value ->> 'reason', value ->> 'tags', value ->> 'copies', value ->> 'sentAt', value ->> 'viaFallback', value ->> 'queueId'
      from json_each(${rows}) where ${when}`,
  );
}

const carryIds = (entry: LogEntry) => ({
  ...entry,
  id: carryId(entry.id),
  subscriberId: carryId(entry.subscriberId),
  templateId: carryId(entry.templateId),
  broadcastId: carryId(entry.broadcastId),
});

/** Counts an entry by its status in the log, and an accepted mail in its template, too. */
function additionsOf({ sentAt: at, status, templateId }: LogEntry): Addition[] {
  const ofLog = { kind: "log", subject: "", at, counters: { [status]: 1 } } as const;
  if (status !== "sent" || templateId === null) return [ofLog];
  return [ofLog, { kind: "template", subject: templateId, at, counters: { sent: 1 } }];
}
