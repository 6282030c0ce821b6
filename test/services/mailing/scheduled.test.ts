/*
 * Sends for a later time: nothing goes out before, none is lost, and none arrives twice. The tests
 * drive the sender, the clock and the crashes.
 */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import PostalMime from "postal-mime";
import { newWebhook } from "../../support/events.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import {
  address,
  failingAt,
  newProject as newOutbox,
  now,
  owner,
  service,
  unconnected,
} from "../../support/pending-mails.ts";
import { runSender } from "../../support/project-objects.ts";
import { unique } from "../../support/service.ts";
import { DAY, HOUR, iso, MINUTE } from "../../support/times.ts";

interface Scheduled {
  id: string;
  message: string;
  scheduled_at: string;
  code: string;
}

async function newProject() {
  const project = await newOutbox();
  const { path } = project;
  const send = (body: object, headers: Record<string, string> = {}) =>
    owner.post<Scheduled>(
      `${path}/send`,
      { subject: "Hello", html_body: "<p>Hi</p>", ...body },
      headers,
    );
  return {
    ...project,
    send,
    /** Schedules a mail in an hour. */
    schedule: async (body: object = {}) => {
      const to = address();
      const answer = await send({ to, scheduled_at: iso(now() + HOUR), ...body });
      expect(answer.status).toBe(202);
      return { to, ...answer.body };
    },
    move: (id: string, at: string) =>
      owner.request("PATCH", `${path}/logs/${id}`, { scheduled_at: at }),
    cancel: (id: string) => owner.post(`${path}/logs/${id}/cancel`),
    read: (id: string) => owner.get(`${path}/logs/${id}`),
    waiting: async (query = "") =>
      (await owner.get<{ logs: object[]; total: number }>(`${path}/logs?status=scheduled${query}`))
        .body,
  };
}

