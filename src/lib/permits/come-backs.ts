import type { Wait } from "./permit-messages.ts";

/** Chooses which refused worker comes back, so that one worker waits and not a crowd. */
export class ComeBacks {
  /**
   * The times until which a worker is expected back: for a connection, for any mail (""), for the
   * mails of a broadcast, or for those to a domain.
   */
  readonly #untilMs = new Map<string, number>();

  /** Returns a wait; in each, the first worker comes back. */
  wait(waitMs: number, what: string, now: number): Wait {
    if (waitMs === 0) return { waitMs, comesBack: false };
    for (const [other, untilMs] of this.#untilMs) if (untilMs <= now) this.#untilMs.delete(other);
    const comesBack = !this.#untilMs.has(what);
    if (comesBack) this.#untilMs.set(what, now + waitMs);
    return { waitMs, comesBack };
  }
}
