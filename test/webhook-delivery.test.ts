import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { runScheduled } from "../src/cron/run-scheduled.ts";
import { handleBatch } from "../src/queues/handle-batch.ts";
import { eventStatement, runWithEvents, sweepWebhooks } from "../src/services/webhooks/index.ts";
import { createDispatching, verifySignature } from "./support/webhooks/dispatching.ts";
import { received, release, waitForRequests } from "./support/webhooks/received.ts";

const EVERY_MINUTE = "* * * * *";
const SECOND = 1_000;
/** Past any lease, short of the sweep's other duties. */
const LEASE = 31 * SECOND;
/** For endpoints that never answer. */
const IMPATIENT = { attemptMs: 400 };

const { service, clock, wakes, takeWakes, newProject, dispatch } = createDispatching();
const owner = await service.newOwner();

const sweep = async () => runScheduled(await service.app(), EVERY_MINUTE);
const untilMs = (iso: string | undefined) => Date.parse(iso ?? "") - (Date.now() + clock.aheadMs);
const repeat = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

/** Messages as a queue would hand them over, with what became of each. */
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

describe("a delivery", async () => {
  const project = await newProject(owner);
  const badly = await newProject(owner);

  it("is a signed POST of the event, and is delivered by a 2xx", async () => {
    const hook = await project.newWebhook();
    const [pending] = await hook.emit();
    expect(pending).toMatchObject({ event_type: "webhook.test", status: "pending", attempts: 0 });
    expect(await hook.dispatch()).toBe("done");
    const [request] = await waitForRequests(hook.name, 1);
    const { headers, body, method } = request ?? { headers: {}, body: "", method: "" };
    expect(method).toBe("POST");
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^Postrider\/\d+\.\d+\.\d+/),
      "x-service-event": "webhook.test",
      "x-service-delivery": pending?.id,
    });
    const { isValid, t } = await verifySignature(hook.secret, { headers, body });
    expect(isValid).toBe(true);
    expect(Math.abs(t - (Date.now() + clock.aheadMs) / SECOND)).toBeLessThan(5);
    expect(JSON.parse(body)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "webhook.test",
      created_at: pending?.created_at,
      project_id: project.id,
      data: { webhook_id: hook.id },
    });
    const [delivered] = await hook.deliveries();
    expect(delivered).toEqual({
      id: pending?.id,
      event_type: "webhook.test",
      status: "delivered",
      attempts: 1,
      last_status_code: 200,
      delivered_at: expect.any(String),
      created_at: pending?.created_at,
    });
    expect(await hook.row()).toMatchObject({ lease_token: "", lease_until: 0 });
    expect(await hook.dispatch()).toBe("idle");
    expect((await received(hook.name)).requests).toHaveLength(1);
  });

  it("is tried again after 30 s, 2 min, 10 min, 30 min with the same id and body, and fails for good the fifth time", async () => {
    const hook = await project.newWebhook("status/500");
    const [{ id } = { id: "" }] = await hook.emit();
    for (const [attempt, delay] of [30, 120, 600, 1_800].entries()) {
      takeWakes(hook.id);
      expect(await hook.dispatch()).toBe("done");
      const [delivery] = await hook.deliveries();
      expect(delivery).toMatchObject({
        id,
        status: "pending",
        attempts: attempt + 1,
        last_status_code: 500,
        last_error: "the endpoint answered 500",
      });
      const wait = untilMs(delivery?.next_attempt_at);
      expect(wait).toBeGreaterThan((delay - 5) * SECOND);
      expect(wait).toBeLessThanOrEqual(delay * SECOND);
      expect(takeWakes(hook.id)).toEqual([delay + 1]);
      clock.aheadMs += wait - 2 * SECOND;
      expect(await hook.dispatch()).toBe("idle"); // not yet
      clock.aheadMs += 2 * SECOND;
    }
    await hook.dispatch();
    const [failed] = await hook.deliveries();
    expect(failed).toMatchObject({ status: "failed", attempts: 5, last_status_code: 500 });
    expect(failed).not.toHaveProperty("next_attempt_at");
    expect(takeWakes(hook.id)).toEqual([]);
    clock.aheadMs += 3 * 3_600 * SECOND;
    expect(await hook.dispatch()).toBe("idle");
    const { requests } = await received(hook.name);
    expect(requests).toHaveLength(5);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers["x-service-delivery"]))).toEqual(
      new Set([id]),
    );
    const signatures = await Promise.all(requests.map((one) => verifySignature(hook.secret, one)));
    expect(signatures.map(({ isValid }) => isValid)).toEqual(repeat(5, true));
    expect(new Set(signatures.map(({ t }) => t)).size).toBe(5); // each signed at its own time
  });

  it("that comes through at last keeps no error", async () => {
    const hook = await project.newWebhook("status/503,204");
    await hook.emit();
    await hook.dispatch();
    clock.aheadMs += LEASE;
    await hook.dispatch();
    const [delivery] = await hook.deliveries();
    expect(delivery).toMatchObject({ status: "delivered", attempts: 2, last_status_code: 204 });
    expect(delivery).not.toHaveProperty("last_error");
  });

  it.each([
    ["redirect", 302, "the endpoint answered 302: redirects are not followed"],
    ["status/304", 304, "the endpoint answered 304: redirects are not followed"],
    ["status/410", 410, "the endpoint answered 410"],
    ["endless/500", 500, "the endpoint answered 500"],
    ["drip/500", 500, "the endpoint answered 500"],
    ["hang", undefined, "no answer within 0.4 s"],
    ["close", undefined, expect.stringMatching(/^the connection failed: ./)],
    ["body/no%0d%0a%1b[2Juse%E2%80%AE%00", 500, "the endpoint answered 500: no [2Juse"],
    ["body/" + "long%20".repeat(100), 500, expect.stringMatching(/^.{100,255}$/)],
  ])("to %s fails with words", async (kind, code, words) => {
    const hook = await project.newWebhook(kind);
    await hook.emit();
    await hook.dispatch(IMPATIENT);
    const [delivery] = await hook.deliveries();
    expect(delivery).toMatchObject({ status: "pending", attempts: 1, last_error: words });
    expect(delivery?.last_status_code).toBe(code);
    expect((await received(hook.name)).requests).toHaveLength(1);
  });

  it.each(["endless/200", "drip/201"])("to %s arrives: the status decides", async (kind) => {
    const hook = await project.newWebhook(kind);
    await hook.emit();
    await hook.dispatch(IMPATIENT);
    expect((await hook.deliveries())[0]).toMatchObject({ status: "delivered", attempts: 1 });
  });

  it.each(["hang", "drip/200", "drip/500", "endless/200", "endless/500"])(
    "to %s leaves no connection open",
    async (kind) => {
      const hook = await badly.newWebhook(kind);
      await hook.emit();
      await hook.dispatch(IMPATIENT);
      await vi.waitFor(async () => expect((await received(hook.name)).open).toBe(0));
    },
  );

  it("lasts at most 10 s", async () => {
    const hook = await badly.newWebhook("drip/500");
    await hook.emit();
    const startedAt = Date.now();
    await hook.dispatch();
    expect(Date.now() - startedAt).toBeGreaterThan(9_500);
    expect(Date.now() - startedAt).toBeLessThan(11_500);
    expect((await hook.deliveries())[0]).toMatchObject({ status: "pending", attempts: 1 });
  });

  it("whose secret does not open fails with words, and harms no other webhook", async () => {
    const lost = await project.newWebhook();
    const fine = await project.newWebhook();
    await env.DB.prepare(
      "update webhooks set secret_sealed = (select secret_sealed from webhooks where id = ?) where id = ?",
    )
      .bind(fine.id, lost.id) // sealed for another webhook
      .run();
    await Promise.all([lost.emit(), fine.emit()]);
    expect(await dispatch([lost.id, fine.id])).toEqual(["done", "done"]);
    expect((await lost.deliveries())[0]).toMatchObject({
      status: "pending",
      last_error: "the webhook's secret cannot be opened: create the webhook anew",
    });
    expect((await fine.deliveries())[0]).toMatchObject({ status: "delivered" });
    expect((await received(lost.name)).requests).toEqual([]);
  });
});

