/* Batches for a later time, and batches with a sender of their own. */
import { describe, expect, it } from "vitest";
import PostalMime from "postal-mime";
import { ASYNC, stalledApp, type Scenario, type Stall } from "../../support/broadcasting.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { batchScenario, recipientsOf, type BatchScenario } from "../../support/batching.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { deathOfWorker } from "../../support/refusals.ts";
import { unique } from "../../support/service.ts";
import { DAY, EVERY_NIGHT, HOUR, iso, MINUTE } from "../../support/times.ts";

const died = async () => {
  throw deathOfWorker("the sender died here");
};

/** A project with a batch of `count` in an hour. */
async function scheduled(count: number, more: object = {}) {
  const all = await batchScenario();
  const { clock, news, owner, post, deps } = all;
  const at = iso(deps.now() + HOUR);
  const { status, body } = await post(recipientsOf(news, count), {}, { scheduled_at: at, ...more });
  expect({ status, body }).toEqual({
    status: 202,
    body: { batch_id: expect.any(String), scheduled_at: at },
  });
  const id = String(body["batch_id"]);
  const path = `${news.path}/batches/${id}`;
  return {
    ...all,
    id,
    at,
    later: (ms: number) => void (clock.aheadMs += ms),
    read: () => owner.get(path),
    move: (to: string) => owner.request("PATCH", path, { scheduled_at: to }),
    cancel: () => owner.post(`${path}/cancel`),
  };
}

describe("a batch with `scheduled_at`", () => {
  it("answers 202, waits, makes the sender run at its time, and is then sent once", async () => {
    const all = await scheduled(5);
    const { id, at, news, batch, run, later } = all;
    expect(await batch(id)).toMatchObject({ state: "scheduled", scheduled_at: at, sent: 0 });
    expect(await run()).toBe(Date.parse(at));
    later(59 * MINUTE);
    await run();
    expect(await news.received()).toEqual([]);
    later(2 * MINUTE);
    await run();
    expect(await batch(id)).toMatchObject({ state: "done", scheduled_at: at, sent: 5 });
    expect((await news.received()).toSorted()).toEqual(
      recipientsOf(news, 5)
        .map(({ to }) => to)
        .toSorted(),
    );
  });

  it("can be read for a week after its time, and is then deleted", async () => {
    const { id, deps, later, move, news, run, service } = await scheduled(1);
    const program = service.withKey(news.key); // a session expires meanwhile
    await move(iso(deps.now() + 10 * DAY));
    for (const [days, status] of [
      [11, 200],
      [8, 404],
    ] as const) {
      later(days * DAY);
      await run();
      await runScheduled(deps, EVERY_NIGHT);
      expect((await program.get(`${news.path}/batches/${id}`)).status).toBe(status);
    }
  });

  it("can be moved and canceled until it begins, by its own project alone", async () => {
    const foreign = await scheduled(1);
    const moved = await scheduled(3);
    const canceled = await scheduled(3);
    const to = iso(moved.deps.now() + 3 * HOUR);
    expect(await moved.move(to)).toMatchObject({ status: 200, body: { scheduled_at: to } });
    expect((await moved.move(iso(moved.deps.now() - HOUR))).status).toBe(400);
    moved.later(2 * HOUR);
    await moved.run();
    expect(await moved.news.received()).toEqual([]);
    moved.later(2 * HOUR);
    await moved.run();
    expect(await moved.news.received()).toHaveLength(3);
    for (const late of [await moved.move(iso(moved.deps.now() + HOUR)), await moved.cancel()])
      expect(late).toMatchObject({ status: 409, body: { code: "batch_not_waiting" } });

    expect((await canceled.cancel()).status).toBe(204);
    for (const gone of [await canceled.read(), await canceled.cancel(), await canceled.move(to)])
      expect(gone.status).toBe(404);
    canceled.later(2 * HOUR);
    await canceled.run();
    expect(await canceled.news.received()).toEqual([]);

    const theirs = `${moved.news.path}/batches/${foreign.id}`;
    expect((await moved.owner.post(`${theirs}/cancel`)).status).toBe(404);
    expect((await foreign.read()).status).toBe(200);
  });

  it("cannot be canceled once its sender has claimed it, nor can a batch without a time", async () => {
    const all = await scheduled(40);
    all.later(61 * MINUTE);
    const stall = { nth: 1, when: "after", meanwhile: died } as const;
    await all.run(stalledApp(all as unknown as Scenario, stall)).catch(() => undefined);
    expect(await all.cancel()).toMatchObject({ status: 409 });
    await all.run();
    expect(await all.batch(all.id)).toMatchObject({ state: "done" });
    const { body } = await all.post(recipientsOf(all.news, 2, "n"), ASYNC);
    const now = `${all.news.path}/batches/${String(body["batch_id"])}`;
    expect((await all.owner.post(`${now}/cancel`)).status).toBe(409);
  });

  it("with the same Idempotency-Key is stored once and gets the first answer, also when it is over", async () => {
    const all = await batchScenario();
    const { news, post, deps, clock, run } = all;
    const headers = { "Idempotency-Key": unique("key") };
    const more = { scheduled_at: iso(deps.now() + HOUR) };
    const list = recipientsOf(news, 3);
    const answers = await Promise.all([1, 2, 3].map(() => post(list, headers, more)));
    const [first] = answers.filter(({ status }) => status === 202);
    const ids = answers.map(({ status, body }) => (status === 202 ? body["batch_id"] : status));
    expect(ids.every((one) => one === 409 || one === first?.body["batch_id"])).toBe(true);
    clock.aheadMs += 2 * HOUR;
    await run();
    const again = await post(list, headers, more);
    expect(again).toMatchObject({ status: 202, body: first?.body });
    expect(await news.received()).toHaveLength(3);
  });

  it.each([
    ["that has passed", -MINUTE, "has_passed"],
    ["more than 30 days ahead", 31 * DAY, "too_far_ahead"],
  ])("for a time %s is 400 and stores nothing", async (_name, ms, code) => {
    const { news, post, deps, owner } = await batchScenario();
    const more = { scheduled_at: iso(deps.now() + ms) };
    expect(await post(recipientsOf(news, 1), {}, more)).toMatchObject({
      status: 400,
      body: { details: [{ path: "scheduled_at", code }] },
    });
    expect((await owner.get(`${news.path}/logs`)).body).toMatchObject({ logs: [] });
  });

  it.each(["before", "after"] as const)(
    "loses nobody and mails nobody twice if its sender dies %s any of its writes",
    async (when) => {
      for (let nth = 1, isDead = true; isDead; nth++) {
        const all = await scheduled(40);
        all.later(61 * MINUTE);
        const stall: Stall = { nth, when, meanwhile: died };
        isDead = await diesWith(all, stall);
        await all.run();
        const received = await all.news.received();
        expect(new Set(received).size).toBe(received.length);
        const logs = await all.news.logs();
        expect(new Set(logs.map(({ to_email: to }) => to)).size).toBe(40);
        expect(logs).toHaveLength(40);
        expect(await all.batch(all.id)).toMatchObject({ state: "done" });
        if (!isDead) expect(nth).toBeGreaterThan(3);
      }
    },
  );

  it("costs as much as one that is sent at once, and is moved and canceled in two round trips", async () => {
    const costOf = async (more: object) => {
      const all = await batchScenario();
      all.clock.stoppedAt = Date.now();
      all.service.d1.reset();
      await all.post(recipientsOf(all.news, 2_000), ASYNC, more);
      const { roundTrips, rowsWritten } = all.service.d1;
      return { roundTrips, rowsWritten };
    };
    const now = await costOf({});
    expect(await costOf({ scheduled_at: iso(Date.now() + DAY) })).toEqual(now);
    const all = await scheduled(2_000);
    for (const call of [() => all.move(iso(all.deps.now() + DAY)), all.cancel]) {
      all.service.d1.reset();
      expect((await call()).status).toBeLessThan(300);
      expect(all.service.d1.roundTrips).toBe(2);
      expect(all.service.d1.rowsWritten).toBeLessThanOrEqual(15);
    }
  });
});

