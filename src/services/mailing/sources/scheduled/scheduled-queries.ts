/* Queries of scheduled mails: pending mails that hold a send for a later time. */
import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../../../db/client.ts";
import { isoTime } from "../../../../db/iso-time.ts";
import type { Deps } from "../../../../deps.ts";
import { spanOf, type ListPage } from "../../../../lib/page.ts";
import type { LogRow } from "../../../email-log/index.ts";
import { eventStatement, hasWebhooks } from "../../../webhooks/index.ts";

/** A scheduled mail before its insert. */
export interface NewScheduledMail {
  id: string;
  projectId: string;
  subscriberId: string | null;
  templateId: string | null;
  to: string;
  subject: string;
  at: number;
  sendSealed: string;
}

/** Inserts a scheduled mail of a project that exists, if `when` is true. Returns a row on success. */
export function insertScheduled(db: Database, mail: NewScheduledMail, when: SQL) {
  const { id, projectId, subscriberId, templateId, to, subject, at, sendSealed } = mail;
  const data = JSON.stringify({ to, subject });
  return db.all<{ id: string }>(
    sql`insert into pending_mails (id, project_id, subscriber_id, template_id, kind, data, due_at, created_at, send_sealed)
      select ${id}, id, ${subscriberId ?? ""}, ${templateId}, 'scheduled', ${data}, ${at}, ${at}, ${sendSealed}
      from projects where id = ${projectId} and ${when} returning id`,
  );
}

/** Returns the statement of the event of a mail that this batch has scheduled. */
export function scheduledEvent(deps: Deps, { id, projectId }: NewScheduledMail) {
  return eventStatement(
    deps,
    sql`select ${deps.newId()} as id, 'email.scheduled' as type, project_id, ${deps.now()} as at,
        json_object('log_id', id, 'to', data ->> 'to', 'subject', data ->> 'subject',
          'template_id', template_id, 'subscriber_id', nullif(subscriber_id, ''),
          'broadcast_id', null, 'scheduled_at', ${isoTime(sql`due_at`)}) as data
      from pending_mails where id = ${id} and ${hasWebhooks(projectId)}`,
    projectId,
  );
}

const isScheduled = (projectId: string) => sql`project_id = ${projectId} and kind = 'scheduled'`;

/** The condition on a mail that no attempt has begun. */
const isWaiting = (projectId: string, id: string) =>
  sql`id = ${id} and ${isScheduled(projectId)} and attempts = 0`;

/** Moves a mail that has not begun to another time. The last statement returns a row on success. */
export const moveScheduled = (db: Database, projectId: string, id: string, at: number) => ({
  before: [] as Statement[],
  last: db.all<{ id: string }>(
    sql`update pending_mails set due_at = ${at}, created_at = ${at}
      where ${isWaiting(projectId, id)} returning id`,
  ),
});

/** Deletes a mail that has not begun. The last statement returns a row on success. */
export const deleteScheduled = (db: Database, projectId: string, id: string) => ({
  before: [] as Statement[],
  last: db.all<{ id: string }>(
    sql`delete from pending_mails where ${isWaiting(projectId, id)} returning id`,
  ),
});

/** A scheduled mail as a row of the log; its time is when it is due. */
export type ScheduledRow = Omit<LogRow, "status"> & { status: "scheduled"; scheduledAt: number };

const ROW_COLUMNS = sql`id, project_id as "projectId", nullif(subscriber_id, '') as "subscriberId",
  template_id as "templateId", null as "broadcastId", null as "automationId", null as "stepId", data ->> 'to' as "toEmail",
  data ->> 'subject' as subject, 'scheduled' as status, null as error, null as reason,
  null as tags, null as copies, due_at as "sentAt", due_at as "scheduledAt",
  null as "openedAt", null as "clickedAt", null as "viaFallback", null as test`;

/** Selects a scheduled mail: at most one row. */
export const selectScheduledMail = (db: Database, projectId: string, id: string) =>
  db.all<ScheduledRow>(
    sql`select ${ROW_COLUMNS} from pending_mails where id = ${id} and ${isScheduled(projectId)}`,
  );

