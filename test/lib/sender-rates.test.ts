/*
 * The rates of a project's SMTP server, with a clock that the test moves. The store is a map:
 * what an eviction leaves is what was saved into it.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MailCounter, type MailSlot } from "../../src/lib/rates/mail-counter.ts";
import type { RateFacts, RateStore, WarmUpDay } from "../../src/lib/rates/rate-store.ts";
import type { MailsTo, Pace } from "../../src/lib/rates/rate-types.ts";
import { SenderRates } from "../../src/lib/rates/sender-rates.ts";
import { DEFAULT_LIMITS, type SendingLimits } from "../../src/lib/rates/sending-limits.ts";

const START = Date.UTC(2026, 10, 22, 9);
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

function emptyStore(): RateStore {
  let facts: RateFacts | undefined;
  const slots = new Map<number, MailSlot>();
  const paces = new Map<string, Map<number, MailSlot>>();
  const days = new Map<string, WarmUpDay>();
  const after = (all: Iterable<MailSlot>, ms: number) =>
    structuredClone([...all].filter(({ lastMs }) => lastMs > ms));
  return {
    facts: () => structuredClone(facts),
    saveFacts: (saved) => {
      facts = structuredClone(saved);
    },
    slots: (afterMs) => after(slots.values(), afterMs),
    saveSlot: (slot) => {
      slots.set(slot.slot, structuredClone(slot));
    },
    paceSlots: (id, afterMs) => after(paces.get(id)?.values() ?? [], afterMs),
    savePaceSlot: (id, slot) => {
      paces.set(id, (paces.get(id) ?? new Map()).set(slot.slot, structuredClone(slot)));
    },
    warmUpDay: (id) => structuredClone(days.get(id)),
    saveWarmUpDay: (id, day) => {
      days.set(id, { ...day });
    },
  };
}

/** The rates of a project with these limits, at a time that the test moves. */
function ratesWith(change: Partial<SendingLimits> = {}) {
  const store = emptyStore();
  const clock = { now: START };
  let storing: (() => void)[] = [];
  const load = () => new SenderRates(store, clock.now, (work) => void storing.push(work));
  let rates = load();
  const configure = (limits: Partial<SendingLimits>, version: number) =>
    rates.configure({ limits: { ...DEFAULT_LIMITS, ...limits }, version });
  configure(change, 1);
  /** Sends up to `wanted` mails of a broadcast. Returns how many went, and the wait of the next. */
  const bulk = (
    wanted: number,
    { domain = "a.test", pace }: { domain?: string; pace?: Pace } = {},
  ) => {
    for (let mails = 0; mails < wanted; mails++) {
      const wait = rates.takeBulk(domain, pace, clock.now);
      if (wait) return { mails, ...wait };
    }
    return { mails: wanted, waitMs: 0, isOfDomain: false };
  };
  return {
    clock,
    configure,
    bulk,
    single: (mails: MailsTo[] = [["a.test", 1]], name = "s") =>
      rates.takeSingle(name, mails, clock.now),
    connections: () => rates.connectionsMax(clock.now),
    use: () => rates.use(0, clock.now),
    learn: (about: "connections" | "rate", why: string, open?: number) =>
      rates.learn({ about, why, ...(open === undefined ? {} : { open }) }, clock.now),
    /** Stores the counts, which an object does a quarter of a second after a mail. */
    store: () => {
      for (const work of storing.splice(0)) work();
    },
    evict: () => {
      storing = [];
      rates = load();
    },
  };
}

describe("connections", () => {
  it.each([
    [1, 1],
    [4, 4],
    [6, 5],
    [20, 5],
  ])("of a limit of %i are %i: an object opens at most five", (maxConnections, allowed) => {
    expect(ratesWith({ maxConnections }).connections()).toBe(allowed);
  });
});

