import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { MAX_ATTEMPTS, type Outcome } from "./outcome.ts";

/** Attempts at a time to one host, of all webhooks that lead to it. */
const ATTEMPTS_PER_HOST = 10;

/** Pending deliveries of a paused webhook that are given up in one statement. */
const PAUSED_PER_STEP = 500;

const PAUSED = "the webhook is paused";
const LOST = "the outcome of the attempt is unknown: its worker was lost";

/** A worker's hold on a webhook. */
export interface Turn {
  webhookId: string;
  token: string;
}

/** A webhook as its turn begins. */
export interface TurnWebhook {
  projectId: string;
  url: string;
  secretSealed: string;
  failures: number;
}

/** A delivery of a claimed group; `failed` when the attempt that a lost worker took along was its last. */
export interface ClaimedDelivery {
  id: string;
  eventType: string;
  payload: string;
  status: "inflight" | "failed";
  /** Attempts before this one. */
  attempts: number;
  /** 1 when a lost worker has just been found to have taken its first attempt along. */
  isFirstLost: number;
}

/** Conditions on the row of `webhooks` that a statement is about. */
const isHeld = ({ webhookId, token }: Turn) => sql`id = ${webhookId} and lease_token = ${token}`;

const heldSomewhere = (turn: Turn) => sql`exists (select 1 from webhooks where ${isHeld(turn)})`;

const projectIsThere = sql`exists (select 1 from projects where id = webhooks.project_id)`;

/** Attempts that the other leases of a webhook's host leave over. */
const roomOnHost = (now: number) =>
  sql`(${ATTEMPTS_PER_HOST} - (select coalesce(sum(o.lease_slots), 0) from webhooks o
    where o.host = webhooks.host and o.lease_until > ${now} and o.id <> webhooks.id))`;

const hostHasRoom = (now: number) => sql`${roomOnHost(now)} >= 1`;

/** A worker has something to do: a delivery is due or was lost, or a paused webhook has some pending. */
function hasWork(webhookId: string | SQL, now: number): SQL {
  const deliveries = sql`select 1 from webhook_deliveries d where d.webhook_id = ${webhookId}`;
  return sql`(exists (${deliveries} and d.due_at <= ${now})
    or not webhooks.active and exists (${deliveries} and d.due_at is not null and d.status = 'pending'))`;
}

/** Takes a webhook in hand, with one attempt at a time, if it has work, nobody else has it, and its host has room; its row comes back then. */
export function takeLease(db: Database, turn: Turn, now: number, until: number) {
  return db.all<TurnWebhook>(
    sql`update webhooks set lease_token = ${turn.token}, lease_until = ${until}, lease_slots = 1
      where id = ${turn.webhookId} and lease_until <= ${now} and ${projectIsThere}
        and ${hasWork(turn.webhookId, now)} and ${hostHasRoom(now)}
      returning project_id as "projectId", url, secret_sealed as "secretSealed", failures`,
  );
}

/** Why a lease was not to be had: at most one row. */
export function selectLease(db: Database, webhookId: string, now: number) {
  return db.all<{ isTaken: number; hasWork: number }>(
    sql`select lease_until > ${now} as "isTaken", ${hasWork(webhookId, now)} as "hasWork"
      from webhooks where id = ${webhookId} and ${projectIsThere}`,
  );
}

/**
 * Goes on with a turn until `until`, or ends it: when that is not wanted, when its time was over already,
 * or when nothing is due, decided in this statement, so that a wake-up that was told "busy" is not lost.
 * A lease that is over is not renewed, though nobody else took it: others may have its slots by now.
 * Of the `wanted` attempts at a time (0: none) it is given up to half of what the others leave over: so
 * some is always left, and endpoints that answer slowly do not fill their host.
 */
