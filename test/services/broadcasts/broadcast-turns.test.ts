/* Slow servers, and how the broadcasts of one project take turns. */
import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sql } from "drizzle-orm";
import { openDatabase } from "../../../src/db/client.ts";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { blockerOf } from "../../../src/services/broadcasts/turns/turn-order.ts";
import {
  ASYNC,
  hasNobodyTwice,
  manualService,
  newNewsletter,
  scenario,
  withoutSample,
} from "../../support/broadcasting.ts";
import { newWebhook } from "../../support/events.ts";
import { AFTER_UNDO_MS, ANYWAY, draftWorld, type Draft } from "../../support/drafting.ts";
import { allRows, insertRow, type Row } from "../../support/rows.ts";
import { runSender } from "../../support/project-objects.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import { deliveries } from "../../support/smtp/shipping.ts";

const db = openDatabase(env.DB);
const NOW = 1_000_000;

beforeEach(async () => {
  for (const table of ["broadcasts", "broadcast_chunks"]) await allRows(`delete from ${table}`);
});

const newBroadcast = (id: string, projectId: string, change: Row = {}) =>
  insertRow("broadcasts", {
    id,
    project_id: projectId,
    subject: "s",
    html_body: "h",
    text_body: "",
    status: "active",
    state: "sending",
    log_key: "k",
    cutoff_id: "s9",
    planned_id: "s9",
    plan_due_at: 0,
    created_at: 1,
    ...change,
  });

const newChunk = (broadcastId: string, afterId: string, change: Row = {}) =>
  insertRow("broadcast_chunks", {
    broadcast_id: broadcastId,
    after_id: afterId,
    until_id: "s9",
    cursor_id: afterId,
    state: "pending",
    due_at: NOW,
    lease_token: "",
    in_flight: "[]",
    again: "[]",
    deferred: "[]",
    ...change,
  });

const HELD = { state: "claimed", lease_token: "other", due_at: NOW + 1 };

/** A project whose mail goes to a server of the test, with a broadcast that runs. */
async function newSending(
  { service, owner }: { service: ReturnType<typeof manualService>["service"]; owner: Owner },
  count: number,
  port?: number,
) {
  const news = await newNewsletter(service, owner);
  await withoutSample(news, owner);
  await news.subscribe(count);
  if (port !== undefined)
    await allRows("update projects set smtp_port = ? where id = ?", port, news.id);
  const { body } = await news.start(ASYNC);
  return { news, id: String(body["broadcast_id"]) };
}

type Owner = Awaited<ReturnType<ReturnType<typeof manualService>["service"]["newOwner"]>>;

describe("a server that drips its answers", () => {
  it("delays no other project, and a run without a mail is an attempt", async () => {
    const { service } = manualService();
    const deps = await service.deps();
    const owner = await service.newOwner();
    const drip = { send: "250-2.1.0 wait\r\n".repeat(3), chunkBytes: 1, everyMs: 15 };
    const tarpit = await startRawServer({
      offers: ["8BITMIME"],
      rules: [{ on: "MAIL", steps: [drip, { close: true }] }],
    });
    const slow = await newSending({ service, owner }, 4, tarpit.port);
    const healthy = await newSending({ service, owner }, 20);
    const run = ({ news }: typeof slow) => runSender(env.PROJECT_SENDER, news.id, deps);
    let isSlowDone = false;
    const working = run(slow).then(() => (isSlowDone = true));
    await run(healthy);
    expect(await healthy.news.progress(healthy.id)).toMatchObject({ state: "done", sent: 20 });
    expect(isSlowDone).toBe(false);
    await working;
    expect(await slow.news.progress(slow.id)).toMatchObject({ state: "sending", failed: 0 });
    const waiting = await allRows(
      "select attempt from broadcast_chunks where broadcast_id = ? and due_at > ?",
      slow.id,
      Date.now() + 10_000,
    );
    expect(waiting).toMatchObject([{ attempt: 1 }]);
  });

  it("gets back what it had no time for, without an attempt lost, as long as it takes some", async () => {
    const everyMs = 40;
    const answer = { send: "250 2.0.0 queued\r\n", chunkBytes: 1, everyMs };
    const slow = await startRawServer({
      offers: ["PIPELINING", "8BITMIME"],
      rules: [{ on: "body", steps: [answer] }],
    });
    const all = await scenario(40, (news) =>
      allRows("update projects set smtp_port = ? where id = ?", slow.port, news.id),
    );
    const { deps, id, news, run } = all;
    const startedAt = Date.now();
    const now = () => startedAt + 40 * (Date.now() - startedAt); // a run takes 0.75 s
    let runs = 0;
    const attempts = new Set<unknown>();
    while ((await run({ ...deps, now })) !== undefined) {
      runs += 1;
      for (const { attempt } of await allRows("select attempt from broadcast_chunks"))
        attempts.add(attempt);
    }
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 40, failed: 0 });
    expect(runs).toBeGreaterThan(2);
    expect([...attempts]).toEqual([0]);
    const delivered = await deliveries(slow);
    expect(delivered.size).toBe(40);
    expect(new Set(delivered.values())).toEqual(new Set([1]));
    const logs = await news.logs();
    expect(logs).toHaveLength(40);
    expect(hasNobodyTwice(logs.map(({ to_email: email }) => email))).toBe(true);
  });
});

