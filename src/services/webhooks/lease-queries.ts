import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import type { WebhookRow } from "./queries.ts";
import { MAX_ATTEMPTS, type Outcome } from "./outcome.ts";

/** The maximum number of concurrent attempts per host, over all webhooks that use it. */
const ATTEMPTS_PER_HOST = 10;

/** The number of pending deliveries of a paused webhook that one statement fails. */
export const PAUSED_PER_RUN = 1_000;

const PAUSED = "the webhook is paused";
const LOST = "the outcome of the attempt is unknown: its worker was lost";

/** The payload without the IP address of a click, which a finished delivery does not keep. */
const PAYLOAD_WITHOUT_IP = sql`iif(event_type = 'email.clicked', json_remove(payload, '$.data.ip'), payload)`;

/** A worker's lease on a webhook. At `until`, the deliveries that it claimed are due again. */
export interface Lease {
  webhookId: string;
  token: string;
  until: number;
}

/** A webhook at the start of its lease. */
export interface LeasedWebhook {
  projectId: string;
  host: string;
  secretSealed: string;
  format: WebhookRow["format"];
  failures: number;
  failingSince: number | null;
}

/** A claimed delivery. `failed` means that a worker was lost during its last attempt. */
export interface ClaimedDelivery {
  id: string;
  eventId: string;
  eventType: string;
  payload: string;
  status: "inflight" | "failed";
  /** The number of this attempt. */
  attempts: number;
  /** The URL of the webhook, which may have changed since the last claim. */
  url: string;
}

/** Returns the condition on the row of `webhooks` that a worker still holds it. */
const isHeld = ({ webhookId, token }: Lease) =>
  sql`webhooks.id = ${webhookId} and webhooks.lease_token = ${token}`;

const isWorkable = (now: number) => sql`webhooks.active and webhooks.lease_until <= ${now}
  and exists (select 1 from projects where id = webhooks.project_id)`;

const deliveries = sql`from webhook_deliveries d where d.webhook_id = webhooks.id`;
const isDue = (now: number) => sql`exists (select 1 ${deliveries} and d.due_at <= ${now})`;

/** Returns the condition that a delivery is due, or that a paused webhook has pending ones. */
const hasWork = (now: number) =>
  sql`(${isDue(now)} or not webhooks.active and exists (select 1 ${deliveries} and d.due_at is not null and d.status = 'pending'))`;

/**
 * Leases a webhook for as many concurrent attempts as it has due deliveries, at most `size`, and at
 * most those that other leases leave to its host. Returns its row, or none without such a delivery
 * or such an attempt.
 */
export function takeLease(db: Database, lease: Lease, now: number, size: number) {
  const attempts = sql`min(${size}, (select count(*) from (select 1 ${deliveries} and d.due_at <= ${now} limit ${size})),
    ${ATTEMPTS_PER_HOST} - (select coalesce(sum(o.lease_slots), 0) from webhooks o
      where o.host = webhooks.host and o.lease_until > ${now} and o.id <> webhooks.id))`;
  return db.all<LeasedWebhook>(
    sql`update webhooks set lease_token = ${lease.token}, lease_until = ${lease.until}, lease_slots = ${attempts}
      where id = ${lease.webhookId} and ${isWorkable(now)} and ${attempts} > 0
      returning project_id as "projectId", host, secret_sealed as "secretSealed", format, failures,
        failing_since as "failingSince"`,
  );
}

/** Selects the webhook if it could be leased, were there room on its host. */
export function selectUnleased(db: Database, webhookId: string, now: number) {
  return db.all<{ id: string }>(
    sql`select id from webhooks where id = ${webhookId} and ${isWorkable(now)} and ${isDue(now)}`,
  );
}

/**
 * Claims due deliveries, oldest first, up to the number of attempts of the lease. One in flight is
 * due when the lease of its worker has expired: its outcome is unknown, its attempt counts, and the
 * endpoint may receive the event again.
 */
export function claimDeliveries(db: Database, lease: Lease, now: number) {
  const isLeft = sql`attempts < ${MAX_ATTEMPTS}`;
  return db.all<ClaimedDelivery>(
    sql`update webhook_deliveries set attempts = attempts + (${isLeft}), status = iif(${isLeft}, 'inflight', 'failed'),
        due_at = iif(${isLeft}, ${lease.until}, null), last_error = iif(${isLeft}, last_error, ${LOST}),
        payload = iif(${isLeft}, payload, ${PAYLOAD_WITHOUT_IP})
      where webhook_id = ${lease.webhookId} and id in (
        select d.id from webhooks cross join webhook_deliveries d on d.webhook_id = webhooks.id
        where ${isHeld(lease)} and webhooks.active and d.due_at <= ${now} order by d.due_at, d.id
        limit coalesce((select lease_slots from webhooks where ${isHeld(lease)}), 0))
      returning id, event_id as "eventId", event_type as "eventType", payload, status, attempts,
        (select url from webhooks where id = webhook_id) as url`,
  );
}

