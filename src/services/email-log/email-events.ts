import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { projectExists } from "../projects/index.ts";
import {
  eventStatement,
  hasWebhooks,
  insertDeliveries,
  waking,
  type EventType,
} from "../webhooks/index.ts";
import { simulatedOutcomeOf } from "../../mail/smtp/index.ts";
import { isLogged } from "./find-entries.ts";
import type { LogEntry } from "./log-entry.ts";
import { idText, SUBJECT_OF_L } from "./stored-form.ts";

/** An event of a finished mail, as the statement reads it. */
interface EmailEvent {
  type: EventType;
  /** Milliseconds. */
  at: number;
  data: Record<string, string | boolean | null | Record<string, string>>;
}

/**
 * The parameters of a statement that follows an append to the log: its project and its first entry.
 */
export type AppendPlaces = Record<"projectId" | "firstId", SQL>;

/**
 * Returns the condition of an append: `when` holds, the project exists, and the log does not
 * contain the first entry.
 */
export const isWanted = ({ projectId, firstId }: AppendPlaces, when: SQL): SQL =>
  sql`${when} and ${projectExists(projectId)} and not ${isLogged(firstId)}`;

/** Returns the data of an event. A mail of an automation names it and its step, not a broadcast. */
const ofAutomation = (data: SQL): SQL =>
  sql`coalesce((select json_set(${data}, '$.broadcast_id', null, '$.automation_id', b.automation_id, '$.step_id', b.step_id)
    from broadcasts b where b.id = ${data} ->> '$.broadcast_id' and b.automation_id is not null), ${data})`;

const insertFinished = prepared(
  (db, at: AppendPlaces & Record<"now" | "quota" | "events", SQL>, when) =>
    insertDeliveries(
      db,
      sql`select value ->> 'id' as id, value ->> 'type' as type, ${at.projectId} as project_id,
        value ->> 'at' as at, ${ofAutomation(sql`value -> 'data'`)} as data
      from json_each(iif(${isWanted(at, when)} and ${hasWebhooks(at.projectId)}, ${at.events}, '[]'))`,
      { at: at.now, quota: at.quota, projectId: at.projectId },
    ),
);

/**
 * Returns the statement that notifies webhooks of finished mails (API reference §15.2), in an array
 * that is empty without events. A bounced or suppressed copy is a separate event. The statement does
 * nothing if `when` is false or the append already happened. Without a webhook, it does not even
 * read the mails.
 */
export function finishedEvents(
  deps: Deps,
  append: { projectId: string; firstId: string },
  entries: LogEntry[],
  when?: SQL,
): Statement[] {
  const events = entries
    .flatMap((entry) => [...mainEvent(entry), ...copyEvents(entry)])
    .map((event) => ({ id: deps.newId(), ...event }));
  if (events.length === 0) return [];
  const quota = deps.config.workspaceStorageBytes;
  const values = { ...append, now: deps.now(), quota, events: JSON.stringify(events) };
  return [waking(deps, insertFinished(deps.db, values, when))];
}

/**
 * Returns the statement that notifies webhooks of mails that wait for another attempt, in an array
 * that is empty without mails. It does nothing if `when` is false.
 */
export function delayedEvents(
  deps: Deps,
  projectId: string,
  entries: LogEntry[],
  when: SQL,
): Statement[] {
  if (entries.length === 0) return [];
  const rows = entries.map((entry) => ({
    id: deps.newId(),
    at: entry.sentAt,
    data: failureData(entry, entry),
  }));
  return [
    eventStatement(
      deps,
      sql`select value ->> 'id' as id, 'email.delivery_delayed' as type, ${projectId} as project_id,
          value ->> 'at' as at, ${ofAutomation(sql`value -> 'data'`)} as data
        from json_each(iif(${when} and ${hasWebhooks(projectId)}, ${JSON.stringify(rows)}, '[]'))`,
      projectId,
    ),
  ];
}

/** An erased person has no address, and causes no event of a mail that was not tried. */
function mainEvent(entry: LogEntry): EmailEvent[] {
  const { status, sentAt: at } = entry;
  const sent = { type: "email.sent", at, data: dataOf(entry) } as const;
  if (status === "sent")
    return simulatedOutcomeOf(entry.toEmail) === "complained"
      ? [sent, { ...sent, type: "email.complained" }]
      : [sent];
  if (status === "suppressed" && entry.toEmail === "") return [];
  return [{ type: `email.${status}`, at, data: failureData(entry, entry) }];
}

function copyEvents(entry: LogEntry): EmailEvent[] {
  return (entry.copies ?? []).flatMap(({ email, status, error, reason = null }) =>
    status === "bounced" || status === "suppressed"
      ? [
          {
            type: `email.${status}` as const,
            at: entry.sentAt,
            data: { ...failureData(entry, { error, reason }), to: email },
          },
        ]
      : [],
  );
}

const failureData = (entry: LogEntry, { error, reason }: Pick<LogEntry, "error" | "reason">) => ({
  ...dataOf(entry),
  error,
  reason,
});

const dataOf = (entry: LogEntry) => ({
  log_id: entry.id,
  to: entry.toEmail,
  subject: entry.subject,
  template_id: entry.templateId,
  subscriber_id: entry.subscriberId,
  broadcast_id: entry.broadcastId,
  ...(entry.tags && { tags: entry.tags }),
  ...(entry.test === 1 && { test: true }),
});

/**
 * Returns the same `data` as an SQL expression, for events of mails in the log. It reads the row
 * `l` of `log_entries`. All fields are null if a left join finds no row. `more` adds fields to the
 * event.
 */
export function emailData(to: SQL, more: Record<string, SQL> = {}): SQL {
  const rest = Object.entries(more).map(([name, value]) => sql`, ${name}, ${value}`);
  const data = sql`json_object('log_id', ${idText(sql`l.id`)}, 'to', ${to}, 'subject', ${SUBJECT_OF_L},
    'template_id', ${idText(sql`l.template_id`)}, 'subscriber_id', ${idText(sql`l.subscriber_id`)},
    'broadcast_id', ${idText(sql`l.broadcast_id`)}${sql.join(rest)})`;
  return sql`json_patch(${ofAutomation(data)}, json_object('tags', json(l.tags), 'test', iif(l.test, json('true'), null)))`;
}
