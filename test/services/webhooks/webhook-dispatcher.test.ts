import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { handleBatch } from "../../../src/queues/handle-batch.ts";
import { sweepWebhooks } from "../../../src/services/webhooks/index.ts";
import { DAY, eventually, SECOND } from "../../support/times.ts";
import { auditsOf, createDispatching } from "../../support/webhooks/dispatching.ts";
import { received, release, waitForRequests } from "../../support/webhooks/received.ts";

/** Longer than any lease, shorter than the intervals of the sweep's other duties. */
const LEASE = 31 * SECOND;

const { service, clock, wakes, takeWakes, newProject, dispatch, sweep } = createDispatching();
const owner = await service.newOwner();

const repeat = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

/** Messages as a queue delivers them, with the verdict on each. */
function batchOf(ids: string[], attempts = 1) {
  const fates: string[] = [];
  const messages = ids.map((webhookId, index) => ({
    id: String(index),
    body: { type: "webhook_due", webhookId },
    attempts,
    timestamp: new Date(),
    ack: () => (fates[index] = "ack"),
    retry: (options?: { delaySeconds?: number }) =>
      (fates[index] = `retry ${options?.delaySeconds}`),
  }));
  return { batch: { queue: "postrider-webhook", messages } as unknown as MessageBatch, fates };
}

/** Outlasts a test; a test that dispatches with it releases its endpoints. */
const PATIENT = { attemptMs: 30_000 };

