import { NoFreeSession, SmtpConnectError } from "./connect-error.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import type { SmtpSettings } from "./settings.ts";

/** A message on its way through a pool. */
export interface Job {
  message: OutgoingMessage;
  settings: SmtpSettings;
  account: string;
  isBulk: boolean;
  isOver: () => boolean;
  /** The longest wait for a session, and the time at which it ends. */
  waitMs: number;
  giveUpAt: number;
  /** True after a try that failed. The second one takes only a session that has carried nothing. */
  isSecondTry: boolean;
  /** The result of a try that had begun to hand over the content, if a later one follows. */
  begun: SendResult | undefined;
  /** The number of the call, which decides its place in the line; 0 before the first wait. */
  order: number;
  done: PromiseWithResolvers<SendResult>;
}

/**
 * The messages that wait for a session: second tries first, then single ones, then bulk mail, each
 * in the order of calls. A message that returns keeps its place.
 */
export class WaitingLine {
  readonly #jobs: Job[] = [];
  readonly #timers = new Map<Job, ReturnType<typeof setTimeout>>();
  #lastOrder = 0;

  get size(): number {
    return this.#jobs.length;
  }

  [Symbol.iterator](): Iterator<Job> {
    return [...this.#jobs].values(); // those who are refused leave meanwhile
  }

  /** Returns those who wait for a session of an account. */
  of(account: string): Job[] {
    return this.#jobs.filter((job) => job.account === account);
  }

  /** Lets a message wait. `limit` returns the number of sessions that its refusal names. */
  join(job: Job, limit: () => number): void {
    job.order ||= this.#lastOrder += 1;
    const ahead = this.#jobs.findLastIndex((other) => !isBefore(job, other));
    this.#jobs.splice(ahead + 1, 0, job);
    if (job.giveUpAt === Number.POSITIVE_INFINITY) return;
    const giveUp = () => this.#giveUp(job, limit());
    const leftMs = Math.max(0, job.giveUpAt - performance.now());
    this.#timers.set(job, setTimeout(giveUp, leftMs));
  }

  leave(job: Job): void {
    const index = this.#jobs.indexOf(job);
    if (index >= 0) this.#jobs.splice(index, 1);
    clearTimeout(this.#timers.get(job));
    this.#timers.delete(job);
  }

  /** Refuses a message that may not begin any more. Returns true if it was one. */
  refuseLate(job: Job): boolean {
    const isLate = job.isOver();
    if (isLate) this.#giveUp(job, 0);
    return isLate;
  }

  #giveUp(job: Job, limit: number): void {
    this.leave(job);
    const { host, port } = job.settings;
    refuse(job, new NoFreeSession(`${host}:${port}`, job.waitMs, limit));
  }

  /** Refuses everybody who waits for a session of an account. */
  refuse(account: string, error: unknown): void {
    for (const job of this.of(account)) {
      this.leave(job);
      refuse(job, error);
    }
  }
}

/** Ends a message that gets no session. An earlier try that had begun decides its result. */
function refuse({ begun, done }: Job, error: unknown): void {
  if (begun && error instanceof SmtpConnectError) done.resolve(begun);
  else done.reject(error);
}

function isBefore(one: Job, other: Job): boolean {
  const ranks = rankOf(one) - rankOf(other);
  return ranks < 0 || (ranks === 0 && one.order < other.order);
}

const rankOf = ({ isSecondTry, isBulk }: Job): number => (isSecondTry ? 0 : isBulk ? 2 : 1);