describe("an event", async () => {
  const project = await newProject(owner);
  const emit = async (types: string[], data: string) => {
    const app = await service.app();
    const source = (type: string) =>
      sql`select ${app.newId()} as id, ${type} as type, ${project.id} as project_id, 1234 as at, ${data} as data`;
    await runWithEvents(
      app,
      types.map((type) => eventStatement(app, source(type))),
    );
  };

  it("becomes a delivery for each active webhook that takes it", async () => {
    const all = await project.newWebhook();
    const paused = await project.newWebhook();
    await paused.setActive(false);
    const some = { url: all.url, events: ["email.sent"] };
    const sent = await owner.post<{ id: string }>(project.path, some);
    takeWakes(paused.id);
    await emit(["email.sent", "email.bounced"], "{}");
    const types = async (id: string) => {
      const path = `${project.path}/${id}/deliveries`;
      const { body } = await owner.get<{ deliveries: { event_type: string }[] }>(path);
      return body.deliveries.map(({ event_type: type }) => type).toSorted();
    };
    expect(await types(all.id)).toEqual(["email.bounced", "email.sent"]);
    expect(await types(sent.body.id)).toEqual(["email.sent"]);
    expect(await types(paused.id)).toEqual([]);
    expect([all.id, sent.body.id, paused.id].map(takeWakes)).toEqual([[0], [0], []]);
  });

  it("arrives with its payload signed byte for byte, in UTF-8", async () => {
    const hook = await project.newWebhook();
    await emit(["email.opened"], '{"log_id":"é"}');
    await hook.dispatch();
    const [request] = await waitForRequests(hook.name, 1);
    expect(request?.body).toContain('"created_at":"1970-01-01T00:00:01.234Z"');
    expect(request?.body).toContain('"data":{"log_id":"é"}');
    const { isValid } = await verifySignature(hook.secret, request ?? { headers: {}, body: "" });
    expect(isValid).toBe(true);
  });
});

