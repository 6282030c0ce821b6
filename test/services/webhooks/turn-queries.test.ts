/*
 * The SQL of the webhooks' dispatcher against rows of the tests: who gets a webhook, its deliveries
 * and its host's room, and what each statement leaves alone.
 */
import { env } from "cloudflare:test";
import { sql, type SQL } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase, runBatch, type Statement } from "../../../src/db/client.ts";
import type { Outcome } from "../../../src/services/webhooks/outcome.ts";
import {
  claimDeliveries,
  countFailures,
  deactivate,
  failPaused,
  forgetFailures,
  hopelessExists,
  renewLease,
  selectDueWebhooks,
  selectLease,
  selectWebhookAt,
  settleDeliveries,
  takeLease,
} from "../../../src/services/webhooks/turn-queries.ts";
import { allRows, insertRow, type Row } from "../../support/rows.ts";

const db = openDatabase(env.DB);
const run = (statement: Statement) => runBatch(db, [statement]);
const NOW = 1_000_000;
const UNTIL = NOW + 30_000;
const LOST = "the outcome of the attempt is unknown: its worker was lost";

beforeEach(async () => {
  for (const table of ["projects", "webhooks", "webhook_deliveries"])
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
});

const newHook = (id: string, change: Row = {}) =>
  insertRow("webhooks", {
    id,
    project_id: "project",
    url: `https://${id}.test/in`,
    host: `${id}.test:443`,
    secret_sealed: `sealed ${id}`,
    events: "[]",
    active: 1,
    created_at: 1,
    ...change,
  });
const newDelivery = (webhook_id: string, id: string, change: Row = {}) =>
  insertRow("webhook_deliveries", {
    webhook_id,
    id,
    project_id: "project",
    event_id: `event ${id}`,
    event_type: "email.sent",
    payload: `payload ${id}`,
    status: "pending",
    due_at: NOW,
    created_at: 1,
    ...change,
  });
const MINE = { lease_token: "mine", lease_until: UNTIL, lease_slots: 1 };
const THEIRS = { lease_token: "theirs", lease_until: UNTIL, lease_slots: 1 };
const turnOf = (webhookId = "a") => ({ webhookId, token: "mine" });

const leaseOf = async (id: string) =>
  (await allRows("select lease_token, lease_until, lease_slots from webhooks where id = ?", id))[0];
const deliveryOf = async (webhook: string, id: string) =>
  (
    await allRows(
      `select status, attempts, last_status_code as code, last_error as error, last_answer as answer,
         due_at, delivered_at
       from webhook_deliveries where webhook_id = ? and id = ?`,
      webhook,
      id,
    )
  )[0];
const holds = async (condition: SQL) =>
  (await db.all<{ held: number }>(sql`select ${condition} as held`))[0]?.held === 1;