const setRule = (projectId: string, days: number) =>
  allRows(
    "update projects set audience_settings = json_object('minDaysBetweenBroadcasts', ?) where id = ?",
    days,
    projectId,
  );

describe("the broadcast for which others of its project wait", () => {
  const blocker = async (projectId: string) => {
    const wanting = { id: "own", projectId };
    const [row] = await db.all<{ found: string | null }>(
      sql`select ${blockerOf(wanting)} as found`,
    );
    return row?.found == null ? null : (JSON.parse(row.found) as object);
  };

  it("sends its first attempts and has neither a pace nor time zones, or mails of it are in hand", async () => {
    const owner = await manualService().service.newOwner();
    const { id } = await owner.newProject();
    await setRule(id, 3);
    const plan = (change: object) =>
      JSON.stringify({ warmUpFirstDay: null, timeZone: null, ...change });
    const paused = { state: "paused" };
    const others: [boolean, Row, Row?][] = [
      [true, { planned_id: "s1" }],
      [true, {}, {}],
      [true, { plan: plan({}) }, {}],
      [false, {}],
      [false, {}, { attempt: 1 }],
      [false, { per_hour: 5 }, {}],
      [false, { plan: plan({ warmUpFirstDay: 9 }) }, {}],
      [false, { plan: plan({ timeZone: "Europe/Berlin" }) }, {}],
      [false, { project_id: "another" }, {}],
      [false, { kind: "batch" }, {}],
      [false, { id: "own" }, {}],
      [false, { state: "queued", planned_id: "" }],
      [false, paused, {}],
      [true, paused, HELD],
      [true, { state: "cancelled" }, HELD],
    ];
    for (const [isBlocker, broadcast, chunk] of others) {
      for (const table of ["broadcasts", "broadcast_chunks"]) await allRows(`delete from ${table}`);
      const row = { id: "other", project_id: id, name: "June", ...broadcast };
      await newBroadcast(row.id, row.project_id, row);
      if (chunk) await newChunk(row.id, "s1", chunk);
      const expected = isBlocker ? { broadcastId: "other", name: "June" } : null;
      expect({ broadcast, chunk, found: await blocker(id) }).toMatchObject({ found: expected });
    }
    await newBroadcast("b0", id, { planned_id: "" });
    expect(await blocker(id)).toEqual({ broadcastId: "b0", name: "s" }); // was no draft
    await setRule(id, 0);
    expect(await blocker(id)).toBeNull();
  });
});

