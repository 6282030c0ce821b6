import { describe, expect, it } from "vitest";
import { env } from "cloudflare:workers";
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import type { WakeMessage } from "../../../src/queues/messages.ts";
import { handleBatch } from "../../../src/queues/handle-batch.ts";
import { systemContext } from "../../../src/context.ts";
import type { Hit } from "../../../src/project-object.ts";
import {
  takePublicJoin,
  takeSubscriberMail,
  takeWaitlistJoin,
} from "../../../src/services/limits/index.ts";
import { unsubscribe } from "../../../src/services/subscribers/index.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { runSender } from "../../support/project-objects.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";
import { HOUR, MINUTE } from "../../support/times.ts";

const OTHER_SITE = { Origin: "https://landing.example", "Sec-Fetch-Site": "cross-site" };
const UNKNOWN_ID = "01890000-0000-7000-8000-000000000000";

/** World whose senders the tests run: its queue only records who was woken. */
function recordingService() {
  const woken: string[] = [];
  const WAKE_QUEUE = {
    sendBatch: async (messages: { body: WakeMessage }[]) => {
      woken.push(...messages.map(({ body }) => body.projectId));
    },
  } as unknown as Service["env"]["WAKE_QUEUE"];
  return { ...createService({ WAKE_QUEUE }), woken };
}

const service = recordingService();
const owner = await service.newOwner();
const address = () => `${unique("wait")}@any.test`;

const TEMPLATE = {
  name: "Confirm",
  subject: "Welcome {{email}}",
  html_body: '<p>{{name}}{{email}} {{subscriber_id}} <a href="{{unsubscribe_url}}">leave</a></p>',
};

