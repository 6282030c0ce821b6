import { sql, type SQL } from "drizzle-orm";
import type { App } from "../../app.ts";
import type { Statement } from "../../db/client.ts";
import { eventStatement, hasWebhooks, type EventType } from "../webhooks/index.ts";
import type { LogEntry } from "./log-entry.ts";

/** An event of finished mails as the statement reads it. */
interface EmailEvent {
  type: EventType;
  /** Milliseconds. */
  at: number;
  data: Record<string, string | null>;
}

/**
 * The statement that tells webhooks of finished mails (API reference §15.2), as a list that is
 * empty when there is nothing to tell: suppressed mails were never tried. A copy that bounced is an
 * event of its own. Nothing happens unless `when` is true; without a webhook the list is not even read.
 */
export function finishedEvents(
  app: App,
  projectId: string,
  entries: LogEntry[],
  when: SQL,
): Statement[] {
  const events = entries
    .flatMap((entry) => [...mainEvent(entry), ...copyEvents(entry)])
    .map((event) => ({ id: app.newId(), ...event }));
  if (events.length === 0) return [];
  return [
    eventStatement(
      app,
      sql`select value ->> 'id' as id, value ->> 'type' as type, ${projectId} as project_id,
          value ->> 'at' as at, value -> 'data' as data
        from json_each(iif(${when} and ${hasWebhooks(projectId)}, ${JSON.stringify(events)}, '[]'))`,
    ),
  ];
}

function mainEvent(entry: LogEntry): EmailEvent[] {
  const { status, sentAt: at, error } = entry;
  if (status === "suppressed") return [];
  const data = dataOf(entry);
  if (status === "sent") return [{ type: "email.sent", at, data }];
  return [{ type: `email.${status}`, at, data: { ...data, error } }];
}

function copyEvents(entry: LogEntry): EmailEvent[] {
  return (entry.copies ?? [])
    .filter(({ status }) => status === "bounced")
    .map(({ email, error }) => ({
      type: "email.bounced",
      at: entry.sentAt,
      data: { ...dataOf(entry), to: email, error },
    }));
}

const dataOf = (entry: LogEntry) => ({
  log_id: entry.id,
  to: entry.toEmail,
  subject: entry.subject,
  template_id: entry.templateId,
  subscriber_id: entry.subscriberId,
  broadcast_id: entry.broadcastId,
});

/**
 * The same `data` in SQL, for events of mails that are in the log: of the row `l` of `email_logs`, or
 * all null where a left join found none. `more` names what an event has besides.
 */
export function emailData(to: SQL, more: Record<string, SQL> = {}): SQL {
  const rest = Object.entries(more).map(([name, value]) => sql`, ${name}, ${value}`);
  return sql`json_object('log_id', l.id, 'to', ${to}, 'subject', l.subject, 'template_id', l.template_id,
    'subscriber_id', l.subscriber_id, 'broadcast_id', l.broadcast_id${sql.join(rest)})`;
}
