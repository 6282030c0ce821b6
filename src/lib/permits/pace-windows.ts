import { MailCounter, type MailSlot } from "./mail-counter.ts";
import type { Pace } from "./permit-messages.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The span of an hour that takes no more than its share of the mails, so that they spread out. */
const PART_MS = 5 * MINUTE_MS;
const PARTS = HOUR_MS / PART_MS;

/**
 * Counts the mails of broadcasts that have a pace. No hour and no day ever holds more than its
 * limit, and the mails of an hour spread over it.
 */
export class PaceWindows {
  readonly #stored: (broadcastId: string) => MailSlot[];
  readonly #counters = new Map<string, MailCounter>();

  /** `stored` returns the slots of a broadcast that were stored within a day. */
  constructor(stored: (broadcastId: string) => MailSlot[]) {
    this.#stored = stored;
  }

  /** Returns the time until one more mail fits; 0 if it fits now. */
  waitForOne({ broadcastId, perHour, perDay }: Pace, now: number): number {
    const counter = this.#counterOf(broadcastId);
    const wait = (limit: number | null, windowMs: number) =>
      limit === null ? 0 : counter.waitFor(Math.max(0, limit - 1), windowMs, now);
    const perPart = perHour === null ? null : Math.ceil(perHour / PARTS);
    return Math.max(wait(perPart, PART_MS), wait(perHour, HOUR_MS), wait(perDay, DAY_MS));
  }

  /** Counts a mail. Returns the slot to store. */
  add({ broadcastId }: Pace, now: number): MailSlot {
    return this.#counterOf(broadcastId).add(1, now);
  }

  /** Takes back mails that did not go. Returns the slots to store. */
  takeBack({ broadcastId }: Pace, mails: number): MailSlot[] {
    return this.#counterOf(broadcastId).takeBack(mails);
  }

  #counterOf(broadcastId: string): MailCounter {
    const known = this.#counters.get(broadcastId);
    if (known) return known;
    const made = new MailCounter(MINUTE_MS, DAY_MS, this.#stored(broadcastId));
    this.#counters.set(broadcastId, made);
    return made;
  }
}