describe("the lease of a webhook", () => {
  const take = () => takeLease(db, turnOf(), NOW, UNTIL);

  it("goes to the worker of a webhook with work, for one attempt at a time", async () => {
    await newHook("a", { failures: 3 });
    await newHook("b");
    for (const id of ["a", "b"]) await newDelivery(id, "1");
    expect(await take()).toEqual([
      { projectId: "project", url: "https://a.test/in", secretSealed: "sealed a", failures: 3 },
    ]);
    expect(await leaseOf("a")).toEqual(MINE);
    expect(await leaseOf("b")).toMatchObject({ lease_token: "" });
    expect(await take()).toEqual([]);
  });

  it("of a lost worker is free once it is over", async () => {
    await newHook("a", { ...THEIRS, lease_until: NOW });
    await newDelivery("a", "1");
    expect(await take()).toHaveLength(1);
  });

  it.each<[string, Row, Row | undefined, [number, number] | undefined]>([
    ["another worker has it", THEIRS, {}, [1, 1]],
    ["nothing is there", {}, undefined, [0, 0]],
    ["nothing is due", {}, { due_at: NOW + 1 }, [0, 0]],
    ["everything is over", { active: 0 }, { status: "failed", due_at: null }, [0, 0]],
    [
      "it is paused and its attempts are in flight",
      { active: 0 },
      { status: "inflight", due_at: NOW + 1 },
      [0, 0],
    ],
    ["its project is gone", { project_id: "gone" }, {}, undefined],
  ])("is refused while %s", async (_why, hook, delivery, why) => {
    await newHook("a", hook);
    await newHook("b");
    await newDelivery("b", "1");
    if (delivery) await newDelivery("a", "1", delivery);
    const before = await leaseOf("a");
    expect(await take()).toEqual([]);
    expect(await leaseOf("a")).toEqual(before);
    const shown = why && { isTaken: why[0], hasWork: why[1] };
    expect(await selectLease(db, "a", NOW)).toEqual(shown ? [shown] : []);
  });

  it("is granted for the deliveries of a paused webhook that wait, those due later included", async () => {
    await newHook("a", { active: 0 });
    await newDelivery("a", "1", { due_at: NOW + 1 });
    expect(await selectLease(db, "a", NOW)).toEqual([{ isTaken: 0, hasWork: 1 }]);
    expect(await take()).toHaveLength(1);
  });

  it("is refused while the other webhooks of its host have all ten attempts", async () => {
    const host = "shared.test:443";
    await newHook("a", { host, lease_slots: 5 }); // its own slots do not count
    await newDelivery("a", "1");
    await newHook("b", { ...THEIRS, host, lease_slots: 6 });
    await newHook("c", { ...THEIRS, host, lease_slots: 4 });
    await newHook("d", { ...THEIRS, lease_slots: 9 }); // another host
    expect(await take()).toEqual([]);
    await allRows("update webhooks set lease_slots = 3 where id = 'c'");
    expect(await take()).toHaveLength(1);
    await allRows("update webhooks set lease_until = 0 where id = 'a'");
    await allRows("update webhooks set lease_slots = 9, lease_until = ? where id = 'c'", NOW);
    expect(await take()).toHaveLength(1); // the lease of c is over
  });
});

describe("the renewal of a lease", () => {
  const renew = (wanted: number) => renewLease(db, turnOf(), NOW, UNTIL + 5, wanted);
  const FREE = { lease_token: "", lease_until: 0, lease_slots: 0 };

  it("goes on with half of the attempts that its host has left, and with one at least", async () => {
    const host = "shared.test:443";
    await newHook("a", { ...MINE, host, lease_slots: 5 });
    await newDelivery("a", "1");
    for (const [taken, wanted, granted] of [
      [0, 9, 5],
      [0, 2, 2],
      [0, 1, 1],
      [3, 9, 3],
      [9, 9, 1],
      [10, 9, 1],
    ]) {
      await allRows("delete from webhooks where id = 'b'");
      await newHook("b", { ...THEIRS, host, lease_slots: taken });
      expect(await renew(wanted ?? 0)).toEqual([
        { isHeld: 1, hasWork: 1, url: "https://a.test/in" },
      ]);
      expect(await leaseOf("a")).toEqual({
        lease_token: "mine",
        lease_until: UNTIL + 5,
        lease_slots: granted,
      });
      expect(await leaseOf("b")).toEqual({ ...THEIRS, lease_slots: taken });
    }
  });

  it.each<[string, number, Row, Row, number]>([
    ["the turn wants no more", 0, {}, {}, 1],
    ["its time was over", 1, { lease_until: NOW }, {}, 1],
    ["nothing is due", 1, {}, { due_at: NOW + 1 }, 0],
  ])("ends the turn when %s", async (_why, wanted, hook, delivery, hasWork) => {
    await newHook("a", { ...MINE, ...hook });
    await newHook("b", MINE);
    await newDelivery("a", "1", delivery);
    expect(await renew(wanted)).toEqual([{ isHeld: 0, hasWork, url: "https://a.test/in" }]);
    expect([await leaseOf("a"), await leaseOf("b")]).toEqual([FREE, MINE]);
  });

  it("does nothing for a worker that has lost it", async () => {
    await newHook("a", THEIRS);
    await newDelivery("a", "1");
    expect(await renew(1)).toEqual([]);
    expect(await leaseOf("a")).toEqual(THEIRS);
  });
});

