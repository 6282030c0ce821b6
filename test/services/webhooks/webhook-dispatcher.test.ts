import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { handleBatch } from "../../../src/queues/handle-batch.ts";
import { sweepWebhooks } from "../../../src/services/webhooks/index.ts";
import { DAY, SECOND } from "../../support/times.ts";
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
    for (const hook of dead) await hook.emit();
    await healthy.emit(4);
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
      expect((await received(hook.name)).requests).toHaveLength(1); // its run has ended
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

  it("waits 2, 4, 8 and 16 s for capacity on a host, and then for the sweep", async () => {
    const own = await newProject(owner);
    const hooks = [];
    for (let n = 0; n < 11; n += 1) hooks.push(await own.newWebhook("hold", 6));
    for (const hook of hooks) await hook.emit();
    const ids = hooks.map(({ id }) => id);
    const eleventh = ids.at(-1) ?? "";
    const running = [dispatch(ids.slice(0, 5)), dispatch(ids.slice(5, 10))];
    await Promise.all(hooks.slice(0, 10).map(({ name }) => waitForRequests(name, 1)));
    for (const [attempts, fate] of ["retry 2", "retry 4", "retry 8", "retry 16", "ack"].entries()) {
      const { batch, fates } = batchOf([eleventh], attempts + 1);
      await handleBatch(await service.deps(), batch);
      expect(fates).toEqual([fate]);
    }
    await Promise.all(hooks.map(({ name }) => release(name)));
    takeWakes(eleventh);
    await Promise.all(running);
    await sweep();
    expect(takeWakes(eleventh)).toEqual([0]);
    expect(await dispatch([eleventh])).toEqual(["done"]);
  });

  it("attempts five deliveries at once, which the webhooks of a batch share, and reserves no more than are due", async () => {
    const own = await newProject(owner);
    const slotsOf = async (due: number[]) => {
      const hooks = [];
      for (const [host, count] of due.entries()) {
        const hook = await own.newWebhook("hold", host);
        await hook.emit(count);
        hooks.push(hook);
      }
      const run = dispatch(hooks.map(({ id }) => id));
      await Promise.all(hooks.map(({ name }) => waitForRequests(name, 1)));
      const rows = await Promise.all(hooks.map((hook) => hook.row()));
      await Promise.all(
        hooks.map(({ name }, place) => waitForRequests(name, Number(rows[place]?.["lease_slots"]))),
      );
      await Promise.all(hooks.map(({ name }) => release(name)));
      await run;
      const books = await Promise.all(hooks.map(({ name }) => received(name)));
      expect(books.map(({ requests }) => requests.length)).toEqual(due);
      const slots = rows.map((row) => row?.["lease_slots"]);
      expect(books.map(({ most }) => most)).toEqual(slots);
      return slots;
    };
    expect(await slotsOf([7])).toEqual([5]);
    expect(await slotsOf([7, 1])).toEqual([2, 1]);
    expect(await slotsOf([3, 3, 3])).toEqual([1, 1, 1]);
  });

  it("ends a run after its time or its groups and queues the rest", async () => {
    const hook = await project.newWebhook();
    await hook.emit(16);
    takeWakes(hook.id);
    await hook.dispatch({ groups: 2 });
    expect((await received(hook.name)).requests).toHaveLength(10);
    expect(takeWakes(hook.id)).toEqual([0]);
    await hook.dispatch({ runMs: 0 });
    expect((await received(hook.name)).requests).toHaveLength(15);
    expect(takeWakes(hook.id)).toEqual([0]);
    expect(await hook.row()).toMatchObject({ lease_token: "", lease_until: 0 });
  });

  it("records a group and claims the next in one round trip: 7 for 26 deliveries", async () => {
    const hook = await project.newWebhook();
    await hook.emit(26);
    service.d1.reset();
    const records: number[] = [];
    service.d1.before = (statements) =>
      records.push(statements.filter((text) => text.includes("delivered_at, payload) =")).length);
    await hook.dispatch();
    service.d1.before = undefined;
    expect(records).toEqual([0, 1, 1, 1, 1, 1, 1]); // five groups of five, then one delivery
    expect(service.d1.roundTrips).toBe(7);
    // A delivery writes its claim, the index entry of due deliveries and its outcome. A lease writes
    // a row and its index when it begins and when it ends.
    expect(service.d1.rowsWritten).toBe(26 * 3 + 2 * 2);
    service.d1.reset();
    expect(await hook.dispatch()).toBe("idle");
    expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([1, 0]);
  });

  it("claims nothing of a deleted project", async () => {
    const own = await newProject(owner);
    const hook = await own.newWebhook();
    await hook.emit();
    await env.DB.prepare("delete from projects where id = ?").bind(own.id).run();
    takeWakes(hook.id);
    await sweepWebhooks(await service.deps());
    expect(takeWakes(hook.id)).toEqual([]);
    expect(await hook.dispatch()).toBe("idle");
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
    expect(await hook.dispatch()).toBe("idle");
    expect((await hook.deliveries())[0]).toMatchObject({ status: "failed", attempts: 1 });
    expect((await received(hook.name)).requests).toEqual([]);
  });
});

describe("the sweep", async () => {
  it("leaves deliveries alone while a worker holds them", async () => {
    const hook = await (await newProject(owner)).newWebhook("hold", 2);
    await hook.emit(2);
    const run = hook.dispatch();
    await waitForRequests(hook.name, 1);
    takeWakes(hook.id);
    await sweep();
    expect(takeWakes(hook.id)).toEqual([]);
    await release(hook.name);
    await run;
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
    await hook.emit(3);
    await setFailures(hook.id, 49, now() - DAY);
    takeWakes(hook.id);
    expect(await hook.dispatch()).toBe("done");
    expect((await owner.get(hook.path)).body).toMatchObject({ active: false });
    const entry = (await auditsOf(hook.id)).at(-1);
    expect(entry).toMatchObject({ action: "webhook.update", user_id: null, scope_id: project.id });
    expect(JSON.parse(entry?.metadata ?? "")).toEqual({
      active: false,
      reason: expect.stringContaining("failing"),
    });
    expect(takeWakes(hook.id)).toEqual([31, 0]); // to give up what is pending
    expect(await hook.dispatch()).toBe("idle");
    const ends = (await hook.deliveries()).map((one) => [one.status, one.last_error]);
    expect(ends).toEqual(repeat(3, ["failed", "the webhook is paused"]));
    await hook.setActive(true);
    expect(await hook.row()).toMatchObject({ active: 1, failures: 0, failing_since: null });
  });

  it("is disabled with a backlog of which nothing has failed permanently", async () => {
    const hook = await project.newWebhook("hang", 3);
    await hook.emit();
    await hook.addCopies(60, sql`due_at`);
    for (let run = 0; run < 13; run += 1)
      expect(await hook.dispatch({ attemptMs: 20 })).toBe("done");
    expect(await hook.row()).toMatchObject({ active: 1, failures: 61 });
    clock.aheadMs += DAY;
    expect(await hook.dispatch({ attemptMs: 20 })).toBe("done");
    expect(await hook.row()).toMatchObject({ active: 0, failures: 61 });
    expect(await hook.dispatch()).toBe("idle");
    const { results } = await env.DB.prepare(
      "select status, attempts, count(*) as n from webhook_deliveries where webhook_id = ? group by 1, 2",
    )
      .bind(hook.id)
      .all();
    expect(results).toEqual([
      { status: "failed", attempts: 1, n: 56 },
      { status: "failed", attempts: 2, n: 5 },
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
