import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { failedRecipients, type FailedMails } from "../email-log/index.ts";

/** The subscribers of a chunk, as of every other broadcast. */
const CHUNK_SIZE = 500;

/** A retry, and the broadcast that it repeats. */
export interface Retry {
  id: string;
  failed: FailedMails;
  logKey: string;
  now: number;
  planDueAt: number;
}

/**
 * Marks a finished broadcast as retried if it is not yet, and if somebody can be mailed again. The
 * statements after it do nothing unless it did. Returns a row on success.
 */
export function claimRetry(db: Database, { id, failed }: Retry) {
  const { broadcastId, projectId } = failed;
  return db
    .update(broadcasts)
    .set({ retriedBy: id })
    .where(
      and(
        eq(broadcasts.id, broadcastId),
        eq(broadcasts.projectId, projectId),
        eq(broadcasts.kind, "broadcast"),
        inArray(broadcasts.state, ["done", "cancelled"]),
        isNull(broadcasts.retriedBy),
        sql`exists (${failedRecipients(failed)})`,
      ),
    )
    .returning({ id: broadcasts.id });
}

/** Inserts the broadcast of a retry: the same content, for the recipients of `insertRetryChunks`. */
export function insertRetry(db: Database, { id, failed, logKey, now, planDueAt }: Retry) {
  return db.run(
    sql`insert into broadcasts (id, project_id, template_id, subject, html_body, text_body, status, source, state, log_key,
        cutoff_id, planned_id, plan_due_at, created_at, name, topic_id, audience_where, where_at, variables, per_hour)
      select ${id}, project_id, template_id, subject, html_body, text_body, status, source, 'sending', ${logKey},
        cutoff_id, cutoff_id, ${planDueAt}, ${now}, name, topic_id, audience_where, where_at, variables, per_hour
      from broadcasts where id = ${failed.broadcastId} and retried_by = ${id}`,
  );
}

/**
 * Inserts the chunks of a retry. Their recipients wait for an attempt, and nobody else is in their
 * range of ids.
 */
export function insertRetryChunks(db: Database, { id, failed, now }: Retry) {
  return db.all<{ afterId: string }>(
    sql`insert into broadcast_ranges (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred)
      select ${id}, coalesce(lag(until_id) over (order by n), ''), until_id, until_id, 'pending', ${now}, '', '[]', again, '[]'
      from (
        select n, max(id) as until_id, json_group_array(json_object('id', id, 'error', '')) as again from (
          select id, cast((row_number() over (order by id) - 1) / ${CHUNK_SIZE} as integer) as n
          from (${failedRecipients(failed)}))
        group by n)
      where exists (select 1 from broadcasts where id = ${id})
      returning after_id as "afterId"`,
  );
}

/** Stores the number of recipients of a retry. */
export function countRetry(db: Database, id: string) {
  return db.run(
    sql`update broadcasts set total = (select coalesce(sum(json_array_length(again)), 0)
      from broadcast_ranges where broadcast_id = ${id}) where id = ${id}`,
  );
}
