/*
 * What one project's SMTP server allows now: the number of connections, and of mails. Synchronous
 * and without a clock, so that each decision counts at once.
 */
import { factOf, learnConnections, learnedNow, learnRate } from "./learned-limits.ts";
import type { MailSlot } from "./mail-counter.ts";
import { PaceWindows } from "./pace-windows.ts";
import type { RateFacts, RateStore } from "./rate-store.ts";
import type { MailsTo, Pace, SendingUse, Sign, VersionedLimits, Wait } from "./rate-types.ts";
import { DAY_MS, RateWindows } from "./rate-windows.ts";
import { CONNECTIONS_MAX, DEFAULT_LIMITS } from "./sending-limits.ts";

/** Maximum wait of a single send; broadcasts then keep its capacity free. */
export const SINGLE_WAIT_MS = 5_000;

/** How long after its wait a single send is still expected to retry. */
const SINGLE_GRACE_MS = 500;

const NOBODY = { isBroadcast: false, reserved: 0 };

export class SenderRates {
  readonly #store: RateStore;
  readonly #windows: RateWindows;
  readonly #paces: PaceWindows;
  readonly #soon: (work: () => void) => void;
  #facts: RateFacts;
  /** Waiting single sends, by name. */
  readonly #waiting = new Map<string, { mails: number; untilMs: number }>();
  /** The minutes that are not stored. */
  readonly #unstored = new Map<number, MailSlot>();

  /** `soon` runs work a little later: many mails of a minute are one stored row. */
  constructor(store: RateStore, now: number, soon: (work: () => void) => void) {
    this.#store = store;
    this.#soon = soon;
    this.#windows = new RateWindows(store.slots(now - DAY_MS));
    this.#paces = new PaceWindows(store);
    this.#facts = store.facts() ?? { limits: DEFAULT_LIMITS, version: 0 };
  }

  configure({ limits, version }: VersionedLimits): void {
    if (version > this.#facts.version) this.#remember({ limits, version });
  }

  /** Returns the connections that the server allows now. */
  connectionsMax(now: number): number {
    const { limits, connections } = this.#facts;
    const learned = learnedNow(connections, now) ?? Infinity;
    return Math.max(1, Math.min(CONNECTIONS_MAX, limits.maxConnections, learned));
  }

  /**
   * Counts a single send and returns 0, or counts nothing and returns the wait. Broadcasts keep
   * capacity free for a send that may go soon.
   */
  takeSingle(name: string, mails: MailsTo[], now: number): number {
    this.#waiting.delete(name);
    const all = mails.reduce((sum, [, count]) => sum + count, 0);
    const { limits } = this.#facts;
    const waitMs = Math.max(
      this.#windows.waitForAll(limits, this.#ratePerMinute(now), all, now, NOBODY),
      ...mails.map(([domain, count]) =>
        this.#windows.waitForDomain(limits.maxPerDomainPerMinute, domain, count, now),
      ),
    );
    if (waitMs > 0) {
      if (waitMs <= SINGLE_WAIT_MS)
        this.#waiting.set(name, { mails: all, untilMs: now + waitMs + SINGLE_GRACE_MS });
      return waitMs;
    }
    for (const [domain, count] of mails) this.#count(domain, count, now);
    return 0;
  }

  /** Counts a mail of a broadcast or batch and returns undefined, or returns the wait. */
  takeBulk(domain: string, pace: Pace | undefined, now: number): Wait | undefined {
    const { limits } = this.#facts;
    const ahead = { isBroadcast: true, reserved: this.#reserved(now) };
    const allMs = this.#windows.waitForAll(limits, this.#ratePerMinute(now), 1, now, ahead);
    const waitMs = Math.max(allMs, pace ? this.#paces.waitForOne(pace, now) : 0);
    if (waitMs > 0) return { waitMs, isOfDomain: false };
    const domainMs = this.#windows.waitForDomain(limits.maxPerDomainPerMinute, domain, 1, now);
    if (domainMs > 0) return { waitMs: domainMs, isOfDomain: true };
    this.#count(domain, 1, now);
    if (pace) this.#paces.add(pace, now);
    return undefined;
  }

  /**
   * Learns from a rejection: the rate that the server takes, or its connections. Refusing the only
   * connection reveals no limit.
   */
  learn({ about, why, open }: Sign, now: number): void {
    const { limits, connections, perMinute } = this.#facts;
    if (about === "rate") {
      const lastMinute = this.#windows.lastMinute(now);
      this.#remember({ perMinute: learnRate(perMinute, lastMinute, why, now) });
    } else if (open !== 0) {
      const most = Math.min(CONNECTIONS_MAX, limits.maxConnections);
      this.#remember({ connections: learnConnections(connections, { most, open }, why, now) });
    }
  }

  use(connections: number, now: number): SendingUse {
    const { connections: learned, perMinute } = this.#facts;
    return {
      connections,
      lastHour: this.#windows.lastHour(now),
      lastDay: this.#windows.lastDay(now),
      learned: { connections: factOf(learned, now), perMinute: factOf(perMinute, now) },
    };
  }

  /** Returns the mails of waiting single sends that are expected to retry. */
  #reserved(now: number): number {
    let mails = 0;
    for (const [name, waiting] of this.#waiting)
      if (waiting.untilMs > now) mails += waiting.mails;
      else this.#waiting.delete(name);
    return mails;
  }

  #ratePerMinute(now: number): number | undefined {
    return learnedNow(this.#facts.perMinute, now);
  }

  #count(domain: string, mails: number, now: number): void {
    if (this.#unstored.size === 0) this.#soon(() => this.#storeCounts());
    for (const slot of this.#windows.add(domain, mails, now)) this.#unstored.set(slot.slot, slot);
  }

  #storeCounts(): void {
    for (const slot of this.#unstored.values()) this.#store.saveSlot(slot);
    this.#unstored.clear();
  }

  #remember(change: Partial<RateFacts>): void {
    this.#facts = { ...this.#facts, ...change };
    this.#store.saveFacts(this.#facts);
  }
}
