import type { Deps } from "../../../../deps.ts";
import { isFull } from "../../../storage/index.ts";
import type { SendFacts } from "../single/send-facts.ts";
import type { SlowServer } from "../single/slow-server.ts";

/** The wait before the next look at a mail that full storage holds back. */
const FULL_WAIT_MS = 10 * 60_000;

/** A pending mail that must wait although no attempt at it was made. */
export interface Deferral {
  kind: "held_back";
  waitMs: number;
  /** True if the limits of mail that strangers cause have counted the mail. */
  isCounted?: boolean;
  /** True if the time of the mail goes on while it waits. */
  keepsAge?: boolean;
}

/** The wait before a look at a mail that the hub has in hand: longer than a hub works on a mail. */
const UNDER_WAY_WAIT_MS = 3 * 60_000;

/**
 * Returns the wait of a pending mail for its slow server, or for its outcome. A mail that waits for
 * its server is due at once: the end of another mail wakes it, or else the next sweep.
 */
export function holdForServer({ isUnderWay }: SlowServer): Deferral {
  return {
    kind: "held_back",
    waitMs: isUnderWay ? UNDER_WAY_WAIT_MS : 0,
    isCounted: true,
    keepsAge: true,
  };
}

/**
 * Returns how long a pending mail waits while the storage is full, or undefined if it need not
 * wait. A mail with an earlier attempt continues: the record of that attempt lasts for a day, and a
 * new attempt must find it within that time.
 */
export function holdWhileFull(deps: Deps, facts: SendFacts): Deferral | undefined {
  if (facts.operation || !isFull(deps, facts.storage)) return undefined;
  return { kind: "held_back", waitMs: FULL_WAIT_MS };
}
