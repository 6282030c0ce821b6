import type { Deps } from "../../deps.ts";
import { systemContext } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { auditStatement } from "../audit/index.ts";
import { addNotices } from "../service-mail/index.ts";
import type { Outcome } from "./outcome.ts";
import {
  countFailures,
  deactivate,
  forgetFailures,
  isDeactivating,
  settleDeliveries,
  type Turn,
  type TurnWebhook,
} from "./turn-queries.ts";

/**
 * The limits beyond which the service disables a webhook; our own choice: this many deliveries
 * failed at their first attempt over this time, with no success in between.
 */
const FAILURES_MAX = 50;
const FAILING_MAX_MS = DAY_MS;

/** The statements that record a group, and a subsequent statement that may disable the webhook. */
export interface GroupSettlement {
  statements: Statement[];
  /** The statement that may disable the webhook. It returns a row if it does. */
  deactivation: ReturnType<typeof deactivate> | undefined;
}

/**
 * Returns the statements that record a group of attempts and the endpoint's health. `failures` is
 * the number of deliveries that failed at their first attempt, because a backlog at a dead endpoint
 * would take days to fail permanently. `webhook.failures` tracks the count in the row, so most
 * groups do not have to check the limit.
 */
export function settleGroup(
  deps: Deps,
  turn: Turn,
  webhook: TurnWebhook,
  outcomes: Outcome[],
  failures: number,
): GroupSettlement {
  const { db } = deps;
  const settle = outcomes.length > 0 ? [settleDeliveries(db, turn, outcomes)] : [];
  if (outcomes.some(({ status }) => status === "delivered")) {
    const forget = webhook.failures > 0 ? [forgetFailures(db, turn)] : [];
    webhook.failures = 0;
    return { statements: [...settle, ...forget], deactivation: undefined };
  }
  if (failures === 0) return { statements: settle, deactivation: undefined };
  webhook.failures += failures;
  const counted = [...settle, countFailures(db, turn, failures, deps.now())];
  if (webhook.failures < FAILURES_MAX) return { statements: counted, deactivation: undefined };
  const limits = { failures: FAILURES_MAX, since: deps.now() - FAILING_MAX_MS };
  const deactivation = deactivate(db, turn, limits);
  const fact = {
    scopeId: webhook.projectId,
    action: "webhook.update",
    targetType: "webhook",
    targetId: turn.webhookId,
    metadata: { active: false, reason: "its deliveries have been failing for a day" },
  } as const;
  const audit = auditStatement(systemContext(deps, "webhooks"), fact, isDeactivating(turn, limits));
  const notice = {
    projectId: webhook.projectId,
    cause: `webhook ${turn.webhookId}`,
    title: "A webhook was paused",
    text: `${hostOf(webhook.url)} has accepted no events for a day. Fix the endpoint, then resume the webhook.`,
  };
  const notices = addNotices(deps, notice, isDeactivating(turn, limits));
  return { statements: [...counted, audit, ...notices], deactivation };
}

/** Returns only the host, because paths and queries of endpoints may contain secrets. */
const hostOf = (url: string) => new URL(url).host;