describe("mails", () => {
  it("count while no rate is limited", () => {
    const { bulk, single, use } = ratesWith();
    expect(bulk(500).mails).toBe(500);
    single();
    expect(use()).toMatchObject({ lastHour: 501, lastDay: 501 });
  });

  it.each([
    ["maxPerSecond", 14, SECOND, 14],
    ["maxPerHour", 100, HOUR, 90],
    ["maxPerDay", 500, DAY, 450],
  ] as const)(
    "pass up to %s (%i), of which broadcasts get all but the single sends' part",
    (name, limit, windowMs, toBroadcasts) => {
      const { bulk, clock } = ratesWith({ [name]: limit });
      const wait = { waitMs: windowMs, isOfDomain: false };
      expect(bulk(limit + 1)).toEqual({ mails: toBroadcasts, ...wait });
      clock.now += windowMs - 1;
      expect(bulk(1)).toMatchObject({ mails: 0, waitMs: 1 });
      clock.now += 1;
      expect(bulk(1)).toMatchObject({ mails: 1, waitMs: 0 });
    },
  );

  it("pass one in two seconds at half a mail a second", () => {
    const { bulk, clock } = ratesWith({ maxPerSecond: 0.5 });
    expect(bulk(2)).toMatchObject({ mails: 1, waitMs: 2 * SECOND });
    clock.now += 2 * SECOND;
    expect(bulk(2)).toMatchObject({ mails: 1, waitMs: 2 * SECOND });
  });

  it("to one domain wait for that domain alone", () => {
    const { bulk, single, clock } = ratesWith({ maxPerDomainPerMinute: 2 });
    const full = { mails: 2, waitMs: MINUTE, isOfDomain: true };
    expect(bulk(5, { domain: "full.test" })).toEqual(full);
    expect(single([["full.test", 1]])).toBe(MINUTE);
    expect(bulk(1, { domain: "free.test" }).mails).toBe(1);
    clock.now += MINUTE;
    expect(bulk(5, { domain: "full.test" }).mails).toBe(2);
  });

  it("of a day and an hour outlive an eviction; shorter windows count as full until they are over", () => {
    const { bulk, clock, store, evict, use } = ratesWith({
      maxPerDay: 100,
      maxPerDomainPerMinute: 50,
    });
    bulk(20);
    store();
    evict();
    expect(use()).toMatchObject({ lastHour: 20, lastDay: 20 });
    expect(bulk(1, { domain: "b.test" })).toMatchObject({ mails: 0, waitMs: MINUTE });
    clock.now += MINUTE;
    expect(bulk(100, { domain: "b.test" }).mails).toBe(50);
    clock.now += MINUTE;
    expect(bulk(100, { domain: "b.test" }).mails).toBe(20); // 90 a day for broadcasts
  });

  it("never pass a limit in any window, whatever is asked", () => {
    const step = fc.record({
      wanted: fc.integer({ min: 1, max: 30 }),
      isSingle: fc.boolean(),
      passMs: fc.integer({ min: 0, max: 20 * MINUTE }),
      isEvicted: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { bulk, single, clock, store, evict } = ratesWith({
          maxPerHour: 50,
          maxPerDomainPerMinute: 20,
        });
        const passed: { at: number; mails: number }[] = [];
        for (const { wanted, isSingle, passMs, isEvicted } of steps) {
          clock.now += passMs;
          store();
          if (isEvicted) evict();
          const alone = Math.min(wanted, 20);
          const ofSingle = () => (single([["a.test", alone]]) === 0 ? alone : 0);
          passed.push({ at: clock.now, mails: isSingle ? ofSingle() : bulk(wanted).mails });
          const within = (windowMs: number) =>
            passed
              .filter(({ at }) => at > clock.now - windowMs)
              .reduce((sum, one) => sum + one.mails, 0);
          expect(within(HOUR)).toBeLessThanOrEqual(50);
          expect(within(MINUTE)).toBeLessThanOrEqual(20);
        }
      }),
    );
  });
});

