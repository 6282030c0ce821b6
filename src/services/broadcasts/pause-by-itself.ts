import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { logLine } from "../../lib/log-line.ts";
import { harmless, addNotices } from "../service-mail/index.ts";
import { broadcastEvent } from "./broadcast-event.ts";
import { isInState, moveState, type BroadcastRow } from "./queries.ts";
import { HAS_BEGUN } from "./turns/take-turn.ts";
import { pausedError } from "./zones/missed-zone.ts";

/**
 * Pauses a broadcast that cannot continue and stores a notice with the reason for its owners. A
 * broadcast stops by itself only through this function. Does nothing if the broadcast is not
 * sending.
 */
export async function pauseByItself(
  deps: Deps,
  { id, projectId, subject }: Pick<BroadcastRow, "id" | "projectId" | "subject">,
  reason: string,
): Promise<void> {
  logLine("warn", "broadcast_paused", { broadcastId: id, error: reason });
  const named = harmless(subject);
  const what = named === "" ? "It" : `"${named}"`;
  const notice = {
    projectId,
    cause: `broadcast ${id}`,
    title: "A broadcast has paused itself",
    text: `${what} stopped: ${reason}. Mend the cause, then resume the broadcast.`,
  };
  const isSending = isInState(projectId, id, ["sending"]);
  const change = { state: "paused", error: pausedError(reason) } as const;
  await runBatch(deps.db, [
    ...addNotices(deps, notice, isSending),
    broadcastEvent(deps, "broadcast.paused", sql`id = ${id} and ${isSending}`, change),
    moveState(deps.db, projectId, id, ["sending"], { ...change, turnAt: HAS_BEGUN }),
  ]);
}