const diesWith = (all: BatchScenario, stall: Stall) =>
  all.run(stalledApp(all as unknown as Scenario, stall)).then(
    () => false,
    () => true,
  );

describe("a batch with `from`", () => {
  const allow = ({ owner, news }: BatchScenario, senders: string[]) =>
    owner.put(`${news.path}/mail-settings`, { senders });

  it("uses an allowed sender for each mail, and is 422 for any other", async () => {
    const all = await batchScenario();
    await allow(all, ["@acme.example"]);
    const list = recipientsOf(all.news, 2);
    const refused = await all.post(list, ASYNC, { from: "ann@other.example" });
    expect(refused).toMatchObject({ status: 422, body: { code: "sender_not_allowed" } });
    await all.post(list, ASYNC, { from: "Ann <ann@acme.example>" });
    await all.work();
    for (const { to } of list) {
      const [message, ...others] = await receivedMessages(to);
      const { from } = await PostalMime.parse(message?.raw ?? "");
      expect(from).toEqual({ name: "Ann", address: "ann@acme.example" });
      expect(others).toEqual([]);
    }
  });

  it("fails with the reason if the sender is no longer allowed when it is due", async () => {
    const all = await batchScenario();
    await allow(all, ["@acme.example"]);
    const more = { from: "ann@acme.example", scheduled_at: iso(all.deps.now() + HOUR) };
    const { body } = await all.post(recipientsOf(all.news, 2), {}, more);
    await allow(all, []);
    all.clock.aheadMs += 2 * HOUR;
    await all.run();
    expect(await all.news.received()).toEqual([]);
    const { failures, ...counts } = await all.batch(String(body["batch_id"]));
    expect(counts).toMatchObject({ state: "done", sent: 0, failed: 2 });
    expect(failures[0]?.error).toContain("ann@acme.example");
  });
});
