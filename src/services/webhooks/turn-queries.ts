import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { hasEnded, hasToken, whileHeld } from "../../db/lease.ts";
import { webhooks } from "../../db/schema/index.ts";
import { MAX_ATTEMPTS, type Outcome } from "./outcome.ts";

/** The maximum number of concurrent attempts per host, over all webhooks that use it. */
const ATTEMPTS_PER_HOST = 10;

/** The number of pending deliveries of a paused webhook that one statement fails. */
const PAUSED_PER_STEP = 500;

const PAUSED = "the webhook is paused";
const LOST = "the outcome of the attempt is unknown: its worker was lost";

/** A worker's lease on a webhook. */
export interface Turn {
  webhookId: string;
  token: string;
}

/** A webhook at the start of its turn. */
export interface TurnWebhook {
  projectId: string;
  url: string;
  secretSealed: string;
  failures: number;
}

/**
 * A delivery of a claimed group. `failed` means that its last attempt was lost in a worker crash.
 */
export interface ClaimedDelivery {
  id: string;
  eventType: string;
  payload: string;
  status: "inflight" | "failed";
  attempts: number;
  /** 1 if this claim has found that the first attempt was lost in a worker crash. */
  isFirstLost: number;
}

/** Returns a condition on the row of `webhooks`: this turn holds it. */
const isHeld = ({ webhookId, token }: Turn) =>
  sql`${webhooks.id} = ${webhookId} and ${hasToken(webhooks.leaseToken, token)}`;

const heldSomewhere = (turn: Turn) => whileHeld(webhooks, isHeld(turn));

const projectIsThere = sql`exists (select 1 from projects where id = webhooks.project_id)`;

/** Returns the number of attempts that other leases on a webhook's host leave available. */
const roomOnHost = (now: number) =>
  sql`(${ATTEMPTS_PER_HOST} - (select coalesce(sum(o.lease_slots), 0) from webhooks o
    where o.host = webhooks.host and o.lease_until > ${now} and o.id <> webhooks.id))`;

const hostHasRoom = (now: number) => sql`${roomOnHost(now)} >= 1`;

/**
 * Returns the condition that a worker has work: a delivery is due or lost, or a paused webhook has
 * pending ones.
 */
function hasWork(webhookId: string | SQL, now: number): SQL {
  const deliveries = sql`select 1 from webhook_deliveries d where d.webhook_id = ${webhookId}`;
  return sql`(exists (${deliveries} and d.due_at <= ${now})
    or not webhooks.active and exists (${deliveries} and d.due_at is not null and d.status = 'pending'))`;
}

/**
 * Leases a webhook for one attempt at a time and returns its row, if it has work, is not leased,
 * and its host has capacity.
 */
export function takeLease(db: Database, turn: Turn, now: number, until: number) {
  return db.all<TurnWebhook>(
    sql`update webhooks set lease_token = ${turn.token}, lease_until = ${until}, lease_slots = 1
      where id = ${turn.webhookId} and ${hasEnded(webhooks.leaseUntil, now)} and ${projectIsThere}
        and ${hasWork(turn.webhookId, now)} and ${hostHasRoom(now)}
      returning project_id as "projectId", url, secret_sealed as "secretSealed", failures`,
  );
}

/** Selects the reason why a lease was not granted: at most one row. */
export function selectLease(db: Database, webhookId: string, now: number) {
  return db.all<{ isTaken: number; hasWork: number }>(
    sql`select lease_until > ${now} as "isTaken", ${hasWork(webhookId, now)} as "hasWork"
      from webhooks where id = ${webhookId} and ${projectIsThere}`,
  );
}

/**
 * Extends a turn until `until`, or ends it. The turn ends if it wants no more, its lease has
 * expired, or nothing is due. The decision is part of this statement, so a wake-up that met "busy"
 * is not lost. It never renews an expired lease, even if no other worker has taken it, because
 * others may be using its slots. Of the `wanted` concurrent attempts (0: none), it grants up to
 * half of the available ones, so that slow endpoints do not exhaust their host's capacity. Also
 * returns the webhook's current URL, to which its waiting deliveries are sent (API reference
 * §15.1).
 */
export function renewLease(db: Database, turn: Turn, now: number, until: number, wanted: number) {
  const work = hasWork(turn.webhookId, now);
  const goesOn = wanted > 0 ? sql`lease_until > ${now} and ${work}` : sql`false`;
  const granted = sql`max(1, cast(min(${wanted}, ${roomOnHost(now)} / 2) as integer))`;
  return db.all<{ isHeld: number; hasWork: number; url: string }>(
    sql`update webhooks set lease_token = iif(${goesOn}, ${turn.token}, ''), lease_until = iif(${goesOn}, ${until}, 0),
        lease_slots = iif(${goesOn}, ${granted}, 0)
      where ${isHeld(turn)} returning lease_until > 0 as "isHeld", ${work} as "hasWork", url`,
  );
}

/**
 * Claims due deliveries until `until`, oldest first, up to the number of slots in the lease. An
 * attempt lost in a worker crash counts: its outcome is unknown, and the endpoint may receive the
 * event again.
 */
