import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { eventStatement } from "../../../src/services/webhooks/index.ts";
import { readAnswer } from "../../../src/services/webhooks/read-answer.ts";
import type { Row } from "../../support/rows.ts";
import { CAPTURING, unique } from "../../support/service.ts";
import { eventually, SECOND } from "../../support/times.ts";
import {
  createDispatching,
  verifySignature,
  type Delivery,
  type Webhook,
} from "../../support/webhooks/dispatching.ts";
import { endpoint, received, release, waitForRequests } from "../../support/webhooks/received.ts";

/** Longer than any lease, shorter than the intervals of the sweep's other duties. */
const LEASE = 31 * SECOND;
/** Limit for endpoints that never answer. */
const IMPATIENT = { attemptMs: 1_500 };

const { service, clock, takeWakes, newProject, dispatch, sweep } = createDispatching();
const owner = await service.newOwner();

const untilMs = (iso: string | undefined) => Date.parse(iso ?? "") - (Date.now() + clock.aheadMs);
const repeat = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

describe("a delivery", async () => {
  const project = await newProject(owner);
  const badly = await newProject(owner);

  it("is a signed POST of the event, and succeeds with a 2xx", async () => {
    const hook = await project.newWebhook();
    const [pending] = await hook.emit();
    expect(pending).toMatchObject({ event_type: "webhook.test", status: "pending", attempts: 0 });
    expect(await hook.dispatch()).toBe("done");
    const [request] = await waitForRequests(hook.name, 1);
    if (!request) throw new Error("nothing was posted");
    const { headers, body, method } = request;
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
    const { id } = JSON.parse(body);
    expect(headers).toMatchObject({ "webhook-id": id, "webhook-timestamp": String(t) });
    for (const secret of [hook.secret, `whsec_${hook.secret}`])
      expect(headers["webhook-signature"]).toBe(
        new StandardWebhook(secret).sign(id, new Date(t * SECOND), body),
      );
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
    expect(await hook.row()).toMatchObject({ lease_token: "", lease_until: 0, lease_slots: 0 });
    expect(await hook.dispatch()).toBe("idle");
    expect((await received(hook.name)).requests).toHaveLength(1);
  });

  it("is retried after 30 s, 2 min, 10 min and 30 min with the same id and body, and fails with the fifth attempt", async () => {
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
      expect(await hook.dispatch()).toBe("idle"); // not due
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
    expect(new Set(signatures.map(({ t }) => t)).size).toBe(5); // each attempt signs its own time
  });

  it("that eventually succeeds keeps no error", async () => {
    const hook = await project.newWebhook("status/503,204");
    await hook.emit();
    await hook.dispatch();
    clock.aheadMs += LEASE;
    await hook.dispatch();
    const [delivery] = await hook.deliveries();
    expect(delivery).toMatchObject({ status: "delivered", attempts: 2, last_status_code: 204 });
    expect(delivery).not.toHaveProperty("last_error");
  });

  it.concurrent.each([
    ["redirect", 302, "the endpoint answered 302: redirects are not followed"],
    ["status/301", 301, "the endpoint answered 301: redirects are not followed"],
    ["status/303", 303, "the endpoint answered 303: redirects are not followed"],
    ["status/307", 307, "the endpoint answered 307: redirects are not followed"],
    ["status/308", 308, "the endpoint answered 308: redirects are not followed"],
    ["status/300", 300, "the endpoint answered 300"],
    ["status/304", 304, "the endpoint answered 304"],
    ["status/410", 410, "the endpoint answered 410"],
    ["endless/500", 500, "the endpoint answered 500"],
    ["drip/500", 500, "the endpoint answered 500"],
    ["hang", undefined, "no answer within 1.5 s"],
    ["close", undefined, "the host could not be reached"],
    ["body/no%0d%0a%1b[2Juse%E2%80%AE%00", 500, "the endpoint answered 500: no [2Juse"],
    ["body/" + "long%20".repeat(100), 500, expect.stringMatching(/^.{100,255}$/)],
  ])("to %s fails with a reason", async (kind, code, words) => {
    const hook = await (await newProject(owner)).newWebhook(kind);
    await hook.emit();
    await hook.dispatch(IMPATIENT);
    const [delivery] = await hook.deliveries();
    expect(delivery).toMatchObject({ status: "pending", attempts: 1, last_error: words });
    expect(delivery?.last_status_code).toBe(code);
    expect((await received(hook.name)).requests).toHaveLength(1);
  });

  it("to a port without a listener fails with a message of the service, not of the runtime", async () => {
    const hook = await badly.newWebhook();
    await env.DB.prepare("update webhooks set url = 'http://127.0.0.1:1/' where id = ?")
      .bind(hook.id)
      .run();
    await hook.emit();
    await hook.dispatch();
    const [delivery] = await hook.deliveries();
    expect(delivery).toMatchObject({ attempts: 1, last_error: "the host could not be reached" });
    expect(delivery).not.toHaveProperty("last_status_code");
  });

  it.concurrent.each(["endless/200", "drip/201"])(
    "to %s succeeds or fails by the status",
    async (kind) => {
      const hook = await project.newWebhook(kind);
      await hook.emit();
      await hook.dispatch(IMPATIENT);
      expect((await hook.deliveries())[0]).toMatchObject({ status: "delivered", attempts: 1 });
    },
  );

  it.each<[string, object | null]>([
    ["ok", { body: "thank you", is_complete: true }],
    ["status/204", { body: "", is_complete: true }],
    ["body/Nein%0a%00%C3%BC", { body: "Nein\n\u0000ü", is_complete: true }],
    ["endless/200", { body: "x".repeat(4_096), is_complete: false }],
    ["close", null],
  ])("to %s keeps the first 4,096 bytes of the response", async (kind, answer) => {
    const hook = await (await newProject(owner)).newWebhook(kind);
    await hook.emit();
    await hook.dispatch();
    const { body } = await owner.get<{ deliveries: Delivery[] }>(
      `${hook.path}/deliveries?fields=full`,
    );
    const payload = expect.objectContaining({
      type: "webhook.test",
      data: { webhook_id: hook.id },
    });
    const [delivery] = await hook.deliveries();
    expect(body.deliveries).toEqual([{ ...delivery, payload, answer }]);
    expect((await owner.get(`${hook.path}/deliveries/${delivery?.id}`)).body).toEqual(
      body.deliveries[0],
    );
    expect(Object.keys(delivery ?? {})).not.toContain("answer");
  });

  it("splits no character, stores U+FFFD for invalid bytes, and keeps what came before a break", async () => {
    const read = (body: BodyInit) => readAnswer(new Response(body).body);
    expect(await read(`x${"é".repeat(4_000)}`)).toEqual({
      body: `x${"é".repeat(2_047)}`,
      isComplete: false,
    });
    expect(await read("x".repeat(4_096))).toEqual({ body: "x".repeat(4_096), isComplete: true });
    expect((await read(Uint8Array.of(0xff, 0x78))).body).toBe("\uFFFDx");
    expect(await readAnswer(null)).toEqual({ body: "", isComplete: true });
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Uint8Array.of(0x78)),
      pull: (controller) => controller.error(new Error("gone")),
    });
    expect(await readAnswer(broken)).toEqual({ body: "x", isComplete: false });
  });

  it.concurrent.each(["hang", "drip/200", "drip/500", "endless/200", "endless/500"])(
    "to %s leaves no connection open",
    async (kind) => {
      const hook = await badly.newWebhook(kind);
      await hook.emit();
      await hook.dispatch(IMPATIENT);
      await eventually(async () => expect((await received(hook.name)).open).toBe(0));
    },
  );

  it.concurrent("lasts at most 10 s", async () => {
    const hook = await badly.newWebhook("drip/500");
    await hook.emit();
    const startedAt = Date.now();
    await hook.dispatch();
    expect(Date.now() - startedAt).toBeGreaterThan(9_500);
    expect(Date.now() - startedAt).toBeLessThan(25_000);
    expect((await hook.deliveries())[0]).toMatchObject({ status: "pending", attempts: 1 });
  });

  it("whose secret cannot be decrypted fails with a reason and affects no other webhook", async () => {
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
      last_error: "the webhook's secret cannot be decrypted: create a new webhook",
    });
    expect((await fine.deliveries())[0]).toMatchObject({ status: "delivered" });
    expect((await received(lost.name)).requests).toEqual([]);
  });
});

