import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { finishedEvents, isWanted, type AppendPlaces } from "./email-events.ts";
import { isUncounted } from "./uncounted.ts";
import type { LogEntry } from "./log-entry.ts";
import { carriedId, carryId, storedStatusSql, storedSubject } from "./stored-form.ts";
import { addBuckets, bucketsOf, type Addition } from "./rollups/add-to-rollups.ts";

/**
 * Returns the statements that log finished mails of one project, add to its totals and notify its
 * webhooks: three in all. An entry writes three rows (two for a mail of a broadcast). The totals
 * write two rows, or four with a template. Entries recorded together share these rows.
 * The statements do nothing if `when` is false, if the project is deleted, or if the log already
 * has the first entry. A batch whose response was lost can therefore be repeated.
 */
export function appendLog(
  deps: Deps,
  projectId: string,
  entries: LogEntry[],
  when?: SQL,
): Statement[] {
  const [first] = entries;
  if (!first) return [];
  const append = { projectId, firstId: first.id };
  const buckets = JSON.stringify(
    bucketsOf(LOG_STATUSES, entries.filter((entry) => !isUncounted(entry)).flatMap(additionsOf)),
  );
  const rows = JSON.stringify(entries.map(carryIds));
  const ofProject = carryId(projectId);
  return [
    ...finishedEvents(deps, append, entries, when),
    addTotals(deps.db, { ...append, buckets }, when),
    insertEntries(deps.db, { ...append, ofProject, rows }, when), // last: it makes the condition false
  ];
}

const addTotals = prepared((db, at: AppendPlaces & { buckets: SQL }, when) =>
  db.run(addBuckets(LOG_STATUSES, at, isWanted(at, when))),
);

const insertEntries = prepared((db, at: AppendPlaces & { ofProject: SQL; rows: SQL }, when) => {
  const id = (name: keyof LogEntry) => carriedId(sql`value ->> ${sql.raw(`'${name}'`)}`);
  const projectId = carriedId(at.ofProject);
  const subject = storedSubject(sql`value ->> 'subject'`, projectId, id("broadcastId"));
  return db.run(
    sql`insert into log_entries (id, project_id, subscriber_id, template_id, broadcast_id, to_email, subject, status, error, reason, tags, copies, sent_at, via_fallback, queue_id, earlier, test)
      select ${id("id")}, ${projectId}, ${id("subscriberId")}, ${id("templateId")}, ${id("broadcastId")},
        value ->> 'toEmail', ${subject}, ${storedStatusSql(sql`value ->> 'status'`)}, value ->> 'error', value ->> 'reason', value ->> 'tags', value ->> 'copies', value ->> 'sentAt', value ->> 'viaFallback', value ->> 'queueId', value ->> 'earlier', value ->> 'test'
      from json_each(${at.rows}) where ${isWanted(at, when)}`,
  );
});

const carryIds = (entry: LogEntry) => ({
  ...entry,
  id: carryId(entry.id),
  subscriberId: carryId(entry.subscriberId),
  templateId: carryId(entry.templateId),
  broadcastId: carryId(entry.broadcastId),
});

/** Counts an entry by its status in the log. An accepted mail is also counted in its template. */
function additionsOf({ sentAt: at, status, templateId }: LogEntry): Addition[] {
  const ofLog = { kind: "log", subject: "", at, counters: { [status]: 1 } } as const;
  if (status !== "sent" || templateId === null) return [ofLog];
  return [ofLog, { kind: "template", subject: templateId, at, counters: { sent: 1 } }];
}
