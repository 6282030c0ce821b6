/*
 * One turn of the webhooks' dispatcher against rows of the tests, with endpoints, clock, wake-ups
 * and fetch slots of the tests: how a turn ends, what it attempts at a time, and what it records.
 */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Deps } from "../../../src/deps.ts";
import { seal } from "../../../src/lib/seal.ts";
import type { FetchSlots } from "../../../src/services/webhooks/fetch-slots.ts";
import { runTurn, TURN_LIMITS } from "../../../src/services/webhooks/run-turn.ts";
import { secretContext } from "../../../src/services/webhooks/sign.ts";
import { allRows, insertRow, type Row } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { DAY, SECOND, standingClock } from "../../support/times.ts";
import { verifySignature } from "../../support/webhooks/dispatching.ts";

const NOW = 1_700_000_000_000;
const SECRET = "whsec_of_the_tests";
/** More than any turn of a test needs; a turn that never ends fails here. */
const MAX_GIVES = 60;

const clock = standingClock(NOW);
const service = createService();
const base = await service.deps();
const sealed = await seal(base.config.sealingKeys, SECRET, secretContext("hook"));

/** The wake-ups of the webhook "hook", as delays in seconds. */
const wakes: number[] = [];
/** Log lines of the turn. */
const lines: unknown[] = [];

/** A request, with what the turn held while it was made. */
interface Made {
  id: string;
  url: string;
  slots: number;
  lease: Row | undefined;
  dueAt: unknown;
}
const made: Made[] = [];
let running = 0;
let most = 0;

type Answer = (id: string, init: RequestInit) => Promise<Response> | Response;
let answer: Answer;
const status = (code: number) => new Response(null, { status: code });

/** Waits until the time of the attempt is over. */
const timeOut = (init: RequestInit) =>
  new Promise<void>((resolve) => init.signal?.addEventListener("abort", () => resolve()));

/** Slots that notice when a turn gives what it has not taken. */
const slots = { free: 4, out: 0, gives: 0, takes: [] as number[], faults: [] as string[] };
const fetchSlots: FetchSlots = {
  take(wanted) {
    const count = Math.min(wanted, slots.free);
    slots.takes.push(wanted);
    slots.out += count;
    return count;
  },
  give(count) {
    slots.gives += 1;
    if (slots.gives > MAX_GIVES) throw new Error("the turn does not end");
    if (count < 0 || count > slots.out) slots.faults.push(`gave ${count} of ${slots.out}`);
    slots.out -= count;
  },
};

const deps: Deps = {
  ...base,
  now: () => clock.now,
  newId: () => "mine",
  fetch: async (url, init = {}) => {
    const id = new Headers(init.headers).get("X-Service-Delivery") ?? "";
    running += 1;
    most = Math.max(most, running);
    const [lease] = await allRows(
      "select lease_token, lease_until from webhooks where id = 'hook'",
    );
    const [row] = await allRows("select due_at from webhook_deliveries where id = ?", id);
    const to = new Request(url).url;
    expect(["https://hook.test/in", "https://new.test/in"]).toContain(to);
    made.push({ id, url: to, slots: slots.out, lease, dueAt: row?.["due_at"] });
    try {
      return await answer(id, init);
    } finally {
      running -= 1;
    }
  },
  webhookQueue: {
    sendBatch: async (messages: { body: { webhookId: string }; delaySeconds: number }[]) => {
      for (const { body, delaySeconds } of messages)
        if (body.webhookId === "hook") wakes.push(delaySeconds);
    },
  } as unknown as Deps["webhookQueue"],
};

beforeEach(async () => {
  for (const table of ["projects", "webhooks", "webhook_deliveries", "audit_entries"])
    await allRows(`delete from ${table}`);
  await insertRow("projects", {
    id: "project",
    workspace_id: "w",
    created_by: "u",
    name: "n",
    description: "",
    created_at: 1,
    updated_at: 1,
  });
  Object.assign(slots, { free: 4, out: 0, gives: 0, takes: [], faults: [] });
  for (const list of [wakes, lines, made]) list.length = 0;
  [running, most] = [0, 0];
  service.d1.before = undefined;
  answer = () => status(200);
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((text: string) => {
      lines.push(JSON.parse(text));
    });
});

const newHook = (change: Row = {}, id = "hook") =>
  insertRow("webhooks", {
    id,
    project_id: "project",
    url: `https://${id}.test/in`,
    host: "hook.test:443",
    secret_sealed: sealed,
    events: "[]",
    active: 1,
    created_at: 1,
    ...change,
  });