describe("with a rule on frequency", () => {
  /** A draft to s0 alone in a project with the rule, and others whom a second one reaches too. */
  async function ruledWorld(count: number, fields: object = {}) {
    const world = await draftWorld(count, fields);
    const { news, at, owner, clock, deps, queued } = world;
    await setRule(news.id, 3);
    /** Starts a draft to everybody and plans it: it sends, and its sender has not begun. */
    const hold = async () => {
      const made = await owner.post<Draft>(at, { name: "June", template_id: news.templateId });
      const { id } = made.body;
      expect((await owner.post(`${at}/${id}/start`, ANYWAY)).status).toBe(202);
      clock.aheadMs += AFTER_UNDO_MS;
      queued.length = 0;
      await planBroadcast(deps, id);
      expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 0 });
      return { broadcast_id: id, name: "June" };
    };
    return { ...world, hold };
  }

  it("a resumed broadcast is queued until the others were sent, and says for which it waits", async () => {
    const world = await ruledWorld(2);
    const { one, id, start, pass, look, hold, owner, news, clock, deps, queued } = world;
    await start();
    clock.aheadMs += AFTER_UNDO_MS;
    await planBroadcast(deps, id);
    queued.length = 0;
    await owner.post(`${one}/pause`);
    const waiting_for = await hold();
    await news.subscribe(1, () => `late.${news.from}`);
    const log = vi.spyOn(console, "info");
    expect((await owner.post(`${one}/resume`)).body).toMatchObject({ state: "queued" });
    await planBroadcast(deps, id);
    expect(await look()).toMatchObject({ state: "queued", sent: 0, waiting_for });
    await pass(0);
    expect(await look()).toMatchObject({ waiting_for });
    expect(await news.progress(waiting_for.broadcast_id)).toMatchObject({ state: "done", sent: 2 });
    const lines = log.mock.calls.flat().filter((line) => String(line).includes("broadcast_waits"));
    expect(lines).toEqual([expect.stringContaining(`"waitsFor":"${waiting_for.broadcast_id}"`)]);
    await pass(0);
    expect(await look()).toMatchObject({ state: "done", sent: 0, waiting_for: null });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("a draft follows the rule of the day on which it begins, also if it was started without one", async () => {
    const { start, pass, look, news } = await draftWorld(2);
    await start();
    await news.start(ASYNC);
    await pass(0);
    expect(await news.received()).toHaveLength(2);
    await news.subscribe(1, () => `late.${news.from}`);
    await setRule(news.id, 3);
    await pass(AFTER_UNDO_MS);
    expect(await look()).toMatchObject({ state: "done", sent: 1, audience: "not mailed:3d" });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("a resend leaves out whom another broadcast has reached meanwhile", async () => {
    const world = await ruledWorld(0);
    const { at, one, start, pass, hold, owner, news, look } = world;
    await news.subscribe(1, (n) => `rcpt-once.554.5.7.1.no${n}.${news.from}`);
    await start();
    await pass(AFTER_UNDO_MS);
    expect(await look()).toMatchObject({ state: "done", failed: 1 });
    const waiting_for = await hold();
    const { body } = await owner.post(`${one}/resend`, { to: "failed" });
    const again = `${at}/${String(body["id"])}`;
    await owner.post(`${again}/start`, ANYWAY);
    await pass(AFTER_UNDO_MS);
    expect((await owner.get(again)).body).toMatchObject({ state: "scheduled", waiting_for });
    await pass(0);
    await pass(0);
    expect((await owner.get(again)).body).toMatchObject({ state: "done", sent: 0 });
    expect(await news.received()).toHaveLength(1);
  });

  const spans = Array(9).fill("created:9d or opened:9d").join(" or ");
  it.each([
    ["comparisons", Array(10).fill("(key:a or not key:b)").join(" and ")],
    ["characters", `name:n* or ${spans} or name:${Array(9).fill("y".repeat(192)).join()}`],
  ])("a start and a resend have room for the rule beside the most %s", async (_, where) => {
    const { at, one, start, pass, owner, news, look } = await ruledWorld(0, { where });
    await news.subscribe(1, (n) => `rcpt-once.554.5.7.1.no${n}.${news.from}`);
    expect((await start()).status).toBe(202);
    await setRule(news.id, 5);
    await pass(AFTER_UNDO_MS);
    expect(await look()).toMatchObject({ state: "done", failed: 1 });
    expect((await look())["audience"]).toMatch(/\D and not mailed:5d$/u);
    const { body } = await owner.post(`${one}/resend`, { to: "failed" });
    const again = `${at}/${String(body["id"])}`;
    expect((await owner.post(`${again}/start`, ANYWAY)).status).toBe(202);
    await pass(AFTER_UNDO_MS);
    const resent = await owner.get(again);
    expect(resent.body).toMatchObject({ state: "done", sent: 1, error: null });
  });

  it("a broadcast that was no draft waits on both surfaces, and leaves out who was mailed too recently", async () => {
    const world = await ruledWorld(2);
    const { at, hold, owner, news, pass, queued, service } = world;
    const waiting_for = await hold();
    const messages = queued.splice(0);
    await news.subscribe(1, () => `late.${news.from}`);
    const plain = await news.start(ASYNC);
    expect(plain).toMatchObject({ status: 202, body: { broadcast_id: expect.any(String) } });
    const { key } = (await owner.post(`${news.path}/api-keys`, { name: "k", type: "sdk" })).body;
    const response = await service.fetch("/api/v1/broadcast", {
      method: "POST",
      headers: { Authorization: `Bearer ${String(key)}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        subject: "Named",
        html: '<p><a href="{{unsubscribe_link}}">x</a></p>',
      }),
    });
    const named = await response.json<{ data: { message: string; broadcastId: string } }>();
    expect(named).toMatchObject({ data: { message: "broadcast started" } });
    const ids = [String(plain.body["broadcast_id"]), named.data.broadcastId];
    const seen = async () =>
      Promise.all(ids.map(async (id) => (await owner.get<Draft>(`${at}/${id}`)).body));
    const queuedNow = { state: "queued", audience: "not mailed:3d", waiting_for };
    expect(await seen()).toMatchObject([queuedNow, queuedNow]);
    queued.push(...messages);
    for (let minute = 0; minute < 3; minute++) await pass(0);
    const ends = await seen();
    expect(ends).toMatchObject([{ state: "done" }, { state: "done" }]);
    expect(ends.filter(({ sent }) => sent === 1)).toHaveLength(1);
    const ledgers = ids.map(async (id) => (await owner.get(`${at}/${id}/ledger`)).body);
    for (const ledger of await Promise.all(ledgers)) expect(ledger).toMatchObject({ skipped: 0 });
    expect(await news.received()).toHaveLength(3);
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("the rest of an A/B test waits for a broadcast that began before the choice of the winner", async () => {
    const variants = [{ subject: "First" }, { subject: "Second" }];
    const ab = { variants, share: 50, wait_hours: 2, by: "manual" };
    const world = await ruledWorld(20, { ab });
    const { one, start, pass, look, hold, owner, news } = world;
    await start();
    await pass(AFTER_UNDO_MS);
    const tried = (await news.received()).length;
    const waiting_for = await hold();
    const chosen = await owner.post(`${one}/winner`, { variant: "A" });
    expect(chosen.body).toMatchObject({ state: "queued" });
    expect(await look()).toMatchObject({ waiting_for });
    await pass(0);
    await pass(0);
    expect(await news.progress(waiting_for.broadcast_id)).toMatchObject({ sent: 20 - tried });
    expect(await look()).toMatchObject({ state: "done", sent: tried });
    expect(await news.received()).toHaveLength(20);
  });

  it("an A/B test whose slices were empty does not begin again after the choice of its winner", async () => {
    const variants = [{ subject: "First" }, { subject: "Second" }];
    const ab = { variants, share: 50, wait_hours: 2, by: "manual" };
    const world = await ruledWorld(20, { ab });
    const { one, id, start, pass, look, hold, owner, news, clock, deps, queued } = world;
    const hook = await newWebhook(news.id, ["broadcast.started"]);
    await start();
    clock.aheadMs += AFTER_UNDO_MS;
    await planBroadcast(deps, id);
    queued.length = 0;
    await allRows("delete from broadcast_chunks where broadcast_id = ?", id);
    const { broadcast_id: other } = await hold();
    const chosen = await owner.post(`${one}/winner`, { variant: "A" });
    expect(chosen.body).toMatchObject({ state: "queued" });
    for (let minute = 0; minute < 3; minute++) await pass(60_000);
    expect(await look()).toMatchObject({ state: "done" });
    const told = (await hook.payloads()).map(({ data }) => data["id"]);
    expect(told).toHaveLength(2);
    expect(new Set(told)).toEqual(new Set([id, other]));
  });

  it.each([
    { when: "before its turn", resumedFirst: true },
    { when: "when its turn has come", resumedFirst: false },
  ])(
    "a broadcast that was paused in the queue and is resumed $when tells once that it begins",
    async (given) => {
      const { at, hold, owner, news, pass } = await ruledWorld(2);
      const hook = await newWebhook(news.id, ["broadcast.started"]);
      const first = await hold();
      await news.subscribe(1, () => `late.${news.from}`);
      const id = String((await news.start(ASYNC)).body["broadcast_id"]);
      expect((await owner.post(`${at}/${id}/pause`)).body).toMatchObject({ state: "paused" });
      const resume = async () => (await owner.post(`${at}/${id}/resume`)).body["state"];
      if (given.resumedFirst) expect(await resume()).toBe("queued");
      await pass(0);
      await pass(0);
      expect(await news.progress(first.broadcast_id)).toMatchObject({ state: "done" });
      if (!given.resumedFirst) expect(await resume()).toBe("sending");
      await pass(0);
      await pass(0);
      expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1 });
      const ledger = await owner.get(`${at}/${id}/ledger`);
      expect(ledger.body).toMatchObject({ total: 1, skipped: 0 });
      const told = (await hook.payloads()).map(({ data }) => ({ ...data }));
      expect(told).toHaveLength(2);
      for (const begun of [first.broadcast_id, id])
        expect(told).toContainEqual(expect.objectContaining({ id: begun, state: "sending" }));
    },
  );

  it("a broadcast that is paused before its first mail does not begin again", async () => {
    const { news, id, owner, finish } = await scenario(2);
    const hook = await newWebhook(news.id, ["broadcast.started"]);
    await owner.post(`${news.path}/broadcasts/${id}/pause`);
    const resumed = await owner.post(`${news.path}/broadcasts/${id}/resume`);
    expect(resumed.body).toMatchObject({ state: "sending" });
    await finish();
    expect(await hook.types()).toEqual([]);
  });

  it("a draft that waits can be changed after its time has come, and keeps that time", async () => {
    const { id, one, start, pass, look, hold, owner, news, clock, deps } = await ruledWorld(2);
    const send_at = new Date(Date.now() + clock.aheadMs + 30_000).toISOString();
    await owner.request("PATCH", one, { send_at });
    await start();
    const waiting_for = await hold();
    await news.subscribe(1, () => `late.${news.from}`);
    clock.aheadMs += 180_000;
    await planBroadcast(deps, id);
    const waiting = await look();
    expect(waiting).toMatchObject({ state: "scheduled", waiting_for });
    const change = (fields: object) => owner.request("PATCH", one, { ...ANYWAY, ...fields });
    expect(await change({ subject: "Changed" })).toMatchObject({
      status: 200,
      body: { state: "scheduled", subject: "Changed", starts_at: waiting.starts_at },
    });
    expect((await change({ send_at: "2020-01-01T00:00:00Z" })).status).toBe(400);
    for (let minute = 0; minute < 2; minute += 1) await pass(0);
    expect(await look()).toMatchObject({ state: "done", sent: 1, subject: "Changed" });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("a queued broadcast is paused and cancelled like any other", async () => {
    const { one, start, look, hold, owner, clock, deps, id, queued } = await ruledWorld(1);
    await start();
    clock.aheadMs += AFTER_UNDO_MS;
    await planBroadcast(deps, id);
    queued.length = 0;
    const queue = async () => {
      await owner.post(`${one}/pause`);
      expect(await look()).toMatchObject({ state: "paused", waiting_for: null });
      return (await owner.post(`${one}/resume`)).body["state"];
    };
    expect(await queue()).toBe("sending");
    await owner.post(`${one}/pause`);
    await hold();
    expect(await queue()).toBe("queued");
    expect(await queue()).toBe("queued");
    expect((await owner.post(`${one}/cancel`)).body).toMatchObject({ state: "cancelled" });
  });
});
