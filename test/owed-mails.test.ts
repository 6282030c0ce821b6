/*
 * Mails the service owes a subscriber: none is lost and none comes twice, wherever a queue or a worker
 * fails. The queue, the minutes and the deaths are the test's.
 */
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { runScheduled } from "../src/cron/run-scheduled.ts";
import type { SubscriberMailMessage } from "../src/messages.ts";
import { handleBatch } from "../src/queues/handle-batch.ts";
import { receivedMessages, waitForMessage } from "./support/mailbox.ts";
import { CAPTURING, createService, unique, type Service } from "./support/service.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EVERY_MINUTE = "* * * * *";

const clock = { aheadMs: 0 };
const queued: SubscriberMailMessage[] = [];
let refusal: Error | undefined;
const MAIL_QUEUE = {
  sendBatch: async (messages: { body: SubscriberMailMessage }[]) => {
    if (refusal) throw refusal;
    queued.push(...messages.map(({ body }) => body));
  },
} as unknown as Service["env"]["MAIL_QUEUE"];
const now = () => Date.now() + clock.aheadMs;
const newService = () => createService({ MAIL_QUEUE }, { now });
const service = newService();
let owner = await service.newOwner();
const address = () => `${unique("owed")}@any.test`;

interface Debt {
  id: string;
  attempts: number;
  due_at: number;
  subscriber_id: string;
}

/** A project with keys, its waitlist, and what it owes. */
async function newProject() {
  owner = await service.newOwner(); // a session does not live as long as these tests
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  const made = await owner.post<{ key: string }>(`${path}/api-keys`, { name: "p", type: "pk" });
  const template = await owner.post<{ id: string }>(`${path}/templates`, {
    name: "Confirm",
    subject: "Confirm {{email}}",
    html_body: '<p>Hello {{email}} <a href="{{unsubscribe_url}}">leave</a></p>',
  });
  const key = service.withKey(made.body.key);
  return {
    ...project,
    path,
    key,
    publicKey: made.body.key,
    template: (fields: object) => owner.post(`${path}/templates`, fields),
    /** Someone new, who is owed a welcome, and the message that was queued for it. */
    join: async () => {
      const email = address();
      queued.length = 0;
      const { status } = await key.post("/join", { email, sendWelcomeEmail: true });
      expect(status).toBe(201);
      return { email, message: queued.at(-1) };
    },
    wait: (email: string) =>
      service.anonymous.post(`${path}/waitlist`, { email, template_id: template.body.id }),
    debts: async () => {
      const { results } = await service.env.DB.prepare(
        "select id, attempts, due_at, subscriber_id from owed_mails where project_id = ?",
      )
        .bind(project.id)
        .all<Debt>();
      return results;
    },
    logs: async () => {
      const { body } = await owner.get<{ logs: Record<string, string>[] }>(`${path}/logs`);
      return body.logs;
    },
  };
}

/** Has the queue deliver a message; tells whether it was acked. */
async function deliver(body: SubscriberMailMessage | undefined, world: Service = service) {
  if (!body) throw new Error("nothing was queued");
  const context = createExecutionContext();
  const message = { id: "message", timestamp: new Date(), attempts: 1, body };
  const batch = createMessageBatch("postrider-mail", [message]);
  await handleBatch(await world.app(), batch);
  const { explicitAcks } = await getQueueResult(batch, context);
  return explicitAcks.length === 1;
}

/** Lets time pass and the minute's jobs run; returns what they put on the queue. */
async function sweepAfter(ms: number): Promise<SubscriberMailMessage[]> {
  clock.aheadMs += ms;
  queued.length = 0;
  await runScheduled(await service.app(), EVERY_MINUTE);
  return [...queued];
}

/** A service whose database fails for ever at statements with these words. */
function failingAt(words: string): Service {
  const failing = newService();
  failing.d1.before = (sql) => {
    if (sql.some((text) => text.includes(words))) throw new Error("the worker died");
  };
  return failing;
}

