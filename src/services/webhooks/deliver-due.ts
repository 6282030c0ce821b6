/*
 * The worker of a webhook. It leases the webhook in D1, claims due deliveries in groups, attempts
 * those of a group concurrently, and records their outcomes together with the next claim.
 *
 * Delivery is at least once. If a worker crashes after the endpoint answered, the outcome is not
 * recorded. When its lease expires, the next worker sends the same events again with the same ids,
 * and the lost attempts count. A worker that lost its lease can no longer record anything, because
 * all its writes require the token. A run ends well before its lease, and after an attempt that
 * timed out, so that a dead endpoint gives its host's places to others.
 */
import type { Deps } from "../../deps.ts";
import { runBatch, runBatchAfter } from "../../db/client.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { attemptDelivery, type AttemptResult, type Target } from "./attempt-delivery.ts";
import {
  claimDeliveries,
  endLease,
  failPaused,
  PAUSED_PER_RUN,
  recordOutcomes,
  selectUnleased,
  takeLease,
  type ClaimedDelivery,
  type Health,
  type Lease,
  type LeasedWebhook,
} from "./lease-queries.ts";
import { outcomeOf, RETRY_DELAYS_SECONDS } from "./outcome.ts";
import { openSigner, type Signer } from "./sign.ts";
import { failureLimits, mayExceed, switchOffStatements } from "./switch-off.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";

/**
 * The number of concurrent attempts. An invocation may have 6 connections open (Workers
 * documentation, "Limits"), and the queue needs one.
 */
const ATTEMPTS_AT_ONCE = 5;

/** Limits of a run. All but the last are in milliseconds. */
export interface RunLimits {
  /** The timeout of an attempt: connection, headers and body. */
  attemptMs: number;
  /** The time after which no new group starts. */
  runMs: number;
  /** The duration of a lease: longer than a run, its last attempt and the write of its outcome. */
  leaseMs: number;
  /** The number of groups: five runs of 50 stay within the 1,000 statements of an invocation. */
  groups: number;
}

const RUN_LIMITS: RunLimits = { attemptMs: 10_000, runMs: 15_000, leaseMs: 30_000, groups: 50 };

/**
 * The end of a run. `no_room`: its host already has the maximum number of attempts. `idle`: nothing
 * is due, or another worker holds the lease and checks for work when it ends. `broken`: the error is
 * logged, and the sweep finds the work.
 */
export type RunEnd = "done" | "no_room" | "idle" | "broken";

/**
 * Delivers what is due at up to five webhooks. They share the concurrent attempts evenly, so none
 * waits for another's endpoint. Never throws.
 */
export async function deliverDue(
  deps: Deps,
  webhookIds: string[],
  limits: Partial<RunLimits> = {},
): Promise<Map<string, RunEnd>> {
  const ids = [...new Set(webhookIds)];
  const size = Math.max(1, Math.floor(ATTEMPTS_AT_ONCE / ids.length));
  const endOf = (id: string) =>
    runLease(deps, id, size, { ...RUN_LIMITS, ...limits }).catch((error: unknown): RunEnd => {
      logLine("error", "webhook_run_broken", { webhookId: id, error: errorText(error) });
      return "broken";
    });
  return new Map(await Promise.all(ids.map(async (id) => [id, await endOf(id)] as const)));
}

async function runLease(
  deps: Deps,
  webhookId: string,
  size: number,
  limits: RunLimits,
): Promise<RunEnd> {
  const { db } = deps;
  const now = deps.now();
  const lease = { webhookId, token: deps.newId(), until: now + limits.leaseMs };
  const [[webhook], unleased, paused, claimed] = await runBatch(db, [
    takeLease(db, lease, now, size),
    selectUnleased(db, webhookId, now),
    failPaused(db, webhookId, now),
    claimDeliveries(db, lease, now),
  ]);
  if (paused.meta.changes === PAUSED_PER_RUN) await wakeWebhooks(deps, [webhookId]);
  if (!webhook) return unleased.length > 0 ? "no_room" : "idle";
  const signer = await openSignerOrLog(deps, webhookId, webhook.secretSealed);
  const run: Run = { lease, webhook, health: { hasDelivered: false, failures: 0 } };
  let group = claimed;
  for (let groups = 1; group.length > 0; groups += 1) {
    const target = { signer, format: webhook.format };
    const attempts = await attemptGroup(deps, group, target, limits.attemptMs);
    const isOver = groups >= limits.groups || deps.now() >= now + limits.runMs;
    group = await recordAndClaim(deps, run, attempts, isOver);
  }
  return "done";
}