describe("a single send", () => {
  it("may use what broadcasts leave of an hour and a day", () => {
    const { bulk, single } = ratesWith({ maxPerHour: 10 });
    expect(bulk(10).mails).toBe(9);
    expect(single()).toBe(0);
    expect(single()).toBe(HOUR);
  });

  it("goes before a broadcast when both wait for the same second", () => {
    const { bulk, single, clock } = ratesWith({ maxPerSecond: 1 });
    bulk(1);
    expect(single()).toBe(SECOND);
    clock.now += SECOND;
    expect(bulk(1).mails).toBe(0);
    expect(single()).toBe(0);
    clock.now += SECOND;
    expect(bulk(1).mails).toBe(1);
  });

  it("that does not come back stops no broadcast", () => {
    const { bulk, single, clock } = ratesWith({ maxPerSecond: 1 });
    bulk(1);
    single();
    clock.now += 2 * SECOND;
    expect(bulk(1).mails).toBe(1);
  });

  it("counts each recipient, and one with more recipients than a limit waits for an empty window", () => {
    const { single, use, clock } = ratesWith({ maxPerSecond: 2 });
    const three: MailsTo[] = [
      ["a.test", 2],
      ["b.test", 1],
    ];
    expect(single()).toBe(0);
    expect(single(three)).toBe(SECOND);
    clock.now += SECOND;
    expect(single(three)).toBe(0);
    expect(use().lastDay).toBe(4);
  });
});

describe("a refusal of one more connection", () => {
  const learned = (...open: number[]) => {
    const { learn, use } = ratesWith();
    for (const one of open) learn("connections", "421 too many", one);
    return use().learned.connections?.limit;
  };

  it.each([
    ["that of the open ones", learned(3), 3],
    ["the least of a moment", learned(3, 2, 1, 2), 1],
    ["lower than the present one in any case", learned(20), 4],
    ["none while no connection is open", learned(0), undefined],
  ])("teaches a limit: %s", (_which, limit, expected) => {
    expect(limit).toBe(expected);
  });
});

describe("a refusal of the server", () => {
  it("halves the connections once, and they grow by one a minute", () => {
    const { connections, learn, use, clock } = ratesWith();
    learn("connections", "421 4.7.0 too many connections");
    learn("connections", "421 4.7.0 the second of the same moment");
    expect(use().learned.connections).toEqual({
      limit: 2,
      atMs: START,
      why: "421 4.7.0 too many connections",
    });
    expect(connections()).toBe(2);
    clock.now += 2 * MINUTE;
    expect(connections()).toBe(4);
    clock.now += MINUTE;
    expect(connections()).toBe(5);
    expect(use().learned.connections).toBeNull();
  });

  it("halves again what has not grown back, down to one connection", () => {
    const { learn, use, clock } = ratesWith();
    for (const limit of [2, 1, 1]) {
      learn("connections", "421 no");
      expect(use().learned.connections).toMatchObject({ limit });
      clock.now += 30 * SECOND;
    }
  });

  it("halves the rate of the last minute, which grows by a twentieth a minute", () => {
    const { bulk, learn, use, clock } = ratesWith();
    bulk(200);
    learn("rate", "451 4.7.1 rate limit exceeded");
    expect(use().learned.perMinute).toMatchObject({ limit: 100 });
    expect(bulk(1).mails).toBe(0);
    clock.now += MINUTE;
    expect(bulk(500).mails).toBe(110);
    clock.now += 40 * MINUTE;
    expect(use().learned.perMinute).toBeNull();
    expect(bulk(500).mails).toBe(500);
  });

  it("is remembered after an eviction, with its reason cut to 200 characters", () => {
    const { learn, use, evict } = ratesWith();
    learn("connections", "x".repeat(1_000));
    evict();
    expect(use().learned.connections).toMatchObject({ limit: 2, why: "x".repeat(200) });
  });
});

describe("limits", () => {
  it("of a newer version replace older ones at once, and older ones never come back", () => {
    const { configure, connections, evict } = ratesWith();
    configure({ maxConnections: 3 }, 2);
    expect(connections()).toBe(3);
    configure({ maxConnections: 5 }, 1);
    evict();
    expect(connections()).toBe(3);
    configure({ maxConnections: 4 }, 3);
    expect(connections()).toBe(4);
  });
});

