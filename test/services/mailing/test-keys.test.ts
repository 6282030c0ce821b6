/*
 * Trying things out without sending: mails of test keys, and mails to the simulator (API reference
 * §11.13). No server gets them, no list and no figure changes, and the log marks them.
 */
import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique, type Client } from "../../support/service.ts";
import { DAY, EVERY_FIVE_MINUTES } from "../../support/times.ts";
import { trackingEvent } from "../../support/tracking/mails.ts";

const clock = { aheadMs: 0 };
const runtime = { now: () => Date.now() + clock.aheadMs };
const service = createService({ WEBHOOK_QUEUE, LOG_RETENTION_DAYS: "0" }, runtime);
let owner: Client;

beforeAll(async () => {
  owner = await service.newOwner();
});

const address = () => `${unique("try")}@any.test`;
const simulator = (word: string) => `${word}+${unique("l")}@simulator.postrider.test`;

/** A project with a test key, a template and a webhook. */
async function newWorld() {
  const { id, key } = await owner.newProject(CAPTURING);
  const base = `/projects/${id}`;
  const made = await owner.post(`${base}/api-keys`, { name: "ci", test: true });
  const { body: template } = await owner.post(`${base}/templates`, {
    name: "t",
    subject: "Hi",
    html_body: '<p>Hi <a href="https://a.test/">more</a></p>',
  });
  const hook = await newWebhook(id);
  const logs = async () =>
    (await owner.get<{ logs: Record<string, unknown>[]; total: number }>(`${base}/logs`)).body;
  const stats = async () => (await owner.get(`${base}/stats`)).body;
  const suppressions = async () => (await owner.get(`${base}/suppressions`)).body["total"];
  const testKey = String(made.body["key"]);
  const client = service.withKey(testKey);
  const real = service.withKey(key);
  const templateId = String(template["id"]);
  return { id, base, made, testKey, client, real, templateId, hook, logs, stats, suppressions };
}

const NO_MAIL = { total: 0, sent: 0, failed: 0, bounced: 0, suppressed: 0, opened: 0, clicked: 0 };
const mail = (to: string) => ({ to, subject: "Hi", html_body: "<p>Hi</p>" });

describe("a test key", () => {
  it("is told from others, and cannot start a broadcast", async () => {
    const { made, testKey, base, client, templateId } = await newWorld();
    expect(made).toMatchObject({
      status: 201,
      body: {
        type: "sk",
        test: true,
        capabilities: ["read", "projects:write", "subscribers:write", "send:transactional"],
      },
    });
    expect(testKey).toMatch(/^sk_test_[0-9A-Za-z]{40,}$/);
    expect(made.body["prefix"]).toBe(testKey.slice(0, 14));
    const { body } = await owner.get<{ api_keys: { test: boolean }[] }>(`${base}/api-keys`);
    expect(new Set(body.api_keys.map(({ test }) => test))).toEqual(new Set([false, true]));
    const broadcast = await client.post(`${base}/broadcast`, { template_id: templateId });
    expect(broadcast).toMatchObject({ status: 403, body: { code: "key_lacks_capability" } });
    // An event may start an automation, whose mails are real.
    const event = await client.post(`${base}/events`, { name: "bought", email: address() });
    expect(event).toMatchObject({ status: 403, body: { code: "key_lacks_capability" } });
    const asked = { name: "x", test: true, capabilities: ["send:broadcast"] };
    expect((await owner.post(`${base}/api-keys`, asked)).status).toBe(400);
    const sdk = { name: "x", test: true, type: "sdk" };
    expect((await owner.post(`${base}/api-keys`, sdk)).status).toBe(400);
  });

  it("logs its mail as sent, tells webhooks, and sends and counts nothing", async () => {
    const { base, client, hook, logs, stats, templateId } = await newWorld();
    const [to, cc] = [address(), address()];
    const sent = await client.post(`${base}/send`, { ...mail(to), cc, tags: { a: "b" } });
    expect(sent).toMatchObject({ status: 200, body: { message: "sent" } });
    const { body: person } = await owner.post(`${base}/subscribers`, { email: address() });
    const shape = { subscriber_id: person["id"], template_id: templateId };
    expect((await client.post(`${base}/send`, shape)).body).toMatchObject({ sent: 1, failed: 0 });
    const recipients = [{ to: address() }, { to: address() }];
    const batch = { template_id: templateId, recipients };
    expect((await client.post(`${base}/send/batch`, batch)).body).toMatchObject({ sent: 2 });

    const { logs: entries, total } = await logs();
    expect([entries.length, total]).toEqual([4, 4]);
    const failed = await owner.get(`${base}/logs?status=failed`);
    expect(failed.body).toMatchObject({ logs: [], total: 0 });
    for (const entry of entries) expect(entry).toMatchObject({ status: "sent", test: true });
    const ofEmails = (await hook.payloads()).filter(({ type }) => type === "email.sent");
    expect(ofEmails).toHaveLength(4);
    for (const { data } of ofEmails) expect(data["test"]).toBe(true);
    expect(await stats()).toEqual(NO_MAIL);
    expect(await receivedMessages(to)).toEqual([]);
    expect(await receivedMessages(cc)).toEqual([]);
    const { body: story } = await owner.get(`${base}/logs/${String(sent.body["id"])}`);
    expect(story).toMatchObject({
      test: true,
      server: null,
      explanation: { code: "simulated" },
    });
  });

  it("is answered once per Idempotency-Key, and 400 for an unknown field", async () => {
    const { base, client, logs } = await newWorld();
    const key = { "Idempotency-Key": unique("key") };
    const body = mail(address());
    const first = await client.post(`${base}/send`, body, key);
    expect(await client.post(`${base}/send`, body, key)).toMatchObject({ body: first.body });
    expect((await logs()).logs).toMatchObject([{ id: first.body["id"], test: true }]);
    const misspelled = await client.post(`${base}/send`, { ...body, replyTo: address() });
    expect(misspelled).toMatchObject({ status: 400, body: { code: "unknown_field" } });
    const added = await client.post(`${base}/subscribers`, { email: address(), tag: ["a"] });
    expect(added).toMatchObject({ status: 400, body: { code: "unknown_field" } });
  });

  it("needs no room in the limits of the mail server", async () => {
    const { base, client, real } = await newWorld();
    await owner.put(`${base}/sending`, { max_per_hour: 1 });
    for (let n = 0; n < 3; n++)
      expect((await client.post(`${base}/send`, mail(address()))).status).toBe(200);
    expect((await real.post(`${base}/send`, mail(address()))).status).toBe(200);
    const { body } = await owner.get<{ used: { last_hour: number } }>(`${base}/sending`);
    expect(body.used.last_hour).toBe(1);
  });

  it("has its opens and clicks in the log and in events, but in no figure", async () => {
    const { id, base, client, hook, logs, stats, templateId } = await newWorld();
    const { body: person } = await owner.post(`${base}/subscribers`, { email: address() });
    const shape = { subscriber_id: person["id"], template_id: templateId };
    const { body } = await client.post(`${base}/send`, shape);
    const logId = String(body["id"]);
    const at = Date.now() + 60_000;
    const visits = [trackingEvent("open", logId, at), trackingEvent("click", logId, at + 5_000)];
    await recordEvents(await service.deps(), visits);
    expect((await logs()).logs).toMatchObject([
      { opened_at: expect.any(String), clicked_at: expect.any(String) },
    ]);
    const heard = (await hook.payloads()).filter(({ type }) => /opened|clicked/.test(type));
    expect(heard.map(({ data }) => data["test"])).toEqual([true, true]);
    expect(await stats()).toEqual(NO_MAIL);
    const row = await env.DB.prepare("select count(*) as n from rollups where project_id = ?")
      .bind(id)
      .first("n");
    expect(row).toBe(0);
    const kept = await owner.get(`${base}/subscribers/${String(person["id"])}`);
    expect(kept.body).toMatchObject({ last_opened_at: null, last_clicked_at: null });
  });

  it("has its mails deleted after seven days, and no others", async () => {
    const { base, client, real, logs } = await newWorld();
    await client.post(`${base}/send`, mail(address()));
    const { body } = await real.post(`${base}/send`, mail(address()));
    const prune = async () => runScheduled(await service.deps(), EVERY_FIVE_MINUTES);
    clock.aheadMs = 6.9 * DAY;
    await prune();
    expect((await logs()).logs).toHaveLength(2);
    clock.aheadMs = 7.1 * DAY;
    await prune();
    clock.aheadMs = 0;
    expect((await logs()).logs).toMatchObject([{ id: body["id"] }]);
    expect((await logs()).logs[0]).not.toHaveProperty("test");
  });
});

