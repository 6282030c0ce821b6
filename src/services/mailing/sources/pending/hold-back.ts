import type { Deps } from "../../../../deps.ts";
import { isFull } from "../../../storage/index.ts";
import type { SendFacts } from "../single/send-facts.ts";

/** The wait before a mail that full storage holds back is looked at again. */
const FULL_WAIT_MS = 10 * 60_000;

/** A pending mail that must wait; no attempt at it was made. */
export interface HeldBack {
  kind: "held_back";
  waitMs: number;
}

/**
 * Returns how long a pending mail waits while the storage is full, or undefined if it need not. A
 * mail with an earlier attempt goes on: that attempt is known for a day, and must be found by then.
 */
export function holdWhileFull(deps: Deps, facts: SendFacts): HeldBack | undefined {
  if (facts.operation || !isFull(deps, facts.storage)) return undefined;
  return { kind: "held_back", waitMs: FULL_WAIT_MS };
}