describe("a worker that is lost", async () => {
  const project = await newProject(owner);
  const loseAnswersTo = (start: string) => {
    service.d1.after = ([first = ""]) => {
      if (first.startsWith(start)) throw new Error("lost after the write");
    };
  };

  it("after its claim: the sweep brings the event to the endpoint, with the lost attempt counted", async () => {
    const hook = await project.newWebhook();
    await hook.emit();
    loseAnswersTo("update webhooks");
    expect(await hook.dispatch()).toBe("broken");
    service.d1.after = undefined;
    expect((await hook.deliveries())[0]).toMatchObject({ status: "inflight", attempts: 0 });
    expect(await hook.dispatch()).toBe("busy");
    takeWakes(hook.id);
    await sweep();
    expect(takeWakes(hook.id)).toEqual([]); // its lease is not over
    clock.aheadMs += LEASE;
    await sweep();
    expect(takeWakes(hook.id)).toEqual([0]);
    await hook.dispatch();
    expect((await hook.deliveries())[0]).toMatchObject({ status: "delivered", attempts: 2 });
    expect((await received(hook.name)).requests).toHaveLength(1);
  });

  it("between answer and settle: the endpoint sees the same event again", async () => {
    const hook = await project.newWebhook();
    await hook.emit();
    service.d1.before = ([first = ""]) => {
      if (first.startsWith("update webhook_deliveries")) throw new Error("lost before the settle");
    };
    expect(await hook.dispatch()).toBe("broken");
    service.d1.before = undefined;
    clock.aheadMs += LEASE;
    await hook.dispatch();
    expect((await hook.deliveries())[0]).toMatchObject({ status: "delivered", attempts: 2 });
    const { requests } = await received(hook.name);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.body).toBe(requests[0]?.body);
  });

  it("five times: the delivery is failed, and says that nobody knows", async () => {
    const hook = await project.newWebhook();
    await hook.emit();
    loseAnswersTo("update webhooks");
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await hook.dispatch()).toBe("broken");
      clock.aheadMs += LEASE;
    }
    service.d1.after = undefined;
    await hook.dispatch();
    const [delivery] = await hook.deliveries();
    expect(delivery).toMatchObject({ status: "failed", attempts: 5 });
    expect(delivery?.last_error).toContain("unknown");
    expect((await received(hook.name)).requests).toEqual([]);
    expect(await hook.row()).toMatchObject({ failures: 1, lease_token: "" });
  });

  it("only by its lease: it settles nothing any more", async () => {
    const hook = await project.newWebhook("hold");
    await hook.emit();
    const slow = hook.dispatch();
    await waitForRequests(hook.name, 1);
    clock.aheadMs += LEASE;
    const second = hook.dispatch();
    await waitForRequests(hook.name, 2);
    await env.DB.prepare("update webhooks set lease_token = 'another' where id = ?")
      .bind(hook.id)
      .run();
    await release(hook.name);
    expect(await Promise.all([slow, second])).toEqual(["done", "done"]);
    expect((await hook.deliveries())[0]).toMatchObject({ status: "inflight", attempts: 1 });
    expect(await hook.row()).toMatchObject({ lease_token: "another" });
  });
});

describe("two workers", async () => {
  const project = await newProject(owner);

  it("attempt each delivery once", async () => {
    const hook = await project.newWebhook();
    await hook.emit(20);
    const ends = await Promise.all([hook.dispatch(), hook.dispatch(), hook.dispatch()]);
    expect(ends.filter((end) => end === "done")).toHaveLength(1);
    expect(ends.filter((end) => end === "busy")).toHaveLength(2);
    const outcomes = (await hook.deliveries()).map(({ status, attempts }) => [status, attempts]);
    expect(outcomes).toEqual(repeat(20, ["delivered", 1]));
    const { requests, most } = await received(hook.name);
    expect(requests).toHaveLength(20);
    expect(new Set(requests.map(({ headers }) => headers["x-service-delivery"])).size).toBe(20);
    expect(most).toBeLessThanOrEqual(5);
  });

  it("lose nothing that came while the first one was busy", async () => {
    const hook = await project.newWebhook("hold");
    await hook.emit();
    const first = hook.dispatch();
    await waitForRequests(hook.name, 1);
    await hook.emit();
    expect(await hook.dispatch()).toBe("busy");
    await release(hook.name);
    await first;
    const statuses = (await hook.deliveries()).map(({ status }) => status);
    expect(statuses).toEqual(["delivered", "delivered"]);
  });
});

