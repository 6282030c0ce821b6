import type { Deps } from "../../deps.ts";
import { systemContext } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { auditStatement } from "../audit/index.ts";
import { addNotices } from "../service-mail/index.ts";
import {
  willSwitchOff,
  type FailureLimits,
  type Health,
  type Lease,
  type LeasedWebhook,
} from "./lease-queries.ts";

/**
 * The service switches a webhook off after this many deliveries whose first attempt failed, over at
 * least a day, without a success; our own choice. First attempts count, because a backlog at a dead
 * endpoint would take days to fail for good.
 */
const FAILURES_MAX = 50;

/** Returns the limits beyond which a webhook is switched off now. */
export const failureLimits = (now: number): FailureLimits => ({
  failures: FAILURES_MAX,
  since: now - DAY_MS,
});

/** Returns true if the end of the lease may switch the webhook off, which SQL decides. */
export function mayExceed(
  webhook: LeasedWebhook,
  { hasDelivered, failures }: Health,
  limits: FailureLimits,
): boolean {
  const { failingSince } = webhook;
  if (hasDelivered || failingSince === null || failingSince > limits.since) return false;
  return webhook.failures + failures >= limits.failures;
}

/** Returns the audit entry and the notices of a webhook that the end of the lease switches off. */
export function switchOffStatements(
  deps: Deps,
  lease: Lease,
  { projectId, host }: LeasedWebhook,
  when: { health: Health; limits: FailureLimits },
): Statement[] {
  const condition = willSwitchOff(lease, when.health, when.limits);
  const fact = {
    scopeId: projectId,
    action: "webhook.update",
    targetId: lease.webhookId,
    metadata: { active: false, reason: "its deliveries have been failing for a day" },
  } as const;
  const notice = {
    projectId,
    cause: `webhook ${lease.webhookId}`,
    title: "A webhook was paused",
    text: `${host} has accepted no events for a day. Fix the endpoint, then resume the webhook.`,
  };
  return [
    auditStatement(systemContext(deps, "webhooks"), fact, condition),
    ...addNotices(deps, notice, condition),
  ];
}