async function newWaitlist(template = TEMPLATE) {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}/waitlist`;
  const made = await owner.post<{ id: string }>(`/projects/${project.id}/templates`, template);
  expect(made.status).toBe(201);
  const subscribers = async () => {
    const { body } = await owner.get<{ subscribers: Record<string, string>[]; total: number }>(
      `/projects/${project.id}/subscribers`,
    );
    return body;
  };
  const logs = async () => {
    const { body } = await owner.get<{ logs: Record<string, string>[] }>(
      `/projects/${project.id}/logs`,
    );
    return body.logs;
  };
  /** Adds an address whose confirmation waits for the sender. */
  const join = async () => {
    const email = address();
    const answer = await service.anonymous.post(path, { email, template_id: made.body.id });
    expect(answer.status).toBe(200);
    expect(service.woken.at(-1)).toBe(project.id);
    const subscriberId = (await subscribers()).subscribers[0]?.["id"] ?? ""; // newest first
    return { email, subscriberId };
  };
  /** Runs the sender of the project, and returns the mails that are left. */
  const run = async () => {
    await runSender(env.PROJECT_SENDER, project.id, await service.deps());
    return allRows("select id from pending_mails where project_id = ?", project.id);
  };
  return { ...project, path, templateId: made.body.id, subscribers, logs, join, run };
}

/** Makes the queue deliver these bodies as one batch and returns the verdict on each. */
async function deliver(bodies: unknown[], world: Service = service) {
  const context = createExecutionContext();
  const batch = createMessageBatch(
    "postrider-wake",
    bodies.map((body, at) => ({ id: `message-${at}`, timestamp: new Date(), attempts: 1, body })),
  );
  await handleBatch(await world.deps(), batch);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, context);
  return { acked: explicitAcks, retried: retryMessages.map(({ msgId }) => msgId) };
}

describe("POST /projects/{id}/waitlist", () => {
  it("adds a pending subscriber for any caller and sends no mail without a template", async () => {
    const { path, subscribers } = await newWaitlist();
    const email = address();
    const before = service.woken.length;
    const answer = await service.anonymous.post(path, { email: ` ${email.toUpperCase()}` });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: "added to waitlist" });
    const { subscribers: rows, total } = await subscribers();
    expect(total).toBe(1);
    expect(rows).toEqual([expect.objectContaining({ email, status: "pending", name: "" })]);
    expect(service.woken).toHaveLength(before);
  });

  it("costs one round trip", async () => {
    const { path, templateId } = await newWaitlist();
    service.d1.reset();
    await service.anonymous.post(path, { email: address(), template_id: templateId });
    expect(service.d1.roundTrips).toBe(1);
  });

  it("answers 409 to an email on the list, and queues no mail for it", async () => {
    const { id, path, templateId, subscribers } = await newWaitlist();
    const email = address();
    await owner.post(`/projects/${id}/subscribers`, { email, status: "active" });
    const before = service.woken.length;
    const answer = await service.anonymous.post(path, { email, template_id: templateId });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ error: "email is already on the waitlist" });
    expect(service.woken).toHaveLength(before);
    expect((await subscribers()).subscribers).toEqual([
      expect.objectContaining({ email, status: "active" }),
    ]);
  });

  it("lets a person who has unsubscribed start over, with the mail", async () => {
    const { id, path, templateId, subscribers } = await newWaitlist();
    const email = address();
    await owner.post(`/projects/${id}/subscribers`, { email, status: "unsubscribed" });
    const before = service.woken.length;
    const join = () => service.anonymous.post(path, { email, template_id: templateId });
    expect([(await join()).status, (await join()).status]).toEqual([200, 409]);
    expect(service.woken.length).toBeGreaterThan(before);
    expect((await subscribers()).subscribers).toEqual([
      expect.objectContaining({ email, status: "pending" }),
    ]);
  });

  it("adds an email once and queues one mail, even for simultaneous requests", async () => {
    const { path, templateId, subscribers } = await newWaitlist();
    const body = { email: address(), template_id: templateId };
    const before = service.woken.length;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.anonymous.post(path, body)),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array(7).fill(409)]);
    expect((await subscribers()).total).toBe(1);
    expect(service.woken).toHaveLength(before + 1);
  });

  it("answers 404 to an unknown project before it checks the body", async () => {
    const path = `/projects/${UNKNOWN_ID}/waitlist`;
    for (const body of [{ email: address() }, { email: "wrong" }]) {
      const answer = await service.anonymous.post(path, body);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ error: "project not found" });
    }
  });

  it("answers 404 to a template of another project and adds no one", async () => {
    const { path, subscribers } = await newWaitlist();
    const other = await newWaitlist();
    for (const template_id of [other.templateId, UNKNOWN_ID]) {
      const answer = await service.anonymous.post(path, { email: address(), template_id });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ error: "template not found" });
    }
    expect((await subscribers()).total).toBe(0);
  });

  it.each([{}, { email: "wrong" }, { email: 7 }, { email: "a@any.test", template_id: "x" }])(
    "answers 400 to %j",
    async (body) => {
      const { path } = await newWaitlist();
      expect((await service.anonymous.post(path, body)).status).toBe(400);
    },
  );

  it("answers 404 to a template that is not public once the project marks one as public", async () => {
    const { id, path, templateId, subscribers } = await newWaitlist();
    const templates = `/projects/${id}/templates`;
    const shown = await owner.post(templates, { ...TEMPLATE, name: "Shown", public: true });
    expect(shown.body).toMatchObject({ public: true });
    const join = (template_id: unknown) =>
      service.anonymous.post(path, { email: address(), template_id });
    expect(await join(templateId)).toMatchObject({ status: 404 });
    expect((await subscribers()).total).toBe(0);
    expect((await join(shown.body["id"])).status).toBe(200);
    await owner.put(`${templates}/${templateId}`, { public: true });
    expect((await join(templateId)).status).toBe(200);
  });

  it("adds no one to a deleted project", async () => {
    const { id, path } = await newWaitlist();
    await owner.delete(`/projects/${id}`);
    expect((await service.anonymous.post(path, { email: address() })).status).toBe(404);
    const row = await service.env.DB.prepare(
      "select count(*) as n from subscribers where project_id = ?",
    )
      .bind(id)
      .first();
    expect(row).toEqual({ n: 0 });
  });
});

describe("the waitlist on another site's page", () => {
  it("answers the preflight of any origin, without credentials, for a day", async () => {
    const { path } = await newWaitlist();
    const answer = await service.fetch(`/api/v1${path}`, {
      method: "OPTIONS",
      headers: {
        ...OTHER_SITE,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(answer.headers.get("Access-Control-Allow-Methods")).toBe("POST");
    expect(answer.headers.get("Access-Control-Allow-Headers")).toMatch(/content-type/i);
    expect(answer.headers.get("Access-Control-Max-Age")).toBe("86400");
    expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });

  it("lets the page read every response, even with a session of this service", async () => {
    const { path } = await newWaitlist();
    const email = address();
    const headers = { ...OTHER_SITE, Cookie: owner.cookie };
    const answers = [
      await service.anonymous.post(path, { email }, headers),
      await service.anonymous.post(path, { email }, headers),
      await service.anonymous.post(path, { email: "wrong" }, headers),
      await service.anonymous.post(`/projects/${UNKNOWN_ID}/waitlist`, { email }, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 400, 404]);
    for (const { headers } of answers) {
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Access-Control-Expose-Headers")).toContain("Retry-After");
    }
  });

  it("lets the page read that its address is over the limit, and for how long", async () => {
    const limited = recordingService();
    const { path } = await newWaitlist();
    const ask = () =>
      limited.anonymous.post(path, {}, { ...OTHER_SITE, "CF-Connecting-IP": "192.0.2.99" });
    const answers = await Promise.all(Array.from({ length: 101 }, ask));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    const [{ headers } = { headers: new Headers() }] = refused;
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Expose-Headers")).toContain("Retry-After");
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
  });

  it("opens no other route to other sites", async () => {
    const { id } = await newWaitlist();
    const answer = await owner.post(
      `/projects/${id}/subscribers`,
      { email: address() },
      OTHER_SITE,
    );
    expect(answer.status).toBe(403);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });
});

describe("the confirmation mail", () => {
  it("arrives through the queue with the automatic variables, and is logged", async () => {
    const real = createService();
    const { id, path, templateId, logs } = await newWaitlist();
    const email = address();
    const answer = await real.anonymous.post(path, { email, template_id: templateId });
    expect(answer.status).toBe(200);
    const mail = await waitForMessage(email, 10_000);
    expect(mail.text).toContain(`Subject: Welcome ${email}`);
    expect(mail.text).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(mail.text).toContain(`/unsubscribe/${id}/`);
    await expect
      .poll(logs)
      .toEqual([
        expect.objectContaining({ to_email: email, status: "sent", template_id: templateId }),
      ]);
  });

  it("is sent once when its sender is woken twice, in turn or at once", async () => {
    const { join, logs, run } = await newWaitlist();
    const { email } = await join();
    expect([await run(), await run()]).toEqual([[], []]);
    const twice = await join();
    await Promise.all([run(), run()]);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await receivedMessages(twice.email)).toHaveLength(1);
    expect(await logs()).toHaveLength(2);
  });

  it("is not sent to a subscriber who has unsubscribed since", async () => {
    const { id, join, logs, run } = await newWaitlist();
    const { email, subscriberId } = await join();
    await unsubscribe(await service.deps(), id, subscriberId);
    expect(await run()).toEqual([]);
    expect(await receivedMessages(email)).toEqual([]);
    expect(await logs()).toEqual([]);
  });

  it("is logged as suppressed and not sent to a suppressed address", async () => {
    const { id, join, logs, run } = await newWaitlist();
    const { email } = await join();
    await service.env.DB.prepare(
      "insert into suppressions (id, project_id, email, reason, source, created_at, last_seen_at) values (?, ?, ?, 'manual', '', 0, 0)",
    )
      .bind(unique("s"), id, email)
      .run();
    expect(await run()).toEqual([]);
    expect(await receivedMessages(email)).toEqual([]);
    expect(await logs()).toEqual([expect.objectContaining({ status: "suppressed" })]);
  });

  it("is given up when it can never be sent: no template, no project, no SMTP settings", async () => {
    const [one, two] = [await newWaitlist(), await newWaitlist()];
    for (const { join } of [one, two]) await join();
    await owner.delete(`/projects/${one.id}/templates/${one.templateId}`);
    await owner.delete(`/projects/${two.id}`);
    expect([await one.run(), await two.run()]).toEqual([[], []]);
    const bare = await owner.newProject();
    const made = await owner.post<{ id: string }>(`/projects/${bare.id}/templates`, TEMPLATE);
    await service.anonymous.post(`/projects/${bare.id}/waitlist`, {
      email: address(),
      template_id: made.body.id,
    });
    await runSender(env.PROJECT_SENDER, bare.id, await service.deps());
    expect(await allRows("select 1 from pending_mails where project_id = ?", bare.id)).toEqual([]);
  });
});

describe("the consumer of wakes", () => {
  it("handles each message separately, and stores unknown ones as dead letters", async () => {
    const { id, join } = await newWaitlist();
    const { email } = await join();
    const wake = { type: "wake", projectId: id };
    expect(await deliver([{ type: "unknown" }, wake, "nonsense", null])).toEqual({
      acked: ["message-0", "message-1", "message-2", "message-3"],
      retried: [],
    });
    await waitForMessage(email);
  });

  it("tries again while an object is away, and wakes the others", async () => {
    const [away, here] = [await newWaitlist(), await newWaitlist()];
    const { email } = await here.join();
    const other = createService();
    const { PROJECT_SENDER: real } = other.env;
    const gone = real.idFromName(away.id).toString();
    other.env.PROJECT_SENDER = {
      idFromName: (name: string) => real.idFromName(name),
      get: (id: DurableObjectId) => {
        if (id.toString() === gone) throw new Error("the object is away");
        return real.get(id);
      },
    } as unknown as typeof real;
    const bodies = [away, here, away].map(({ id }) => ({ type: "wake", projectId: id }));
    expect(await deliver(bodies, other)).toEqual({
      acked: ["message-1"],
      retried: ["message-0", "message-2"],
    });
    await waitForMessage(email);
  });
});

describe("the limits of joining", () => {
  const WORDS = { name: "Public", type: "pk" };
  let last = 0;
  const from = () => ({ "CF-Connecting-IP": `198.51.100.${++last}` });

  async function newList(more: object = {}) {
    const { id } = await owner.newProject();
    const made = await owner.post<{ key: string }>(`/projects/${id}/api-keys`, {
      ...WORDS,
      ...more,
    });
    const key = service.withKey(made.body.key);
    const join = (headers: Record<string, string>, body: unknown = { email: address() }) =>
      key.post("/join", body, headers);
    const wait = (headers: Record<string, string>, body: unknown = { email: address() }) =>
      service.anonymous.post(`/projects/${id}/waitlist`, body, headers);
    return { id, join, wait };
  }

  const times = <T>(count: number, run: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, run));
  const refusals = (answers: { status: number }[]) =>
    answers.filter(({ status }) => status === 429).length;

  it("do not let rejected bodies block /join", async () => {
    const { join } = await newList();
    const bad = from();
    const answers = await times(70, () => join(bad, { email: "nobody" }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    expect((await join(bad)).status).toBe(201);
  });

  it("allow one address 60 calls a minute with a public key, and do not affect others", async () => {
    const { join } = await newList();
    const [busy, other] = [from(), from()];
    expect(refusals(await times(61, () => join(busy)))).toBe(1);
    const refused = await join(busy);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("RateLimit-Limit")).toBe("60");
    expect((await join(other)).status).toBe(201);
    expect((await join(busy, { email: "nobody" })).status).toBe(400);
  });

  it("allow all Workers together half of a list's limit with a public key, since they share an address", async () => {
    const { id, join } = await newList();
    const address = "2a06:98c0:3600::103";
    const ctx = { ...systemContext(await service.deps(), "pending_mail"), clientIp: address };
    for (let n = 0; n < 299; n++) expect((await takePublicJoin(ctx, id)).allowed).toBe(true);
    const workers = { "CF-Connecting-IP": address };
    expect((await join(workers)).status).toBe(201);
    const refused = await join(workers);
    expect([refused.status, refused.headers.get("RateLimit-Limit")]).toEqual([429, "300"]);
    expect((await join(from())).status).toBe(201);
    const small = await newList({ rate_limit_per_minute: 3 });
    expect((await small.join(workers)).headers.get("RateLimit-Limit")).toBe("3");
  });

  it("allow a project 600 calls a minute with public keys, from any addresses", async () => {
    const { id, join } = await newList();
    const ctx = { ...systemContext(await service.deps(), "pending_mail") };
    for (let n = 0; n < 599; n++)
      expect((await takePublicJoin({ ...ctx, clientIp: `198.18.${n % 200}.1` }, id)).allowed).toBe(
        true,
      );
    expect((await join(from())).status).toBe(201);
    const refused = await join(from());
    expect([refused.status, refused.headers.get("RateLimit-Limit")]).toEqual([429, "600"]);
    const secret = await owner.post<{ key: string }>(`/projects/${id}/api-keys`, {
      name: "Server",
      type: "sdk",
    });
    const server = service.withKey(secret.body.key);
    expect((await server.post("/join", { email: address() })).status).toBe(201);
  });

  it("are those of a public key with its own limit, over all addresses", async () => {
    const { join } = await newList({ rate_limit_per_minute: 3 });
    const answers = [await join(from()), await join(from()), await join(from())];
    expect(refusals(answers)).toBe(0);
    expect((await join(from())).status).toBe(429);
  });

  it("accept no body over 64 KiB, and do not count it", async () => {
    const { join } = await newList();
    const large = { email: address(), unknown: "x".repeat(70_000) };
    const answers = await times(61, () => join(from(), large));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]));
  });

  it("allow the waitlist of a project 600 calls a minute, and count no rejected body", async () => {
    const { id, wait } = await newList();
    const ctx = systemContext(await service.deps(), "pending_mail");
    for (let n = 0; n < 599; n++) await takeWaitlistJoin(ctx, id);
    for (let n = 0; n < 5; n++) expect((await wait(from(), { email: "no" })).status).toBe(400);
    expect((await wait(from())).status).toBe(200);
    const refused = await wait(from());
    expect([refused.status, refused.headers.get("RateLimit-Limit")]).toEqual([429, "600"]);
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect((await (await newList()).wait(from())).status).toBe(200);
  });
});

describe("mails that joins trigger", () => {
  it("reach a mailbox at most six times a day, regardless of its spelling", async () => {
    const later = ([, { windowMs }]: Hit) => windowMs !== 10 * MINUTE; // as if ten minutes lay between
    const PROJECT_SENDER = {
      idFromName: (name: string) => env.PROJECT_SENDER.idFromName(name),
      get: (id: DurableObjectId) => ({
        takeAll: ([first, ...others]: [Hit, ...Hit[]]) =>
          env.PROJECT_SENDER.get(id).takeAll([first, ...others.filter(later)]),
      }),
    } as unknown as Service["env"]["PROJECT_SENDER"];
    const ctx = systemContext(await createService({ PROJECT_SENDER }).deps(), "pending_mail");
    const name = unique("bombed");
    const project = crypto.randomUUID();
    const take = (email: string) => takeSubscriberMail(ctx, project, email);
    for (let n = 0; n < 6; n += 1)
      expect((await take(`${name}+${n}@gmail.com`)).allowed).toBe(true);
    for (const email of [`x.${name}@gmail.com`, `${name}@any.test`])
      expect((await take(email)).allowed).toBe(true);
    const dotted = `${name.slice(0, 2)}.${name.slice(2)}+x@googlemail.com`;
    const refused = await take(dotted);
    expect(refused).toMatchObject({ allowed: false });
    expect(refused.resetMs).toBeGreaterThan(23 * HOUR);
  });
});
