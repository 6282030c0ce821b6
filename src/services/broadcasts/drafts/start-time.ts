import { badRequest } from "../../../errors.ts";
import { MINUTE_MS } from "../../../lib/durations.ts";
import type { DraftInput } from "./draft-input.ts";

/** The time between a start and the first mail, in which the start can be undone. */
export const UNDO_MS = 15_000;

/** The time by which `send_at` may lie in the past: people write whole minutes. */
const PAST_MAX_MS = MINUTE_MS;

/** Returns when a draft that is started now begins to send. Throws bad_request for a time in the past. */
export function startTime({ sendAt }: Pick<DraftInput, "sendAt">, now: number): number {
  if (sendAt === null) return now + UNDO_MS;
  if (sendAt < now - PAST_MAX_MS) throw badRequest("send_at: has passed");
  return Math.max(sendAt, now + UNDO_MS);
}