/** Adds deliveries that are due, in this order. */
async function newDeliveries(...changes: [id: string, change?: Row][]) {
  for (const [index, [id, change = {}]] of changes.entries())
    await insertRow("webhook_deliveries", {
      webhook_id: "hook",
      id,
      project_id: "project",
      event_id: `event ${id}`,
      event_type: "email.sent",
      payload: `payload ${id}`,
      status: "pending",
      due_at: NOW - 100 + index,
      created_at: 1,
      ...change,
    });
}
/** A delivery that a lost worker had in hand. */
const LOST = { status: "inflight" };
/** The same, in its last attempt. */
const LOST_AT_LAST = { status: "inflight", attempts: 4 };

const turn = (limits: Partial<typeof TURN_LIMITS> = {}) =>
  runTurn(deps, "hook", fetchSlots, { ...TURN_LIMITS, ...limits });

/** Status, attempts and due time of each delivery, in seconds from now. */
async function states() {
  const rows = await allRows<{ id: string; status: string; attempts: number; due_at: number }>(
    "select id, status, attempts, due_at from webhook_deliveries order by id",
  );
  const wait = (at: number | null) => (at === null ? [] : [(at - clock.now) / SECOND]);
  return rows.map(({ id, status: state, attempts, due_at: at }) =>
    [id, state, attempts, ...wait(at)].join(" "),
  );
}
const hookRow = async () => (await allRows("select * from webhooks where id = 'hook'"))[0];

/** Expects that the turn has returned its lease and all slots that it took. */
async function expectNothingHeld() {
  expect([slots.out, slots.faults]).toEqual([0, []]);
  expect(await hookRow()).toMatchObject({ lease_token: "", lease_until: 0, lease_slots: 0 });
}
const ids = () => made.map(({ id }) => id);
const urls = () => made.map(({ url }) => url);

describe("a turn", () => {
  it("has ten seconds for an attempt, twenty for its groups, and a lease that outlasts both", () => {
    const limits = { attemptMs: 10_000, turnMs: 20_000, leaseMs: 30_000, groups: 25 };
    expect(TURN_LIMITS).toEqual(limits);
  });

  it.each<[end: string, why: string, hook: Row | undefined, others: number, due: number]>([
    ["gone", "there is no such webhook", undefined, 0, 0],
    ["busy", "another worker has it", { lease_token: "theirs", lease_until: NOW + 1 }, 0, -1],
    ["no_room", "its host has ten attempts", {}, 10, -1],
    ["idle", "nothing is due", {}, 0, 1],
  ])("ends with %s if %s", async (end, _why, hook, others, due) => {
    if (hook) await newHook(hook);
    const theirs = { lease_token: "theirs", lease_until: NOW + 1, lease_slots: others };
    await newHook(theirs, "other");
    await newDeliveries(["a", { due_at: NOW + due }]);
    expect(await turn()).toBe(end);
    expect([made, wakes, lines, slots.takes]).toEqual([[], [], [], []]);
  });

  it("delivers what is due under its lease, and signs it", async () => {
    let signed: Parameters<typeof verifySignature>[1] | undefined;
    answer = async (_id, { headers, body }) => {
      const entries = [...new Headers(headers)];
      signed = { headers: Object.fromEntries(entries), body: await new Response(body).text() };
      return status(204);
    };
    await newHook({ failures: 3, failing_since: 1 });
    await newDeliveries(["a"]);
    expect(await turn()).toBe("done");
    expect(made).toEqual([
      {
        id: "a",
        url: "https://hook.test/in",
        slots: 0,
        lease: { lease_token: "mine", lease_until: NOW + 30_000 },
        dueAt: NOW + 30_000,
      },
    ]);
    expect(signed && (await verifySignature(SECRET, signed))).toEqual({
      isValid: true,
      t: NOW / 1_000,
    });
    expect(await states()).toEqual(["a delivered 1"]);
    expect(await hookRow()).toMatchObject({ failures: 0, failing_since: null });
    await expectNothingHeld();
    expect([wakes, lines]).toEqual([[], []]);
  });

  it("attempts one, and then as many as slots and host allow once the endpoint has answered", async () => {
    await newHook();
    await newDeliveries(..."abcdefghi".split("").map((id): [string] => [id]));
    answer = () => {
      clock.now += SECOND;
      return status(200);
    };
    expect(await turn()).toBe("done");
    expect(ids().join("")).toBe("abcdefghi");
    // A turn borrows four slots; the host grants five of its ten places. The last group is of
    // three.
    expect(made.map((one) => one.slots)).toEqual([0, 4, 4, 4, 4, 4, 2, 2, 2]);
    expect([most, slots.takes]).toEqual([5, [4, 4, 4]]);
    // Each group renews the lease from the time at which it is claimed.
    const [first, second] = [NOW + 30_000, NOW + SECOND + 30_000];
    const third = NOW + 6 * SECOND + 30_000;
    const leases = made.map(({ lease, dueAt }) => [lease?.["lease_until"], dueAt]);
    expect(leases).toEqual(
      [first, second, second, second, second, second, third, third, third].map((at) => [at, at]),
    );
    await expectNothingHeld();
    expect([wakes, lines]).toEqual([[], []]);
  });

  it("attempts one at a time while no slot is free", async () => {
    slots.free = 0;
    await newHook();
    await newDeliveries(["a"], ["b"], ["c"]);
    await turn();
    expect([ids().join(""), most]).toEqual(["abc", 1]);
    expect(made.map((one) => one.slots)).toEqual([0, 0, 0]);
    await expectNothingHeld();
  });

  it("attempts one at a time while the endpoint does not answer", async () => {
    await newHook();
    await newDeliveries(["a"], ["b"], ["c"]);
    answer = () => Promise.reject(new Error("refused"));
    await turn();
    expect([ids().join(""), most, slots.takes]).toEqual(["abc", 1, []]);
    expect(await states()).toEqual(["a pending 1 30", "b pending 1 30", "c pending 1 30"]);
    await expectNothingHeld();
  });

  it("goes on with more at a time if one of a group has got an answer", async () => {
    slots.free = 1;
    await newHook();
    await newDeliveries(["a"], ["b"], ["c"], ["d"], ["e"]);
    answer = (id) => (id === "b" ? Promise.reject(new Error("refused")) : status(200));
    await turn();
    expect(made.map((one) => one.slots)).toEqual([0, 1, 1, 1, 1]);
    expect(await states()).toContain("b pending 1 30");
    await expectNothingHeld();
  });
});

