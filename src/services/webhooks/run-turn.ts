/*
 * A turn is the dispatcher's unit of work for one webhook. It holds the webhook by a lease in D1
 * and claims due deliveries in groups. It attempts all deliveries of a group concurrently, and
 * records their outcomes together with the claim of the next group.
 *
 * Delivery is at least once. If a worker crashes after the endpoint answered, the outcome is not
 * recorded. When its lease expires, its successor counts the lost attempts and sends the same
 * events again with the same ids. A worker whose lease has expired can no longer record anything,
 * because all its writes require the lease. An endpoint starts with one attempt at a time and gets
 * more only while it answers. A turn ends after an attempt that timed out, so a dead endpoint holds
 * one of its host's ten slots for only ten seconds.
 */
import type { Deps } from "../../deps.ts";
import { runBatch, runBatchAfter } from "../../db/client.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { attemptDelivery, type AttemptResult } from "./attempt-delivery.ts";
import { FETCHES_AT_ONCE, type FetchSlots } from "./fetch-slots.ts";
import { outcomeOf, RETRY_DELAYS_SECONDS, type Outcome } from "./outcome.ts";
import { settleGroup } from "./settle-group.ts";
import { openSigner, type Signer } from "./sign.ts";
import {
  claimDeliveries,
  failPaused,
  renewLease,
  selectLease,
  settleDeliveries,
  takeLease,
  type ClaimedDelivery,
  type Turn,
  type TurnWebhook,
} from "./turn-queries.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";

/** Limits of turns. All but the last are in milliseconds. */
export interface TurnLimits {
  /** The timeout of an attempt: connection, headers and body. */
  attemptMs: number;
  /** The time after which no new group starts. */
  turnMs: number;
  /** The duration of a lease: longer than any attempt and the write of its outcome. */
  leaseMs: number;
  /**
   * The number of groups per turn. D1 allows 1,000 statements per invocation, enough for five turns
   * of 25 groups with four to seven statements each.
   */
  groups: number;
}

export const TURN_LIMITS: TurnLimits = {
  attemptMs: 10_000,
  turnMs: 20_000,
  leaseMs: 30_000,
  groups: 25,
};

/**
 * The end of a turn. `busy`: another worker holds the lease, and checks for work again before it
 * ends. `no_room`: its host already has the maximum number of attempts. `idle`: nothing is due.
 * `gone`: there is no such webhook.
 */
export type TurnEnd = "done" | "busy" | "no_room" | "idle" | "gone";

/**
 * Runs one turn. Throws the database's errors. The sweep then finds the claimed deliveries again.
 */
export async function runTurn(
  deps: Deps,
  webhookId: string,
  slots: FetchSlots,
  limits: TurnLimits,
): Promise<TurnEnd> {
  const turn: Turn = { webhookId, token: deps.newId() };
  const now = deps.now();
  const until = now + limits.leaseMs;
  const [taken, leases, , claimed] = await runBatch(deps.db, [
    takeLease(deps.db, turn, now, until),
    selectLease(deps.db, webhookId, now),
    failPaused(deps.db, turn, now),
    claimDeliveries(deps.db, turn, now, until),
  ]);
  const [webhook] = taken;
  if (!webhook) {
    const [lease] = leases;
    if (!lease) return "gone";
    if (lease.isTaken === 1) return "busy";
    return lease.hasWork === 1 ? "no_room" : "idle";
  }
  await work(deps, { turn, webhook, slots, limits }, claimed);
  return "done";
}

interface TurnWork {
  turn: Turn;
  webhook: TurnWebhook;
  slots: FetchSlots;
  limits: TurnLimits;
}