describe("the dispatcher", async () => {
  const project = await newProject(owner);

  it("delivers everything even when every message is lost", async () => {
    const own = await newProject(owner);
    const hooks = await Promise.all([0, 1, 2].map((host) => own.newWebhook("ok", host)));
    for (const hook of hooks) await hook.emit(2);
    wakes.length = 0;
    await sweep();
    expect(hooks.map(({ id }) => takeWakes(id))).toEqual([[0], [0], [0]]);
    await dispatch(hooks.map(({ id }) => id));
    for (const hook of hooks) {
      const statuses = (await hook.deliveries()).map(({ status }) => status);
      expect(statuses).toEqual(["delivered", "delivered"]);
    }
    await sweep();
    expect(hooks.map(({ id }) => takeWakes(id))).toEqual([[], [], []]);
  });

  it("makes at most 10 simultaneous attempts on one host, with 12 webhooks and 24 workers", async () => {
    const own = await newProject(owner);
    const name = `host-${own.id}`;
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const hook = await own.newWebhook("slow", 7, name);
      await hook.emit(6);
      ids.push(hook.id);
    }
    for (let round = 0; round < 12; round += 1)
      await Promise.all([...ids, ...ids].map((id) => dispatch([id])));
    const { requests, most } = await received(name);
    expect(requests).toHaveLength(72);
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(10);
  });

  it("serves a healthy endpoint without waiting for nine dead ones on its host", async () => {
    const own = await newProject(owner);
    const dead = [];
    for (let n = 0; n < 9; n += 1) dead.push(await own.newWebhook("hang", 6));
    const healthy = await own.newWebhook("ok", 6);
    for (const hook of [...dead, healthy]) await hook.emit(4);
    const hanging = dead.map((hook) => hook.dispatch(PATIENT));
    await Promise.all(dead.map(({ name }) => waitForRequests(name, 1)));
    expect(await healthy.dispatch()).toBe("done");
    expect((await received(healthy.name)).requests).toHaveLength(4);
    const open = await Promise.all(dead.map(({ name }) => received(name)));
    expect(open.map((one) => one.open)).toEqual(repeat(9, 1)); // throughout the test
    await Promise.all(dead.map(({ name }) => release(name)));
    await Promise.all(hanging);
    const rows = await Promise.all([...dead, healthy].map((hook) => hook.row()));
    expect(rows.map((row) => row?.["lease_slots"])).toEqual(repeat(10, 0));
  });

  it("reserves no slots on a host for crashed workers", async () => {
    const own = await newProject(owner);
    const lost = [await own.newWebhook("ok", 6), await own.newWebhook("ok", 6)];
    for (const { id } of lost)
      await env.DB.prepare(
        "update webhooks set lease_token = 'lost', lease_until = ?, lease_slots = 5 where id = ?",
      )
        .bind(Date.now() + clock.aheadMs + LEASE, id)
        .run();
    const healthy = await own.newWebhook("ok", 6);
    await healthy.emit();
    expect(await healthy.dispatch()).toBe("no_room");
    clock.aheadMs += LEASE;
    expect(await healthy.dispatch()).toBe("done");
    expect((await received(healthy.name)).requests).toHaveLength(1);
  });

  it("serves a healthy endpoint without waiting for slow ones on its host with long backlogs", async () => {
    const own = await newProject(owner);
    const running: Promise<unknown>[] = [];
    const slow: string[] = [];
    for (const requests of [1 + 5, 1 + 2, 1 + 1]) {
      const hook = await own.newWebhook("once", 6);
      await hook.emit(8);
      running.push(hook.dispatch(PATIENT));
      await waitForRequests(hook.name, requests); // each gets half of the remaining places
      slow.push(hook.name);
    }
    const healthy = await own.newWebhook("ok", 6);
    await healthy.emit(4);
    expect(await healthy.dispatch()).toBe("done");
    expect((await received(healthy.name)).requests).toHaveLength(4);
    const books = await Promise.all(slow.map((name) => received(name)));
    expect(books.map(({ open }) => open)).toEqual([5, 2, 1]); // throughout the test
    await Promise.all(slow.map(release));
    await Promise.all(running);
  });

  it("serves a healthy endpoint without waiting for four dead ones in the same batch", async () => {
    const dead = [];
    for (const host of [0, 1, 2, 3]) dead.push(await project.newWebhook("hang", host));
    const healthy = await project.newWebhook("ok", 4);
    for (const hook of [...dead, healthy]) await hook.emit(8);
    const ids = [...dead, healthy].map(({ id }) => id);
    wakes.length = 0;
    const batch = dispatch(ids, { attemptMs: 6_000 });
    await waitForRequests(healthy.name, 8, 5_000); // before any attempt of the dead ones ends
    await batch;
    for (const hook of dead) {
      expect((await received(hook.name)).requests).toHaveLength(1); // its turn has ended
      expect(takeWakes(hook.id)).toEqual([31, 30]); // neither it nor the rest returns at once
    }
  });

  it("finds due deliveries by a loose index scan, even with many that are due later", async () => {
    const own = await newProject(owner);
    const [later, due] = [await own.newWebhook(), await own.newWebhook()];
    await later.emit();
    await later.addCopies(2_000, sql`due_at + 60000`);
    await dispatch([later.id]);
    await due.emit();
    await due.addCopies(2_000, sql`null`);
    wakes.length = 0;
    service.d1.reset();
    await sweepWebhooks(await service.deps());
    expect(service.d1.roundTrips).toBe(1);
    expect(service.d1.rowsRead).toBeLessThan(500); // of 4,000 rows
    expect([later.id, due.id].map(takeWakes)).toEqual([[], [0]]);
  });

  it("runs five webhooks of a batch and returns the others to the end of the queue", async () => {
    const own = await newProject(owner);
    const hooks = [];
    for (let n = 0; n < 7; n += 1) hooks.push(await own.newWebhook("ok", n));
    for (const hook of hooks) await hook.emit();
    wakes.length = 0;
    const ids = hooks.map(({ id }) => id);
    const { batch, fates } = batchOf([...ids, ...ids]);
    await handleBatch(await service.deps(), batch);
    expect(fates).toEqual(repeat(14, "ack"));
    expect(wakes.map(({ webhookId }) => webhookId)).toEqual(ids.slice(5));
    const done = await Promise.all(hooks.map((hook) => hook.deliveries()));
    expect(done.map(([one]) => one?.status)).toEqual([
      ...repeat(5, "delivered"),
      ...repeat(2, "pending"),
    ]);
  });

  it("waits 2, 4, 8 and 16 s for capacity on a host, once for each webhook, and then for the sweep", async () => {
    const own = await newProject(owner);
    const hooks = [];
    for (let n = 0; n < 11; n += 1) hooks.push(await own.newWebhook("hold", 6));
    for (const hook of hooks) await hook.emit();
    const ids = hooks.map(({ id }) => id);
    const eleventh = ids.at(-1) ?? "";
    const running = [dispatch(ids.slice(0, 5)), dispatch(ids.slice(5, 10))];
    await Promise.all(hooks.slice(0, 10).map(({ name }) => waitForRequests(name, 1)));
    takeWakes(eleventh);
    await sweep();
    expect(takeWakes(eleventh)).toEqual([]); // the answer would be the same
    for (const [attempts, fate] of ["retry 2", "retry 4", "retry 8", "retry 16", "ack"].entries()) {
      const { batch, fates } = batchOf([eleventh, eleventh], attempts + 1);
      await handleBatch(await service.deps(), batch);
      expect(fates).toEqual([fate, "ack"]);
    }
    await Promise.all(hooks.map(({ name }) => release(name)));
    takeWakes(eleventh);
    await Promise.all(running);
    await sweep();
    expect(takeWakes(eleventh)).toEqual([0]);
    expect(await dispatch([eleventh])).toEqual(["done"]);
  });

  it("starts with one attempt at a time and continues with five while the endpoint answers", async () => {
    const fine = await project.newWebhook("hold", 5);
    await fine.emit(6);
    const turn = fine.dispatch();
    await waitForRequests(fine.name, 1);
    expect((await fine.deliveries()).filter(({ status }) => status === "inflight")).toHaveLength(1);
    await release(fine.name);
    await turn;
    expect((await received(fine.name)).requests).toHaveLength(6);
    const broken = await project.newWebhook("close");
    await broken.emit(4);
    await broken.dispatch();
    const { requests, most } = await received(broken.name);
    expect([requests.length, most]).toEqual([4, 1]);
  });

  it("ends a turn after its time or its groups and queues the rest", async () => {
    const hook = await project.newWebhook();
    await hook.emit(8);
    takeWakes(hook.id);
    await hook.dispatch({ groups: 2 }); // 1 + 5
    expect((await received(hook.name)).requests).toHaveLength(6);
    expect(takeWakes(hook.id)).toEqual([0]);
    await hook.dispatch({ turnMs: 0 });
    expect((await received(hook.name)).requests).toHaveLength(7);
    expect(takeWakes(hook.id)).toEqual([0]);
    expect(await hook.row()).toMatchObject({ lease_token: "", lease_until: 0 });
  });

  it("records a group and claims the next in one statement: 7 round trips for 26 deliveries", async () => {
    const hook = await project.newWebhook();
    await hook.emit(26);
    service.d1.reset();
    const settles: number[] = [];
    service.d1.before = (statements) =>
      settles.push(statements.filter((text) => text.includes("delivered_at) =")).length);
    await hook.dispatch();
    service.d1.before = undefined;
    expect(settles).toEqual([0, 1, 1, 1, 1, 1, 1]); // one delivery, then five groups of five
    expect(service.d1.roundTrips).toBe(7);
    // A delivery writes its claim, the index entry of due deliveries and its settle. A lease writes
    // a row and its index.
    expect(service.d1.rowsWritten).toBe(26 * 3 + 7 * 2);
    service.d1.reset();
    expect(await hook.dispatch()).toBe("idle");
    expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([1, 0]);
  });

  it("gives the unused slots of a turn to the other webhooks of its batch", async () => {
    const own = await newProject(owner);
    const [quick, slow] = [await own.newWebhook("ok", 0), await own.newWebhook("hold", 1)];
    await quick.emit(20);
    await slow.emit(20);
    const batch = dispatch([slow.id, quick.id], { groups: 2 });
    await waitForRequests(slow.name, 1);
    await waitForRequests(quick.name, 1 + 4);
    await eventually(async () => expect(await quick.row()).toMatchObject({ lease_token: "" }));
    await release(slow.name);
    await batch;
    expect((await received(slow.name)).requests).toHaveLength(1 + 5);
  });

  it("claims nothing of a deleted project", async () => {
    const own = await newProject(owner);
    const hook = await own.newWebhook();
    await hook.emit();
    await env.DB.prepare("delete from projects where id = ?").bind(own.id).run();
    takeWakes(hook.id);
    await sweepWebhooks(await service.deps());
    expect(takeWakes(hook.id)).toEqual([]);
    expect(await hook.dispatch()).toBe("gone");
    expect((await received(hook.name)).requests).toEqual([]);
    await env.DB.prepare("delete from webhooks where id = ?").bind(hook.id).run();
  });

  it("fails the deliveries of a paused webhook that a crashed worker held", async () => {
    const hook = await project.newWebhook();
    await hook.emit();
    service.d1.after = ([first = ""]) => {
      if (first.startsWith("update webhooks")) throw new Error("lost after the claim");
    };
    expect(await hook.dispatch()).toBe("broken");
    service.d1.after = undefined;
    await hook.setActive(false);
    clock.aheadMs += LEASE;
    expect(await hook.dispatch()).toBe("done");
    expect((await hook.deliveries())[0]).toMatchObject({ status: "failed", attempts: 1 });
    expect(await hook.dispatch()).toBe("idle");
    expect((await received(hook.name)).requests).toEqual([]);
  });
});

