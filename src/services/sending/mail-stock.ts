import type { MailPermit, MailsTo, Wait } from "../../lib/permits/permit-messages.ts";

/** The wait of a mail that gets no permit, and the mails that it concerns. */
export interface HeldBack extends Wait {
  /** True when mails to other domains may go. */
  isOfDomain: boolean;
}

/** A wait, and the promise of its end if that is near. */
interface NotedWait extends Wait {
  over?: Promise<void>;
}

/** The longest wait for a permit. A mail that must wait longer is held back. */
const WAIT_MAX_MS = 5_000;

/** The shortest wait, so that a worker does not ask all the time. */
const WAIT_MIN_MS = 50;

/** The name of a wait that concerns every domain. */
const ALL = "";

/** The permits for mails that a worker holds unused, and the waits that it must keep. */
export class MailStock {
  readonly #permits = new Map<string, number>();
  readonly #waits = new Map<string, NotedWait>();
  #freshUntilMs = 0;

  get isEmpty(): boolean {
    return this.#permits.size === 0;
  }

  /** Uses one permit. Returns false if there is no fresh one. */
  take(domain: string, now: number): boolean {
    const left = this.#permits.get(domain) ?? 0;
    if (left === 0 || now >= this.#freshUntilMs) return false;
    if (left === 1) this.#permits.delete(domain);
    else this.#permits.set(domain, left - 1);
    return true;
  }

  add(answers: MailPermit[], freshUntilMs: number): void {
    this.#freshUntilMs = freshUntilMs;
    for (const { domain, mails, waitMs, comesBack, isOfDomain } of answers) {
      if (mails > 0) this.#permits.set(domain, (this.#permits.get(domain) ?? 0) + mails);
      if (waitMs > 0) this.wait({ waitMs, comesBack }, isOfDomain ? domain : ALL);
    }
  }

  /** Notes a wait, for all domains or for one. A short one ends by itself. */
  wait({ waitMs, comesBack }: Wait, domain = ALL): void {
    const isFirst = comesBack || this.#waits.get(domain)?.comesBack === true;
    const noted: NotedWait = { waitMs, comesBack: isFirst };
    this.#waits.set(domain, noted);
    if (waitMs > WAIT_MAX_MS) return;
    noted.over = this.#endAfter(domain, noted);
  }

  async #endAfter(domain: string, noted: NotedWait): Promise<void> {
    await pause(noted.waitMs);
    if (this.#waits.get(domain) === noted) this.#waits.delete(domain);
  }

  /** Returns the wait that concerns a domain, if any. */
  waitOf(domain: string): (HeldBack & NotedWait) | undefined {
    const isOfDomain = !this.#waits.has(ALL);
    const wait = this.#waits.get(isOfDomain ? domain : ALL);
    return wait && { ...wait, isOfDomain };
  }

  /** Takes out the permits that go back: the stale ones, or all. */
  takeOut(now: number, isLast: boolean): MailsTo[] {
    if (!isLast && now < this.#freshUntilMs) return [];
    const unused = [...this.#permits];
    this.#permits.clear();
    return unused;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, Math.max(WAIT_MIN_MS, ms)));
}
