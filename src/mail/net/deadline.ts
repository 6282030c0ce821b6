import { connectionMessage } from "../../messages/connections.ts";
import { ConnectionError } from "./connection-error.ts";

/** The absolute deadline of a connection: all pending operations fail when it passes. */
export class Deadline {
  readonly #fail: (error: ConnectionError) => void;
  /** In `performance.now()` time; a single timer enforces it. */
  #at = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #end: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(fail: (error: ConnectionError) => void) {
    this.#fail = fail;
  }

  /** Moves the deadline to `timeoutMs` from now. */
  renew(timeoutMs: number): void {
    this.#at = performance.now() + timeoutMs;
    if (this.#at < this.#timerAt) this.#watch(timeoutMs);
  }

  /** Suspends the deadline until `renew` sets the next one. */
  pause(): void {
    this.#at = Number.POSITIVE_INFINITY;
  }

  /** Fails all operations `timeoutMs` from now, even if `renew` sets a later deadline. */
  endAfter(timeoutMs: number): void {
    this.#end = setTimeout(() => {
      this.#fail(new ConnectionError("timeout", connectionMessage("session_too_long")));
    }, timeoutMs);
  }

  /** Stops all timers permanently. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#end);
  }

  /**
   * Sets a timer for the deadline. The deadline moves several times per message, so the timer is
   * not reset each time; if it fires early, it restarts for the remaining time.
   */
  #watch(timeoutMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = Number.POSITIVE_INFINITY;
    if (this.#isStopped || this.#at === Number.POSITIVE_INFINITY) return;
    this.#timerAt = this.#at;
    this.#timer = setTimeout(() => {
      const leftMs = this.#at - performance.now();
      if (leftMs > 0) this.#watch(leftMs);
      else this.#fail(new ConnectionError("timeout", connectionMessage("no_answer")));
    }, timeoutMs);
  }
}