describe("the sweep", async () => {
  it("leaves deliveries alone while a worker holds them", async () => {
    const hook = await (await newProject(owner)).newWebhook("hold", 2);
    await hook.emit(2);
    const turn = hook.dispatch();
    await waitForRequests(hook.name, 1);
    takeWakes(hook.id);
    await sweep();
    expect(takeWakes(hook.id)).toEqual([]);
    await release(hook.name);
    await turn;
  });

  it("eventually wakes every webhook, even if more are always due than it reads", async () => {
    const hooks = [];
    const own = await newProject(owner);
    for (let n = 0; n < 8; n += 1) hooks.push(await own.newWebhook("ok", n));
    for (const hook of hooks) await hook.emit();
    const woken = new Set<string>();
    let most = 0;
    for (let minute = 0; minute < 300; minute += 1) {
      wakes.length = 0;
      await sweepWebhooks(await service.deps(), { webhooksPerLook: 2, looks: 2 });
      for (const { webhookId } of wakes) woken.add(webhookId);
      most = Math.max(most, wakes.length);
      clock.aheadMs += 60 * SECOND;
    }
    expect(hooks.filter(({ id }) => !woken.has(id))).toEqual([]);
    expect(most).toBe(4);
    wakes.length = 0;
    await sweepWebhooks(await service.deps(), { webhooksPerLook: 2, looks: 100 });
    expect(hooks.filter(({ id }) => takeWakes(id).length === 0)).toEqual([]); // a whole round
    await dispatch(hooks.slice(0, 5).map(({ id }) => id));
    await dispatch(hooks.slice(5).map(({ id }) => id));
  });
});