async function openSignerOrLog(
  deps: Deps,
  webhookId: string,
  sealed: string,
): Promise<Signer | undefined> {
  try {
    return await openSigner(deps, webhookId, sealed);
  } catch (error) {
    logLine("error", "webhook_secret_unreadable", { webhookId, error: errorText(error) });
    return undefined;
  }
}

interface Attempt {
  delivery: ClaimedDelivery;
  result: AttemptResult;
}

/** Attempts the deliveries of a group concurrently. */
const attemptGroup = (
  deps: Deps,
  group: ClaimedDelivery[],
  target: Omit<Target, "url">,
  timeoutMs: number,
): Promise<Attempt[]> =>
  Promise.all(
    group
      .filter(({ status }) => status === "inflight")
      .map(async (delivery) => ({
        delivery,
        result: await attemptDelivery(deps, { ...target, url: delivery.url }, delivery, timeoutMs),
      })),
  );

/** A lease, and what its attempts so far tell about the endpoint. */
interface Run {
  lease: Lease;
  webhook: LeasedWebhook;
  health: Health;
}

/**
 * Records a group and claims the next one. Returns an empty group if the lease ends instead: if
 * `isOver`, nothing is due, an attempt timed out, or the webhook is switched off.
 */
async function recordAndClaim(
  deps: Deps,
  run: Run,
  attempts: Attempt[],
  isOver: boolean,
): Promise<ClaimedDelivery[]> {
  const { db } = deps;
  const { lease, webhook } = run;
  const { webhookId } = lease;
  const now = deps.now();
  const outcomes = attempts.map(({ delivery, result }) =>
    outcomeOf(delivery.id, delivery.attempts, result, now),
  );
  const hasTimedOut = attempts.some(({ result }) => result.ranOut);
  const health = addAttempts(run.health, attempts);
  const limits = failureLimits(now);
  const mayBeOff = mayExceed(webhook, health, limits);
  const settled = [
    ...(outcomes.length > 0 ? [recordOutcomes(db, lease, outcomes)] : []),
    ...(mayBeOff ? switchOffStatements(deps, lease, webhook, { health, limits }) : []),
  ];
  const write = (ends: boolean) =>
    runBatchAfter(db, settled, [
      endLease(db, lease, { isOver: ends, health, limits }, now),
      claimDeliveries(db, lease, now),
    ]);
  const [[end], next] = await write(isOver || hasTimedOut || mayBeOff).catch((error: unknown) => {
    // Once more, without a claim, so that the outcomes are not lost.
    logLine("warn", "webhook_write_repeated", { webhookId, error: errorText(error) });
    return write(true);
  });
  run.health = health;
  if (end?.isOff) logLine("warn", "webhook_deactivated", { webhookId });
  await wakeLater(deps, webhookId, [
    ...outcomes.flatMap(({ dueAt }) => (dueAt === null ? [] : (dueAt - now) / 1_000 + 1)), // never early
    ...(end?.hasWork ? [hasTimedOut ? RETRY_DELAYS_SECONDS[0] : 0] : []), // a dead endpoint rests
  ]);
  return next;
}

/** Adds a group to the health of an endpoint. A success forgets all failures, also in its group. */
function addAttempts({ hasDelivered, failures }: Health, attempts: Attempt[]): Health {
  if (attempts.some(({ result }) => result.kind === "delivered"))
    return { hasDelivered: true, failures: 0 };
  const first = attempts.filter(({ delivery }) => delivery.attempts === 1).length;
  return { hasDelivered, failures: failures + first };
}

/** Wakes the dispatcher once for each of these delays in seconds. */
async function wakeLater(deps: Deps, webhookId: string, delays: number[]): Promise<void> {
  for (const delay of new Set(delays)) await wakeWebhooks(deps, [webhookId], delay);
}
