/*
 * Permits of one project's SMTP server: the allocation of connections, and the number of mails
 * allowed now. Synchronous and without a clock, so that each call decides atomically.
 */
import { ComeBacks } from "./come-backs.ts";
import { CONNECTION_LEASE_MS, ConnectionLeases } from "./connection-leases.ts";
import { learnFrom } from "./learn-from.ts";
import { factOf, learnedNow } from "./learned-limits.ts";
import type { MailSlot } from "./mail-counter.ts";
import {
  type MailPermit,
  type MailsTo,
  type Pace,
  type PermitAsk,
  type PermitGrant,
  type SendingUse,
  type Sign,
  type VersionedLimits,
} from "./permit-messages.ts";
import type { PermitFacts, PermitStore } from "./permit-store.ts";
import { PaceWindows } from "./pace-windows.ts";
import { DAY_MS, RateWindows } from "./rate-windows.ts";
import { DEFAULT_LIMITS, keptConnections, limitsRate } from "./sending-limits.ts";

/** Maximum wait announced to a single send; broadcasts then keep its capacity free. */
export const SINGLE_WAIT_MS = 5_000;

/** Wait of a worker that found no free connection. */
const CONNECTION_WAIT_MS = 5_000;

/** Validity of a permit: with a rate limit per second or minute, and without. */
const FRESH_MS = { fast: 1_000, slow: 20_000 };

/** How long after its wait a single send is still expected to retry. */
const SINGLE_GRACE_MS = 500;

/** How long single sends leave connections to a worker that got too few: one lease. */
const WORKERS_WAIT_MS = CONNECTION_LEASE_MS;

const NOBODY = { isBroadcast: false, reserved: 0 };

export class Permits {
  readonly #store: PermitStore;
  readonly #windows: RateWindows;
  readonly #paces: PaceWindows;
  readonly #leases: ConnectionLeases;
  #facts: PermitFacts;
  /** Waiting single sends, by name. */
  readonly #waiting = new Map<string, { mails: number; untilMs: number }>();
  readonly #comeBacks = new ComeBacks();
  /** Connections held by the object itself for single sends, and those they want. */
  #ofSingles = 0;
  #wantedBySingles = 0;
  /** Until when a worker that got too few connections is expected to retry. */
  #workersWaitUntilMs = 0;

  constructor(store: PermitStore, now: number) {
    this.#store = store;
    this.#windows = new RateWindows(store.slots(now - DAY_MS));
    this.#paces = new PaceWindows(store);
    this.#leases = new ConnectionLeases(store.leases());
    this.#facts = store.facts() ?? { limits: DEFAULT_LIMITS, version: 0 };
  }

