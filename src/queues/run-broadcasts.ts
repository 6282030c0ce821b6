import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { BroadcastMessage } from "./messages.ts";
import { planBroadcast, sendRanges } from "../services/broadcasts/index.ts";

type Received<Type extends BroadcastMessage["type"]> = {
  message: Message;
  body: Extract<BroadcastMessage, { type: Type }>;
};

/** Plans the next ranges of broadcasts. */
export async function planBroadcasts(
  deps: Deps,
  received: Received<"broadcast_plan">[],
): Promise<void> {
  for (const { message, body } of received)
    await ackAfter(message, () => planBroadcast(deps, body.broadcastId));
}

/**
 * Sends to the ranges of a batch one after another, since an invocation has only four connections.
 */
export async function runRanges(
  deps: Deps,
  received: Received<"broadcast_range">[],
): Promise<void> {
  for (const { message, body } of received) await ackAfter(message, () => sendRanges(deps, body));
}

/**
 * Acks a message whatever the outcome of its work. Remaining work is in D1 with a lease, and the
 * minute sweep finds it after the lease ends. A retry would only come too early.
 */
async function ackAfter(message: Message, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logLine("error", "broadcast_work_failed", { message: message.id, error: errorText(error) });
  }
  message.ack();
}
