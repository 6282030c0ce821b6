/* Queries of batches. A batch is a broadcast whose chunks contain the recipients. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../../../db/client.ts";
import { isoTime } from "../../../../db/iso-time.ts";
import type { Deps } from "../../../../deps.ts";
import type { Mailbox } from "../../../../mail/address.ts";
import { broadcasts, type BatchFailure } from "../../../../db/schema/index.ts";
import type { TrackingSwitches } from "../../../../lib/tracking-switches.ts";
import type { ChunkRow } from "../../../broadcasts/index.ts";
import { eventStatement, hasWebhooks } from "../../../webhooks/index.ts";

/** A batch to store. */
export interface NewBatch {
  id: string;
  projectId: string;
  templateId: string | null;
  subject: string;
  htmlBody: string;
  textBody: string;
  preheader: string;
  tracking: TrackingSwitches;
  from: Mailbox | undefined;
  /** When it is due, if not now. */
  scheduledAt: number | undefined;
  /** True for a batch of a test key. */
  isTest: boolean;
}

/**
 * Inserts a batch if `when` is true. `lastId` is that of its last recipient. If the project was
 * deleted, the write fails on the null in `broadcasts.project_id`.
 */
export function insertBatch(
  db: Database,
  batch: NewBatch,
  { logKey, lastId, now }: { logKey: string; lastId: string; now: number },
  when: SQL,
) {
  const { id, projectId, templateId, subject, htmlBody, textBody, preheader, tracking } = batch;
  const { from, scheduledAt, isTest } = batch;
  return db.all<{ id: string }>(
    sql`insert into broadcasts (id, project_id, kind, template_id, subject, html_body, text_body, status, state,
        log_key, cutoff_id, planned_id, plan_due_at, created_at, test, preheader, tracking, from_name, from_address)
      select ${id}, (select id from projects where id = ${projectId}), 'batch', ${templateId}, ${subject}, ${htmlBody},
        ${textBody}, 'active', 'sending', ${logKey}, ${lastId}, ${lastId}, ${scheduledAt ?? now}, ${now}, ${isTest ? 1 : null},
        ${preheader}, ${JSON.stringify(tracking)}, ${from?.name ?? null}, ${from?.address ?? null}
      where ${when} returning id`,
  );
}

/**
 * Returns the statement of the event of a batch for a later time that this batch of statements has
 * stored: one for all of its recipients.
 */
export const batchScheduledEvent = (deps: Deps, { id, projectId }: NewBatch, recipients: number) =>
  eventStatement(
    deps,
    sql`select ${deps.newId()} as id, 'email.scheduled' as type, project_id, created_at as at,
        json_object('log_id', null, 'to', null, 'subject', subject, 'template_id', template_id,
          'subscriber_id', null, 'broadcast_id', null, 'batch_id', id, 'recipients', ${recipients},
          'scheduled_at', ${isoTime(sql`plan_due_at`)}) as data
      from broadcasts where id = ${id} and ${hasWebhooks(projectId)}`,
    projectId,
  );

/** A chunk of a batch as it is stored. */
export interface NewChunk extends Pick<ChunkRow, "afterId" | "untilId" | "dueAt"> {
  recipients: string;
}

/** Inserts chunks of a batch, if the batch was inserted. */
export function insertBatchChunks(db: Database, batchId: string, chunks: NewChunk[]) {
  const field = (name: keyof NewChunk) => sql`value ->> ${sql.raw(`'${name}'`)}`;
  return db.run(
    sql`insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token,
        in_flight, again, deferred, recipients)
      select ${batchId}, ${field("afterId")}, ${field("untilId")}, ${field("afterId")}, 'pending',
        ${field("dueAt")}, '', '[]', '[]', '[]', ${field("recipients")}
      from json_each(${JSON.stringify(chunks)}) where exists (select 1 from broadcasts where id = ${batchId})`,
  );
}

