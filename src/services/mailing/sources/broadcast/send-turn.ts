import type { Deps } from "../../../../deps.ts";
import { chooseChunk } from "../../../broadcasts/index.ts";
import { TURN_LIMITS, type TurnLimits } from "./attempts.ts";
import { sendChunks, type ChunkToSend } from "./send-chunks.ts";

/** The number of choices in one turn, because another worker may be faster each time. */
const CHOICES = 3;

/**
 * Takes one turn of a worker: at the chunk of a guard, or otherwise at the chunk that is next in
 * turn among all projects.
 */
export async function sendTurn(
  deps: Deps,
  message: ChunkToSend,
  limits: TurnLimits = TURN_LIMITS,
): Promise<void> {
  if (message.isGuard) {
    await sendChunks(deps, message, limits);
    return;
  }
  for (let choice = 0; choice < CHOICES; choice++) {
    const chosen = await chooseChunk(deps);
    if (!chosen || (await sendChunks(deps, chosen, limits))) return;
  }
}
