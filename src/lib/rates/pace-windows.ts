import { MailCounter } from "./mail-counter.ts";
import type { Pace } from "./rate-types.ts";
import type { RateStore, WarmUpDay } from "./rate-store.ts";
import { dayOfMail, warmUpLimit } from "./warm-up.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * A span of an hour that is limited to its share of the hourly mails, so that they are spread out.
 */
export const PART_MS = 5 * MINUTE_MS;
const PARTS = HOUR_MS / PART_MS;

/** Returns the mails of such a span. */
export const perPartOf = (perHour: number): number => Math.ceil(perHour / PARTS);

/** Mails of a broadcast in the last day, and the latest day of its warm-up. */
interface Paced {
  counter: MailCounter;
  newestDay: WarmUpDay | undefined;
}

/**
 * Enforces the pace of broadcasts. No hour exceeds its limit, and its mails are spread out. No 24
 * hours exceed the daily limit of a warm-up.
 */
export class PaceWindows {
  readonly #store: RateStore;
  readonly #paced = new Map<string, Paced>();

  constructor(store: RateStore) {
    this.#store = store;
  }

  /** Returns the time until one more mail is allowed; 0 if it is allowed now. */
  waitForOne({ broadcastId, perHour, firstDay }: Pace, now: number): number {
    const { counter, newestDay } = this.#pacedOf(broadcastId, now);
    const wait = (limit: number | null, windowMs: number) =>
      limit === null ? 0 : counter.waitFor(Math.max(0, limit - 1), windowMs, now);
    const perPart = perHour === null ? null : perPartOf(perHour);
    const perDay = firstDay === null ? null : warmUpLimit(firstDay, dayOfMail(newestDay, now));
    return Math.max(wait(perPart, PART_MS), wait(perHour, HOUR_MS), wait(perDay, DAY_MS));
  }

  /** Counts a mail. The first mail of a sending day starts that day. */
  add({ broadcastId, firstDay }: Pace, now: number): void {
    const paced = this.#pacedOf(broadcastId, now);
    this.#store.savePaceSlot(broadcastId, paced.counter.add(1, now));
    if (firstDay === null) return;
    const day = dayOfMail(paced.newestDay, now);
    if (day === paced.newestDay) return;
    paced.newestDay = day;
    this.#store.saveWarmUpDay(broadcastId, day);
  }

  #pacedOf(broadcastId: string, now: number): Paced {
    const known = this.#paced.get(broadcastId);
    if (known) return known;
    const slots = this.#store.paceSlots(broadcastId, now - DAY_MS);
    const counter = new MailCounter(MINUTE_MS, DAY_MS, slots);
    const made = { counter, newestDay: this.#store.warmUpDay(broadcastId) };
    this.#paced.set(broadcastId, made);
    return made;
  }
}
