/* The limits of pending mails: of mail that strangers cause, and of the mail server. */
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { systemContext } from "../../../src/context.ts";
import { sha256Hex } from "../../../src/lib/hash.ts";
import { takeSubscriberMail } from "../../../src/services/limits/index.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import {
  address,
  clock,
  deliver,
  newProject,
  now,
  owner,
  queued,
  service,
  sweepAfter,
} from "../../support/pending-mails.ts";
import { unique } from "../../support/service.ts";
import { HOUR, MINUTE } from "../../support/times.ts";

describe("mails that unauthenticated calls trigger", () => {
  it("reach an address once in ten minutes, regardless of its tag; the others wait and are not lost", async () => {
    const { join, pendingMails, logs } = await newProject();
    const name = unique("bombed");
    const first = await join(`${name}@any.test`);
    const second = await join(`${name}+tag@any.test`);
    expect(await deliver(first.message)).toBe(true);
    expect(await deliver(second.message)).toBe(true);
    expect(await receivedMessages(second.email)).toEqual([]);
    expect(await logs()).toHaveLength(1);
    const [pendingMail] = await pendingMails();
    expect(pendingMail).toMatchObject({ id: second.message?.pendingMailId, attempts: 0 });
    const waitMs = (pendingMail?.due_at ?? 0) - now();
    expect(waitMs).toBeGreaterThan(9 * MINUTE);
    expect(waitMs).toBeLessThanOrEqual(10 * MINUTE);
    expect(await sweepAfter(9 * MINUTE, pendingMails)).toEqual([]);
    const [woken] = await sweepAfter(2 * MINUTE, pendingMails);
    expect(woken?.pendingMailId).toBe(pendingMail?.id);
  });

  it("are dropped beyond six in the first hour, because they would exceed the lifetime of a pending mail", async () => {
    const { id, join, pendingMails } = await newProject();
    const { email, message } = await join();
    const bucket = `subscriber_mail_day:${sha256Hex(email)}`;
    const object = env.PROJECT_LIMITER.get(env.PROJECT_LIMITER.idFromName(id));
    for (let n = 0; n < 6; n += 1) await object.take(bucket, { limit: 6, windowMs: 24 * HOUR });
    const lines = vi.spyOn(console, "warn").mockReturnValue();
    await deliver(message);
    expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
      { event: "pending_mail_dropped", error: expect.stringContaining("daily limit of emails") },
    ]);
    lines.mockRestore();
    expect(await pendingMails()).toEqual([]);
    expect(await receivedMessages(email)).toEqual([]);
  });

  it("are limited to 60 a minute per project; the others wait within the minute, and other projects do not", async () => {
    const [busy, other] = [await newProject(), await newProject()];
    const ctx = systemContext(await service.deps(), "pending_mail");
    for (let n = 0; n < 59; n++) await takeSubscriberMail(ctx, busy.id, address());
    const [sixtieth, late] = [await busy.join(), await busy.join()];
    const neighbour = await other.join();
    for (const { message } of [sixtieth, late, neighbour]) await deliver(message);
    for (const { email } of [sixtieth, neighbour])
      expect(await receivedMessages(email)).toHaveLength(1);
    expect(await receivedMessages(late.email)).toEqual([]);
    const [pendingMail] = await busy.pendingMails();
    expect(pendingMail).toMatchObject({ id: late.message?.pendingMailId, attempts: 0 });
    expect((pendingMail?.due_at ?? 0) - now()).toBeLessThanOrEqual(MINUTE);
  });

  it("alternate between projects: one with thousands does not delay the others", async () => {
    const [busy, other] = [await newProject(), await newProject()];
    const insert = (projectId: string, dueAt: number) =>
      service.env.DB.prepare(
        "insert into pending_mails (id, project_id, subscriber_id, due_at, created_at) values (?, ?, '', ?, ?)",
      ).bind(unique("pending"), projectId, dueAt, now());
    const due = now() - HOUR;
    const pendingMails = Array.from({ length: 150 }, (_, n) => insert(busy.id, due + n));
    await service.env.DB.batch([
      ...pendingMails,
      insert(other.id, due + 1_000),
      insert(other.id, due + 1_001),
    ]);
    const all = async () => [...(await busy.pendingMails()), ...(await other.pendingMails())];
    const woken = new Set((await sweepAfter(0, all)).map(({ pendingMailId }) => pendingMailId));
    const wokenOf = async ({ pendingMails: own }: typeof busy) =>
      (await own()).filter(({ id }) => woken.has(id)).length;
    expect([await wokenOf(busy), await wokenOf(other)]).toEqual([60, 2]);
    await service.env.DB.prepare("delete from pending_mails where subscriber_id = ''").run();
  });

  it("use metadata from a public key in the body but not in the subject", async () => {
    const { key, template } = await newProject();
    await template({
      name: "welcome",
      subject: "Hello{{metadata.word}}",
      html_body: "<p>{{metadata.word}}</p>",
    });
    queued.length = 0;
    const email = address();
    const metadata = { word: " win a prize" };
    await key.post("/join", { email, metadata, sendWelcomeEmail: true });
    await deliver(queued.at(-1));
    const [mail] = await receivedMessages(email);
    expect(JSON.stringify(mail)).toContain("win a prize");
    expect(JSON.stringify(mail)).not.toContain("Hello win a prize");
  });
});

describe("a pending mail above a limit of the project's mail server", () => {
  it("waits until the limit allows it: nothing is sent, and nothing has failed", async () => {
    const project = await newProject();
    await owner.put(`${project.path}/sending`, { max_per_day: 1 });
    await deliver((await project.join()).message);
    const { email, message } = await project.join();
    const before = now();
    await deliver(message);
    const [pending] = await project.pendingMails();
    expect((pending?.due_at ?? 0) - before).toBeGreaterThan(23 * HOUR);
    clock.aheadMs += (pending?.due_at ?? 0) - before;
    await deliver(message); // the limit counts by its own clock, and holds it back again
    expect(await project.pendingMails()).toHaveLength(1);
    expect(await project.logs()).toHaveLength(1);
    expect(await receivedMessages({ to: email })).toEqual([]);
  });

  it("counts once for its mailbox, even if it waits repeatedly, and is sent once the limit is gone", async () => {
    const project = await newProject();
    await owner.put(`${project.path}/sending`, { max_per_day: 1 });
    await deliver((await project.join()).message);
    const { email, message } = await project.join();
    for (let times = 0; times < 3; times += 1) {
      await deliver(message);
      const [pending] = await project.pendingMails();
      expect((pending?.due_at ?? 0) - now()).toBeGreaterThan(23 * HOUR);
    }
    await owner.put(`${project.path}/sending`, {});
    await deliver(message);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await project.pendingMails()).toEqual([]);
  });
});