describe("a send with `scheduled_at`", () => {
  it("answers 202, waits encrypted, is listed as scheduled, and goes out when it is due", async () => {
    const { id: projectId, path, send, run, sweepAfter, logs, waiting } = await newProject();
    const [to, cc] = [address(), address()];
    const scheduled_at = iso(now() + HOUR);
    const content = btoa("attached");
    const answer = await send({
      to: [`Ann <${to}>`],
      cc,
      html_body: "<p>secret words</p>",
      attachments: [{ filename: "a.txt", content, content_type: "text/plain" }],
      tags: { order: "7" },
      scheduled_at,
    });
    const { id } = answer.body;
    expect(answer).toMatchObject({ status: 202, body: { message: "scheduled", scheduled_at } });
    const { results } = await env.DB.prepare("select * from pending_mails where project_id = ?")
      .bind(projectId)
      .all();
    expect(results).toHaveLength(1);
    for (const word of ["secret words", cc, content])
      expect(JSON.stringify(results)).not.toContain(word);
    expect(await waiting()).toMatchObject({
      total: 1,
      logs: [{ id, to_email: to, subject: "Hello", status: "scheduled", sent_at: scheduled_at }],
    });
    expect(await waiting(`&from=${iso(now() + 2 * HOUR)}`)).toMatchObject({ total: 0, logs: [] });
    const search = await owner.get(`${path}/logs?status=scheduled&to_email=${to}`);
    expect(search).toMatchObject({ status: 400, body: { details: [{ path: "status" }] } });
    await run();
    expect(await sweepAfter(59 * MINUTE)).toBe(false);
    await run();
    expect([await receivedMessages(to), await logs()]).toEqual([[], []]);
    expect(await sweepAfter(2 * MINUTE)).toBe(true);
    await run();
    const [message, ...others] = await receivedMessages(to);
    expect([message?.to.toSorted(), others]).toEqual([[to, cc].toSorted(), []]);
    const mail = await PostalMime.parse(message?.raw ?? "");
    expect(mail).toMatchObject({ messageId: `<${id}@postrider.test>`, subject: "Hello" });
    expect(mail.html).toContain("secret words");
    expect(new TextDecoder().decode(mail.attachments[0]?.content as ArrayBuffer)).toBe("attached");
    expect(await logs()).toMatchObject([
      { id, to_email: to, status: "sent", tags: { order: "7" } },
    ]);
    expect(await waiting()).toMatchObject({ total: 0, logs: [] });
  });

  it("makes the sender run at its time, and emits email.scheduled once", async () => {
    const { id: projectId, schedule } = await newProject();
    const hook = await newWebhook(projectId);
    const { id, to, scheduled_at } = await schedule();
    const nextAt = await runSender(env.PROJECT_SENDER, projectId, await service.deps());
    expect(nextAt).toBe(Date.parse(scheduled_at));
    const [delivery, ...others] = await hook.deliveries();
    expect(others).toEqual([]);
    expect(JSON.parse(delivery?.payload ?? "")).toMatchObject({
      type: "email.scheduled",
      data: { log_id: id, to, subject: "Hello", subscriber_id: null, scheduled_at },
    });
  });

  it("to a subscriber has template, fields and suppressions of the time when it is due", async () => {
    const { path, send, run, sweepAfter, template, logs } = await newProject();
    const email = address();
    const person = await owner.post<{ id: string }>(`${path}/subscribers`, { email, name: "Sue" });
    const made = await template({ name: "x", subject: "For {{name}}", html_body: "<p>one</p>" });
    const ids = { subscriber_id: person.body.id, template_id: made.body["id"] };
    const body = { ...ids, subject: undefined, html_body: undefined };
    const later = (hours: number) => ({ ...body, scheduled_at: iso(now() + hours * HOUR) });
    expect((await send(later(1))).status).toBe(202);
    expect((await send(later(2))).status).toBe(202);
    await owner.put(`${path}/templates/${String(ids.template_id)}`, { html_body: "<p>two</p>" });
    await sweepAfter(61 * MINUTE);
    await run();
    expect((await receivedMessages(email))[0]?.text).toContain("two");
    await owner.post(`${path}/suppressions`, { emails: [email] });
    await sweepAfter(61 * MINUTE);
    await run();
    expect(await receivedMessages(email)).toHaveLength(1);
    expect((await logs()).map(({ status }) => status)).toEqual(["suppressed", "sent"]);
  });

  it("to a suppressed address is 422 and logged at once, and nothing waits", async () => {
    const { path, send, logs, waiting } = await newProject();
    const to = address();
    await owner.post(`${path}/suppressions`, { emails: [to] });
    const answer = await send({ to, scheduled_at: iso(now() + HOUR) });
    expect(answer).toMatchObject({ status: 422, body: { code: "suppressed" } });
    expect(await logs()).toMatchObject([{ to_email: to, status: "suppressed" }]);
    expect(await waiting()).toMatchObject({ total: 0 });
  });

  it("with the same Idempotency-Key is scheduled once, also after its time", async () => {
    const { send, sweepAfter, run, pendingMails } = await newProject();
    const body = { to: address(), scheduled_at: iso(now() + MINUTE) };
    const headers = { "Idempotency-Key": unique("key") };
    const [first, second] = [await send(body, headers), await send(body, headers)];
    expect(second).toMatchObject({ status: 202, body: first.body });
    expect(await pendingMails()).toHaveLength(1);
    await sweepAfter(2 * MINUTE);
    await run();
    expect(await send(body, headers)).toMatchObject({ status: 202, body: first.body });
    expect(await receivedMessages(body.to)).toHaveLength(1);
  });

  it.each([
    ["that has passed", -MINUTE, "has_passed"],
    ["more than 30 days ahead", 31 * DAY, "too_far_ahead"],
  ])("for a time %s is 400", async (_name, ms, code) => {
    const { send } = await newProject();
    expect(await send({ to: address(), scheduled_at: iso(now() + ms) })).toMatchObject({
      status: 400,
      body: { details: [{ path: "scheduled_at", code }] },
    });
  });

  it("that could never be sent, or is larger than 1 MiB, is refused at once", async () => {
    const { path, send, waiting } = await newProject();
    const scheduled_at = iso(now() + HOUR);
    const from = "ann@acme.example";
    expect(await send({ to: address(), from, scheduled_at })).toMatchObject({ status: 422 });
    const html_body = "x".repeat(1_048_576);
    expect(await send({ to: address(), html_body, scheduled_at })).toMatchObject({
      status: 422,
      body: { code: "scheduled_mail_too_large", params: { max: 1 } },
    });
    const template_id = crypto.randomUUID();
    const body = { to: address(), template_id, scheduled_at };
    expect((await owner.post(`${path}/send`, body)).status).toBe(404);
    expect(await waiting()).toMatchObject({ total: 0 });
  });
});

