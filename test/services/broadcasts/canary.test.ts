/*
 * The sample with which a broadcast to many begins, and the look at its outcomes. The test drives
 * the queue and the clock.
 */
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { runBatch } from "../../../src/db/client.ts";
import { systemContext } from "../../../src/context.ts";
import {
  cancelBroadcast,
  planBroadcast,
  resumeBroadcast,
  selectBroadcast,
} from "../../../src/services/broadcasts/index.ts";
import {
  insertChunks,
  LIST_SIZE,
  membersWithCanary,
  updatePlanned,
} from "../../../src/services/broadcasts/plan-queries.ts";
import { selectProject } from "../../../src/services/projects/index.ts";
import {
  expectNobodyLost,
  hasNobodyTwice,
  launched,
  runUntilDeath,
  scenario,
  stalledApp,
  withoutSample,
  type Scenario,
} from "../../support/broadcasting.ts";
import { allRows } from "../../support/rows.ts";
import { EVERY_MINUTE } from "../../support/times.ts";
import { deathOfWorker } from "../../support/refusals.ts";

/** A broadcast of a draft. */
const drafted = (count: number, prepare?: Parameters<typeof scenario>[1]) =>
  scenario(count, prepare, launched);

interface Range {
  after_id: string;
  until_id: string;
  again: string;
  left_out: string | null;
  due_at: number;
}

const rangesOf = (id: string) =>
  allRows<Range>("select * from broadcast_chunks where broadcast_id = ? order by after_id", id);
const sampledIn = (ranges: Range[]) =>
  ranges
    .filter(({ after_id }) => after_id.startsWith(" "))
    .flatMap(({ again }) => (JSON.parse(again) as { id: string }[]).map(({ id }) => id));
const idsOf = async ({ news }: Scenario) =>
  (
    await allRows<{ id: string }>(
      "select id from subscribers where project_id = ? order by id",
      news.id,
    )
  ).map(({ id }) => id);
const stateOf = async (id: string) =>
  (
    await allRows<{ canary_due_at: number; state: string }>(
      "select canary_due_at, state from broadcasts where id = ?",
      id,
    )
  )[0];
const isHeld = ({ due_at }: Range) => due_at > Date.now() * 2;

async function nextMinute({ clock, deps, work }: Scenario) {
  clock.aheadMs += 61_000;
  await runScheduled(deps, EVERY_MINUTE);
  await work();
}

describe("a broadcast of a draft to more than 1,000", () => {
  it("mails a sample from its entire audience, and the rest a minute later, no recipient twice", async () => {
    const world = await drafted(1_100);
    const { news, id, work } = world;
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 50 });
    const numbers = (await news.received()).map((to) => Number(/^s(\d+)\./.exec(to)?.[1]));
    for (let from = 0; from < 1_100; from += 110)
      expect(numbers.filter((n) => n >= from && n < from + 110)).toHaveLength(5);
    await work();
    expect(await news.progress(id)).toMatchObject({ sent: 50 });
    await nextMinute(world);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1_100 });
    expect(await expectNobodyLost(world, 1_100)).toBe(0);
  });

  it("loses no recipient when its sender dies in the canary and every message is lost", async () => {
    const world = await drafted(1_100);
    const { id, news, queued, run } = world;
    await runUntilDeath(world, { at: "record", when: "after" });
    expect((await rangesOf(id)).some(isHeld)).toBe(true);
    queued.length = 0;
    await run();
    expect(await expectNobodyLost(world, 50)).toBeLessThanOrEqual(16);
    await world.finish();
    const unknown = await expectNobodyLost(world, 1_100);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1_100 - unknown });
  });

  it("pauses when the bounces of its canary arrive within the minute, and continues when resumed", async () => {
    const world = await drafted(1_100);
    const { news, id, work, owner } = world;
    await work();
    await allRows(
      `update log_entries set status = 2, reason = 'user_unknown' where id in
        (select id from log_entries where project_id = unhex(?, '-') limit 10)`,
      news.id,
    );
    await nextMinute(world);
    expect(await news.progress(id)).toMatchObject({
      state: "paused",
      sent: 50,
      error: "10 of 50 addresses do not exist: clean the list",
    });
    await owner.post(`${news.path}/broadcasts/${id}/resume`);
    expect((await rangesOf(id)).some(isHeld)).toBe(false);
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1_100 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("does not wait for canary recipients whom the server defers", async () => {
    const world = await drafted(0, ({ subscribe, from }) =>
      subscribe(1_001, (n) => `${n % 2 === 0 ? "" : "rcpt.451.4.7.1."}s${n}.${from}`),
    );
    const { id, work, clock } = world;
    await work();
    expect(sampledIn(await rangesOf(id)).length).toBeGreaterThan(0);
    const { canary_due_at: at = 0 } = (await stateOf(id)) ?? {};
    expect(at).toBeGreaterThan(Date.now() + clock.aheadMs);
    expect(at).toBeLessThanOrEqual(Date.now() + clock.aheadMs + 60_000);
  });

  it("is released when resumed, and leaves no chunk when it is cancelled", async () => {
    const world = await drafted(1_200);
    const { deps, id, news, owner } = world;
    await planBroadcast(deps, id);
    expect((await rangesOf(id)).filter(isHeld)).not.toEqual([]);
    await owner.post(`${news.path}/broadcasts/${id}/pause`);
    await owner.post(`${news.path}/broadcasts/${id}/resume`);
    expect((await rangesOf(id)).filter(isHeld)).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ canary_due_at: 0 });
    await owner.post(`${news.path}/broadcasts/${id}/cancel`);
    expect(await rangesOf(id)).toEqual([]);
  });

  it("still begins with its canary when it was paused and resumed before it was planned", async () => {
    const { id, news, owner, work } = await drafted(1_200);
    await owner.post(`${news.path}/broadcasts/${id}/pause`);
    await owner.post(`${news.path}/broadcasts/${id}/resume`);
    await work();
    expect(await news.progress(id)).toMatchObject({ state: "sending", sent: 50 });
    expect((await rangesOf(id)).every(isHeld)).toBe(true);
  });

  it("leaves no chunk if it is cancelled during planning", async () => {
    const world = await drafted(1_200);
    const { id, news, owner } = world;
    const meanwhile = () => owner.post(`${news.path}/broadcasts/${id}/cancel`);
    await planBroadcast(stalledApp(world, { nth: 1, when: "before", meanwhile }), id);
    expect(await stateOf(id)).toMatchObject({ state: "cancelled" });
    expect(await rangesOf(id)).toEqual([]);
  });

  it.each([
    { action: "resumed", act: resumeBroadcast, nth: 2 },
    { action: "cancelled", act: cancelBroadcast, nth: 1 },
  ])("leaves nothing waiting for it when it is $action and the request crashes", async (given) => {
    const { action, act, nth } = given;
    const world = await drafted(1_200);
    const { deps, id, news, owner } = world;
    await planBroadcast(deps, id);
    await owner.post(`${news.path}/broadcasts/${id}/pause`);
    const dead = deathOfWorker("killed");
    const meanwhile = () => Promise.reject(dead);
    const killed = systemContext(stalledApp(world, { nth, when: "after", meanwhile }), "test");
    const [project] = await selectProject(deps.db, news.id);
    if (!project) throw new Error("no project");
    await expect(act(killed, project, id)).rejects.toThrow("killed");
    expect((await rangesOf(id)).filter(isHeld)).toEqual([]);
    if (action === "cancelled") return;
    await world.finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 1_200 });
    expect(await expectNobodyLost(world, 1_200)).toBe(0);
  });

  it("goes to all recipients at once if the project has disabled the canary", async () => {
    const { deps, id } = await drafted(1_200, withoutSample);
    await planBroadcast(deps, id);
    expect((await rangesOf(id)).map(isHeld)).toEqual([false]);
  });
});

