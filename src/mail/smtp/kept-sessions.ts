import type { SmtpSession } from "./session.ts";
import type { Wish } from "./waiting-line.ts";

/** A session that outlives its mail. */
export interface Kept {
  session: SmtpSession;
  account: string;
  mails: number;
  /** The time since which the session rests; undefined while it carries a mail. */
  restingSince: number | undefined;
  /** The rest before the present mail. */
  restedMs: number;
}

/** The open sessions of a project, in the order of use. */
export class KeptSessions {
  readonly #kept = new Set<Kept>();
  readonly #idleMs: number;
  readonly #drop: (kept: Kept) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `drop` ends a session that rested for `idleMs`, or that has ended by itself. */
  constructor(idleMs: number, drop: (kept: Kept) => void) {
    this.#idleMs = idleMs;
    this.#drop = drop;
  }

  get size(): number {
    return this.#kept.size;
  }

  add(kept: Kept): void {
    this.#kept.add(kept);
  }

  delete(kept: Kept): void {
    this.#kept.delete(kept);
  }

  countOf(account: string): number {
    return [...this.#kept].filter((kept) => kept.account === account).length;
  }

  /** Takes the session of the account that rested the least; drops those that have ended. */
  takeRested({ account, wantsNew }: Wish): Kept | undefined {
    for (const kept of [...this.#kept].toReversed()) {
      if (kept.account !== account || kept.restingSince === undefined) continue;
      if (wantsNew && kept.mails > 0) continue;
      if (!kept.session.isIdle) {
        this.#drop(kept);
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
      if (kept.restingSince !== undefined && isDue(kept)) this.#drop(kept);
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
