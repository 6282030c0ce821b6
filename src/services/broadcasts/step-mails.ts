/*
 * The mails of a send step of an automation: a broadcast of kind `automation`, which never ends and
 * whose chunks list their recipients.
 */
import { and, eq, getTableColumns, ne, sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { randomToken } from "../../lib/random-token.ts";
import { columnsOf, EMPTY_DRAFT } from "./drafts/draft-input.ts";
import { AFTER_IDS } from "./plan-queries.ts";
import { eventOf } from "./claim-queries.ts";
import type { BroadcastRow } from "./queries.ts";

type Event = Record<string, unknown>;

/** The mails of a step: content, topic and recipients as they are from now on. */
export interface StepMails extends Pick<
  BroadcastRow,
  | "id"
  | "projectId"
  | "name"
  | "templateId"
  | "subject"
  | "htmlBody"
  | "textBody"
  | "preheader"
  | "tracking"
  | "topicId"
  | "status"
> {
  automationId: string;
  automationVersion: number;
  stepId: string;
}

/** Inserts the mails of a step of a version that starts now. */
export function insertStepMails(db: Database, mails: StepMails, now: number): Statement {
  return db.insert(broadcasts).values({
    ...mails,
    kind: "automation",
    state: "sending",
    plan: columnsOf(EMPTY_DRAFT, null).plan,
    variables: {},
    logKey: randomToken(),
    cutoffId: AFTER_IDS,
    plannedId: AFTER_IDS,
    planDueAt: now,
    createdAt: now,
  });
}

/** Pauses the mails of an automation's steps, or lets them continue, if `when` is true. */
export function setStepMails(
  db: Database,
  automationId: string,
  to: "paused" | "sending",
  when: SQL = sql`true`,
): Statement {
  const resumed = sql`, resumptions = resumptions + 1, complaints = 0,
    earlier_complaints = earlier_complaints + complaints`;
  return db.run(
    sql`update broadcasts set state = ${to}${to === "sending" ? resumed : sql``}
      where automation_id = ${automationId} and ${when}
        and state = ${to === "sending" ? "paused" : "sending"}`,
  );
}

/** Makes the mails of an automation that wait for an attempt due now. */
export function releaseStepMails(db: Database, automationId: string, now: number): Statement {
  return db.run(
    sql`update broadcast_chunks set due_at = ${now} where state = 'pending' and broadcast_id in (
      select id from broadcasts where automation_id = ${automationId} and state = 'sending')`,
  );
}

/** Cancels the mails of an automation that wait to be sent, and keeps the counts of their chunks. */
export function cancelStepMails(db: Database, automationId: string, now: number): Statement[] {
  const own = sql`automation_id = ${automationId} and state in ('sending', 'paused')`;
  const waiting = sql`from broadcast_chunks where broadcast_id = broadcasts.id and state = 'pending'`;
  const added = ["sent", "failed", "bounced", "suppressed", "unknown"].map((name) => {
    const count = sql.raw(name);
    return sql`${count} = ${count} + (select coalesce(sum(${count}), 0) ${waiting})`;
  });
  return [
    db.run(
      sql`update broadcasts set state = 'cancelled', finished_at = ${now}, ${sql.join(added, sql`, `)}
        where ${own}`,
    ),
    db.run(
      sql`delete from broadcast_chunks where state = 'pending' and broadcast_id in (
        select id from broadcasts where automation_id = ${automationId} and state = 'cancelled')`,
    ),
  ];
}

/**
 * Selects a broadcast, or the mails of an automation's step with the event of the subscriber's
 * newest run, for the view of a mail in the browser: at most one row.
 */
export function selectViewed(
  db: Database,
  {
    projectId,
    broadcastId,
    subscriberId,
  }: Record<"projectId" | "broadcastId" | "subscriberId", string>,
) {
  const event = eventOf(
    { automationId: sql`broadcasts.automation_id`, page: "" },
    sql`${subscriberId}`,
  );
  return db
    .select({
      ...getTableColumns(broadcasts),
      event: sql`${event}`.mapWith((data: string): Event | null => JSON.parse(data) as Event),
    })
    .from(broadcasts)
    .where(
      and(
        eq(broadcasts.id, broadcastId),
        eq(broadcasts.projectId, projectId),
        ne(broadcasts.kind, "batch"),
      ),
    );
}
