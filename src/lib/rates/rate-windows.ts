import { MailCounter, type MailSlot } from "./mail-counter.ts";
import { keptMails, windowOfRate, type SendingLimits } from "./sending-limits.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Slot length of windows of seconds: capacity becomes free at most this late. */
const RECENT_SLOT_MS = 20;

/** Slot length of one domain's mails. */
const DOMAIN_SLOT_MS = 1_000;

/** Wait while queued mails take the whole capacity of a window, however empty it is. */
const TAKEN_WAIT_MS = 250;

/** Maximum number of tracked domains; idle ones are evicted first. */
const DOMAINS_MAX = 5_000;

/** Windows of a project's mails, from seconds to a day, and of each domain's mails per minute. */
export class RateWindows {
  readonly #recent = new MailCounter(RECENT_SLOT_MS, MINUTE_MS);
  readonly #minutes: MailCounter;
  readonly #domains = new Map<string, MailCounter>();
  /** Time of the last mail counted before this object was loaded. */
  readonly #unseenMs: number;

  /**
   * `minutes` are the persisted slots of the last day; only these survive an eviction. The shorter
   * windows then count as full until the last persisted mail has left them.
   */
  constructor(minutes: MailSlot[]) {
    this.#unseenMs = minutes.at(-1)?.lastMs ?? -Infinity;
    this.#minutes = new MailCounter(MINUTE_MS, DAY_MS, minutes);
  }

  lastMinute = (now: number) => this.#recent.count(MINUTE_MS, now);
  lastHour = (now: number) => this.#minutes.count(HOUR_MS, now);
  lastDay = (now: number) => this.#minutes.count(DAY_MS, now);

  /** Counts mails to a domain. Returns the slots to store. */
  add(domain: string, mails: number, now: number): MailSlot[] {
    this.#recent.add(mails, now);
    this.#counterOf(domain, now).add(mails, now);
    return [this.#minutes.add(mails, now)];
  }

  /**
   * Returns the time until `mails` more fit into every window of the project; 0 if they fit now.
   * More mails than a limit allows fit only into an empty window. `isBroadcast` leaves a share to
   * single sends, and `reserved` mails to those that wait.
   */
  waitForAll(
    limits: SendingLimits,
    perMinute: number | undefined,
    mails: number,
    now: number,
    ahead: { isBroadcast: boolean; reserved: number },
  ): number {
    const wait = (limit: number | null | undefined, windowMs: number, isLong: boolean) => {
      if (limit === null || limit === undefined) return 0;
      const kept = (ahead.isBroadcast && isLong ? keptMails(limit) : 0) + ahead.reserved;
      const most = Math.max(0, limit - kept - mails);
      const counter = isLong ? this.#minutes : this.#recent;
      const waitMs = counter.waitFor(most, windowMs, now);
      const takenMs = kept >= limit ? TAKEN_WAIT_MS : 0;
      const unseenMs = isLong ? 0 : this.#unseenMs + windowMs - now;
      return Math.max(waitMs, takenMs, unseenMs);
    };
    const { maxPerSecond, maxPerHour, maxPerDay } = limits;
    const rate = maxPerSecond === null ? undefined : windowOfRate(maxPerSecond);
    return Math.max(
      wait(rate?.limit, rate?.windowMs ?? 0, false),
      wait(perMinute, MINUTE_MS, false),
      wait(maxPerHour, HOUR_MS, true),
      wait(maxPerDay, DAY_MS, true),
    );
  }

  /** Returns the time until `mails` more fit into the minute of a domain. */
  waitForDomain(limit: number | null, domain: string, mails: number, now: number): number {
    if (limit === null) return 0;
    const unseenMs = Math.max(0, this.#unseenMs + MINUTE_MS - now);
    const counter = this.#domains.get(domain);
    if (!counter) return unseenMs;
    return Math.max(unseenMs, counter.waitFor(Math.max(0, limit - mails), MINUTE_MS, now));
  }

  #counterOf(domain: string, now: number): MailCounter {
    const known = this.#domains.get(domain);
    if (known) return known;
    if (this.#domains.size >= DOMAINS_MAX)
      for (const [name, counter] of this.#domains)
        if (counter.isIdle(now)) this.#domains.delete(name);
    const made = new MailCounter(DOMAIN_SLOT_MS, MINUTE_MS);
    this.#domains.set(domain, made);
    return made;
  }
}
