/* The limits of pending mails: of mail that strangers cause, and of the mail server. */
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { systemContext } from "../../../src/context.ts";
import { sha256Hex } from "../../../src/lib/hash.ts";
import { takeSubscriberMail } from "../../../src/services/limits/index.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { address, clock, newProject, now, owner, service } from "../../support/pending-mails.ts";
import { unique } from "../../support/service.ts";
import { HOUR, MINUTE } from "../../support/times.ts";

describe("mails that unauthenticated calls trigger", () => {
  it("reach an address once in ten minutes, regardless of its tag; the others wait and are not lost", async () => {
    const { join, run, pendingMails, logs, sweepAfter } = await newProject();
    const name = unique("bombed");
    const first = await join(`${name}@any.test`);
    await run();
    const second = await join(`${name}+tag@any.test`);
    await run();
    expect(await logs()).toMatchObject([{ to_email: first }]);
    expect(await receivedMessages(second)).toEqual([]);
    const [pendingMail] = await pendingMails();
    expect(pendingMail).toMatchObject({ attempts: 0 });
    const waitMs = (pendingMail?.due_at ?? 0) - now();
    expect(waitMs).toBeGreaterThan(9 * MINUTE);
    expect(waitMs).toBeLessThanOrEqual(10 * MINUTE);
    expect(await sweepAfter(9 * MINUTE)).toBe(false);
    expect(await sweepAfter(2 * MINUTE)).toBe(true);
  });

  it("are dropped beyond six in the first hour, because they would exceed the lifetime of a pending mail", async () => {
    const { id, join, run, pendingMails } = await newProject();
    const email = await join();
    const bucket = `subscriber_mail_day:${sha256Hex(email)}`;
    const object = env.PROJECT_SENDER.get(env.PROJECT_SENDER.idFromName(id));
    for (let n = 0; n < 6; n += 1) await object.take(bucket, { limit: 6, windowMs: 24 * HOUR });
    const lines = vi.spyOn(console, "warn").mockReturnValue();
    await run();
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
    const sixtieth = await busy.join();
    await busy.run();
    const late = await busy.join();
    const neighbor = await other.join();
    for (const { run } of [busy, other]) await run();
    for (const email of [sixtieth, neighbor]) expect(await receivedMessages(email)).toHaveLength(1);
    expect(await receivedMessages(late)).toEqual([]);
    const [pendingMail] = await busy.pendingMails();
    expect(pendingMail).toMatchObject({ attempts: 0 });
    expect((pendingMail?.due_at ?? 0) - now()).toBeLessThanOrEqual(MINUTE);
  });

  it("use metadata from a public key in the body but not in the subject", async () => {
    const { key, run, template } = await newProject();
    await template({
      name: "welcome",
      subject: "Hello{{metadata.word}}",
      html_body: "<p>{{metadata.word}}</p>",
    });
    const email = address();
    const metadata = { word: " win a prize" };
    await key.post("/join", { email, metadata, sendWelcomeEmail: true });
    await run();
    const [mail] = await receivedMessages(email);
    expect(JSON.stringify(mail)).toContain("win a prize");
    expect(JSON.stringify(mail)).not.toContain("Hello win a prize");
  });
});

describe("a pending mail above a limit of the project's mail server", () => {
  it("waits until the limit allows it: nothing is sent, and nothing has failed", async () => {
    const project = await newProject();
    await owner.put(`${project.path}/sending`, { max_per_day: 1 });
    await project.join();
    await project.run();
    const email = await project.join();
    const before = now();
    await project.run();
    const [pending] = await project.pendingMails();
    expect((pending?.due_at ?? 0) - before).toBeGreaterThan(23 * HOUR);
    expect(await project.logs()).toHaveLength(1);
    expect(await receivedMessages({ to: email })).toEqual([]);
    clock.aheadMs += (pending?.due_at ?? 0) - before;
    await project.run();
    expect(await project.pendingMails()).toEqual([]);
    expect(await receivedMessages(email)).toHaveLength(1);
  });

  it("counts once for its mailbox, even if it waits repeatedly, and is sent once the limit is gone", async () => {
    const project = await newProject();
    await owner.put(`${project.path}/sending`, { max_per_day: 1 });
    await project.join();
    await project.run();
    const email = await project.join();
    const waitMs = async () => ((await project.pendingMails())[0]?.due_at ?? 0) - now();
    for (let times = 0; times < 3; times += 1) {
      await project.run();
      expect(await waitMs()).toBeGreaterThan(23 * HOUR);
      clock.aheadMs += await waitMs();
      const other = { to: address(), subject: "Other", html_body: "<p>Hi</p>" };
      const { status } = await owner.post(`${project.path}/send`, other); // the one of this day
      expect(status).toBe(200);
    }
    await owner.put(`${project.path}/sending`, {});
    await project.run();
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await project.pendingMails()).toEqual([]);
  });
});