describe("a mail that is owed", () => {
  it("is queued when the answer is given, and is gone once it is sent and logged", async () => {
    const { join, debts, logs } = await newProject();
    const { email, message } = await join();
    expect(await receivedMessages(email)).toEqual([]);
    const [debt] = await debts();
    expect(debt).toMatchObject({ attempts: 0, id: message?.owedMailId });
    expect(await deliver(message)).toBe(true);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await debts()).toEqual([]);
    expect(await logs()).toEqual([
      expect.objectContaining({ to_email: email, status: "sent", template_id: null }),
    ]);
  });

  it("comes by the real queue", async () => {
    const { publicKey } = await newProject();
    const email = address();
    const body = { email, sendWelcomeEmail: true };
    const { status } = await createService().withKey(publicKey).post("/join", body);
    expect(status).toBe(201);
    expect((await waitForMessage(email, 10_000)).text).toContain("Welcome");
  });

  it("is sent by the sweep when the queue refuses its message, and the caller hears nothing of it", async () => {
    const { path, key, wait, debts } = await newProject();
    const emails = [address(), address()] as const;
    refusal = new Error("the queue is full");
    const joined = await key.post("/join", { email: emails[0], sendWelcomeEmail: true });
    const waiting = await wait(emails[1]);
    refusal = undefined;
    expect([joined.status, waiting.status]).toEqual([201, 200]);
    expect((await owner.get(`${path}/subscribers`)).body).toMatchObject({ total: 2 });
    expect(await sweepAfter(MINUTE_MS)).toEqual([]); // its message might still be on the way
    const woken = await sweepAfter(MINUTE_MS);
    expect(woken).toHaveLength(2);
    for (const message of woken) await deliver(message);
    for (const email of emails) expect(await receivedMessages(email)).toHaveLength(1);
    expect(await debts()).toEqual([]);
  });

  it("is sent by the sweep when the worker dies right after the address is stored", async () => {
    const { id, publicKey, debts } = await newProject();
    const dying = newService();
    dying.d1.after = (sql) => {
      if (sql.some((text) => text.includes("into owed_mails"))) throw new Error("the worker died");
    };
    const email = address();
    queued.length = 0;
    const body = { email, sendWelcomeEmail: true };
    expect((await dying.withKey(publicKey).post("/join", body)).status).toBe(500);
    expect(queued).toEqual([]);
    const woken = await sweepAfter(2 * MINUTE_MS);
    expect(woken).toHaveLength(1);
    await deliver(woken[0]);
    expect((await receivedMessages(email))[0]?.text).toContain(`/unsubscribe/${id}/`);
    expect(await debts()).toEqual([]);
  });

  it("is woken once by two sweeps of the same minute", async () => {
    const { join } = await newProject();
    await join();
    clock.aheadMs += 2 * MINUTE_MS;
    queued.length = 0;
    const app = await service.app();
    await Promise.all([runScheduled(app, EVERY_MINUTE), runScheduled(app, EVERY_MINUTE)]);
    expect(queued).toHaveLength(1);
    await deliver(queued[0]);
  });

  it("is not sent again when the worker dies between SMTP and the log: its outcome is unknown", async () => {
    const { join, debts, logs } = await newProject();
    const { email, message } = await join();
    expect(await deliver(message, failingAt("insert into email_logs"))).toBe(true);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await debts()).toMatchObject([{ attempts: 1 }]);
    expect(await logs()).toEqual([]);
    for (let minute = 0; minute < 10 && (await debts()).length > 0; minute++)
      for (const woken of await sweepAfter(MINUTE_MS)) await deliver(woken);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await debts()).toEqual([]);
    expect(await logs()).toEqual([
      expect.objectContaining({ status: "failed", error: "outcome unknown" }),
    ]);
  });

  it("is not sent again when the worker dies between the log and the end of the debt", async () => {
    const { join, debts, logs } = await newProject();
    const { email, message } = await join();
    await deliver(message, failingAt('delete from "owed_mails"'));
    expect(await debts()).toHaveLength(1);
    for (const woken of await sweepAfter(MINUTE_MS)) await deliver(woken);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await debts()).toEqual([]);
    expect(await logs()).toHaveLength(1);
  });

  it("comes once from a message that is delivered late, after the sweep had it sent", async () => {
    const { join, debts } = await newProject();
    const { email, message } = await join();
    for (const woken of await sweepAfter(2 * MINUTE_MS)) await deliver(woken);
    expect(await deliver(message)).toBe(true);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await debts()).toEqual([]);
  });

  it("is tried again after 1, 3, 10, 30, 60, 120, 240 and 360 minutes, and then given up", async () => {
    const { join, debts } = await newProject();
    const { email, message } = await join();
    const failing = failingAt('from "projects"');
    const waits: number[] = [];
    for (;;) {
      expect(await deliver(message, failing)).toBe(true);
      const [debt] = await debts();
      if (!debt) break;
      waits.push(Math.round((debt.due_at - now()) / MINUTE_MS));
    }
    expect(waits).toEqual([1, 3, 10, 30, 60, 120, 240, 360]);
    expect(await deliver(message)).toBe(true);
    expect(await receivedMessages(email)).toEqual([]);
  });

  it("is sent when the database is back", async () => {
    const { join, debts } = await newProject();
    const { email, message } = await join();
    const gone = newService();
    gone.d1.before = () => {
      throw new Error("D1 is gone");
    };
    expect(await deliver(message, gone)).toBe(true);
    for (const woken of await sweepAfter(2 * MINUTE_MS)) await deliver(woken);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await debts()).toEqual([]);
  });

  it("is given up before its Idempotency-Key could be forgotten", async () => {
    const { join, debts } = await newProject();
    const { email, message } = await join();
    clock.aheadMs += 23 * HOUR_MS;
    await deliver(message);
    expect(await receivedMessages(email)).toEqual([]);
    expect(await debts()).toEqual([]);
  });

  it("is no longer owed to who unsubscribed or was deleted, or by a project that is gone", async () => {
    const { path, join, debts } = await newProject();
    const one = await join();
    const [debt] = await debts();
    const id = debt?.subscriber_id ?? "";
    await owner.request("PATCH", `${path}/subscribers/${id}`, { status: "unsubscribed" });
    await deliver(one.message);
    const two = await join();
    await owner.delete(`${path}/subscribers/${(await debts())[0]?.subscriber_id}`);
    await deliver(two.message);
    const three = await join();
    await owner.delete(path);
    await deliver(three.message);
    for (const { email } of [one, two, three]) expect(await receivedMessages(email)).toEqual([]);
    expect(await debts()).toEqual([]);
  });

  it("is owed to nobody who was there before, and by no request that asks for none", async () => {
    const { key, wait, debts } = await newProject();
    const email = address();
    await key.post("/join", { email });
    expect((await key.post("/join", { email, sendWelcomeEmail: true })).status).toBe(409);
    expect((await wait(email)).status).toBe(409);
    expect(await debts()).toEqual([]);
  });

  it("is owed once, however many ask for it at once", async () => {
    const { key, debts } = await newProject();
    const body = { email: address(), sendWelcomeEmail: true };
    const answers = await Promise.all(Array.from({ length: 8 }, () => key.post("/join", body)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await debts()).toHaveLength(1);
  });
});

describe("the welcome mail", () => {
  it("is the built-in one, with the automatic variables", async () => {
    const { id, join } = await newProject();
    const { email, message } = await join();
    await deliver(message);
    const mail = await waitForMessage(email);
    expect(mail.text).toContain("Subject: Welcome");
    expect(mail.text).toContain(`/unsubscribe/${id}/`);
    expect(mail.text).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  });

  it("is the project's own template of that name where there is one when it is sent", async () => {
    const { join, template, logs } = await newProject();
    const { email, message } = await join();
    const own = await template({
      name: "welcome",
      subject: "Own welcome, {{email}}",
      html_body: "<p>Own</p>",
    });
    await deliver(message);
    expect((await waitForMessage(email)).text).toContain(`Subject: Own welcome, ${email}`);
    expect(await logs()).toMatchObject([{ template_id: own.body["id"] }]);
  });
});

describe("the sweep of owed mails", () => {
  it("finds what is due by an index", async () => {
    const plan = await service.env.DB.prepare(
      "explain query plan select id from owed_mails where due_at <= 1 order by due_at limit 100",
    ).all<{ detail: string }>();
    expect(plan.results.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH owed_mails USING (?:COVERING )?INDEX owed_mails_by_due/),
    ]);
  });
});
