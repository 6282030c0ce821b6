import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatchAfter } from "../../db/client.ts";
import type { Message } from "../../messages/message.ts";
import { logLine } from "../../lib/log-line.ts";
import { harmless, addNotices } from "../service-mail/index.ts";
import { broadcastEvent } from "./broadcast-event.ts";
import { pauseAutomationByItself } from "./pause-automation-by-itself.ts";
import { isInState, moveState, type BroadcastRow } from "./queries.ts";
import { HAS_BEGUN } from "./turns/turn-order.ts";

/**
 * Auto-pauses a broadcast that cannot continue and stores a notice with the reason for its owners.
 * Every automatic pause goes through this function. Does nothing if the broadcast is not sending,
 * or if it has been resumed since its row was read (decision D16). The mails of a step pause their
 * whole automation.
 */
export async function pauseByItself(
  deps: Deps,
  { id, projectId, automationId, subject, resumptions }: Paused,
  reason: Message,
): Promise<void> {
  if (automationId !== null) {
    const isSame = sql`exists (select 1 from broadcasts
      where id = ${id} and state = 'sending' and resumptions = ${resumptions})`;
    return pauseAutomationByItself(deps, { id: automationId, projectId }, reason, isSame);
  }
  const named = harmless(subject);
  const what = named === "" ? "It" : `"${named}"`;
  const notice = {
    projectId,
    cause: `broadcast ${id}`,
    title: "A broadcast was auto-paused",
    text: `${what} stopped: ${reason.message}. Fix the cause, then resume the broadcast.`,
  };
  const mayPause = sql`(${isInState(projectId, id, ["sending"])}
    and exists (select 1 from broadcasts where id = ${id} and resumptions = ${resumptions}))`;
  const change = { state: "paused" as const, reasons: [reason] };
  const before = [
    ...addNotices(deps, notice, mayPause),
    broadcastEvent(deps, "broadcast.paused", sql`id = ${id} and ${mayPause}`, change),
  ];
  const [paused] = await runBatchAfter(deps.db, before, [
    moveState(deps.db, projectId, id, ["sending"], { ...change, turnAt: HAS_BEGUN }, mayPause),
  ]);
  if (paused.length > 0)
    logLine("warn", "broadcast_paused", { broadcastId: id, error: reason.message });
}

type Paused = Pick<BroadcastRow, "id" | "projectId" | "automationId" | "subject" | "resumptions">;
