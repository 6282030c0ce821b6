import { and, eq, inArray, isNull, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { failedRecipients, type FailedMails } from "../email-log/index.ts";
import { LIST_SIZE } from "./plan-queries.ts";
import { stateInTurn } from "./turns/turn-order.ts";
import { variantLetter } from "./ab-test/judge-ab-test.ts";
import { variantKey } from "./ab-test/slices.ts";

export interface Retry {
  id: string;
  /** The broadcast whose content and audience it repeats. */
  broadcastId: string;
  /** The failures that it mails again, of that broadcast and of those that it was retrying. */
  failed: FailedMails;
  logKey: string;
  now: number;
  planDueAt: number;
  /**
   * The condition of its audience; time spans relative to the first broadcast are absolute times.
   */
  where: string | null;
}

/**
 * Selects a chunk of a finished broadcast with mails in flight, now or when its worker crashed: at
 * most one row. Mails that other chunks deferred are never sent.
 */
export function selectInHand(db: Database, broadcastId: string) {
  return db.all<{ afterId: string }>(inHand(broadcastId));
}

const inHand = (broadcastId: string): SQL =>
  sql`select after_id as "afterId" from broadcast_chunks where broadcast_id = ${broadcastId}
    and state = 'claimed' limit 1`;

/** Selects the broadcast that a retry repeats: at most one row. */
export function selectRetriedBy(db: Database, projectId: string, id: string) {
  return db
    .select()
    .from(broadcasts)
    .where(
      and(
        eq(broadcasts.projectId, projectId),
        eq(broadcasts.kind, "broadcast"),
        eq(broadcasts.retriedBy, id),
      ),
    );
}

/** Selects a broadcast whose topic has been deleted since it ended: at most one row. */
export function selectTopicless(db: Database, broadcastId: string) {
  return db.all<{ id: string }>(
    sql`select id from broadcasts where id = ${broadcastId} and not ${HAS_TOPIC}`,
  );
}

const HAS_TOPIC = sql`(topic_id is null or exists (
  select 1 from topics where topics.id = broadcasts.topic_id))`;

/**
 * Marks a finished broadcast as retried if it is not marked yet, has not lost its topic, has no
 * mails in flight, and has recipients to mail again. Otherwise, the following statements do
 * nothing. Returns a row on success.
 */
export function claimRetry(db: Database, { id, broadcastId, failed }: Retry) {
  const { projectId } = failed;
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
        HAS_TOPIC,
        sql`not exists (${inHand(broadcastId)})`,
        sql`exists (${failedRecipients(failed)})`,
      ),
    )
    .returning({ id: broadcasts.id });
}

/** The variant whose content a retry sends to all recipients: the winner of an A/B test. */
const RETRIED = sql.raw("broadcast_variants v on v.broadcast_id = b.id and v.n = b.winner");

/** The plan of a retry: no A/B test, sent at once. */
const RETRY_PLAN = sql.raw(
  "json_set(b.plan, '$.ab', null, '$.timeZone', null, '$.subject', iif(v.n is null, b.plan ->> '$.subject', v.subject))",
);

/**
 * Inserts the broadcast of a retry: the same content, pace and audience, for the recipients of
 * `insertRetryChunks`. If a winner was chosen, the content is the winner's.
 */
export function insertRetry(db: Database, retry: Retry) {
  const { id, broadcastId, failed, logKey, now, planDueAt, where } = retry;
  const { state, waitingFor } = stateInTurn({ id, projectId: failed.projectId });
  return db.run(
    sql`insert into broadcasts (id, project_id, template_id, subject, html_body, text_body, status, source, state, log_key,
        cutoff_id, planned_id, plan_due_at, created_at, name, topic_id, audience_where, where_at, from_id, variables, per_hour,
        plan, updated_at, winner, waiting_for)
      select ${id}, b.project_id, iif(v.n is null, b.template_id, v.template_id), coalesce(v.subject, b.subject),
        coalesce(v.html_body, b.html_body), coalesce(v.text_body, b.text_body), b.status, b.source, ${state}, ${logKey},
        b.cutoff_id, b.cutoff_id, ${planDueAt}, ${now}, b.name, b.topic_id, ${where}, ${now}, b.from_id,
        b.variables, b.per_hour, ${RETRY_PLAN}, ${now}, iif(v.n is null, null, 0), ${waitingFor}
      from broadcasts b left join ${RETRIED}
      where b.id = ${broadcastId} and b.retried_by = ${id}`,
  );
}

/**
 * Inserts the variants of an A/B test's retry, because they hold the From name: only the winner, or
 * all variants if none was chosen.
 */
export function insertRetryVariants(db: Database, { id, broadcastId }: Retry) {
  return db.run(
    sql`insert into broadcast_variants (broadcast_id, n, template_id, subject, from_name, html_body, text_body)
      select ${id}, iif(b.winner is null, v.n, 0), v.template_id, v.subject, v.from_name, v.html_body, v.text_body
      from broadcasts b join broadcast_variants v on v.broadcast_id = b.id and (b.winner is null or v.n = b.winner)
      where b.id = ${broadcastId} and b.retried_by = ${id}`,
  );
}

/**
 * Inserts the chunks of a retry. Their recipients await another attempt, and their range of ids
 * contains no others. Without a winner, each chunk has the variant that its recipients were
 * assigned.
 */
export function insertRetryChunks(db: Database, { id, broadcastId, failed, now }: Retry) {
  const variant = sql`(select v.n from broadcasts b join broadcast_variants v on v.broadcast_id = b.id
    where b.id = ${broadcastId} and b.winner is null
      and v.n = unicode(mail.variant) - unicode(${variantLetter(0)}))`;
  const after = sql`coalesce(lag(until_id) over (partition by variant order by n), '')`;
  return db.all<{ afterId: string }>(
    sql`insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred, variant)
      select ${id}, iif(variant is null, ${after}, ${variantKey(sql`variant`, after)}), until_id, until_id,
        'pending', ${now}, '', '[]', again, '[]', variant
      from (
        select variant, n, max(id) as until_id, json_group_array(json_object('id', id, 'error', '')) as again from (
          select id, variant, cast((row_number() over (partition by variant order by id) - 1) / ${LIST_SIZE} as integer) as n
          from (select mail.id, ${variant} as variant from (${failedRecipients(failed)}) mail))
        group by variant, n)
      where exists (select 1 from broadcasts where id = ${id})
      returning after_id as "afterId"`,
  );
}

/** Stores the number of recipients of a retry. */
export function countRetry(db: Database, id: string) {
  return db.run(
    sql`update broadcasts set total = (select coalesce(sum(json_array_length(again)), 0)
      from broadcast_chunks where broadcast_id = ${id}) where id = ${id}`,
  );
}
