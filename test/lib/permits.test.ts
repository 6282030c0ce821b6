/*
 * The permits of a project's SMTP server, with a clock that the test moves. The store is a map:
 * what an eviction leaves is what was saved into it.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MailCounter, type MailSlot } from "../../src/lib/permits/mail-counter.ts";
import type { MailsTo, Pace, PermitAsk } from "../../src/lib/permits/permit-messages.ts";
import type { PermitFacts, PermitStore, WarmUpDay } from "../../src/lib/permits/permit-store.ts";
import { Permits } from "../../src/lib/permits/permits.ts";
import { DEFAULT_LIMITS, type SendingLimits } from "../../src/lib/permits/sending-limits.ts";

const START = Date.UTC(2026, 10, 22, 9);
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** The lease of connections. */
const LEASE = 20_000;

type Lease = ReturnType<PermitStore["leases"]>[number][1];

function emptyStore(): PermitStore {
  let facts: PermitFacts | undefined;
  const slots = new Map<number, { slot: number; lastMs: number; mails: number }>();
  const leases = new Map<string, Lease>();
  const paces = new Map<string, Map<number, MailSlot>>();
  const days = new Map<string, WarmUpDay>();
  return {
    facts: () => structuredClone(facts),
    slots: (afterMs) =>
      structuredClone([...slots.values()].filter(({ lastMs }) => lastMs > afterMs)),
    paceSlots: (id, afterMs) =>
      structuredClone([...(paces.get(id)?.values() ?? [])].filter((slot) => slot.lastMs > afterMs)),
    savePaceSlot: (id, slot) => {
      paces.set(id, (paces.get(id) ?? new Map()).set(slot.slot, structuredClone(slot)));
    },
    warmUpDay: (id) => structuredClone(days.get(id)),
    saveWarmUpDay: (id, day) => {
      days.set(id, { ...day });
    },
    leases: () => structuredClone([...leases]),
    saveFacts: (saved) => {
      facts = structuredClone(saved);
    },
    saveSlot: (slot) => {
      slots.set(slot.slot, structuredClone(slot));
    },
    saveLease: (worker, lease) => {
      if (lease) leases.set(worker, { ...lease });
      else leases.delete(worker);
    },
  };
}

/** The permits of a project with these limits, at a time that the test moves. */
function permitsWith(change: Partial<SendingLimits> = {}) {
  const store = emptyStore();
  const clock = { now: START };
  const limits = { ...DEFAULT_LIMITS, ...change };
  let permits = new Permits(store, clock.now);
  const ask = (worker: string, more: Partial<PermitAsk> = {}) => {
    const nothing = { connections: 0, wanted: [], unused: [], uncounted: 0, signs: [] };
    const asked = { worker, limits, version: 1, ...nothing, ...more };
    permits.note(asked, clock.now);
    return permits.answer(asked, clock.now);
  };
  return {
    clock,
    ask,
    connections: (worker: string, wanted = 4) => ask(worker, { connections: wanted }).connections,
    mails: (wanted: number, domain = "a.test") =>
      ask("w", { wanted: [[domain, wanted]] }).mails[0] ?? { mails: -1, waitMs: -1 },
    single: (mails: MailsTo[] = [["a.test", 1]], name = "s") => {
      permits.configure({ limits, version: 1 });
      return permits.takeSingle(name, mails, clock.now);
    },
    use: () => permits.use(clock.now),
    learn: (about: "connections" | "rate", why: string) => ask("w", { signs: [{ about, why }] }),
    evict: () => {
      permits = new Permits(store, clock.now);
    },
    permits: () => permits,
  };
}