describe("a scheduled mail", () => {
  it("can be moved and cancelled until it begins", async () => {
    const foreign = await (await newProject()).schedule();
    const { schedule, move, cancel, read, sweepAfter, run, waiting } = await newProject();
    const [one, two] = [await schedule(), await schedule()];
    const later = iso(now() + 3 * HOUR);
    expect(await move(one.id, later)).toMatchObject({
      status: 200,
      body: { id: one.id, scheduled_at: later },
    });
    expect((await move(one.id, iso(now() - MINUTE))).status).toBe(400);
    expect(await read(one.id)).toMatchObject({
      status: 200,
      body: {
        id: one.id,
        status: "scheduled",
        scheduled_at: later,
        to_email: one.to,
        subject: "Hello",
        explanation: { code: "waiting", what_to_do_code: "move_or_cancel" },
        attempts: [],
      },
    });
    expect((await cancel(two.id)).status).toBe(204);
    expect(await waiting()).toMatchObject({ total: 1, logs: [{ id: one.id, sent_at: later }] });
    await sweepAfter(2 * HOUR);
    await run();
    expect(await receivedMessages(one.to)).toEqual([]);
    await sweepAfter(2 * HOUR);
    await run();
    expect(await receivedMessages(one.to)).toHaveLength(1);
    expect(await receivedMessages(two.to)).toEqual([]);
    const { body: sent } = await read(one.id);
    expect([sent["status"], sent["scheduled_at"]]).toEqual(["sent", undefined]);
    for (const late of [await move(one.id, iso(now() + HOUR)), await cancel(one.id)])
      expect(late).toMatchObject({ status: 409, body: { code: "mail_not_waiting" } });
    for (const { id } of [two, foreign]) {
      expect((await read(id)).status).toBe(404);
      expect((await cancel(id)).status).toBe(404);
      expect((await move(id, iso(now() + HOUR))).status).toBe(404);
    }
  });

  it("is sent once and logged as unknown if the sender dies when it records it", async () => {
    const { schedule, sweepAfter, run, logs, pendingMails } = await newProject();
    const { id, to } = await schedule();
    await sweepAfter(61 * MINUTE);
    await run(failingAt("insert into log_entries"));
    for (let minute = 0; minute < 10 && (await pendingMails()).length > 0; minute++)
      if (await sweepAfter(MINUTE)) await run();
    expect(await receivedMessages(to)).toHaveLength(1);
    expect(await logs()).toMatchObject([
      { id, status: "failed", error: expect.stringContaining("outcome unknown") },
    ]);
  });

  it("is sent if the sender dies before it claims it", async () => {
    const { schedule, sweepAfter, run, logs, pendingMails, cancel } = await newProject();
    const { id, to } = await schedule();
    await sweepAfter(61 * MINUTE);
    await run(failingAt('insert into "send_operations"'));
    expect(await receivedMessages(to)).toEqual([]);
    expect((await cancel(id)).status).toBe(409);
    for (let minute = 0; minute < 10 && (await pendingMails()).length > 0; minute++)
      if (await sweepAfter(MINUTE)) await run();
    expect(await receivedMessages(to)).toHaveLength(1);
    expect(await logs()).toMatchObject([{ id, status: "sent" }]);
  });

  it("is tried once and logged as failed, also if it can no longer be sent", async () => {
    const { path, schedule, template, send, sweepAfter, run, logs, pendingMails } =
      await newProject();
    const { id } = await schedule();
    const made = await template({ name: "x", subject: "x", html_body: "<p>x</p>" });
    const template_id = made.body["id"];
    const gone = await send({
      to: address(),
      template_id,
      html_body: undefined,
      scheduled_at: iso(now() + 2 * HOUR),
    });
    await owner.delete(`${path}/templates/${String(template_id)}`);
    await sweepAfter(61 * MINUTE);
    await run(unconnected());
    expect(await logs()).toMatchObject([{ id, status: "failed" }]);
    expect(await pendingMails()).toHaveLength(1);
    await sweepAfter(61 * MINUTE);
    await run();
    expect(await logs()).toMatchObject([
      { id: gone.body.id, status: "failed", error: "template not found" },
      { id },
    ]);
    expect(await pendingMails()).toEqual([]);
  });

  it("of a test key reaches no server", async () => {
    const { path, sweepAfter, run, logs } = await newProject();
    const made = await owner.post<{ key: string }>(`${path}/api-keys`, { name: "t", test: true });
    const [to, scheduled_at] = [address(), iso(now() + HOUR)];
    const mail = { to, subject: "Hello", html_body: "<p>Hi</p>", scheduled_at };
    const { body } = await service.withKey(made.body.key).post(`${path}/send`, mail);
    await sweepAfter(61 * MINUTE);
    await run();
    expect(await logs()).toMatchObject([{ id: body["id"], status: "sent", test: true }]);
    expect(await receivedMessages(to)).toEqual([]);
  });

  it("is deleted with the person whom it is for", async () => {
    const { path, schedule, waiting } = await newProject();
    const [one, two] = [await schedule(), await schedule()];
    expect((await owner.post(`${path}/erasures`, { email: one.to })).status).toBe(204);
    expect(await waiting()).toMatchObject({ total: 1, logs: [{ id: two.id }] });
  });
});
