import type { Deps } from "../../../deps.ts";

/** The time for which the worker of a pending mail waits for its outcome. */
const PATIENCE_MS = 10_000;

/** The time with one pending mail after which its server is slow. */
const SLOW_MS = 8_000;

/** The number of pending mails that a slow server gets at a time. */
const MOST_OF_SLOW = 3;

/**
 * The pending mails that a hub has in hand. It bounds what they cost the workers of all projects: a
 * slow server gets only a few at a time, and no worker waits long for any (decision D176).
 */
export class PendingInHand {
  readonly #deps: Pick<Deps, "now" | "wait">;
  readonly #inHand = new Set<{ sinceMs: number }>();
  /** True if the last mail that ended had taken long. */
  #wasSlow = false;

  constructor(deps: Pick<Deps, "now" | "wait">) {
    this.#deps = deps;
  }

  /** True while the server is slow and has as many mails as it may have. */
  isFull(): boolean {
    if (this.#inHand.size < MOST_OF_SLOW) return false;
    return this.#wasSlow || [...this.#inHand].some(({ sinceMs }) => this.#isLong(sinceMs));
  }

  /**
   * Returns the outcome of a mail, or undefined when its worker has waited long enough. The mail is
   * in hand until it ends. `sending` never fails.
   */
  outcomeOf<Outcome>(sending: Promise<Outcome>): Promise<Outcome | undefined> {
    const { now, wait } = this.#deps;
    const mail = { sinceMs: now() };
    this.#inHand.add(mail);
    const ended = sending.finally(() => {
      this.#inHand.delete(mail);
      this.#wasSlow = this.#isLong(mail.sinceMs);
    });
    return Promise.race([ended, wait(PATIENCE_MS).then(() => undefined)]);
  }

  #isLong(sinceMs: number): boolean {
    return this.#deps.now() - sinceMs > SLOW_MS;
  }
}