describe("the claim of deliveries", () => {
  const claim = async () =>
    (await claimDeliveries(db, turnOf(), NOW, UNTIL)).toSorted((x, y) => (x.id < y.id ? -1 : 1));

  it("takes the oldest due ones, as many as the lease has slots, of this webhook alone", async () => {
    await newHook("a", { ...MINE, lease_slots: 2 });
    await newHook("b", MINE);
    for (const [id, due_at] of [
      ["1", NOW],
      ["2", NOW - 2],
      ["3", NOW - 2],
      ["4", NOW + 1],
    ] as const)
      await newDelivery("a", id, { due_at });
    for (const id of ["2", "3"]) await newDelivery("b", id);
    const claimed = (id: string) => ({
      id,
      eventType: "email.sent",
      payload: `payload ${id}`,
      status: "inflight",
      attempts: 0,
      isFirstLost: 0,
    });
    expect(await claim()).toEqual([claimed("2"), claimed("3")]);
    expect(await deliveryOf("a", "2")).toMatchObject({
      status: "inflight",
      due_at: UNTIL,
      attempts: 0,
      error: null,
    });
    expect(await deliveryOf("a", "1")).toMatchObject({ status: "pending", due_at: NOW });
    expect(await deliveryOf("b", "2")).toMatchObject({ status: "pending", due_at: NOW });
    expect(await claim()).toEqual([claimed("1")]);
    expect(await claim()).toEqual([]);
  });

  it("counts the attempt that a lost worker took along, and gives up after the fifth", async () => {
    await newHook("a", { ...MINE, lease_slots: 9 });
    const answered = { last_status_code: 500, last_error: "e", last_answer: "{}" };
    const inflight = { status: "inflight", ...answered };
    await newDelivery("a", "1", inflight);
    await newDelivery("a", "2", { ...inflight, attempts: 3 });
    await newDelivery("a", "3", { ...inflight, attempts: 4 });
    await newDelivery("a", "4", { attempts: 1, ...answered });
    await newDelivery("a", "5", { attempts: 4 });
    const shown = (await claim()).map(({ id, status, attempts, isFirstLost }) =>
      [id, status, attempts, isFirstLost].join(" "),
    );
    expect(shown).toEqual([
      "1 inflight 1 1",
      "2 inflight 4 0",
      "3 failed 5 0",
      "4 inflight 1 0",
      "5 inflight 4 0",
    ]);
    const lost = { code: null, error: LOST, answer: null };
    expect(await deliveryOf("a", "1")).toMatchObject({ ...lost, due_at: UNTIL });
    expect(await deliveryOf("a", "3")).toMatchObject({ ...lost, due_at: null });
    expect(await deliveryOf("a", "4")).toMatchObject({ code: 500, error: "e", answer: "{}" });
  });

  it.each<[string, Row]>([
    ["a worker that has lost the webhook", THEIRS],
    ["a paused webhook", { ...MINE, active: 0 }],
  ])("takes nothing for %s", async (_who, hook) => {
    await newHook("a", hook);
    await newHook("b", { ...MINE, lease_slots: 5 });
    await newDelivery("a", "1");
    expect(await claim()).toEqual([]);
    expect(await deliveryOf("a", "1")).toMatchObject({ status: "pending", due_at: NOW });
  });
});

