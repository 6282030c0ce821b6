/*
 * Pending mails to subscribers: none arrives twice, and none is lost unless it may have
 * been sent, wherever a queue, a worker or the SMTP server fails. The tests drive the queue, the
 * clock and the crashes.
 */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import {
  address,
  clock,
  deliver,
  failingAt,
  newProject,
  newService,
  now,
  owner,
  queued,
  queuedOf,
  refuseMessages,
  service,
  sweepAfter,
  unconnected,
  workOff,
} from "../../support/pending-mails.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { EVERY_MINUTE, HOUR, MINUTE } from "../../support/times.ts";

describe("a pending mail", () => {
  it("is queued when the response is sent, and deleted once it is sent and logged", async () => {
    const { join, pendingMails, logs } = await newProject();
    const { email, message } = await join();
    expect(await receivedMessages(email)).toEqual([]);
    const [pendingMail] = await pendingMails();
    expect(pendingMail).toMatchObject({ attempts: 0, id: message?.pendingMailId });
    expect(await deliver(message)).toBe(true);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await pendingMails()).toEqual([]);
    expect(await logs()).toEqual([
      expect.objectContaining({ to_email: email, status: "sent", template_id: null }),
    ]);
  });

  it("arrives through the real queue", async () => {
    const { publicKey } = await newProject();
    const email = address();
    const body = { email, sendWelcomeEmail: true };
    const { status } = await createService().withKey(publicKey).post("/join", body);
    expect(status).toBe(201);
    expect((await waitForMessage(email, 10_000)).text).toContain("Welcome");
  });

  it("is sent by the sweep if the queue rejects its message, unnoticed by the caller", async () => {
    const { path, key, wait, pendingMails } = await newProject();
    const emails = [address(), address()] as const;
    refuseMessages(new Error("the queue is full"));
    const joined = await key.post("/join", { email: emails[0], sendWelcomeEmail: true });
    const waiting = await wait(emails[1]);
    refuseMessages(undefined);
    expect([joined.status, waiting.status]).toEqual([201, 200]);
    expect((await owner.get(`${path}/subscribers`)).body).toMatchObject({ total: 2 });
    expect(await sweepAfter(MINUTE, pendingMails)).toEqual([]); // its message may still arrive
    const woken = await sweepAfter(MINUTE, pendingMails);
    expect(woken).toHaveLength(2);
    for (const message of woken) await deliver(message);
    for (const email of emails) expect(await receivedMessages(email)).toHaveLength(1);
    expect(await pendingMails()).toEqual([]);
  });

  it("is sent by the sweep if the worker crashes right after the address is stored", async () => {
    const { id, publicKey, pendingMails } = await newProject();
    const dying = newService();
    dying.d1.after = (sql) => {
      if (sql.some((text) => text.includes("into pending_mails")))
        throw new Error("the worker died");
    };
    const email = address();
    queued.length = 0;
    const body = { email, sendWelcomeEmail: true };
    expect((await dying.withKey(publicKey).post("/join", body)).status).toBe(500);
    expect(queued).toEqual([]);
    const woken = await sweepAfter(2 * MINUTE, pendingMails);
    expect(woken).toHaveLength(1);
    await deliver(woken[0]);
    expect((await receivedMessages(email))[0]?.text).toContain(`/unsubscribe/${id}/`);
    expect(await pendingMails()).toEqual([]);
  });

  it("is queued once by two sweeps of the same minute", async () => {
    const { join, pendingMails } = await newProject();
    await join();
    clock.aheadMs += 2 * MINUTE;
    queued.length = 0;
    const deps = await service.deps();
    await Promise.all([runScheduled(deps, EVERY_MINUTE), runScheduled(deps, EVERY_MINUTE)]);
    const woken = await queuedOf(pendingMails);
    expect(woken).toHaveLength(1);
    await deliver(woken[0]);
  });

  it("is not sent again if the worker crashes between SMTP and the log: its outcome is unknown", async () => {
    const { join, pendingMails, logs } = await newProject();
    const { email, message } = await join();
    expect(await deliver(message, failingAt("insert into log_entries"))).toBe(true);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await pendingMails()).toMatchObject([{ attempts: 1 }]);
    expect(await logs()).toEqual([]);
    await workOff(pendingMails);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await logs()).toEqual([
      expect.objectContaining({ status: "failed", error: "outcome unknown" }),
    ]);
  });

  it("is not sent again if the worker crashes between the log and the deletion of the pending mail", async () => {
    const { join, pendingMails, logs } = await newProject();
    const { email, message } = await join();
    await deliver(message, failingAt('delete from "pending_mails"'));
    expect(await pendingMails()).toHaveLength(1);
    for (const woken of await sweepAfter(MINUTE, pendingMails)) await deliver(woken);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await pendingMails()).toEqual([]);
    expect(await logs()).toHaveLength(1);
  });

  it("is sent once if its message arrives after the sweep sent the mail", async () => {
    const { join, pendingMails } = await newProject();
    const { email, message } = await join();
    for (const woken of await sweepAfter(2 * MINUTE, pendingMails)) await deliver(woken);
    expect(await deliver(message)).toBe(true);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await pendingMails()).toEqual([]);
  });

  it("is retried after 1, 3, 10, 30, 60, 120, 240 and 360 minutes, and then given up", async () => {
    const { join, pendingMails } = await newProject();
    const { email, message } = await join();
    const failing = failingAt('from "projects"');
    const waits: number[] = [];
    for (;;) {
      expect(await deliver(message, failing)).toBe(true);
      const [pendingMail] = await pendingMails();
      if (!pendingMail) break;
      waits.push(Math.round((pendingMail.due_at - now()) / MINUTE));
    }
    expect(waits).toEqual([1, 3, 10, 30, 60, 120, 240, 360]);
    expect(await deliver(message)).toBe(true);
    expect(await receivedMessages(email)).toEqual([]);
  });

  it("is sent when the database recovers", async () => {
    const { join, pendingMails } = await newProject();
    const { email, message } = await join();
    const gone = newService();
    gone.d1.before = () => {
      throw new Error("D1 is gone");
    };
    expect(await deliver(message, gone)).toBe(true);
    for (const woken of await sweepAfter(2 * MINUTE, pendingMails)) await deliver(woken);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await pendingMails()).toEqual([]);
  });

  it("is given up before its Idempotency-Key can expire", async () => {
    const { join, pendingMails } = await newProject();
    const { email, message } = await join();
    clock.aheadMs += 23 * HOUR;
    await deliver(message);
    expect(await receivedMessages(email)).toEqual([]);
    expect(await pendingMails()).toEqual([]);
  });

  it("is dropped when the subscriber unsubscribes or is deleted, or when the project is deleted", async () => {
    const { path, join, pendingMails } = await newProject();
    const one = await join();
    const [pendingMail] = await pendingMails();
    const id = pendingMail?.subscriber_id ?? "";
    await owner.request("PATCH", `${path}/subscribers/${id}`, { status: "unsubscribed" });
    await deliver(one.message);
    const two = await join();
    await owner.delete(`${path}/subscribers/${(await pendingMails())[0]?.subscriber_id}`);
    await deliver(two.message);
    const three = await join();
    await owner.delete(path);
    await deliver(three.message);
    for (const { email } of [one, two, three]) expect(await receivedMessages(email)).toEqual([]);
    expect(await pendingMails()).toEqual([]);
  });

  it("is not created for a known subscriber, nor by a request that does not ask for one", async () => {
    const { key, wait, pendingMails } = await newProject();
    const email = address();
    await key.post("/join", { email });
    expect((await key.post("/join", { email, sendWelcomeEmail: true })).status).toBe(409);
    expect((await wait(email)).status).toBe(409);
    expect(await pendingMails()).toEqual([]);
  });

  it("is created once, even for simultaneous requests", async () => {
    const { key, pendingMails } = await newProject();
    const body = { email: address(), sendWelcomeEmail: true };
    const answers = await Promise.all(Array.from({ length: 8 }, () => key.post("/join", body)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await pendingMails()).toHaveLength(1);
  });
});