/** Selects a batch of a project without its content: at most one row. */
export function selectBatch(db: Database, projectId: string, id: string) {
  return db
    .select({
      id: broadcasts.id,
      projectId: broadcasts.projectId,
      templateId: broadcasts.templateId,
      subject: broadcasts.subject,
      state: broadcasts.state,
      lastId: broadcasts.cutoffId,
      sent: broadcasts.sent,
      failed: broadcasts.failed,
      bounced: broadcasts.bounced,
      suppressed: broadcasts.suppressed,
      createdAt: broadcasts.createdAt,
      dueAt: broadcasts.planDueAt,
      finishedAt: broadcasts.finishedAt,
    })
    .from(broadcasts)
    .where(
      and(eq(broadcasts.id, id), eq(broadcasts.projectId, projectId), eq(broadcasts.kind, "batch")),
    );
}

/** The condition on a batch for a later time that no attempt has begun. */
const isWaiting = (projectId: string, id: string) => sql`exists (select 1 from broadcasts
    where id = ${id} and project_id = ${projectId} and kind = 'batch' and state = 'sending'
      and plan_due_at > created_at and sent + failed + bounced + suppressed = 0)
  and not exists (select 1 from broadcast_chunks where broadcast_id = ${id}
    and (state <> 'pending' or attempt > 0 or cursor_id <> after_id))`;

/** Moves a batch that has not begun to another time. The last statement returns a row on success. */
export const moveBatch = (db: Database, projectId: string, id: string, at: number) => ({
  before: [
    db.run(
      sql`update broadcast_chunks set due_at = ${at}
        where broadcast_id = ${id} and ${isWaiting(projectId, id)}`,
    ),
  ],
  last: db.all<{ id: string }>(
    sql`update broadcasts set plan_due_at = ${at}
      where id = ${id} and ${isWaiting(projectId, id)} returning id`,
  ),
});

/** Deletes a batch that has not begun. The last statement returns a row on success. */
export const deleteBatch = (db: Database, projectId: string, id: string) => ({
  before: [
    db.run(
      sql`delete from broadcast_chunks where broadcast_id = ${id} and ${isWaiting(projectId, id)}`,
    ),
  ],
  last: db.all<{ id: string }>(
    sql`delete from broadcasts where id = ${id} and ${isWaiting(projectId, id)} returning id`,
  ),
});

/** Returns the statement that stores failures of a batch if `when` is true. Idempotent. */
export function insertFailures(
  db: Database,
  batchId: string,
  { id, failures }: { id: string; failures: BatchFailure[] },
  when: SQL,
): Statement[] {
  if (failures.length === 0) return [];
  return [
    db.run(
      sql`insert into batch_failures (batch_id, id, failures)
        select ${batchId}, ${id}, ${JSON.stringify(failures)} where ${when} on conflict do nothing`,
    ),
  ];
}

/** Selects a page of the failures of a batch, in the order in which they were recorded. */
export function selectFailures(
  db: Database,
  batchId: string,
  { limit, offset }: { limit: number; offset: number },
) {
  return db.all<Omit<BatchFailure, "code"> & { code: string | null }>(
    sql`select f.value ->> 'index' as "index", f.value ->> 'to' as "to", f.value ->> 'status' as status, f.value ->> 'error' as error,
        f.value ->> 'code' as code
      from batch_failures b cross join json_each(b.failures) f
      where b.batch_id = ${batchId} order by b.id, f.key limit ${limit} offset ${offset}`,
  );
}

/** Returns the statements that delete finished batches that began before a given time. */
export function deleteBatchesBefore(db: Database, before: number, limit: number) {
  const old = sql`select id from broadcasts
    where state = 'done' and plan_due_at < ${before} and kind = 'batch' order by plan_due_at limit ${limit}`;
  return [
    db.run(sql`delete from batch_failures where batch_id in (${old})`),
    db.run(sql`delete from broadcasts where id in (${old})`),
  ] as const;
}