describe("a broadcast without a draft", () => {
  it("of more than 1,000 tries all recipients at once, even with many unknown addresses", async () => {
    const world = await scenario(0, ({ subscribe, from }) =>
      subscribe(1_001, (n) => `${n % 10 === 0 ? "rcpt.550.5.1.1." : ""}s${n}.${from}`),
    );
    const { deps, id, news, finish } = world;
    await planBroadcast(deps, id);
    expect((await rangesOf(id)).some(isHeld)).toBe(false);
    await finish();
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 900, bounced: 101 });
  });
});

describe("a broadcast of a draft to 1,000", () => {
  it("has no canary", async () => {
    const { deps, id } = await drafted(1_000);
    await planBroadcast(deps, id);
    expect((await rangesOf(id)).map(isHeld)).toEqual([false]);
    expect(await stateOf(id)).toMatchObject({ canary_due_at: 0 });
  });
});

describe("the planning of a canary", () => {
  it.each([0, 0.013, 0.5, 0.995])(
    "puts each recipient into one chunk, regardless of the starting point (%d)",
    async (start) => {
      const world = await drafted(2_345);
      const { deps, id } = world;
      const size = 1_200; // more than 1,000 in the first step
      const step = { size, listSize: LIST_SIZE, now: deps.now() };
      for (;;) {
        const [broadcast] = await selectBroadcast(deps.db, id);
        if (!broadcast || broadcast.plannedId >= broadcast.cutoffId) break;
        await runBatch(deps.db, [
          insertChunks(deps.db, broadcast, membersWithCanary(broadcast, step, start), step),
          updatePlanned(deps.db, broadcast, size, deps.now()),
        ]);
      }
      const ranges = await rangesOf(id);
      const sampled = sampledIn(ranges);
      const ids = await idsOf(world);
      const rest = ranges.filter(({ after_id }) => !after_id.startsWith(" "));
      const placed = rest.map(({ after_id, until_id, left_out }) =>
        ids.filter((one) => one > after_id && one <= until_id && !left_out?.includes(one)),
      );
      expect(placed).toHaveLength(2);
      expect([...sampled, ...placed.flat()].toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids);
      expect(rest.every(isHeld)).toBe(true);
      // 5 of 120 in the first stretch, and 5 of 500 after it
      expect(sampled.length).toBeGreaterThanOrEqual(50 + 10);
      expect(sampled.length).toBeLessThanOrEqual(50 + 15);
    },
  );

  it("reads no more rows than planning without it", async () => {
    const rowsOf = async (prepare?: Parameters<typeof scenario>[1]) => {
      const { deps, id, service } = await drafted(3_000, prepare);
      service.d1.reset();
      await planBroadcast(deps, id);
      return service.d1.rowsRead;
    };
    expect(await rowsOf()).toBeLessThanOrEqual((await rowsOf(withoutSample)) * 1.1 + 50);
  });
});
