import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import type { emailLogs } from "../../db/schema/index.ts";

/** One finished mail as it enters the log; `sentAt` in milliseconds. */
export type LogEntry = Omit<
  typeof emailLogs.$inferSelect,
  "openedAt" | "clickedAt" | "openedClass" | "openedUserAgent" | "openedIp"
>;

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Statements that log finished mails of one project and move every counter with them.
 * One entry costs three rows written for itself, one for the project's counters and three for the
 * rollups; fifty entries of one settle share the latter four. `when` must hold for them to do anything.
 */
export function appendLog(
  db: Database,
  projectId: string,
  entries: LogEntry[],
  when: SQL = sql`true`,
): Statement[] {
  if (entries.length === 0) return [];
  return [
    insertEntries(db, projectId, entries, when),
    moveCounters(db, projectId, entries, when),
    moveRollups(db, projectId, entries, when),
    ...moveTemplateTotals(db, projectId, entries, when),
  ];
}

function insertEntries(db: Database, projectId: string, entries: LogEntry[], when: SQL) {
  const rows = JSON.stringify(entries);
  return db.run(
    sql`insert into email_logs (id, project_id, subscriber_id, template_id, broadcast_id, to_email, subject, status, error, tags, copies, sent_at)
      select value ->> 'id', ${projectId}, value ->> 'subscriberId', value ->> 'templateId', value ->> 'broadcastId',
        value ->> 'toEmail', value ->> 'subject', value ->> 'status', value ->> 'error', value ->> 'tags', value ->> 'copies', value ->> 'sentAt'
      from json_each(${rows}) where ${when}`,
  );
}

function countByStatus(entries: LogEntry[]) {
  const counts = { sent: 0, failed: 0, bounced: 0, suppressed: 0 };
  for (const { status } of entries) counts[status] += 1;
  return counts;
}

function moveCounters(db: Database, projectId: string, entries: LogEntry[], when: SQL) {
  const { sent, failed, bounced, suppressed } = countByStatus(entries);
  return db.run(
    sql`update project_counters set log_sent = log_sent + ${sent}, log_failed = log_failed + ${failed},
        log_bounced = log_bounced + ${bounced}, log_suppressed = log_suppressed + ${suppressed}
      where project_id = ${projectId} and ${when}`,
  );
}

function groupBy(entries: LogEntry[], keyOf: (entry: LogEntry) => string) {
  return [...Map.groupBy(entries, keyOf)];
}

function moveRollups(db: Database, projectId: string, entries: LogEntry[], when: SQL) {
  const buckets = (["hour", "day"] as const).flatMap((grain) => {
    const length = grain === "hour" ? HOUR_MS : DAY_MS;
    const start = ({ sentAt }: LogEntry) => String(sentAt - (sentAt % length));
    return groupBy(entries, start).map(([at, members]) => ({
      grain,
      at: Number(at),
      ...countByStatus(members),
    }));
  });
  return db.run(
    sql`insert into log_rollups (project_id, grain, bucket_at, sent, failed, bounced, suppressed)
      select ${projectId}, value ->> 'grain', value ->> 'at', value ->> 'sent', value ->> 'failed', value ->> 'bounced', value ->> 'suppressed'
      from json_each(${JSON.stringify(buckets)}) where ${when}
      on conflict (project_id, grain, bucket_at) do update set sent = sent + excluded.sent, failed = failed + excluded.failed,
        bounced = bounced + excluded.bounced, suppressed = suppressed + excluded.suppressed`,
  );
}

/** Accepted mails a template and day; what "top templates" reads. */
function moveTemplateTotals(db: Database, projectId: string, entries: LogEntry[], when: SQL) {
  const accepted = entries.filter(({ status, templateId }) => status === "sent" && templateId);
  if (accepted.length === 0) return [];
  const day = ({ sentAt }: LogEntry) => sentAt - (sentAt % DAY_MS);
  const rows = groupBy(accepted, (entry) => `${day(entry)} ${entry.templateId}`).map(
    ([key, members]) => {
      const [at, id] = key.split(" ");
      return { at: Number(at), id, count: members.length };
    },
  );
  return [
    db.run(
      sql`insert into top_rollups (project_id, kind, day_at, subject, label, count)
        select ${projectId}, 'template', value ->> 'at', value ->> 'id', '', value ->> 'count'
        from json_each(${JSON.stringify(rows)}) where ${when}
        on conflict (project_id, kind, day_at, subject) do update set count = count + excluded.count`,
    ),
  ];
}