describe("a webhook that fails repeatedly", async () => {
  const project = await newProject(owner);
  const now = () => Date.now() + clock.aheadMs;
  const setFailures = (id: string, failures: number, sinceMs: number) =>
    env.DB.prepare("update webhooks set failures = ?, failing_since = ? where id = ?")
      .bind(failures, sinceMs, id)
      .run();
  it("is disabled after 50 failures in a day, with an audit entry", async () => {
    const hook = await project.newWebhook("status/500");
    await hook.emit(2);
    await setFailures(hook.id, 49, now() - DAY);
    await hook.emit();
    expect(await hook.dispatch({ groups: 1 })).toBe("done");
    expect((await owner.get(hook.path)).body).toMatchObject({ active: false });
    const entry = (await auditsOf(hook.id)).at(-1);
    expect(entry).toMatchObject({ action: "webhook.update", user_id: null, scope_id: project.id });
    expect(JSON.parse(entry?.metadata ?? "")).toEqual({
      active: false,
      reason: expect.stringContaining("failing"),
    });
    const ends = (await hook.deliveries()).map(({ last_error: error, attempts }) => [
      error,
      attempts,
    ]);
    expect(ends).toEqual([
      ["the webhook is paused", 0], // the rest is given up at once
      ["the webhook is paused", 0],
      ["the webhook is paused", 1],
    ]);
    await hook.setActive(true);
    expect(await hook.row()).toMatchObject({ active: 1, failures: 0, failing_since: null });
  });

  it("is disabled with a backlog of which nothing has failed permanently", async () => {
    const hook = await project.newWebhook("hang", 3);
    await hook.emit();
    await hook.addCopies(60, sql`due_at`);
    for (let day = 0; day < 2; day += 1) {
      for (let turn = 0; turn < 25; turn += 1) {
        expect(await hook.row()).toMatchObject({ active: 1 });
        expect(await hook.dispatch({ attemptMs: 20 })).toBe("done");
      }
      clock.aheadMs += DAY;
    }
    expect(await hook.row()).toMatchObject({ active: 0, failures: 50 });
    const { results } = await env.DB.prepare(
      "select status, attempts, count(*) as n from webhook_deliveries where webhook_id = ? group by 1, 2",
    )
      .bind(hook.id)
      .all();
    expect(results).toEqual([
      { status: "failed", attempts: 0, n: 11 },
      { status: "failed", attempts: 1, n: 50 },
    ]);
  });

  it("counts each delivery once, even if it fails repeatedly", async () => {
    const hook = await project.newWebhook("status/500");
    await hook.emit(3);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await hook.dispatch();
      clock.aheadMs += 7_200 * SECOND;
    }
    const ends = (await hook.deliveries()).map(({ status, attempts }) => [status, attempts]);
    expect(ends).toEqual(repeat(3, ["failed", 5]));
    expect(await hook.row()).toMatchObject({ failures: 3, active: 1 });
  });

  it.each([
    ["fewer failures", 48, DAY],
    ["a shorter time", 80, DAY - 60 * SECOND],
  ])("stays active with %s", async (_what, failures, ago) => {
    const hook = await project.newWebhook("status/500");
    await hook.emit();
    await setFailures(hook.id, failures, now() - ago);
    await hook.dispatch();
    expect(await hook.row()).toMatchObject({ active: 1, failures: failures + 1 });
    expect((await auditsOf(hook.id)).map(({ action }) => action)).toEqual(["webhook.create"]);
  });

  it("has its own count: other webhooks neither increase nor reset it", async () => {
    const [failing, fine, third] = [
      await project.newWebhook("status/500"),
      await project.newWebhook("status/500,200"),
      await project.newWebhook("status/500"),
    ];
    for (const hook of [failing, fine]) await hook.emit();
    await failing.dispatch();
    await fine.dispatch();
    await setFailures(third.id, 80, now() - 2 * DAY);
    await setFailures(failing.id, 80, now() - 2 * DAY);
    await fine.emit();
    await fine.dispatch();
    expect(await fine.row()).toMatchObject({ failures: 0 });
    for (const hook of [failing, third])
      expect(await hook.row()).toMatchObject({ failures: 80, active: 1 });
    await failing.emit();
    await failing.dispatch();
    expect(await failing.row()).toMatchObject({ failures: 81, active: 0 });
    expect(await third.row()).toMatchObject({ failures: 80, active: 1 });
    expect(await fine.row()).toMatchObject({ failures: 0, active: 1 });
  });

  it("counts nothing while it is paused", async () => {
    const hook = await project.newWebhook("hang", 4);
    await hook.emit();
    const turn = hook.dispatch({ attemptMs: 1_000 });
    await waitForRequests(hook.name, 1);
    await hook.setActive(false);
    await turn; // its time runs out
    expect((await hook.deliveries())[0]).toMatchObject({ attempts: 1 });
    expect(await hook.row()).toMatchObject({ active: 0, failures: 0, failing_since: null });
  });

  it("is reset by one success and counts again from the next failure", async () => {
    const hook = await project.newWebhook("status/500,200");
    await hook.emit();
    await hook.dispatch();
    const row = await hook.row();
    expect(row).toMatchObject({ failures: 1 });
    expect(Math.abs(Number(row?.["failing_since"]) - now())).toBeLessThan(5 * SECOND);
    await hook.emit();
    await hook.dispatch();
    expect(await hook.row()).toMatchObject({ failures: 0, failing_since: null });
  });
});