describe("the dispatcher", async () => {
  const project = await newProject(owner);

  it("delivers everything though every message is lost", async () => {
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

  it("never has more than 10 attempts at a time on one host, with 12 webhooks and 24 workers", async () => {
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

  it("lets a healthy endpoint not wait for four dead ones in the same batch", async () => {
    const dead = [];
    for (const host of [0, 1, 2, 3]) dead.push(await project.newWebhook("hang", host));
    const healthy = await project.newWebhook("ok", 4);
    for (const hook of [...dead, healthy]) await hook.emit(8);
    const ids = [...dead, healthy].map(({ id }) => id);
    const batch = dispatch(ids, { attemptMs: 4_000 });
    await waitForRequests(healthy.name, 8, 2_000);
    await batch;
    for (const hook of dead) {
      expect((await received(hook.name)).requests).toHaveLength(1); // its turn ended
      expect(takeWakes(hook.id)).toContain(0); // and the rest waits behind the others
    }
  });

  it("finds by a loose scan what is due, however much waits for later", async () => {
    const own = await newProject(owner);
    const [later, due] = [await own.newWebhook(), await own.newWebhook()];
    await later.emit();
    await later.addCopies(2_000, sql`due_at + 60000`);
    await dispatch([later.id]);
    await due.emit();
    await due.addCopies(2_000, sql`null`);
    wakes.length = 0;
    service.d1.reset();
    await sweepWebhooks(await service.app());
    expect(service.d1.roundTrips).toBe(1);
    expect(service.d1.rowsRead).toBeLessThan(500); // of 4,000 rows
    expect([later.id, due.id].map(takeWakes)).toEqual([[], [0]]);
  });

  it("runs five webhooks of a batch and puts the others at the end of the queue", async () => {
    const own = await newProject(owner);
    const hooks = [];
    for (let n = 0; n < 7; n += 1) hooks.push(await own.newWebhook("ok", n));
    for (const hook of hooks) await hook.emit();
    wakes.length = 0;
    const ids = hooks.map(({ id }) => id);
    const { batch, fates } = batchOf([...ids, ...ids]);
    await handleBatch(await service.app(), batch);
    expect(fates).toEqual(repeat(14, "ack"));
    expect(wakes.map(({ webhookId }) => webhookId)).toEqual(ids.slice(5));
    const done = await Promise.all(hooks.map((hook) => hook.deliveries()));
    expect(done.map(([one]) => one?.status)).toEqual([
      ...repeat(5, "delivered"),
      ...repeat(2, "pending"),
    ]);
  });

  it("waits 2, 4, 8 and 16 s for room on a host, once a webhook, and then for the sweep", async () => {
    const own = await newProject(owner);
    const hooks = [];
    for (let n = 0; n < 3; n += 1) hooks.push(await own.newWebhook("hold", 6));
    for (const hook of hooks) await hook.emit();
    const [first = "", second = "", third = ""] = hooks.map(({ id }) => id);
    const running = dispatch([first, second]);
    await Promise.all(hooks.slice(0, 2).map(({ name }) => waitForRequests(name, 1)));
    for (const [attempts, fate] of ["retry 2", "retry 4", "retry 8", "retry 16", "ack"].entries()) {
      const { batch, fates } = batchOf([third, third], attempts + 1);
      await handleBatch(await service.app(), batch);
      expect(fates).toEqual([fate, "ack"]);
    }
    await Promise.all(hooks.map(({ name }) => release(name)));
    await running;
    takeWakes(third);
    await sweep();
    expect(takeWakes(third)).toEqual([0]);
    expect(await dispatch([third])).toEqual(["done"]);
  });

  it("starts with one attempt at a time and goes on with five while the endpoint answers", async () => {
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

  it("ends a turn after its time or its groups, and wakes itself for the rest", async () => {
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

  it("settles a group in one statement with the claim of the next: 7 round trips for 26 deliveries", async () => {
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
    // A delivery: its claim with the entry of the index of what is due, its settle. A lease: the row and its index.
    expect(service.d1.rowsWritten).toBe(26 * 3 + 7 * 2);
    service.d1.reset();
    expect(await hook.dispatch()).toBe("idle");
    expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([1, 0]);
  });
});
