import type { SmtpSettings } from "./settings.ts";

/** The session that a mail wants. */
export interface Wish {
  settings: SmtpSettings;
  account: string;
  /** True for a mail that takes only a session that has carried none. */
  wantsNew: boolean;
}

/** A mail that waits for its session. */
export interface Waiter<Session> extends Wish {
  serve: (session: Session) => void;
  refuse: (error: unknown) => void;
}

/** The mails that wait for a session, in the order of calls; those that want a new one go first. */
export class WaitingLine<Session> {
  readonly #waiters = new Set<Waiter<Session>>();

  get size(): number {
    return this.#waiters.size;
  }

  [Symbol.iterator](): SetIterator<Waiter<Session>> {
    return this.#waiters.values();
  }

  /** Waits for a session. Rejects with `refusal` after the wait. */
  join(wish: Wish, waitMs: number, refusal: () => Error): Promise<Session> {
    const { promise, resolve, reject } = Promise.withResolvers<Session>();
    const waiter: Waiter<Session> = { ...wish, serve: resolve, refuse: reject };
    const others = [...this.#waiters];
    if (wish.wantsNew) this.#waiters.clear();
    for (const next of wish.wantsNew ? [waiter, ...others] : [waiter]) this.#waiters.add(next);
    const timer = setTimeout(() => {
      this.#waiters.delete(waiter);
      reject(refusal());
    }, waitMs);
    return promise.finally(() => clearTimeout(timer));
  }

  /** Returns those who wait for a session of an account. */
  of(account: string): Waiter<Session>[] {
    return [...this.#waiters].filter((waiter) => waiter.account === account);
  }

  serve(waiter: Waiter<Session>, session: Session): void {
    this.#waiters.delete(waiter);
    waiter.serve(session);
  }

  /** Refuses everybody who waits for a session of an account. */
  refuse(account: string, error: unknown): void {
    for (const waiter of this.of(account)) {
      this.#waiters.delete(waiter);
      waiter.refuse(error);
    }
  }
}
