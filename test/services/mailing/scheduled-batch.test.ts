/* Batches for a later time, and batches with a sender of their own. */
import { describe, expect, it } from "vitest";
import PostalMime from "postal-mime";
import { ASYNC, stalledApp, type Scenario, type Stall } from "../../support/broadcasting.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { resendPayload } from "../../../src/services/webhooks/resend-format.ts";
import { batchScenario, recipientsOf, type BatchScenario } from "../../support/batching.ts";
import { newWebhook } from "../../support/events.ts";
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

interface Listed {
  scheduled: { id: string; kind: string }[];
  total?: number;
  next?: string | null;
}

describe("GET /scheduled", () => {
  it("lists the emails and batches that wait, the next one first, by pages and by time", async () => {
    const all = await scheduled(3); // in an hour
    const { news, owner, deps, post, later, run, id: batch, move } = all;
    await scheduled(1); // of another project
    const list = async (query = "") =>
      (await owner.get<Listed>(`${news.path}/scheduled${query}`)).body;
    const idsOf = async (query = "") => (await list(query)).scheduled.map(({ id }) => id);
    const mail = async (ms: number) => {
      const fields = { to: `m.${news.from}`, subject: "Hi", html_body: "<p>Hi</p>" };
      const { body } = await owner.post<{ id: string }>(`${news.path}/send`, {
        ...fields,
        scheduled_at: iso(deps.now() + ms),
      });
      return body.id;
    };
    await post(recipientsOf(news, 1, "n"), ASYNC); // one that does not wait
    const [last, first] = [await mail(3 * HOUR), await mail(30 * MINUTE)];
    expect(await list()).toMatchObject({
      total: 3,
      scheduled: [
        { id: first, kind: "email", to_email: `m.${news.from}`, subject: "Hi", recipients: 1 },
        { id: batch, kind: "batch", to_email: null, template_id: news.templateId, recipients: 3 },
        { id: last, kind: "email", template_id: null },
      ],
    });
    expect(await idsOf("?limit=1&offset=1")).toEqual([batch]);
    const start = await list("?limit=2&after=");
    expect(start).toMatchObject({ total: 3, scheduled: [{ id: first }, { id: batch }] });
    const rest = await list(`?limit=2&after=${start.next}`);
    expect(rest).toEqual({ scheduled: [expect.objectContaining({ id: last })], next: null });
    const hour = (n: number) => iso(deps.now() + n * HOUR);
    expect(await idsOf(`?from=${hour(0.75)}&to=${hour(2)}`)).toEqual([batch]);
    await move(hour(4));
    expect(await idsOf()).toEqual([first, last, batch]);
    await owner.post(`${news.path}/logs/${last}/cancel`);
    expect(await idsOf()).toEqual([first, batch]);
    later(5 * HOUR);
    await run();
    expect(await list()).toEqual({ scheduled: [], total: 0 });
  });

  it("takes one round trip after the access check", async () => {
    const all = await scheduled(1);
    for (const prefix of ["p", "q"]) await all.start(recipientsOf(all.news, 2, prefix));
    await all.work();
    all.service.d1.reset();
    expect((await all.owner.get<Listed>(`${all.news.path}/scheduled`)).body.total).toBe(1);
    expect(all.service.d1.roundTrips).toBe(2);
  });
});

describe("the event of a scheduled batch", () => {
  it("is one for all recipients, also if the request is repeated, and none for a batch without a time", async () => {
    const { news, post, deps } = await batchScenario();
    const hook = await newWebhook(news.id, ["email.scheduled"]);
    const scheduled_at = iso(deps.now() + HOUR);
    const headers = { "Idempotency-Key": unique("key") };
    const list = recipientsOf(news, 3);
    const { body } = await post(list, headers, { scheduled_at });
    await post(list, headers, { scheduled_at });
    await post(list, ASYNC);
    const payloads = await hook.payloads();
    const data = {
      batch_id: body["batch_id"],
      recipients: 3,
      template_id: news.templateId,
      scheduled_at,
    };
    const none = { log_id: null, to: null, subscriber_id: null, broadcast_id: null };
    expect(payloads).toMatchObject([{ type: "email.scheduled", data: { ...data, ...none } }]);
    const resend = JSON.parse(resendPayload(JSON.stringify(payloads[0]))) as object;
    expect(resend).toMatchObject({ data: { email_id: body["batch_id"], to: [] } });
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
