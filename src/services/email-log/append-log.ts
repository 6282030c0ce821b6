import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database, Statement } from "../../db/client.ts";
import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import { projectExists } from "../projects/index.ts";
import { finishedEvents } from "./email-events.ts";
import type { LogEntry } from "./log-entry.ts";

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
  const isWanted = sql`${when} and ${projectExists(projectId)}
    and not exists (select 1 from email_logs where id = ${first.id})`;
  return [
    ...finishedEvents(deps, projectId, entries, isWanted),
    moveTotals(deps.db, projectId, entries, isWanted),
    insertEntries(deps.db, projectId, entries, isWanted), // last: it makes the condition false
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

function moveTotals(db: Database, projectId: string, entries: LogEntry[], when: SQL) {
  return db.run(
    sql`insert into rollups (project_id, kind, grain, bucket_at, subject, sent, failed, bounced, suppressed)
      select ${projectId}, value ->> 'kind', value ->> 'grain', value ->> 'at', value ->> 'subject',
        value ->> 'sent', value ->> 'failed', value ->> 'bounced', value ->> 'suppressed'
      from json_each(${JSON.stringify(totalsOf(entries))}) where ${when}
      on conflict do update set sent = sent + excluded.sent, failed = failed + excluded.failed,
        bounced = bounced + excluded.bounced, suppressed = suppressed + excluded.suppressed`,
  );
}

interface Bucket {
  kind: "log" | "template";
  grain: "all" | "hour" | "day";
  at: number;
  subject: string;
}

/** Returns the counts that the entries add to each bucket. */
function totalsOf(entries: LogEntry[]) {
  const grouped = Map.groupBy(
    entries.flatMap((entry) => bucketsOf(entry).map((bucket) => ({ bucket, entry }))),
    ({ bucket }) => JSON.stringify(bucket),
  );
  return [...grouped.values()].map((members) => ({
    ...members[0]?.bucket,
    ...countByStatus(members.map(({ entry }) => entry)),
  }));
}

function bucketsOf({ sentAt, status, templateId }: LogEntry): Bucket[] {
  const hour = { grain: "hour", at: sentAt - (sentAt % HOUR_MS) } as const;
  const day = { grain: "day", at: sentAt - (sentAt % DAY_MS) } as const;
  const ofLog = { kind: "log", subject: "" } as const;
  const buckets: Bucket[] = [
    { ...ofLog, grain: "all", at: 0 },
    { ...ofLog, ...hour },
    { ...ofLog, ...day },
  ];
  if (status !== "sent" || templateId === null) return buckets;
  const ofTemplate = { kind: "template", subject: templateId } as const;
  return [...buckets, { ...ofTemplate, ...hour }, { ...ofTemplate, ...day }];
}

function countByStatus(entries: LogEntry[]) {
  const counts = { sent: 0, failed: 0, bounced: 0, suppressed: 0 };
  for (const { status } of entries) counts[status] += 1;
  return counts;
}
