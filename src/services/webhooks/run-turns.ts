import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { FETCHES_AT_ONCE, openFetchSlots, type FetchSlots } from "./fetch-slots.ts";
import { runTurn, TURN_LIMITS, type TurnEnd, type TurnLimits } from "./run-turn.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";

/**
 * The end of a dispatch. `woken`: it was enqueued again. `broken`: the error is logged, and the
 * sweep finds the remaining work.
 */
export type DispatchEnd = TurnEnd | "woken" | "broken";

/**
 * Runs a turn for each webhook, at most five concurrently. Each has its own fetch, so none waits
 * for another's endpoint. Further webhooks are enqueued again for another invocation. Never throws.
 */
export async function runTurns(
  deps: Deps,
  webhookIds: string[],
  limits: Partial<TurnLimits> = {},
): Promise<Map<string, DispatchEnd>> {
  const ids = [...new Set(webhookIds)];
  const now = ids.slice(0, FETCHES_AT_ONCE);
  const later = ids.slice(FETCHES_AT_ONCE);
  const slots = openFetchSlots(now.length);
  const [, ...ends] = await Promise.all([
    later.length > 0 ? wakeWebhooks(deps, later) : undefined,
    ...now.map((id) => endOf(deps, id, slots, { ...TURN_LIMITS, ...limits })),
  ]);
  return new Map([
    ...now.map((id, index) => [id, ends[index] ?? "broken"] as const),
    ...later.map((id) => [id, "woken"] as const),
  ]);
}

async function endOf(
  deps: Deps,
  webhookId: string,
  slots: FetchSlots,
  limits: TurnLimits,
): Promise<DispatchEnd> {
  try {
    return await runTurn(deps, webhookId, slots, limits);
  } catch (error) {
    logLine("error", "webhook_turn_broken", { webhookId, error: errorText(error) });
    return "broken";
  } finally {
    slots.give(1);
  }
}