describe("a turn is over", () => {
  beforeEach(() => newHook());

  it("after its groups, and wakes the webhook for the rest", async () => {
    slots.free = 0;
    await newDeliveries(["a"], ["b"], ["c"]);
    expect(await turn({ groups: 2 })).toBe("done");
    expect(ids()).toEqual(["a", "b"]);
    expect(await states()).toEqual(["a delivered 1", "b delivered 1", "c pending 0 -0.098"]);
    await expectNothingHeld();
    expect(wakes).toEqual([0]);
  });

  it("at its deadline", async () => {
    slots.free = 0;
    await newDeliveries(["a"], ["b"], ["c"]);
    answer = (id) => {
      clock.now += id === "a" ? 19_999 : 1;
      return status(200);
    };
    await turn({ turnMs: 20_000 });
    expect([ids(), wakes]).toEqual([["a", "b"], [0]]);
    await expectNothingHeld();
  });

  it("after an attempt that used up its time, and rests for half a minute", async () => {
    await newDeliveries(["a"], ["b"]);
    answer = async (_id, init) => {
      await timeOut(init);
      throw new Error("aborted");
    };
    await turn({ attemptMs: 5 });
    expect([ids(), wakes, slots.takes]).toEqual([["a"], [31, 30], []]);
    expect(await states()).toEqual(["a pending 1 30", "b pending 0 -0.099"]);
    await expectNothingHeld();
  });

  it("after a group of which one used up its time, even with an answer", async () => {
    await newDeliveries(["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]);
    answer = async (id, init) => {
      if (id === "c") await timeOut(init);
      return status(200);
    };
    await turn({ attemptMs: 300 });
    expect([ids().join(""), wakes]).toEqual(["abcdef", [30]]);
    expect(await states()).toContain("c delivered 1");
    await expectNothingHeld();
  });

  it("when another worker has taken its lease, whose work it leaves alone", async () => {
    await newDeliveries(["a"], ["b"]);
    answer = async () => {
      await allRows("update webhooks set lease_token = 'theirs' where id = 'hook'");
      return status(200);
    };
    expect(await turn()).toBe("done");
    expect(await states()).toEqual(["a inflight 0 30", "b pending 0 -0.099"]);
    expect(await hookRow()).toMatchObject({ lease_token: "theirs" });
    expect([ids(), wakes, slots.out]).toEqual([["a"], [], 0]);
  });
});

describe("a delivery that a lost worker had in hand", () => {
  beforeEach(() => newHook());

  it("is given up without a request after its last attempt, and the turn goes on", async () => {
    await newDeliveries(["a", LOST_AT_LAST], ["b"]);
    await turn();
    expect([ids(), slots.takes]).toEqual([["b"], [4]]);
    expect(await states()).toEqual(["a failed 5", "b delivered 1"]);
    await expectNothingHeld();
    expect(wakes).toEqual([]);
  });

  it("takes no outcome from another of its group", async () => {
    await newDeliveries(["a"], ["b", LOST_AT_LAST], ["c"], ["d", { attempts: 2 }]);
    answer = (id) => status(id === "d" ? 500 : 200);
    await turn();
    expect(ids()).toEqual(["a", "c", "d"]);
    expect(await states()).toEqual([
      "a delivered 1",
      "b failed 5",
      "c delivered 1",
      "d pending 3 600",
    ]);
    expect(wakes).toEqual([601]);
  });

  it("causes no rest of the webhook", async () => {
    await newDeliveries(["a", LOST_AT_LAST], ["b"]);
    await turn({ groups: 1 });
    expect([ids(), wakes]).toEqual([[], [0]]);
  });
});

describe("a new address", () => {
  it("gets the deliveries that wait while a turn runs", async () => {
    await newHook();
    await newDeliveries(["a"], ["b"], ["c"]);
    answer = async (id) => {
      if (id === "a") await allRows("update webhooks set url = 'https://new.test/in'");
      return status(200);
    };
    await turn();
    expect(urls()).toEqual(["https://hook.test/in", "https://new.test/in", "https://new.test/in"]);
    await expectNothingHeld();
  });
});

describe("failures", () => {
  beforeEach(() => {
    answer = () => status(500);
  });

  it("count for the webhook once a delivery: at its first attempt, lost or not", async () => {
    await newHook();
    await newDeliveries(["a"], ["b", LOST], ["c"], ["d"], ["e", { attempts: 1 }]);
    await turn();
    expect(await hookRow()).toMatchObject({ failures: 4, failing_since: NOW, active: 1 });
    expect(await states()).toEqual([
      "a pending 1 30",
      "b pending 2 120",
      "c pending 1 30",
      "d pending 1 30",
      "e pending 2 120",
    ]);
    // One message for each time of a group, and no more.
    expect(wakes).toEqual([31, 121, 31]);
    expect(lines).toEqual([]);
  });

  it("end a delivery at its fifth attempt", async () => {
    await newHook();
    await newDeliveries(["a", { attempts: 4 }], ["b", { attempts: 3 }]);
    await turn();
    expect(await states()).toEqual(["a failed 5", "b pending 4 1800"]);
    expect([wakes, await hookRow()]).toEqual([[1_801], expect.objectContaining({ failures: 0 })]);
  });

  it("switch a webhook off after 50 of a day, and say so", async () => {
    await newHook({ failures: 49, failing_since: NOW - DAY });
    await newDeliveries(["a"], ["b"]);
    await turn();
    expect(await hookRow()).toMatchObject({ active: 0, failures: 50 });
    expect(await states()).toEqual(["a failed 1", "b failed 0"]);
    expect(lines).toEqual([{ level: "warn", event: "webhook_deactivated", webhookId: "hook" }]);
    await expectNothingHeld();
  });

  it("of a secret that does not open make no request, and are logged", async () => {
    await newHook({ secret_sealed: "broken" });
    await newDeliveries(["a"]);
    await turn();
    expect([ids(), await states()]).toEqual([[], ["a pending 1 30"]]);
    expect(lines).toEqual([
      {
        level: "error",
        event: "webhook_secret_unreadable",
        webhookId: "hook",
        error: expect.stringMatching(/./),
      },
    ]);
  });
});

describe("a settle that the database refuses", () => {
  /** The statements of each round trip after the refused one. */
  let later: string[][];
  beforeEach(async () => {
    later = [];
    await newHook();
    let isRefused = false;
    service.d1.before = (sql) => {
      const isClaimOfNext = sql.some((text) => text.includes("lease_until > 0"));
      if (isRefused) later.push(sql);
      else if (isClaimOfNext) {
        isRefused = true;
        throw new Error("D1 is gone");
      }
    };
  });

  it("runs once more, returns the lease, and fails the turn", async () => {
    await newDeliveries(["a"], ["b"]);
    await expect(turn()).rejects.toThrow("D1 is gone");
    expect(await states()).toEqual(["a delivered 1", "b pending 0 -0.099"]);
    expect(later.map((sql) => sql.length)).toEqual([2]);
    expect(wakes).toEqual([]);
    await expectNothingHeld();
  });

  it("is only the return of the lease if there was no attempt", async () => {
    await newDeliveries(["a", LOST_AT_LAST], ["b"]);
    await expect(turn()).rejects.toThrow("D1 is gone");
    expect(later.map((sql) => sql.length)).toEqual([1]);
    await expectNothingHeld();
  });
});