/** The time that a list covers, in milliseconds. */
export interface ScheduledFilter {
  from?: number | undefined;
  to?: number | undefined;
}

const within = (dueAt: SQL, { from, to }: ScheduledFilter) =>
  sql`${dueAt} >= ${from ?? 0} and ${dueAt} < ${to ?? Number.MAX_SAFE_INTEGER}`;

const scheduledWithin = (projectId: string, filter: ScheduledFilter) =>
  sql`${isScheduled(projectId)} and ${within(sql`due_at`, filter)}`;

/** Selects a page of the scheduled mails, the last one first. */
export function selectScheduledMails(
  db: Database,
  projectId: string,
  filter: ScheduledFilter,
  page: ListPage<readonly [sentAt: number, id: string]>,
) {
  const { limit, offset } = spanOf(page);
  const [at, id] = page.after ?? [Number.MAX_SAFE_INTEGER, ""];
  return db.all<ScheduledRow>(
    sql`select ${ROW_COLUMNS} from pending_mails
      where ${scheduledWithin(projectId, filter)} and (due_at, id) < (${at}, ${id})
      order by due_at desc, id desc limit ${limit} offset ${offset}`,
  );
}

/** Counts the scheduled mails of a time: one row. */
export const countScheduledMails = (db: Database, projectId: string, filter: ScheduledFilter) =>
  db.all<{ total: number }>(
    sql`select count(*) as total from pending_mails where ${scheduledWithin(projectId, filter)}`,
  );

/** An email or batch that waits for its time. */
export interface WaitingRow {
  kind: "email" | "batch";
  id: string;
  templateId: string | null;
  subject: string;
  /** The recipient of an email; null for a batch. */
  toEmail: string | null;
  /** The id of the last recipient of a batch; null for an email. */
  lastId: string | null;
  scheduledAt: number;
}

/** A time that a list covers, and the time of the list. */
type WaitingFilter = ScheduledFilter & { now: number };

/**
 * The condition on batches that wait. The index by state has those of the project that are due
 * later.
 */
const batchesWithin = (projectId: string, { now, ...filter }: WaitingFilter) => sql`broadcasts
  indexed by broadcasts_by_state where state = 'sending' and plan_due_at > ${now}
    and ${within(sql`plan_due_at`, filter)} and project_id = ${projectId} and kind = 'batch'`;

/** Selects a page of the emails and batches that wait, the next one first. */
export function selectWaiting(
  db: Database,
  projectId: string,
  filter: WaitingFilter,
  page: ListPage<readonly [scheduledAt: number, id: string]>,
) {
  const { limit, offset } = spanOf(page);
  const [after, id] = page.after ?? [0, ""];
  // An index takes one lower bound, which is not the one of the pair below.
  const rest = { ...filter, from: Math.max(filter.from ?? 0, after) };
  /** The part of a page that each kind can have, so that no kind is read to its end. */
  const part = (at: SQL) =>
    sql`(${at}, id) > (${after}, ${id}) order by ${at}, id limit ${limit + offset}`;
  return db.all<WaitingRow>(
    sql`select * from (
        select 'email' as kind, id, template_id as "templateId", data ->> 'subject' as subject,
          data ->> 'to' as "toEmail", null as "lastId", due_at as "scheduledAt" from pending_mails
        where ${scheduledWithin(projectId, rest)} and ${part(sql`due_at`)})
      union all select * from (
        select 'batch', id, template_id, subject, null, cutoff_id, plan_due_at
        from ${batchesWithin(projectId, rest)} and ${part(sql`plan_due_at`)})
      order by "scheduledAt", id limit ${limit} offset ${offset}`,
  );
}

/** Counts the emails and batches that wait: one row. */
export const countWaiting = (db: Database, projectId: string, filter: WaitingFilter) =>
  db.all<{ total: number }>(
    sql`select (select count(*) from pending_mails where ${scheduledWithin(projectId, filter)})
      + (select count(*) from ${batchesWithin(projectId, filter)}) as total`,
  );