describe("a counter of mails", () => {
  it("counts a clock that goes back as standing, so that no mail leaves its window early", () => {
    const counter = new MailCounter(20, MINUTE);
    counter.add(3, START + SECOND);
    counter.add(2, START);
    expect(counter.count(SECOND, START + SECOND + 1)).toBe(5);
    expect(counter.waitFor(0, SECOND, START + SECOND)).toBe(SECOND);
  });
});

describe("the pace of a broadcast", () => {
  const pace: Pace = { broadcastId: "b", perHour: 60, firstDay: null };

  it("is kept in any five minutes and hour, also after evictions", () => {
    const { bulk, clock, evict } = ratesWith();
    const sent: number[] = [];
    for (let minute = 0; minute < 2 * 24 * 60; minute++) {
      const { mails, waitMs } = bulk(4, { pace });
      if (mails < 4) expect(waitMs).toBeGreaterThan(0);
      for (let one = 0; one < mails; one++) sent.push(clock.now);
      if (minute % 100 === 0) evict();
      clock.now += MINUTE;
    }
    const most = (windowMs: number) =>
      Math.max(
        ...sent.map((at) => sent.filter((other) => other > at - windowMs && other <= at).length),
      );
    expect(most(5 * MINUTE)).toBeLessThanOrEqual(5);
    expect(most(HOUR)).toBeLessThanOrEqual(60);
    expect(sent.length).toBeGreaterThan(180);
  });

  it.each([
    [1, 1],
    [10, 1],
    [100, 9],
  ])("of %d an hour gives a twelfth of them, rounded up, in five minutes: %d", (perHour, first) => {
    const { bulk, clock } = ratesWith();
    const of = { pace: { ...pace, perHour } };
    expect(bulk(20, of).mails).toBe(first);
    clock.now += 4 * MINUTE;
    expect(bulk(20, of).mails).toBe(0);
    let sent = first;
    for (let minute = 4; minute < 59; minute++, clock.now += MINUTE) sent += bulk(20, of).mails;
    expect(sent).toBe(perHour);
  });

  it("doubles the mails of a warm-up with each day of sending, however long a pause is", () => {
    const { bulk, clock, evict } = ratesWith();
    const day = () => bulk(1_000, { pace: { ...pace, perHour: null, firstDay: 10 } }).mails;
    expect(day()).toBe(10);
    clock.now += DAY - MINUTE;
    expect(day()).toBe(0);
    clock.now += 3 * DAY;
    evict();
    expect(day()).toBe(20);
    clock.now += DAY;
    expect(day()).toBe(40);
    evict();
    clock.now += 29 * DAY;
    expect(day()).toBe(80);
    clock.now += 30 * DAY;
    expect(day()).toBe(10);
  });

  it("keeps any 24 hours of a warm-up within the number of its day", () => {
    const { bulk, clock } = ratesWith();
    const warmUp = { pace: { ...pace, perHour: null, firstDay: 20 } };
    const sent: number[] = [];
    for (let minute = 0; minute < 3 * 24 * 60; minute++) {
      if (bulk(1, warmUp).mails > 0) sent.push(clock.now);
      clock.now += MINUTE;
    }
    const within = (from: number) => sent.filter((at) => at >= from && at < from + DAY).length;
    expect([0, 1, 2].map((day) => within(START + day * DAY))).toEqual([20, 40, 80]);
    expect(Math.max(...sent.map(within))).toBe(80);
  });

  it("holds back its own broadcast alone", () => {
    const { bulk } = ratesWith({ maxPerHour: 1_000 });
    expect(bulk(10, { pace })).toMatchObject({ mails: 5, isOfDomain: false });
    expect(bulk(10, { pace }).mails).toBe(0);
    expect(bulk(3, { pace: { ...pace, broadcastId: "other" } }).mails).toBe(3);
    expect(bulk(3).mails).toBe(3);
  });
});
