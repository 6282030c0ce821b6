/** Mails in one time slot, and the time of the last one. */
export interface MailSlot {
  /** Slot number: its start divided by the slot length. */
  slot: number;
  lastMs: number;
  mails: number;
}

/**
 * Counts mails in slots of equal length (sliding window). The mails of a slot leave the window
 * together, when the last of them is as old as the window. So no window ever exceeds its limit, and
 * capacity becomes free at most one slot late.
 */
export class MailCounter {
  readonly #slotMs: number;
  readonly #keepMs: number;
  /** Oldest first. */
  #slots: MailSlot[];

  /** `keepMs` is the longest window to be queried. */
  constructor(slotMs: number, keepMs: number, slots: MailSlot[] = []) {
    this.#slotMs = slotMs;
    this.#keepMs = keepMs;
    this.#slots = slots;
  }

  /** True when no mail is left in the longest window. */
  isIdle(now: number): boolean {
    return (this.#slots.at(-1)?.lastMs ?? -Infinity) + this.#keepMs <= now;
  }

  /**
   * Counts mails at `now`. Returns the changed slot. A clock that goes backward counts as stopped.
   */
  add(mails: number, now: number): MailSlot {
    const last = this.#slots.at(-1);
    const at = Math.max(now, last?.lastMs ?? 0);
    const slot = Math.floor(at / this.#slotMs);
    if (last?.slot === slot) {
      last.lastMs = at;
      last.mails += mails;
      return last;
    }
    const added = { slot, lastMs: at, mails };
    this.#slots = this.#slots.filter(({ lastMs }) => lastMs + this.#keepMs > at);
    this.#slots.push(added);
    return added;
  }

  /** Returns the mails of the last `windowMs` milliseconds. */
  count(windowMs: number, now: number): number {
    let mails = 0;
    for (const slot of this.#slots) if (slot.lastMs + windowMs > now) mails += slot.mails;
    return mails;
  }

  /**
   * Returns the time until the window has at most `most` mails, in milliseconds; 0 if that is
   * already so.
   */
  waitFor(most: number, windowMs: number, now: number): number {
    let over = this.count(windowMs, now) - most;
    if (over <= 0) return 0;
    for (const { lastMs, mails } of this.#slots) {
      if (lastMs + windowMs <= now) continue;
      over -= mails;
      if (over <= 0) return lastMs + windowMs - now;
    }
    return windowMs; // `most` is negative: no wait is long enough
  }
}