describe("connections", () => {
  it("leave two of six to single sends, and never pass the limit", () => {
    const { connections, use } = permitsWith();
    expect(connections("one")).toBe(4);
    expect(connections("two")).toBe(0);
    expect(use().connections).toBe(4);
  });

  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [20, 18],
  ])("of a limit of %i go to broadcasts up to %i", (maxConnections, toBroadcasts) => {
    const { connections } = permitsWith({ maxConnections });
    const workers = Array.from({ length: 20 }, (_, index) => connections(`w${index}`));
    expect(workers.reduce((sum, held) => sum + held, 0)).toBe(toBroadcasts);
  });

  it("of a dead worker come back when its lease ends, and a renewed lease keeps them", () => {
    const { connections, clock } = permitsWith();
    connections("alive");
    clock.now += LEASE - 1;
    expect(connections("alive")).toBe(4);
    clock.now += LEASE - 1;
    expect(connections("other")).toBe(0);
    clock.now += 1;
    expect(connections("other")).toBe(4);
  });

  it("that are given back are free at once", () => {
    const { connections } = permitsWith();
    connections("one");
    expect(connections("one", 0)).toBe(0);
    expect(connections("two")).toBe(4);
  });

  it("outlive an eviction", () => {
    const { connections, evict } = permitsWith();
    connections("one", 3);
    evict();
    expect(connections("two")).toBe(1);
  });

  it("never pass a limit, whatever 20 workers ask in whatever order", () => {
    const step = fc.record({
      worker: fc.integer({ min: 0, max: 19 }),
      wanted: fc.integer({ min: 0, max: 4 }),
      passMs: fc.integer({ min: 0, max: 40_000 }),
      isEvicted: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step), (maxConnections, steps) => {
        const { connections, clock, evict } = permitsWith({ maxConnections });
        const held = new Map<number, { count: number; until: number }>();
        for (const { worker, wanted, passMs, isEvicted } of steps) {
          clock.now += passMs;
          if (isEvicted) evict();
          const count = connections(`w${worker}`, wanted);
          held.set(worker, { count, until: clock.now + LEASE });
          const live = [...held.values()].filter(({ until }) => until > clock.now);
          const all = live.reduce((sum, one) => sum + one.count, 0);
          expect(all).toBeLessThanOrEqual(maxConnections);
        }
      }),
    );
  });
});

describe("connections of single sends", () => {
  it("are all that workers do not hold, and for a lease those kept while a worker got too few", () => {
    const { permits, connections, clock } = permitsWith();
    const allowed = () => permits().allowSingles(6, 6, clock.now);
    expect(allowed()).toBe(6);
    expect(connections("w")).toBe(0); // they are all in use
    expect(allowed()).toBe(2);
    permits().allowSingles(2, 6, clock.now);
    expect(connections("w")).toBe(4);
    expect(allowed()).toBe(2);
    clock.now += LEASE;
    expect(allowed()).toBe(6);
  });

  it("come first where there is one: the worker gives it up when it renews its lease", () => {
    const { permits, connections, clock } = permitsWith({ maxConnections: 1 });
    expect(connections("w")).toBe(1);
    expect(permits().allowSingles(0, 1, clock.now)).toBe(0);
    expect(connections("w")).toBe(0);
    expect(permits().allowSingles(0, 1, clock.now)).toBe(1);
    permits().allowSingles(0, 0, clock.now);
    expect(connections("w")).toBe(1);
  });
});