describe("a pending mail that the server defers", () => {
  const mailOf = async (name: string) => {
    const project = await newProject();
    const { email, message } = await project.join(`${name}.${unique("pending")}@any.test`);
    return { ...project, email, message };
  };
  const statuses = async (projectId: string) => {
    const { results } = await service.env.DB.prepare(
      "select status from logged_mails where project_id = ? order by sent_at, id",
    )
      .bind(projectId)
      .all<{ status: string }>();
    return results.map(({ status }) => status);
  };

  it("is sent once when a server that rejected the connection returns, and both attempts are logged", async () => {
    const { id, join, pendingMails, logs } = await newProject();
    const { email, message } = await join();
    expect(await deliver(message, unconnected())).toBe(true);
    expect(await statuses(id)).toEqual(["failed"]);
    const [pendingMail] = await pendingMails();
    expect(pendingMail).toMatchObject({ attempts: 1 });
    expect(Math.round(((pendingMail?.due_at ?? 0) - now()) / MINUTE)).toBe(1);
    expect(await deliver(message)).toBe(true); // the queue repeats the old message
    expect(await receivedMessages(email)).toEqual([]);
    await workOff(pendingMails);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await statuses(id)).toEqual(["failed", "sent"]);
    expect(new Set((await logs()).map((log) => log["id"])).size).toBe(2);
  });

  it("cannot also be sent again by a user while the service retries it automatically", async () => {
    const { path, template, join, pendingMails, logs } = await newProject();
    await template({ name: "welcome", subject: "Welcome", html_body: "<p>Welcome</p>" });
    const { email, message } = await join();
    await deliver(message, unconnected());
    const [failed] = await logs();
    expect(failed).toMatchObject({ status: "failed", template_id: expect.any(String) });
    expect(await owner.post(`${path}/logs/${failed?.["id"]}/resend`, {})).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("still trying") },
    });
    await workOff(pendingMails);
    expect(await receivedMessages(email)).toHaveLength(1);
  });

  it("can be a waitlist's confirmation", async () => {
    const { id, wait, pendingMails } = await newProject();
    const email = address();
    queued.length = 0;
    expect((await wait(email)).status).toBe(200);
    await deliver(queued[0], unconnected());
    await workOff(pendingMails);
    expect((await receivedMessages(email))[0]?.text).toContain(`Subject: Confirm ${email}`);
    expect(await statuses(id)).toEqual(["failed", "sent"]);
  });

  it.each(["rcpt-once.451.4.7.1", "rcpt-once.421.4.3.2", "data-once.452.4.3.1"])(
    "is sent once after %s",
    async (name) => {
      const { id, email, message, pendingMails } = await mailOf(name);
      await deliver(message);
      expect(await statuses(id)).toEqual(["failed"]);
      await workOff(pendingMails);
      expect(await receivedMessages(email)).toHaveLength(1);
      expect(await statuses(id)).toEqual(["failed", "sent"]);
    },
  );

  it.each([
    ["rcpt.550.5.7.1", "refused permanently"],
    ["data.554.5.6.0", "refused permanently after the final dot"],
    ["close.data", "of unknown outcome: the connection is lost after the final dot"],
  ])("is not retried for %s, %s: the failure is logged", async (name) => {
    const { id, message, pendingMails } = await mailOf(name);
    await deliver(message);
    expect(await pendingMails()).toEqual([]);
    expect(await statuses(id)).toEqual(["failed"]);
  });

  it("is not retried with a wrong password in the settings", async () => {
    const { id, path, join, pendingMails } = await newProject();
    const { message } = await join();
    const wrong = { smtp_host: "127.0.0.1", smtp_port: CAPTURING.smtpPort, smtp_user: "user" };
    const saved = await owner.put(`${path}/smtp`, {
      ...wrong,
      smtp_password: "wrong",
      from_email: "sender@postrider.test",
    });
    expect(saved.status).toBe(200);
    await deliver(message);
    expect(await pendingMails()).toEqual([]);
    expect(await statuses(id)).toEqual(["failed"]);
  });

  it("is sent once if the worker crashes between logging a failure and the next attempt's id", async () => {
    const { id, email, message, pendingMails } = await mailOf("rcpt-once.451.4.7.1");
    await deliver(message, failingAt('update "pending_mails" set "id"'));
    expect(await statuses(id)).toEqual(["failed"]);
    expect(await pendingMails()).toMatchObject([{ id: message?.pendingMailId }]);
    const [woken] = await sweepAfter(MINUTE, pendingMails);
    expect(woken?.pendingMailId).toBe(message?.pendingMailId);
    await deliver(woken); // returns the failure again and sends nothing
    expect(await statuses(id)).toEqual(["failed"]);
    expect(await receivedMessages(email)).toEqual([]);
    await workOff(pendingMails);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await statuses(id)).toEqual(["failed", "sent"]);
  });

  it("is sent once if each message has two concurrent consumers", async () => {
    const { id, email, message, pendingMails } = await mailOf("rcpt-once.451.4.7.1");
    await Promise.all([deliver(message), deliver(message)]);
    expect(await pendingMails()).toHaveLength(1);
    expect(await statuses(id)).toEqual(["failed"]);
    for (let minute = 0; minute < 10 && (await pendingMails()).length > 0; minute++)
      for (const woken of await sweepAfter(MINUTE, pendingMails))
        await Promise.all([deliver(woken), deliver(woken)]);
    expect(await pendingMails()).toEqual([]);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await statuses(id)).toEqual(["failed", "sent"]);
  });

  it("that asks for confirmation is the same mail for ten minutes, despite repeated requests", async () => {
    const { id, path, key, pendingMails } = await newProject();
    await owner.put(`${path}/audience-settings`, { double_opt_in: true });
    const email = `rcpt-once.451.4.7.1.${unique("pending")}@any.test`;
    const join = () => key.post("/join", { email });
    expect((await join()).status).toBe(201);
    // That mail is sent, and lost; all that follows is within ten minutes.
    await env.DB.prepare("delete from pending_mails where project_id = ?").bind(id).run();
    clock.aheadMs += 10 * MINUTE - (now() % (10 * MINUTE));
    expect((await join()).status).toBe(409);
    await deliver(queued.at(-1));
    expect(await statuses(id)).toEqual(["failed"]);
    const waiting = await pendingMails();
    queued.length = 0;
    for (let n = 0; n < 3; n += 1) expect((await join()).status).toBe(409);
    for (const message of queued) await deliver(message);
    expect([waiting.length, await pendingMails()]).toEqual([1, waiting]);
    await workOff(pendingMails);
    expect(await receivedMessages(email)).toHaveLength(1);
  });

  it("is dropped when the subscriber unsubscribes before the next attempt", async () => {
    const { id, path, email, message, pendingMails } = await mailOf("rcpt-once.451.4.7.1");
    await deliver(message);
    const [pendingMail] = await pendingMails();
    const subscriber = `${path}/subscribers/${pendingMail?.subscriber_id}`;
    await owner.request("PATCH", subscriber, { status: "unsubscribed" });
    await workOff(pendingMails);
    expect(await receivedMessages(email)).toEqual([]);
    expect(await statuses(id)).toEqual(["failed"]);
  });

  it("is given up after 8 attempts", async () => {
    const { id, email, message, pendingMails } = await mailOf("welcome");
    const gone = unconnected();
    const ids = new Set<string>();
    for (let next = message; next;) {
      ids.add(next.pendingMailId);
      await deliver(next, gone);
      const [pendingMail] = await pendingMails();
      const woken = pendingMail ? await sweepAfter(pendingMail.due_at - now(), pendingMails) : [];
      next = woken.find(({ pendingMailId }) => pendingMailId === pendingMail?.id);
    }
    expect(await statuses(id)).toEqual(Array<string>(8).fill("failed"));
    expect(ids.size).toBe(9); // the last one only gives up
    expect(await pendingMails()).toEqual([]);
    expect(await receivedMessages(email)).toEqual([]);
  });
});

describe("the welcome mail", () => {
  it("is the built-in template with the automatic variables", async () => {
    const { id, join } = await newProject();
    const { email, message } = await join();
    await deliver(message);
    const mail = await waitForMessage(email);
    expect(mail.text).toContain("Subject: Welcome");
    expect(mail.text).toContain(`/unsubscribe/${id}/`);
    expect(mail.text).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  });

  it("is the project's own template of that name if there is one at that time", async () => {
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

describe("the sweep of pending mails", () => {
  it("finds due mails through an index", async () => {
    const plan = await service.env.DB.prepare(
      "explain query plan select id from pending_mails where due_at <= 1 order by due_at limit 100",
    ).all<{ detail: string }>();
    expect(plan.results.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH pending_mails USING (?:COVERING )?INDEX pending_mails_by_due/),
    ]);
  });
});