/** Attempts and records group after group until the turn returns the lease. */
async function work(deps: Deps, held: TurnWork, first: ClaimedDelivery[]): Promise<void> {
  const { webhook, slots, limits } = held;
  const signer = await openSignerOrLog(deps, held.turn.webhookId, webhook.secretSealed);
  const deadline = deps.now() + limits.turnMs;
  let group = first;
  let { url } = webhook; // waiting deliveries follow a changed URL
  let lent = 0;
  try {
    for (let groups = 1; ; groups += 1) {
      const due = group.filter(({ status }) => status === "inflight");
      const results = await Promise.all(
        due.map((one) => attemptDelivery(deps, { url, signer }, one, limits.attemptMs)),
      );
      slots.give(lent);
      const hasAnswered = results.some(({ statusCode }) => statusCode !== null);
      lent = hasAnswered ? slots.take(FETCHES_AT_ONCE - 1) : 0;
      const isOver =
        groups >= limits.groups || deps.now() >= deadline || results.some(({ ranOut }) => ranOut);
      const next = await settleAndClaim(deps, held, group, results, isOver ? 0 : 1 + lent);
      if (!next.isHeld) return;
      ({ group, url } = next);
      const used = Math.max(0, group.length - 1);
      slots.give(lent - used);
      lent = used;
    }
  } finally {
    slots.give(lent);
  }
}

/**
 * Records a group and claims up to `size` more, as far as its host has capacity. With `size` 0, or
 * if nothing is due, it returns the lease.
 */
async function settleAndClaim(
  deps: Deps,
  { turn, webhook, limits }: TurnWork,
  group: ClaimedDelivery[],
  results: AttemptResult[],
  size: number,
): Promise<{ isHeld: boolean; group: ClaimedDelivery[]; url: string }> {
  const now = deps.now();
  const until = now + limits.leaseMs;
  const due = group.filter(({ status }) => status === "inflight");
  const outcomes = results.flatMap((result, index) => {
    const delivery = due[index];
    return delivery ? [outcomeOf(delivery.id, delivery.attempts + 1, result, now)] : [];
  });
  const failures =
    group.filter(({ isFirstLost }) => isFirstLost === 1).length +
    outcomes.filter(({ status }, index) => status !== "delivered" && due[index]?.attempts === 0)
      .length;
  const { statements, deactivation } = settleGroup(deps, turn, webhook, outcomes, failures);
  const claim = [
    failPaused(deps.db, turn, now),
    renewLease(deps.db, turn, now, until, size),
    claimDeliveries(deps.db, turn, now, until),
  ] as const;
  const run = async () =>
    deactivation
      ? await runBatchAfter(deps.db, statements, [deactivation, ...claim])
      : ([[], ...(await runBatchAfter(deps.db, statements, claim))] as const);
  const [switchedOff, , [lease], next] = await run().catch(async (error: unknown) => {
    // The outcomes must not be lost, so they are written once more without the claim.
    const settle = outcomes.length > 0 ? [settleDeliveries(deps.db, turn, outcomes)] : [];
    await runBatch(deps.db, [...settle, renewLease(deps.db, turn, now, until, 0)]);
    throw error;
  });
  if (switchedOff.length > 0) logLine("warn", "webhook_deactivated", { webhookId: turn.webhookId });
  const isHeld = lease?.isHeld === 1;
  await wakeLater(deps, turn.webhookId, outcomes, now);
  // A dead endpoint must not get the next turn immediately.
  const restSeconds = results.some(({ ranOut }) => ranOut) ? RETRY_DELAYS_SECONDS[0] : 0;
  if (!isHeld && lease?.hasWork === 1) await wakeWebhooks(deps, [turn.webhookId], restSeconds);
  return { isHeld, group: next, url: lease?.url ?? webhook.url };
}

/**
 * Wakes the dispatcher for later attempts, with one message per time. A message may be a second
 * late, but never early.
 */
async function wakeLater(deps: Deps, webhookId: string, outcomes: Outcome[], now: number) {
  const dueAts = new Set(outcomes.flatMap(({ dueAt }) => dueAt ?? []));
  for (const dueAt of dueAts)
    await wakeWebhooks(deps, [webhookId], Math.ceil((dueAt - now) / 1_000) + 1);
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