describe("mails", () => {
  it("need no permit while no rate is limited, and count when they are reported", () => {
    const { ask, use } = permitsWith();
    expect(ask("w", { wanted: [["a.test", 9]] })).toMatchObject({ isLimited: false, mails: [] });
    ask("w", { uncounted: 500 });
    expect(use()).toMatchObject({ lastHour: 500, lastDay: 500 });
  });

  it.each([
    ["maxPerSecond", 14, SECOND, 14],
    ["maxPerHour", 100, HOUR, 90],
    ["maxPerDay", 500, DAY, 450],
  ] as const)(
    "pass up to %s (%i), of which broadcasts get all but the single sends' part",
    (name, limit, windowMs, toBroadcasts) => {
      const { mails, clock } = permitsWith({ [name]: limit });
      const first = mails(limit + 1);
      expect(first).toMatchObject({ mails: toBroadcasts, isOfDomain: false });
      expect(first.waitMs).toBe(windowMs);
      clock.now += windowMs - 1;
      expect(mails(1)).toMatchObject({ mails: 0, waitMs: 1 });
      clock.now += 1;
      expect(mails(1)).toMatchObject({ mails: 1, waitMs: 0 });
    },
  );

  it("pass one in two seconds at half a mail a second", () => {
    const { mails, clock } = permitsWith({ maxPerSecond: 0.5 });
    expect(mails(2)).toMatchObject({ mails: 1, waitMs: 2 * SECOND });
    clock.now += 2 * SECOND;
    expect(mails(2)).toMatchObject({ mails: 1, waitMs: 2 * SECOND });
  });

  it("to one domain wait for that domain alone", () => {
    const { ask, clock, mails } = permitsWith({ maxPerDomainPerMinute: 2 });
    const wanted: MailsTo[] = [
      ["full.test", 5],
      ["free.test", 1],
    ];
    expect(ask("w", { wanted }).mails).toEqual([
      { domain: "full.test", mails: 2, waitMs: MINUTE, isOfDomain: true, comesBack: true },
      { domain: "free.test", mails: 1, waitMs: 0, isOfDomain: false, comesBack: false },
    ]);
    clock.now += MINUTE;
    expect(mails(5, "full.test").mails).toBe(2);
  });

  it("that were not used go back, to the project and to the domain", () => {
    const { ask, mails } = permitsWith({ maxPerDay: 10, maxPerDomainPerMinute: 9 });
    expect(mails(20).mails).toBe(9);
    ask("w", { unused: [["a.test", 4]] });
    expect(mails(20).mails).toBe(4);
  });

  it("of a day and an hour outlive an eviction; shorter windows count as full until they are over", () => {
    const { mails, clock, evict, use } = permitsWith({ maxPerDay: 100, maxPerDomainPerMinute: 50 });
    mails(20);
    evict();
    expect(use()).toMatchObject({ lastHour: 20, lastDay: 20 });
    expect(mails(1)).toMatchObject({ mails: 0, waitMs: MINUTE });
    clock.now += MINUTE;
    expect(mails(100).mails).toBe(50);
    clock.now += MINUTE;
    expect(mails(100).mails).toBe(20); // 90 a day for broadcasts
  });

  it("never pass a limit in any window, whatever is asked and given back", () => {
    const step = fc.record({
      wanted: fc.integer({ min: 1, max: 30 }),
      unused: fc.integer({ min: 0, max: 5 }),
      passMs: fc.integer({ min: 0, max: 20 * MINUTE }),
      isEvicted: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { ask, clock, evict } = permitsWith({ maxPerHour: 50, maxPerDomainPerMinute: 20 });
        const passed: { at: number; mails: number }[] = [];
        for (const { wanted, unused, passMs, isEvicted } of steps) {
          clock.now += passMs;
          if (isEvicted) evict();
          const mails = ask("w", { wanted: [["a.test", wanted]] }).mails[0]?.mails ?? 0;
          const back = Math.min(unused, mails);
          ask("w", { unused: [["a.test", back]] });
          passed.push({ at: clock.now, mails: mails - back });
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

describe("a worker that is refused", () => {
  it("is the only one of all to come back after the wait, and then another may be", () => {
    const { ask, clock } = permitsWith({ maxPerHour: 2, maxPerDomainPerMinute: 1 });
    const refusal = (domain: string) => ask("w", { wanted: [[domain, 1]] }).mails[0];
    ask("w", { wanted: [["full.test", 1]] });
    expect(refusal("full.test")).toMatchObject({ isOfDomain: true, comesBack: true });
    expect(refusal("full.test")).toMatchObject({ isOfDomain: true, comesBack: false });
    ask("w", { wanted: [["other.test", 1]] });
    expect(refusal("third.test")).toMatchObject({ waitMs: HOUR, comesBack: true });
    expect(refusal("third.test")).toMatchObject({ waitMs: HOUR, comesBack: false });
    clock.now += HOUR;
    ask("w", {
      wanted: [
        ["a.test", 1],
        ["b.test", 1],
      ],
    });
    expect(refusal("third.test")).toMatchObject({ waitMs: HOUR, comesBack: true });
  });

  it("by a lack of connections waits five seconds", () => {
    const { ask } = permitsWith();
    ask("one", { connections: 4 });
    const refused = { connections: 0, waitMs: 5_000, comesBack: true };
    expect(ask("two", { connections: 4 })).toMatchObject(refused);
    expect(ask("three", { connections: 4 })).toMatchObject({ ...refused, comesBack: false });
    expect(ask("two", { connections: 0 })).toMatchObject({ waitMs: 0, comesBack: false });
  });

  it("by a lack of connections does not leave its work to one that a rate keeps for an hour", () => {
    const { ask, mails } = permitsWith({ maxPerHour: 1 });
    expect(mails(2)).toMatchObject({ mails: 1, waitMs: HOUR, comesBack: true });
    const raised = { limits: DEFAULT_LIMITS, version: 2, connections: 4 };
    ask("one", raised);
    expect(ask("two", raised)).toMatchObject({ waitMs: 5_000, comesBack: true });
  });
});

describe("a single send", () => {
  it("may use what broadcasts leave of an hour and a day", () => {
    const { mails, single } = permitsWith({ maxPerHour: 10 });
    expect(mails(10).mails).toBe(9);
    expect(single()).toBe(0);
    expect(single()).toBe(HOUR);
  });

  it("goes before a broadcast when both wait for the same second", () => {
    const { mails, single, clock } = permitsWith({ maxPerSecond: 1 });
    mails(1);
    expect(single()).toBe(SECOND);
    clock.now += SECOND;
    expect(mails(1).mails).toBe(0);
    expect(single()).toBe(0);
    clock.now += SECOND;
    expect(mails(1).mails).toBe(1);
  });

  it("that does not come back stops no broadcast", () => {
    const { mails, single, clock } = permitsWith({ maxPerSecond: 1 });
    mails(1);
    single();
    clock.now += 2 * SECOND;
    expect(mails(1).mails).toBe(1);
  });

  it("counts each recipient, and one with more recipients than a limit waits for an empty window", () => {
    const { single, use, clock } = permitsWith({ maxPerSecond: 2 });
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
  const refused = (open: number) => ({ about: "connections" as const, why: "421 too many", open });
  /** The limits that a worker's refusals teach, beside two single sends and a worker with two. */
  const learned = (...open: number[]) => {
    const { ask, permits, use } = permitsWith({ maxConnections: 12 });
    permits().allowSingles(2, 2, START);
    ask("other", { connections: 2 });
    ask("w", { signs: open.map(refused) });
    return use().learned.connections?.limit;
  };

  it.each([
    ["that of the project's open ones", learned(3), 7],
    ["the least of a moment", learned(3, 2, 1, 2), 5],
    ["lower than the present one in any case", learned(20), 11],
  ])("teaches a limit: %s", (_which, limit, expected) => {
    expect(limit).toBe(expected);
  });

  it("teaches a single send that of the workers and its own", () => {
    const { connections, permits, use } = permitsWith({ maxConnections: 12 });
    connections("w", 4);
    permits().learn(refused(1), START);
    expect(use().learned.connections).toMatchObject({ limit: 5 });
  });

  it("teaches nothing while none is open", () => {
    const { ask, permits, use } = permitsWith();
    ask("w", { signs: [refused(0)] });
    permits().learn(refused(0), START);
    expect(use().learned.connections).toBeNull();
  });
});

describe("a refusal of the server", () => {
  it("halves the connections once, and they grow by one a minute", () => {
    const { connections, learn, use, clock } = permitsWith({ maxConnections: 12 });
    learn("connections", "421 4.7.0 too many connections");
    learn("connections", "421 4.7.0 the second of the same moment");
    expect(use().learned.connections).toEqual({
      limit: 6,
      atMs: START,
      why: "421 4.7.0 too many connections",
    });
    expect(connections("one", 10)).toBe(4);
    clock.now += 2 * MINUTE;
    expect(connections("one", 10)).toBe(6);
    clock.now += 4 * MINUTE;
    expect(connections("one", 10)).toBe(10);
    expect(use().learned.connections).toBeNull();
  });

  it("halves again what has not grown back, down to one connection", () => {
    const { learn, use, clock } = permitsWith();
    for (const limit of [3, 1, 1]) {
      learn("connections", "421 no");
      expect(use().learned.connections).toMatchObject({ limit });
      clock.now += 30 * SECOND;
    }
  });

  it("halves the rate of the last minute, which grows by a twentieth a minute", () => {
    const { ask, learn, mails, use, clock } = permitsWith();
    ask("w", { uncounted: 200 });
    learn("rate", "451 4.7.1 rate limit exceeded");
    expect(use().learned.perMinute).toMatchObject({ limit: 100 });
    expect(mails(1)).toMatchObject({ mails: 0 });
    clock.now += MINUTE;
    expect(mails(500).mails).toBe(110);
    clock.now += 40 * MINUTE;
    expect(use().learned.perMinute).toBeNull();
    expect(ask("w").isLimited).toBe(false);
  });

  it("is remembered after an eviction, with its reason cut to 200 characters", () => {
    const { learn, use, evict } = permitsWith();
    learn("connections", "x".repeat(1_000));
    evict();
    expect(use().learned.connections).toMatchObject({ limit: 3, why: "x".repeat(200) });
  });
});

describe("limits", () => {
  it("of a newer version replace older ones at once, and older ones never come back", () => {
    const { permits, connections, ask } = permitsWith();
    permits().configure({ limits: { ...DEFAULT_LIMITS, maxConnections: 3 }, version: 2 });
    expect(connections("old")).toBe(1);
    const newer = { limits: { ...DEFAULT_LIMITS, maxConnections: 8 }, version: 3 };
    expect(ask("old", { ...newer, connections: 4 }).connections).toBe(4);
    expect(connections("other")).toBe(2);
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
  const paced = (ask: ReturnType<typeof permitsWith>["ask"], wanted: number, of = pace) => {
    const { isLimited, mails } = ask("w", { pace: of, wanted: [["a.test", wanted]] });
    expect(isLimited).toBe(true);
    return mails[0] ?? { mails: -1, waitMs: -1 };
  };

  it("is kept in any five minutes and hour, also after evictions and unused permits", () => {
    const { ask, clock, evict } = permitsWith();
    const sent: number[] = [];
    for (let minute = 0; minute < 2 * 24 * 60; minute++) {
      const { mails, waitMs } = paced(ask, 4);
      if (mails < 4) expect(waitMs).toBeGreaterThan(0);
      const unused = minute % 7 === 0 ? mails : 0;
      if (unused > 0) ask("w", { pace, unused: [["a.test", unused]] });
      for (let one = unused; one < mails; one++) sent.push(clock.now);
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
    const { ask, clock } = permitsWith();
    const of = { ...pace, perHour };
    expect(paced(ask, 20, of).mails).toBe(first);
    clock.now += 4 * MINUTE;
    expect(paced(ask, 20, of).mails).toBe(0);
    let sent = first;
    for (let minute = 4; minute < 59; minute++, clock.now += MINUTE)
      sent += paced(ask, 20, of).mails;
    expect(sent).toBe(perHour);
  });

  it("doubles the mails of a warm-up with each day of sending, however long a pause is", () => {
    const { ask, clock, evict } = permitsWith();
    const warmUp = { ...pace, perHour: null, firstDay: 10 };
    const day = () => paced(ask, 1_000, warmUp).mails;
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
    const { ask, clock } = permitsWith();
    const warmUp = { ...pace, perHour: null, firstDay: 20 };
    const sent: number[] = [];
    for (let minute = 0; minute < 3 * 24 * 60; minute++) {
      for (let { mails } = paced(ask, 1, warmUp); mails > 0; mails--) sent.push(clock.now);
      clock.now += MINUTE;
    }
    const within = (from: number) => sent.filter((at) => at >= from && at < from + DAY).length;
    expect([0, 1, 2].map((day) => within(START + day * DAY))).toEqual([20, 40, 80]);
    expect(Math.max(...sent.map(within))).toBe(80);
  });

  it("holds back its own broadcast alone, and one of its workers comes back", () => {
    const { ask, mails } = permitsWith({ maxPerHour: 1_000 });
    expect(paced(ask, 10)).toMatchObject({ mails: 5, comesBack: true, isOfDomain: false });
    expect(paced(ask, 10)).toMatchObject({ mails: 0, comesBack: false });
    expect(paced(ask, 3, { ...pace, broadcastId: "other" })).toMatchObject({ mails: 3 });
    expect(mails(3)).toMatchObject({ mails: 3 });
  });
});