export function renewLease(db: Database, turn: Turn, now: number, until: number, wanted: number) {
  const work = hasWork(turn.webhookId, now);
  const goesOn = wanted > 0 ? sql`lease_until > ${now} and ${work}` : sql`false`;
  const granted = sql`max(1, cast(min(${wanted}, ${roomOnHost(now)} / 2) as integer))`;
  return db.all<{ isHeld: number; hasWork: number }>(
    sql`update webhooks set lease_token = iif(${goesOn}, ${turn.token}, ''), lease_until = iif(${goesOn}, ${until}, 0),
        lease_slots = iif(${goesOn}, ${granted}, 0)
      where ${isHeld(turn)} returning lease_until > 0 as "isHeld", ${work} as "hasWork"`,
  );
}

/**
 * Claims what is due, oldest first, until `until`, and as much of it as the lease has slots. The attempt that a lost worker has taken along counts:
 * its outcome is unknown, and the endpoint may see the event again.
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

/** Gives up what a paused webhook has pending, a bounded number at a time. */
export function failPaused(db: Database, turn: Turn, now: number) {
  return db.run(
    sql`update webhook_deliveries set status = 'failed', due_at = null, ${countLost(sql`${PAUSED}`)}
      where webhook_id = ${turn.webhookId} and id in (
        select d.id from webhooks w cross join webhook_deliveries d on d.webhook_id = w.id
        where w.id = ${turn.webhookId} and w.lease_token = ${turn.token} and not w.active
          and d.due_at is not null and (d.status = 'pending' or d.due_at <= ${now}) limit ${PAUSED_PER_STEP})`,
  );
}

/** What an update says of an attempt that was lost; `otherwise` is the error of a delivery that was not in flight. */
function countLost(otherwise: SQL): SQL {
  return sql`attempts = attempts + (status = 'inflight'),
    last_status_code = iif(status = 'inflight', null, last_status_code),
    last_error = iif(status = 'inflight', ${LOST}, ${otherwise})`;
}

/** Writes down what came of a group of attempts, unless another worker has the webhook by now. */
export function settleDeliveries(db: Database, turn: Turn, outcomes: Outcome[]): Statement {
  const json = JSON.stringify(outcomes);
  return db.run(
    sql`update webhook_deliveries set attempts = attempts + 1, (status, last_status_code, last_error, due_at, delivered_at) = (
        select value->>'status', value->>'code', value->>'error', value->>'dueAt', value->>'deliveredAt'
        from json_each(${json}) where value->>'id' = webhook_deliveries.id)
      where webhook_id = ${turn.webhookId} and id in (select value->>'id' from json_each(${json}))
        and status = 'inflight' and ${heldSomewhere(turn)}`,
  );
}

/** Forgets earlier failures: a delivery arrived. */
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

/** Bounds beyond which a webhook is switched off. */
export interface Hopeless {
  failures: number;
  /** Milliseconds: the first of them was at this time or before. */
  since: number;
}

const isHopeless = (turn: Turn, { failures, since }: Hopeless) =>
  sql`${isHeld(turn)} and active and failures >= ${failures} and failing_since <= ${since}`;

/** A condition for use in a batch: the webhook in hand is about to be switched off. */
export function hopelessExists(turn: Turn, hopeless: Hopeless): SQL {
  return sql`exists (select 1 from webhooks where ${isHopeless(turn, hopeless)})`;
}

/** Switches a webhook off that has failed too often for too long; a row comes back if it was. */
export function deactivate(db: Database, turn: Turn, hopeless: Hopeless) {
  return db.all<{ id: string }>(
    sql`update webhooks set active = 0 where ${isHopeless(turn, hopeless)} returning id`,
  );
}

/** A webhook that so great a part of all comes before, from 0 to 1, in the order of their creation: at most one row. */
export function selectWebhookAt(db: Database, part: number) {
  return db.all<{ id: string }>(
    sql`select id from webhooks where rowid > (select max(rowid) from webhooks) * ${part} order by rowid limit 1`,
  );
}

/**
 * Webhooks after `afterId` that have something due or lost, in the order of ids: a loose scan of the index
 * of what is due (one look-up a webhook), without those that a worker has and those whose host has no room.
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
      where webhooks.lease_until <= ${now} and ${projectIsThere} and ${hasWork(sql`webhooks.id`, now)}
        and ${hostHasRoom(now)}
      limit ${limit}`,
  );
}
