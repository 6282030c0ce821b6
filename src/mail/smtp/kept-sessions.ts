import type { AccountStates } from "./account-states.ts";
import { sayFarewell } from "./farewell.ts";
import type { SmtpSession } from "./session.ts";
import type { Job } from "./waiting-line.ts";

/** A session that outlives its message. */
export interface Kept {
  session: SmtpSession;
  account: string;
  /** The messages that it was given, and those of them that are in flight in its window. */
  mails: number;
  inFlight: number;
  /** The time since which the session rests; undefined while it carries a message. */
  restingSince: number | undefined;
  /** The rest before the present message. */
  restedMs: number;
}

/** The time in which a server notices a closed connection and no longer counts it. */
const SEEN_AFTER_MS = 10;

/** The open sessions of a pool, in the order of use. */
export class KeptSessions {
  readonly #kept = new Set<Kept>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #idleMs: number;
  readonly #accounts: AccountStates;
  readonly #hasLeft: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Ends sessions that rest for `idleMs`. Calls `hasLeft` when a connection is closed. */
  constructor(idleMs: number, accounts: AccountStates, hasLeft: () => void) {
    this.#idleMs = idleMs;
    this.#accounts = accounts;
    this.#hasLeft = hasLeft;
  }

  get size(): number {
    return this.#kept.size;
  }

  add(kept: Kept): void {
    this.#kept.add(kept);
  }

  /** Ends a session. */
  drop(kept: Kept): void {
    this.#kept.delete(kept);
    const leaving = this.#leave(kept).finally(() => void this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  /** Waits until all sessions that end have closed their connections. */
  async left(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** Counts the connection until the server has seen its end. */
  async #leave({ session, account }: Kept): Promise<void> {
    const state = this.#accounts.of(account);
    state.closing += 1;
    await sayFarewell(session);
    await new Promise((resume) => setTimeout(resume, SEEN_AFTER_MS));
    state.closing -= 1;
    state.waitsForClosing &&= state.closing > 0;
    this.#hasLeft();
  }

  get areResting(): boolean {
    return [...this.#kept].some(({ restingSince }) => restingSince !== undefined);
  }

  of(account: string): Kept[] {
    return [...this.#kept].filter((kept) => kept.account === account);
  }

  /** Takes the session of the account that rested the least; drops those that have ended. */
  takeRested({ account, isSecondTry }: Job): Kept | undefined {
    for (const kept of [...this.#kept].toReversed()) {
      if (kept.account !== account || kept.restingSince === undefined) continue;
      if (isSecondTry && kept.mails > 0) continue;
      if (!kept.session.isIdle) {
        this.drop(kept);
        continue;
      }
      kept.restedMs = performance.now() - kept.restingSince;
      kept.restingSince = undefined;
      this.#kept.delete(kept); // the set keeps the order of use
      this.#kept.add(kept);
      return kept;
    }
    return undefined;
  }

  /** Lets a session rest, for `idleMs` at most; one timer looks after all of them. */
  rest(kept: Kept): void {
    kept.restingSince = performance.now();
    kept.session.rest();
    this.#watch();
  }

  /** Drops the resting sessions that are due. */
  dropResting(isDue: (kept: Kept) => boolean): void {
    for (const kept of this.#kept)
      if (kept.restingSince !== undefined && isDue(kept)) this.drop(kept);
  }

  #watch(): void {
    if (this.#timer !== undefined) return;
    const resting = [...this.#kept].flatMap(({ restingSince }) => restingSince ?? []);
    if (resting.length === 0) return;
    const waitMs = Math.min(...resting) + this.#idleMs - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        const now = performance.now();
        this.dropResting(({ restingSince = now }) => now - restingSince >= this.#idleMs);
        this.#watch();
      },
      Math.max(1, Math.ceil(waitMs)),
    );
  }
}