  configure({ limits, version }: VersionedLimits): void {
    if (version <= this.#facts.version) return;
    this.#remember({ limits, version });
  }

  /** Records what a worker returns, has sent and has observed. */
  note(ask: PermitAsk, now: number): void {
    this.configure(ask);
    const { pace } = ask;
    for (const worker of this.#leases.sweep(now)) this.#store.saveLease(worker, undefined);
    for (const [domain, mails] of ask.unused) this.#takeBack(domain, mails, pace, now);
    if (ask.uncounted > 0) this.#save(this.#windows.addUnlimited(ask.uncounted, now));
    for (const sign of ask.signs) this.learn(sign, now, ask.worker);
  }

  /** Responds to a bulk worker, after `note`. */
  answer(ask: PermitAsk, now: number): PermitGrant {
    const { pace } = ask;
    const most = this.#connectionsNow(now);
    // A single connection cannot be shared: a worker yields it to a waiting single send.
    const wanted = Math.min(this.#wantedBySingles, Math.max(1, keptConnections(most)));
    const ofSingles = Math.max(this.#ofSingles, wanted);
    const lease = this.#leases.hold(ask.worker, ask.connections, most, ofSingles, now);
    if ((lease?.connections ?? 0) < ask.connections)
      this.#workersWaitUntilMs = now + WORKERS_WAIT_MS;
    this.#store.saveLease(ask.worker, lease);
    const isLimited = this.#isLimited(now) || pace !== undefined;
    const isRefused = ask.connections > 0 && !lease;
    const isFast =
      this.#facts.limits.maxPerSecond !== null || this.#ratePerMinute(now) !== undefined;
    return {
      connections: lease?.connections ?? 0,
      leaseMs: CONNECTION_LEASE_MS,
      freshMs: isFast ? FRESH_MS.fast : FRESH_MS.slow,
      ...this.#comeBacks.wait(isRefused ? CONNECTION_WAIT_MS : 0, "a connection", now),
      isLimited,
      mails: isLimited ? ask.wanted.map((wanted) => this.#give(wanted, pace, now)) : [],
    };
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
    for (const [domain, count] of mails) this.#save(this.#windows.add(domain, count, now));
    return 0;
  }

  /** True while a rate is limited: a single send then needs permits in advance. */
  isLimited(now: number): boolean {
    return this.#isLimited(now);
  }

  /** Counts single sends without permits, while no rate was limited. */
  countUnlimited(mails: number, now: number): void {
    this.#save(this.#windows.addUnlimited(mails, now));
  }

  /**
   * Records the connections that single sends have and want. Returns how many they may have now:
   * all that workers do not hold, or only the reserved ones while a worker waits.
   */
  allowSingles(open: number, wanted: number, now: number): number {
    const most = this.#connectionsNow(now);
    this.#ofSingles = open;
    this.#wantedBySingles = wanted;
    const free = Math.max(0, most - this.#leases.inUse(now));
    return now < this.#workersWaitUntilMs
      ? Math.min(free, Math.max(1, keptConnections(most)))
      : free;
  }

  /** Returns the connections reserved for single sends while workers ask for more. */
  keptForSingles(now: number): number {
    return keptConnections(this.#connectionsNow(now));
  }

  areWorkersConnected = (now: number) => this.#leases.inUse(now) > 0;

  /** Learns from a rejection observed by a worker or, without one, by a single send. */
  learn(sign: Sign, now: number, worker?: string): void {
    const singles = worker === undefined ? 0 : this.#ofSingles;
    const others = this.#leases.inUse(now, worker) + singles;
    const inUse = { others, lastMinute: this.#windows.lastMinute(now) };
    this.#remember(learnFrom(this.#facts, sign, inUse, now));
  }

  use(now: number): SendingUse {
    const { connections, perMinute } = this.#facts;
    return {
      connections: this.#leases.inUse(now) + this.#ofSingles,
      lastHour: this.#windows.lastHour(now),
      lastDay: this.#windows.lastDay(now),
      learned: {
        connections: factOf(connections, now),
        perMinute: factOf(perMinute, now),
      },
    };
  }

  #give([domain, wanted]: MailsTo, pace: Pace | undefined, now: number): MailPermit {
    let mails = 0;
    let changed: MailSlot[] = [];
    let refusal = { waitMs: 0, isOfDomain: false, who: "" };
    while (mails < wanted) {
      refusal = this.#waitForOne(domain, pace, now);
      if (refusal.waitMs > 0) break;
      changed = this.#windows.add(domain, 1, now);
      if (pace) this.#paces.add(pace, now);
      mails += 1;
    }
    this.#save(changed);
    const { waitMs, isOfDomain, who } = refusal;
    return { domain, mails, isOfDomain, ...this.#comeBacks.wait(waitMs, who, now) };
  }

  #takeBack(domain: string, mails: number, pace: Pace | undefined, now: number): void {
    this.#save(this.#windows.takeBack(domain, mails));
    if (pace) this.#paces.takeBack(pace, mails, now);
  }

  /** Returns the wait for one mail, and the limit that causes it. */
  #waitForOne(
    domain: string,
    pace: Pace | undefined,
    now: number,
  ): Pick<MailPermit, "waitMs" | "isOfDomain"> & { who: string } {
    const { limits } = this.#facts;
    const ahead = { isBroadcast: true, reserved: this.#reserved(now) };
    const allMs = this.#windows.waitForAll(limits, this.#ratePerMinute(now), 1, now, ahead);
    const paceMs = pace ? this.#paces.waitForOne(pace, now) : 0;
    const who = pace && paceMs > allMs ? `broadcast ${pace.broadcastId}` : "";
    if (allMs > 0 || paceMs > 0) return { waitMs: Math.max(allMs, paceMs), isOfDomain: false, who };
    const waitMs = this.#windows.waitForDomain(limits.maxPerDomainPerMinute, domain, 1, now);
    return { waitMs, isOfDomain: waitMs > 0, who: waitMs > 0 ? domain : "" };
  }

  /** Returns the mails of waiting single sends that are expected to retry. */
  #reserved(now: number): number {
    let mails = 0;
    for (const [name, waiting] of this.#waiting)
      if (waiting.untilMs > now) mails += waiting.mails;
      else this.#waiting.delete(name);
    return mails;
  }

  #connectionsNow(now: number): number {
    const { limits, connections } = this.#facts;
    return Math.min(limits.maxConnections, learnedNow(connections, now) ?? Infinity);
  }

  #ratePerMinute(now: number): number | undefined {
    return learnedNow(this.#facts.perMinute, now);
  }

  #isLimited(now: number): boolean {
    return limitsRate(this.#facts.limits) || this.#ratePerMinute(now) !== undefined;
  }

  #save(slots: MailSlot[]): void {
    for (const slot of slots) this.#store.saveSlot(slot);
  }

  #remember(change: Partial<PermitFacts>): void {
    this.#facts = { ...this.#facts, ...change };
    this.#store.saveFacts(this.#facts);
  }
}
