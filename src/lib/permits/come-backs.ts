import type { Wait } from "./permit-messages.ts";

/** Selects which refused worker retries, so that only one waits (no thundering herd). */
export class ComeBacks {
  /**
   * When a worker is expected to retry: for a connection, for any mail (""), for the mails of a
   * broadcast, or for those to a domain.
   */
  readonly #untilMs = new Map<string, number>();

  /** Returns a wait. In each wait period, only the first worker retries. */
  wait(waitMs: number, what: string, now: number): Wait {
    if (waitMs === 0) return { waitMs, comesBack: false };
    for (const [other, untilMs] of this.#untilMs) if (untilMs <= now) this.#untilMs.delete(other);
    const comesBack = !this.#untilMs.has(what);
    if (comesBack) this.#untilMs.set(what, now + waitMs);
    return { waitMs, comesBack };
  }
}
