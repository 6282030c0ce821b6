import type { Deps } from "../../../deps.ts";
import { logLine } from "../../../lib/log-line.ts";

/** The time for which the worker of a pending mail waits for its outcome. */
const PATIENCE_MS = 10_000;

/** The time with one pending mail after which its server is slow. */
const SLOW_MS = 8_000;

/** The number of pending mails that a slow server gets at a time. */
const MOST_OF_SLOW = 3;

/**
 * The pending mails that a hub has in hand. It bounds what they cost the workers of all projects: a
 * slow server gets only a few at a time, and no worker waits for them (decision D14).
 */
export class PendingInHand {
  readonly #deps: Pick<Deps, "now" | "wait" | "waitUntil">;
  readonly #inHand = new Set<{ sinceMs: number }>();
  /** True if the last mail that ended had taken long. */
  #wasSlow = false;
  /** True if the last line of the log says that the server is slow. */
  #isToldSlow = false;
  /** True while refused mails may wait. */
  #areWaiting = false;

  constructor(deps: Pick<Deps, "now" | "wait" | "waitUntil">) {
    this.#deps = deps;
  }

  /**
   * Returns true if a mail must wait because the server is slow and has as many as it may have. The
   * end of one of those wakes a mail that waits.
   */
  refuses(): boolean {
    if (this.#inHand.size < MOST_OF_SLOW) return false;
    const isSlow = this.#isSlow();
    this.#areWaiting ||= isSlow;
    return isSlow;
  }

  /**
   * Returns the outcome of a mail, or undefined when its worker has waited long enough: not at all
   * for a slow server. The mail is in hand until it ends. `sending` never fails. `wakeNext` wakes a
   * mail that was refused, and returns false if none waits; it never fails either.
   */
  async outcomeOf<Outcome>(
    projectId: string,
    sending: Promise<Outcome>,
    wakeNext: () => Promise<boolean>,
  ): Promise<Outcome | undefined> {
    const { now, wait, waitUntil } = this.#deps;
    const isAwaited = !this.#isSlow();
    const mail = { sinceMs: now() };
    this.#inHand.add(mail);
    const ended = sending.finally(() => {
      this.#inHand.delete(mail);
      this.#wasSlow = this.#isLong(mail.sinceMs);
      this.#tell(projectId);
      if (this.#areWaiting) waitUntil(this.#wake(wakeNext));
    });
    if (!isAwaited) return undefined;
    return Promise.race([ended, wait(PATIENCE_MS).then(() => this.#tell(projectId))]);
  }

  /** Logs when the server becomes slow, and when it is no longer slow. */
  #tell(projectId: string): undefined {
    const isSlow = this.#isSlow();
    if (isSlow === this.#isToldSlow) return;
    this.#isToldSlow = isSlow;
    if (isSlow) logLine("warn", "mail_server_slow", { projectId });
    else logLine("info", "mail_server_quick", { projectId });
  }

  async #wake(wakeNext: () => Promise<boolean>): Promise<void> {
    this.#areWaiting = false;
    if (await wakeNext()) this.#areWaiting = true;
  }

  #isSlow(): boolean {
    return this.#wasSlow || [...this.#inHand].some(({ sinceMs }) => this.#isLong(sinceMs));
  }

  #isLong(sinceMs: number): boolean {
    return this.#deps.now() - sinceMs > SLOW_MS;
  }
}
