import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { BroadcastMessage } from "./messages.ts";
import { planBroadcast } from "../services/broadcasts/index.ts";
import { sendTurn } from "../services/mailing/index.ts";

type Received<Type extends BroadcastMessage["type"]> = {
  message: Message;
  body: Extract<BroadcastMessage, { type: Type }>;
};

/** Plans the next chunks of broadcasts. */
export async function planBroadcasts(
  deps: Deps,
  received: Received<"broadcast_plan">[],
): Promise<void> {
  for (const { message, body } of received)
    await ackAfter(message, () => planBroadcast(deps, body.broadcastId));
}

/** Runs the turns of a batch sequentially, because an invocation has only four connections. */
export async function runChunks(
  deps: Deps,
  received: Received<"broadcast_chunk">[],
): Promise<void> {
  for (const { message, body } of received) await ackAfter(message, () => sendTurn(deps, body));
}

/**
 * Acks a message whatever its outcome: remaining work is leased in D1, and the minute sweep finds
 * it after the lease expires. A retry would come too early.
 */
async function ackAfter(message: Message, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logLine("error", "broadcast_work_failed", { message: message.id, error: errorText(error) });
  }
  message.ack();
}