describe("a paused webhook", () => {
  const pause = () => failPaused(db, turnOf(), NOW);
  const PAUSED = { status: "failed", due_at: null, error: "the webhook is paused" };

  it("gives up what waits and what its lost worker had in hand, and nothing else", async () => {
    await newHook("a", { ...MINE, active: 0 });
    await newHook("b", { ...MINE, active: 0 });
    await newDelivery("a", "1", { last_status_code: 500 });
    await newDelivery("a", "2", { due_at: NOW + 1 });
    await newDelivery("a", "3", { status: "inflight" });
    await newDelivery("a", "4", { status: "inflight", due_at: NOW + 1 });
    await newDelivery("a", "5", { status: "delivered", due_at: null });
    await newDelivery("a", "6", { status: "failed", due_at: null, last_error: "e" });
    await newDelivery("b", "1");
    await pause();
    expect(await deliveryOf("a", "1")).toMatchObject({ ...PAUSED, attempts: 0, code: 500 });
    expect(await deliveryOf("a", "2")).toMatchObject(PAUSED);
    expect(await deliveryOf("a", "3")).toMatchObject({ ...PAUSED, attempts: 1, error: LOST });
    expect(await deliveryOf("a", "4")).toMatchObject({ status: "inflight", due_at: NOW + 1 });
    expect(await deliveryOf("a", "5")).toMatchObject({ status: "delivered", error: null });
    expect(await deliveryOf("a", "6")).toMatchObject({ status: "failed", error: "e" });
    expect(await deliveryOf("b", "1")).toMatchObject({ status: "pending" });
  });

  it.each<[string, Row]>([
    ["by a worker that has lost it", { ...THEIRS, active: 0 }],
    ["unless it is paused", MINE],
  ])("gives up nothing %s", async (_who, hook) => {
    await newHook("a", hook);
    await newHook("b", { ...MINE, active: 0 });
    await newDelivery("a", "1");
    await pause();
    expect(await deliveryOf("a", "1")).toMatchObject({ status: "pending" });
  });

  it("gives up 500 deliveries in one step", async () => {
    await newHook("a", { ...MINE, active: 0 });
    await allRows(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 503)
       insert into webhook_deliveries (webhook_id, id, project_id, event_id, event_type, payload, status, due_at, created_at)
       select 'a', i, 'project', i, 'email.sent', '', 'pending', 1, 1 from n`,
    );
    await pause();
    expect(await allRows("select count(*) as n from webhook_deliveries where due_at = 1")).toEqual([
      { n: 3 },
    ]);
  });
});

describe("the settle of a group", () => {
  const OUTCOMES: Outcome[] = [
    {
      id: "1",
      status: "delivered",
      code: 200,
      error: null,
      answer: { body: "ok", isComplete: true },
      dueAt: null,
      deliveredAt: NOW,
    },
    {
      id: "2",
      status: "pending",
      code: 500,
      error: "e",
      answer: null,
      dueAt: NOW + 9,
      deliveredAt: null,
    },
  ];
  const group = async (hook: Row) => {
    await newHook("a", hook);
    await newHook("b", MINE);
    for (const id of ["1", "2", "3"])
      await newDelivery("a", id, { status: "inflight", attempts: 1 });
    await newDelivery("b", "1", { status: "inflight", attempts: 1 });
    await run(settleDeliveries(db, turnOf(), OUTCOMES));
  };
  const UNSETTLED = {
    status: "inflight",
    attempts: 1,
    code: null,
    error: null,
    answer: null,
    due_at: NOW,
  };

  it("records each outcome of the held webhook, and no other delivery's", async () => {
    await group(MINE);
    expect(await deliveryOf("a", "1")).toEqual({
      status: "delivered",
      attempts: 2,
      code: 200,
      error: null,
      answer: '{"body":"ok","isComplete":true}',
      due_at: null,
      delivered_at: NOW,
    });
    expect(await deliveryOf("a", "2")).toMatchObject({
      status: "pending",
      attempts: 2,
      code: 500,
      error: "e",
      answer: null,
      due_at: NOW + 9,
    });
    expect(await deliveryOf("a", "3")).toMatchObject(UNSETTLED);
    expect(await deliveryOf("b", "1")).toMatchObject(UNSETTLED);
    await allRows("update webhook_deliveries set status = 'failed' where id = '2'");
    await run(settleDeliveries(db, turnOf(), OUTCOMES));
    expect(await deliveryOf("a", "2")).toMatchObject({ status: "failed", attempts: 2 });
  });

  it("records nothing for a worker that has lost the webhook", async () => {
    await group(THEIRS);
    expect(await deliveryOf("a", "1")).toMatchObject(UNSETTLED);
  });
});

describe("the failures of a webhook", () => {
  const health = async (id: string) =>
    (
      await allRows(
        "select failures, failing_since as since, active from webhooks where id = ?",
        id,
      )
    )[0];
  const BAD = { failures: 49, failing_since: 100 };

  it("are counted from the first on, while it is held and active", async () => {
    await newHook("a", MINE);
    await newHook("b", MINE);
    await run(countFailures(db, turnOf(), 2, NOW));
    await run(countFailures(db, turnOf(), 3, NOW + 1));
    expect(await health("a")).toMatchObject({ failures: 5, since: NOW });
    expect(await health("b")).toMatchObject({ failures: 0, since: null });
    await allRows("update webhooks set active = 0 where id = 'a'");
    await run(countFailures(db, turnOf(), 3, NOW));
    await allRows("update webhooks set active = 1, lease_token = 'theirs' where id = 'a'");
    await run(countFailures(db, turnOf(), 3, NOW));
    expect(await health("a")).toMatchObject({ failures: 5 });
  });

  it("are forgotten with a delivery, by the worker that holds it, in one written row at most", async () => {
    await newHook("a", { ...MINE, ...BAD });
    await newHook("b", { ...THEIRS, ...BAD });
    await run(forgetFailures(db, turnOf("b")));
    await run(forgetFailures(db, turnOf()));
    expect(await health("a")).toMatchObject({ failures: 0, since: null });
    expect(await health("b")).toMatchObject({ failures: 49, since: 100 });
    await newHook("c", { ...MINE, failing_since: 100 });
    await run(forgetFailures(db, turnOf("c")));
    expect(await health("c")).toMatchObject({ failures: 0, since: 100 }); // nothing to write
  });

  it.each<[string, Row, boolean]>([
    ["so many over so long a time", {}, true],
    ["too few", { failures: 48 }, false],
    ["too recent", { failing_since: 101 }, false],
    ["those of a paused webhook", { active: 0 }, false],
    ["those of a webhook that another worker has", THEIRS, false],
  ])("switch it off when they are %s", async (_what, change, isOff) => {
    await newHook("a", { ...MINE, ...BAD, ...change });
    await newHook("b", { ...MINE, ...BAD });
    const hopeless = { failures: 49, since: 100 };
    expect(await holds(hopelessExists(turnOf(), hopeless))).toBe(isOff);
    expect(await deactivate(db, turnOf(), hopeless)).toEqual(isOff ? [{ id: "a" }] : []);
    if (isOff) expect(await health("a")).toMatchObject({ active: 0 });
    expect(await health("b")).toMatchObject({ active: 1 });
  });
});

describe("the sweep of webhooks", () => {
  const due = async (after = "", limit = 9) =>
    (await selectDueWebhooks(db, NOW, after, limit)).map(({ id }) => id);

  it("finds those with due deliveries, in order, after a point and up to its limit", async () => {
    for (const id of ["a", "b", "c"]) await newHook(id);
    for (const id of ["c", "a", "b"]) for (const n of ["1", "2"]) await newDelivery(id, n);
    expect(await due()).toEqual(["a", "b", "c"]);
    expect(await due("a")).toEqual(["b", "c"]);
    expect(await due("", 2)).toEqual(["a", "b"]);
  });

  it("leaves out those without work, without a project, with a worker, or without room", async () => {
    const [host, full] = ["shared.test:443", { lease_slots: 10 }];
    await newHook("a", THEIRS);
    await newHook("b", { project_id: "gone" });
    await newHook("c", { host });
    await newHook("d", { ...THEIRS, ...full, host });
    await newHook("e");
    await newHook("f", { active: 0 });
    await newHook("g", { ...THEIRS, lease_until: NOW });
    for (const id of ["a", "b", "c", "g"]) await newDelivery(id, "1");
    await newDelivery("e", "1", { due_at: NOW + 1 });
    await newDelivery("f", "1", { due_at: NOW + 1 });
    await newDelivery("f", "2", { status: "failed", due_at: null });
    expect(await due()).toEqual(["f", "g"]);
  });

  it("goes round from a webhook at a part of all, in the order of their creation", async () => {
    for (const id of ["d", "c", "b", "a"]) await newHook(id);
    const at = async (part: number) => (await selectWebhookAt(db, part)).map(({ id }) => id);
    expect([await at(0), await at(0.3), await at(0.99), await at(1)]).toEqual([
      ["d"],
      ["c"],
      ["a"],
      [],
    ]);
  });
});