describe("the simulator", () => {
  it.each([
    ["delivered", 200, "sent", ["email.sent"]],
    ["complained", 200, "sent", ["email.complained", "email.sent"]],
    ["bounced", 502, "bounced", ["email.bounced"]],
    ["deferred", 502, "failed", ["email.failed"]],
    ["suppressed", 422, "suppressed", ["email.suppressed"]],
    ["anything", 502, "bounced", ["email.bounced"]],
  ])("answers, logs and reports like a mail that is %s", async (word, status, logged, events) => {
    const { base, real, client, hook, logs, stats, suppressions } = await newWorld();
    const to = simulator(word);
    for (const sender of [real, client]) {
      const answer = await sender.post(`${base}/send`, mail(to));
      expect(answer).toMatchObject({ status, body: { id: expect.any(String) } });
    }
    expect((await logs()).logs).toMatchObject(
      [1, 2].map(() => ({ to_email: to, status: logged, test: true })),
    );
    expect((await hook.types()).toSorted()).toEqual([...events, ...events].toSorted());
    for (const { data } of await hook.payloads()) expect(data).toMatchObject({ to, test: true });
    expect(await receivedMessages(to)).toEqual([]);
    expect(await suppressions()).toBe(0);
    expect(await stats()).toEqual(NO_MAIL);
  });

  it("answers for its addresses alone: copies, recipients of a batch and subscribers", async () => {
    const { base, real, templateId, suppressions, hook } = await newWorld();
    const [to, copy, other] = [address(), simulator("bounced"), address()];
    expect((await real.post(`${base}/send`, { ...mail(to), cc: copy })).status).toBe(200);
    expect((await waitForMessage(to)).to).toEqual([to]);
    const recipients = [simulator("bounced"), other, simulator("deferred"), simulator("delivered")];
    const batch = { template_id: templateId, recipients: recipients.map((one) => ({ to: one })) };
    expect((await real.post(`${base}/send/batch`, batch)).body).toMatchObject({
      sent: 2,
      failed: 2,
      bounced: 1,
      failures: expect.arrayContaining([
        expect.objectContaining({ to: recipients[0], status: "bounced", code: "user_unknown" }),
      ]),
    });
    await waitForMessage(other);
    const person = await owner.post(`${base}/subscribers`, { email: simulator("bounced") });
    const sent = await real.post(`${base}/broadcast`, { template_id: templateId });
    expect(sent.body).toMatchObject({ sent: 0, bounced: 1 });
    const kept = await owner.get(`${base}/subscribers/${String(person.body["id"])}`);
    expect(kept.body).toMatchObject({ status: "active", suppressed: null });
    expect(await suppressions()).toBe(0);
    expect(await hook.types()).toContain("email.bounced");
  });
});