export function claimDeliveries(db: Database, turn: Turn, now: number, until: number) {
  const isLast = sql`status = 'inflight' and attempts + 1 >= ${MAX_ATTEMPTS}`;
  return db.all<ClaimedDelivery>(
    sql`update webhook_deliveries set
        status = iif(${isLast}, 'failed', 'inflight'), due_at = iif(${isLast}, null, ${until}), ${countLost(sql`last_error`)}
      where webhook_id = ${turn.webhookId} and id in (
        select d.id from webhooks w cross join webhook_deliveries d on d.webhook_id = w.id
        where w.id = ${turn.webhookId} and w.lease_token = ${turn.token} and w.active
          and d.due_at <= ${now} order by d.due_at, d.id
        limit coalesce((select lease_slots from webhooks where ${isHeld(turn)}), 0))
      returning id, event_type as "eventType", payload, status, attempts,
        attempts = 1 and last_error is ${LOST} as "isFirstLost"`,
  );
}

/** Fails the pending deliveries of a paused webhook, a limited number at a time. */
export function failPaused(db: Database, turn: Turn, now: number) {
  return db.run(
    sql`update webhook_deliveries set status = 'failed', due_at = null, ${countLost(sql`${PAUSED}`)}
      where webhook_id = ${turn.webhookId} and id in (
        select d.id from webhooks w cross join webhook_deliveries d on d.webhook_id = w.id
        where w.id = ${turn.webhookId} and w.lease_token = ${turn.token} and not w.active
          and d.due_at is not null and (d.status = 'pending' or d.due_at <= ${now}) limit ${PAUSED_PER_STEP})`,
  );
}

/**
 * Returns the assignments of an update for a lost attempt. `otherwise` is the error of a delivery
 * that was not in flight.
 */
function countLost(otherwise: SQL): SQL {
  return sql`attempts = attempts + (status = 'inflight'),
    last_status_code = iif(status = 'inflight', null, last_status_code),
    last_error = iif(status = 'inflight', ${LOST}, ${otherwise}),
    last_answer = iif(status = 'inflight', null, last_answer)`;
}

/**
 * Records the outcomes of a group of attempts, unless another worker has taken over the webhook.
 */
export function settleDeliveries(db: Database, turn: Turn, outcomes: Outcome[]): Statement {
  const json = JSON.stringify(outcomes);
  return db.run(
    sql`update webhook_deliveries set attempts = attempts + 1, (status, last_status_code, last_error, last_answer, due_at, delivered_at) = (
        select value->>'status', value->>'code', value->>'error', value->>'answer', value->>'dueAt', value->>'deliveredAt'
        from json_each(${json}) where value->>'id' = webhook_deliveries.id)
      where webhook_id = ${turn.webhookId} and id in (select value->>'id' from json_each(${json}))
        and status = 'inflight' and ${heldSomewhere(turn)}`,
  );
}

/** Resets the failure count after a successful delivery. */
export function forgetFailures(db: Database, turn: Turn): Statement {
  return db.run(
    sql`update webhooks set failures = 0, failing_since = null where ${isHeld(turn)} and failures > 0`,
  );
}

/** Counts deliveries whose first attempt failed. */
export function countFailures(db: Database, turn: Turn, count: number, now: number): Statement {
  return db.run(
    sql`update webhooks set failures = failures + ${count}, failing_since = coalesce(failing_since, ${now})
      where ${isHeld(turn)} and active`,
  );
}

/** The limits beyond which the service disables a webhook. */
export interface FailureLimits {
  failures: number;
  /** The latest time of the first failure, in milliseconds. */
  since: number;
}

const exceedsLimits = (turn: Turn, { failures, since }: FailureLimits) =>
  sql`${isHeld(turn)} and active and failures >= ${failures} and failing_since <= ${since}`;

/** Returns a condition for a batch: the leased webhook is about to be disabled. */
export function isDeactivating(turn: Turn, limits: FailureLimits): SQL {
  return sql`exists (select 1 from webhooks where ${exceedsLimits(turn, limits)})`;
}

/** Disables a webhook that has failed too often for too long. Returns a row if it did. */
export function deactivate(db: Database, turn: Turn, limits: FailureLimits) {
  return db.all<{ id: string }>(
    sql`update webhooks set active = 0 where ${exceedsLimits(turn, limits)} returning id`,
  );
}

/**
 * Selects the webhook at the given fraction of all, from 0 to 1, in the order of creation: at most
 * one row.
 */
export function selectWebhookAt(db: Database, part: number) {
  return db.all<{ id: string }>(
    sql`select id from webhooks where rowid > (select max(rowid) from webhooks) * ${part} order by rowid limit 1`,
  );
}

/**
 * Selects webhooks after `afterId` with due or lost deliveries, in the order of ids, by a loose
 * scan of the index of due deliveries (one lookup per webhook). Excludes leased webhooks, and those
 * whose host has no capacity.
 */
export function selectDueWebhooks(db: Database, now: number, afterId: string, limit: number) {
  const next = (after: SQL) =>
    sql`select min(webhook_id) from webhook_deliveries indexed by webhook_deliveries_due
      where due_at is not null and webhook_id > ${after}`;
  return db.all<{ id: string }>(
    sql`with recursive waiting(id) as (
        ${next(sql`${afterId}`)} union all
        select (${next(sql`waiting.id`)}) from waiting where waiting.id is not null)
      select webhooks.id from waiting cross join webhooks on webhooks.id = waiting.id
      where ${hasEnded(webhooks.leaseUntil, now)} and ${projectIsThere} and ${hasWork(sql`webhooks.id`, now)}
        and ${hostHasRoom(now)}
      limit ${limit}`,
  );
}