/** Fails deliveries of a webhook that is paused, except those in flight. */
export function failPaused(db: Database, webhookId: string, now: number) {
  return db.run(
    sql`update webhook_deliveries set status = 'failed', due_at = null, last_error = ${PAUSED}, payload = ${PAYLOAD_WITHOUT_IP}
      where webhook_id = ${webhookId} and id in (
        select d.id from webhooks cross join webhook_deliveries d on d.webhook_id = webhooks.id
        where webhooks.id = ${webhookId} and not webhooks.active
          and d.due_at is not null and (d.status = 'pending' or d.due_at <= ${now}) limit ${PAUSED_PER_RUN})`,
  );
}

/** Records the outcomes of attempts, unless the lease is lost. */
export function recordOutcomes(db: Database, lease: Lease, outcomes: Outcome[]): Statement {
  const json = JSON.stringify(outcomes);
  return db.run(
    sql`update webhook_deliveries set (status, last_status_code, last_error, last_answer, due_at, delivered_at, payload) = (
        select value->>'status', value->>'code', value->>'error', value->>'answer', value->>'dueAt', value->>'deliveredAt',
          iif(value->>'status' = 'pending', payload, ${PAYLOAD_WITHOUT_IP})
        from json_each(${json}) where value->>'id' = webhook_deliveries.id)
      where webhook_id = ${lease.webhookId} and id in (select value->>'id' from json_each(${json}))
        and status = 'inflight' and exists (select 1 from webhooks where ${isHeld(lease)})`,
  );
}

/** What the attempts of a lease tell about an endpoint. */
export interface Health {
  hasDelivered: boolean;
  /** Deliveries whose first attempt failed, since the last success. */
  failures: number;
}

/** The limits beyond which the service switches a webhook off. */
export interface FailureLimits {
  failures: number;
  /** The latest time of the first failure, in milliseconds. */
  since: number;
}

const exceeds = ({ hasDelivered, failures }: Health, limits: FailureLimits) =>
  sql`(active and not ${hasDelivered} and failures + ${failures} >= ${limits.failures} and coalesce(failing_since <= ${limits.since}, false))`;

/** Returns a condition for a batch: the end of the lease will switch the webhook off. */
export const willSwitchOff = (lease: Lease, health: Health, limits: FailureLimits): SQL =>
  sql`exists (select 1 from webhooks where ${isHeld(lease)} and ${exceeds(health, limits)})`;

/**
 * Ends a lease if `isOver`, or if nothing is due, and returns a row then. It decides this itself, so
 * a wake-up that met the lease is not lost. Records the health of the endpoint.
 */
export function endLease(
  db: Database,
  lease: Lease,
  { isOver, health, limits }: { isOver: boolean; health: Health; limits: FailureLimits },
  now: number,
) {
  const { hasDelivered, failures } = health;
  const all = sql`(iif(${hasDelivered}, 0, failures) + ${failures})`;
  return db.all<{ isOff: number; hasWork: number }>(
    sql`update webhooks set lease_token = '', lease_until = 0, lease_slots = 0,
        active = active and not ${exceeds(health, limits)}, failures = ${all},
        failing_since = iif(${all} = 0, null, coalesce(iif(${hasDelivered}, null, failing_since), ${now}))
      where ${isHeld(lease)} and (${isOver} or not webhooks.active or not ${isDue(now)})
      returning not active and failures >= ${limits.failures} as "isOff", ${hasWork(now)} as "hasWork"`,
  );
}

/**
 * Selects webhooks with work that no worker holds, in random order, so that none waits behind
 * others that are always due. Finds those with deliveries that are not finished by a loose scan of
 * their index (one lookup per webhook).
 */
export function selectDueWebhooks(db: Database, now: number, limit: number) {
  const next = (after: SQL) =>
    sql`select min(webhook_id) from webhook_deliveries indexed by webhook_deliveries_due
      where due_at is not null and webhook_id > ${after}`;
  return db.all<{ id: string }>(
    sql`with recursive waiting(id) as (
        ${next(sql`''`)} union all
        select (${next(sql`waiting.id`)}) from waiting where waiting.id is not null)
      select webhooks.id from waiting cross join webhooks on webhooks.id = waiting.id
      where webhooks.lease_until <= ${now} and exists (select 1 from projects where id = webhooks.project_id)
        and ${hasWork(now)}
      order by random() limit ${limit}`,
  );
}
