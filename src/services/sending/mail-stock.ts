import type { MailPermit, MailsTo, Wait } from "../../lib/permits/permit-messages.ts";

/** A wait, and its cause. */
export interface LineWait extends Wait {
  /** True if no limit makes the mail wait: the worker has no connection, or nobody answers. */
  hasNoLine?: boolean;
}

/** The wait of a mail that gets no permit, and the mails that it concerns. */
export interface HeldBack extends LineWait {
  /** True when mails to other domains may go. */
  isOfDomain: boolean;
}

/** A wait, the time of its end, and the promise of its end if that is near. */
interface NotedWait extends LineWait {
  endsMs: number;
  over?: Promise<void>;
}

/** Unused permits for one domain, and the time until which all of them are fresh. */
interface Permits {
  mails: number;
  freshUntilMs: number;
}

/** The longest wait for a permit. A mail that must wait longer is held back. */
const WAIT_MAX_MS = 5_000;

/** The shortest wait, so that a worker does not ask all the time. */
const WAIT_MIN_MS = 50;

/** The name of a wait that concerns every domain. */
const ALL = "";

/** The permits for mails that a worker holds unused, and the waits that it must keep. */
export class MailStock {
  readonly #permits = new Map<string, Permits>();
  readonly #waits = new Map<string, NotedWait>();

  get isEmpty(): boolean {
    return this.#permits.size === 0;
  }

  /** Uses one permit. Returns false if there is no fresh one. */
  take(domain: string, now: number): boolean {
    const permits = this.#permits.get(domain);
    if (!permits || now >= permits.freshUntilMs) return false;
    permits.mails -= 1;
    if (permits.mails === 0) this.#permits.delete(domain);
    return true;
  }

  /** Adds permits. They make no earlier ones for their domain last longer. */
  add(answers: MailPermit[], freshUntilMs: number, now: number): void {
    for (const { domain, mails, waitMs, comesBack, isOfDomain } of answers) {
      if (mails > 0) this.#addTo(domain, { mails, freshUntilMs });
      if (waitMs > 0) this.wait({ waitMs, comesBack }, now, isOfDomain ? domain : ALL);
    }
  }

  #addTo(domain: string, { mails, freshUntilMs }: Permits): void {
    const held = this.#permits.get(domain) ?? { mails: 0, freshUntilMs };
    this.#permits.set(domain, {
      mails: held.mails + mails,
      freshUntilMs: Math.min(held.freshUntilMs, freshUntilMs),
    });
  }

  /** Notes a wait, for all domains or for one. A short one ends by itself. */
  wait({ waitMs, comesBack, hasNoLine = false }: LineWait, now: number, domain = ALL): void {
    const isFirst = comesBack || this.#waitAt(domain, now)?.comesBack === true;
    const noted: NotedWait = { waitMs, comesBack: isFirst, hasNoLine, endsMs: now + waitMs };
    this.#waits.set(domain, noted);
    if (waitMs > WAIT_MAX_MS) return;
    noted.over = this.#endAfter(domain, noted);
  }

  async #endAfter(domain: string, noted: NotedWait): Promise<void> {
    await pause(noted.waitMs);
    if (this.#waits.get(domain) === noted) this.#waits.delete(domain);
  }

  /** Returns the rest of the wait that concerns a domain, if any. */
  waitOf(domain: string, now: number): (HeldBack & NotedWait) | undefined {
    const ofAll = this.#waitAt(ALL, now);
    const wait = ofAll ?? this.#waitAt(domain, now);
    return wait && { ...wait, waitMs: wait.endsMs - now, isOfDomain: !ofAll };
  }

  /** Returns a wait, unless it is a long one that is over: a line may outlive many of these. */
  #waitAt(domain: string, now: number): NotedWait | undefined {
    const wait = this.#waits.get(domain);
    return wait?.over || (wait && wait.endsMs > now) ? wait : undefined;
  }

  /** Takes out the permits that go back: the stale ones, or all. */
  takeOut(now: number, isLast: boolean): MailsTo[] {
    const isOut = ({ freshUntilMs }: Permits) => isLast || now >= freshUntilMs;
    const unused = [...this.#permits].filter(([, permits]) => isOut(permits));
    for (const [domain] of unused) this.#permits.delete(domain);
    return unused.map(([domain, { mails }]) => [domain, mails]);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, Math.max(WAIT_MIN_MS, ms)));
}