describe("an event", async () => {
  const project = await newProject(owner);
  const emit = async (types: string[], data: string) => {
    const deps = await service.deps();
    const source = (type: string) =>
      sql`select ${deps.newId()} as id, ${type} as type, ${project.id} as project_id, 1234 as at, ${data} as data`;
    await runBatch(
      deps.db,
      types.map((type) => eventStatement(deps, source(type))),
    );
  };

  it("becomes a delivery for each active webhook subscribed to it", async () => {
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

  it("keeps the IP address of a click until its last attempt, also of a paused webhook, and not in a replay", async () => {
    const hook = await project.newWebhook("status/500,200");
    const paused = await project.newWebhook();
    const sent = '{"url":"u","ip":"192.0.2.7"}';
    await emit(["email.clicked"], sent);
    const dataOf = async ({ path }: { path: string }, type: string) => {
      const list = `${path}/deliveries?fields=full`;
      const { body } = await owner.get<{ deliveries: (Delivery & { payload: Row })[] }>(list);
      return body.deliveries
        .filter(({ event_type: eventType }) => eventType === type)
        .map(({ id, payload }) => ({ id, data: payload["data"] }));
    };
    const stored = [{ url: "u", ip: "192.0.2.7" }, { url: "u" }];
    await hook.dispatch();
    await paused.setActive(false);
    await paused.dispatch();
    const [click] = await dataOf(hook, "email.clicked");
    const [other] = await dataOf(paused, "email.clicked");
    expect([click?.data, other?.data]).toEqual(stored);
    clock.aheadMs += LEASE;
    await emit(["email.sent"], sent);
    await hook.dispatch();
    expect((await dataOf(hook, "email.clicked"))[0]?.data).toEqual(stored[1]);
    expect((await dataOf(hook, "email.sent"))[0]?.data).toEqual(stored[0]);
    await owner.post(`${hook.path}/deliveries/${click?.id}/replay`);
    await hook.dispatch();
    const clicks = (await received(hook.name)).requests.filter(
      ({ headers }) => headers["x-service-event"] === "email.clicked",
    );
    const bodies = clicks.map(({ body }) => (JSON.parse(body) as Row)["data"]);
    expect(bodies).toEqual([stored[0], stored[0], stored[1]]);
  });
});

describe("a webhook subscribed only to email.bounced", () => {
  it("gets each rejected mail with the reply and its reason, and no other event", async () => {
    const { id } = await owner.newProject(CAPTURING);
    const path = `/projects/${id}`;
    const name = unique("bounced");
    const wanted = { url: endpoint(`ok/${name}`), events: ["email.bounced"] };
    const { status, body: hook } = await owner.post<Webhook>(`${path}/webhooks`, wanted);
    expect([status, hook.events]).toEqual([201, ["email.bounced"]]);
    const send = (to: string) =>
      owner.post<{ id: string; error: string }>(`${path}/send`, {
        to,
        subject: "Hello",
        html_body: "<p>Hi</p>",
      });
    const to = `rcpt.550.5.1.1.${unique("gone")}@any.test`;
    expect((await send(`${unique("good")}@any.test`)).status).toBe(200);
    const refused = await send(to);
    expect(refused.status).toBe(502);
    await dispatch([hook.id]);
    const [request = { headers: {}, body: "" }] = await waitForRequests(name, 1);
    expect((await received(name)).requests).toHaveLength(1);
    expect(request.headers).toMatchObject({ "x-service-event": "email.bounced" });
    expect(JSON.parse(request.body)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "email.bounced",
      created_at: expect.stringMatching(/Z$/),
      project_id: id,
      data: {
        log_id: refused.body.id,
        to,
        subject: "Hello",
        template_id: null,
        subscriber_id: null,
        broadcast_id: null,
        error: refused.body.error,
        reason: "user_unknown",
      },
    });
    expect((await verifySignature(hook.secret, request)).isValid).toBe(true);
  });
});

describe("a crashed worker", async () => {
  const project = await newProject(owner);
  const loseAnswersTo = (start: string) => {
    service.d1.after = ([first = ""]) => {
      if (first.startsWith(start)) throw new Error("lost after the write");
    };
  };

  it("after its claim leaves the event to the sweep, which counts the lost attempt", async () => {
    const hook = await project.newWebhook();
    await hook.emit();
    loseAnswersTo("update webhooks");
    expect(await hook.dispatch()).toBe("broken");
    service.d1.after = undefined;
    expect((await hook.deliveries())[0]).toMatchObject({ status: "inflight", attempts: 0 });
    expect(await hook.dispatch()).toBe("idle");
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

  it("between the response and its recording makes the endpoint receive the same event again", async () => {
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

  it("between the response and its recording because of one failed write still records the response", async () => {
    const hook = await project.newWebhook();
    await hook.emit();
    service.d1.before = ([first = ""]) => {
      if (!first.startsWith("update webhook_deliveries")) return;
      service.d1.before = undefined;
      throw new Error("lost before the settle");
    };
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    expect(await hook.dispatch()).toBe("done");
    expect(String(warned.mock.calls)).toContain('"event":"webhook_write_repeated"');
    warned.mockRestore();
    expect((await hook.deliveries())[0]).toMatchObject({
      status: "delivered",
      attempts: 1,
      last_status_code: 200,
    });
    expect(await hook.row()).toMatchObject({ lease_token: "", lease_until: 0, lease_slots: 0 });
    clock.aheadMs += LEASE;
    expect(await hook.dispatch()).toBe("idle");
    expect((await received(hook.name)).requests).toHaveLength(1);
  });

  it("with an expired lease continues nothing: others may be using its place on the host", async () => {
    const hook = await project.newWebhook("hold");
    await hook.emit(6);
    const run = hook.dispatch();
    await waitForRequests(hook.name, 5);
    clock.aheadMs += LEASE;
    takeWakes(hook.id);
    await release(hook.name);
    await run;
    const statuses = (await hook.deliveries()).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...repeat(5, "delivered"), "pending"]);
    expect(takeWakes(hook.id)).toEqual([0]);
    expect((await received(hook.name)).requests).toHaveLength(5);
  });

  it("five times leaves the delivery failed with an unknown outcome", async () => {
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
    expect(await hook.row()).toMatchObject({ lease_token: "" });
  });

  it("with only its lease lost can no longer record anything", async () => {
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
    clock.aheadMs += LEASE; // the other lease is over, too
  });
});

describe("two workers", async () => {
  const project = await newProject(owner);

  it("attempt each delivery once", async () => {
    const hook = await project.newWebhook();
    await hook.emit(20);
    const ends = await Promise.all([hook.dispatch(), hook.dispatch(), hook.dispatch()]);
    expect(ends.filter((end) => end === "done")).toHaveLength(1);
    expect(ends.filter((end) => end === "idle")).toHaveLength(2);
    const outcomes = (await hook.deliveries()).map(({ status, attempts }) => [status, attempts]);
    expect(outcomes).toEqual(repeat(20, ["delivered", 1]));
    const { requests, most } = await received(hook.name);
    expect(requests).toHaveLength(20);
    expect(new Set(requests.map(({ headers }) => headers["x-service-delivery"])).size).toBe(20);
    expect(most).toBeLessThanOrEqual(5);
  });

  it("lose nothing that arrives while the first one is busy", async () => {
    const hook = await project.newWebhook("hold");
    await hook.emit();
    const first = hook.dispatch();
    await waitForRequests(hook.name, 1);
    await hook.emit();
    expect(await hook.dispatch()).toBe("idle");
    await release(hook.name);
    await first;
    const statuses = (await hook.deliveries()).map(({ status }) => status);
    expect(statuses).toEqual(["delivered", "delivered"]);
  });
});
