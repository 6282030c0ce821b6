/*
 * Pending mails to subscribers: none arrives twice, and none is lost unless it may have
 * been sent, wherever a queue, a sender or the SMTP server fails. The tests drive the sender, the
 * clock and the crashes.
 */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { selectDueProjects } from "../../../src/services/subscribers/pending-queries.ts";
import { receivedMessages, waitForMessage } from "../../support/mailbox.ts";
import {
  address,
  clock,
  failingAt,
  newProject,
  newService,
  now,
  owner,
  refuseMessages,
  service,
  unconnected,
  woken,
  workOff,
} from "../../support/pending-mails.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { HOUR, MINUTE } from "../../support/times.ts";

describe("a pending mail", () => {
  it("wakes the sender when the response is sent, and is deleted once it is sent and logged", async () => {
    const { id, join, run, pendingMails, logs } = await newProject();
    woken.length = 0;
    const email = await join();
    expect(woken).toEqual([id]);
    expect(await receivedMessages(email)).toEqual([]);
    expect(await pendingMails()).toMatchObject([{ attempts: 0 }]);
    await run();
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
    const { path, key, wait, pendingMails, sweepAfter, run } = await newProject();
    const emails = [address(), address()] as const;
    refuseMessages(new Error("the queue is full"));
    const joined = await key.post("/join", { email: emails[0], sendWelcomeEmail: true });
    const waiting = await wait(emails[1]);
    refuseMessages(undefined);
    expect([joined.status, waiting.status]).toEqual([201, 200]);
    expect((await owner.get(`${path}/subscribers`)).body).toMatchObject({ total: 2 });
    expect(await sweepAfter(MINUTE)).toBe(true);
    await run();
    for (const email of emails) expect(await receivedMessages(email)).toHaveLength(1);
    expect(await pendingMails()).toEqual([]);
  });

  it("is sent by the sweep if the request crashes right after the address is stored", async () => {
    const { id, publicKey, pendingMails, sweepAfter, run } = await newProject();
    const dying = newService();
    dying.d1.after = (sql) => {
      if (sql.some((text) => text.includes("into pending_mails")))
        throw new Error("the request died");
    };
    const email = address();
    woken.length = 0;
    const body = { email, sendWelcomeEmail: true };
    expect((await dying.withKey(publicKey).post("/join", body)).status).toBe(500);
    expect(woken).toEqual([]);
    expect(await sweepAfter(MINUTE)).toBe(true);
    await run();
    expect((await receivedMessages(email))[0]?.text).toContain(`/unsubscribe/${id}/`);
    expect(await pendingMails()).toEqual([]);
  });

  it("is not sent again if the sender crashes between SMTP and the log: its outcome is unknown", async () => {
    const project = await newProject();
    const { join, run, pendingMails, logs } = project;
    const email = await join();
    await run(failingAt("insert into log_entries"));
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await pendingMails()).toMatchObject([{ attempts: 1 }]);
    expect(await logs()).toEqual([]);
    await workOff(project);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await logs()).toEqual([
      expect.objectContaining({ status: "failed", error: "outcome unknown" }),
    ]);
  });

  it("is not sent again if the sender crashes between the log and the deletion of the pending mail", async () => {
    const project = await newProject();
    const { join, run, pendingMails, logs } = project;
    const email = await join();
    await run(failingAt('delete from "pending_mails"'));
    expect(await pendingMails()).toHaveLength(1);
    await workOff(project);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await pendingMails()).toEqual([]);
    expect(await logs()).toHaveLength(1);
  });

  it("is sent once by two runs at once", async () => {
    const { join, run, pendingMails } = await newProject();
    const email = await join();
    await Promise.all([run(), run()]);
    await run();
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await pendingMails()).toEqual([]);
  });

  it("is retried after 1, 3, 10, 30, 60, 120, 240 and 360 minutes, and then given up", async () => {
    const { join, run, pendingMails } = await newProject();
    const email = await join();
    const failing = failingAt('from "projects"');
    const waits: number[] = [];
    for (;;) {
      await run(failing);
      const [pendingMail] = await pendingMails();
      if (!pendingMail) break;
      const waitMs = pendingMail.due_at - now();
      waits.push(Math.round(waitMs / MINUTE));
      clock.aheadMs += waitMs;
    }
    expect(waits).toEqual([1, 3, 10, 30, 60, 120, 240, 360]);
    await run();
    expect(await receivedMessages(email)).toEqual([]);
  });

  it("is sent when the database recovers", async () => {
    const project = await newProject();
    const email = await project.join();
    const gone = newService();
    gone.d1.before = () => {
      throw new Error("D1 is gone");
    };
    await project.run(gone);
    await workOff(project);
    expect(await receivedMessages(email)).toHaveLength(1);
  });

  it("is given up before its Idempotency-Key can expire", async () => {
    const { join, run, pendingMails } = await newProject();
    const email = await join();
    clock.aheadMs += 23 * HOUR;
    await run();
    expect(await receivedMessages(email)).toEqual([]);
    expect(await pendingMails()).toEqual([]);
  });

  it("is dropped when the subscriber unsubscribes or is deleted, or when the project is deleted", async () => {
    const { path, join, run, pendingMails } = await newProject();
    const one = await join();
    const [pendingMail] = await pendingMails();
    const id = pendingMail?.subscriber_id ?? "";
    await owner.request("PATCH", `${path}/subscribers/${id}`, { status: "unsubscribed" });
    await run();
    const two = await join();
    await owner.delete(`${path}/subscribers/${(await pendingMails())[0]?.subscriber_id}`);
    await run();
    const three = await join();
    await owner.delete(path);
    await run();
    for (const email of [one, two, three]) expect(await receivedMessages(email)).toEqual([]);
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
    const email = await project.join(`${name}.${unique("pending")}@any.test`);
    return { ...project, email };
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
    const project = await newProject();
    const { id, join, run, pendingMails, logs } = project;
    const email = await join();
    await run(unconnected());
    expect(await statuses(id)).toEqual(["failed"]);
    const [pendingMail] = await pendingMails();
    expect(pendingMail).toMatchObject({ attempts: 1 });
    expect(Math.round(((pendingMail?.due_at ?? 0) - now()) / MINUTE)).toBe(1);
    await run(); // it is not due
    expect(await receivedMessages(email)).toEqual([]);
    await workOff(project);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await statuses(id)).toEqual(["failed", "sent"]);
    expect(new Set((await logs()).map((log) => log["id"])).size).toBe(2);
  });

  it("cannot also be sent again by a user while the service retries it automatically", async () => {
    const project = await newProject();
    const { path, template, join, run, logs } = project;
    await template({ name: "welcome", subject: "Welcome", html_body: "<p>Welcome</p>" });
    const email = await join();
    await run(unconnected());
    const [failed] = await logs();
    expect(failed).toMatchObject({ status: "failed", template_id: expect.any(String) });
    expect(await owner.post(`${path}/logs/${failed?.["id"]}/resend`, {})).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("still trying") },
    });
    await workOff(project);
    expect(await receivedMessages(email)).toHaveLength(1);
  });

  it("can be a waitlist's confirmation", async () => {
    const project = await newProject();
    const { id, wait, run } = project;
    const email = address();
    expect((await wait(email)).status).toBe(200);
    await run(unconnected());
    await workOff(project);
    expect((await receivedMessages(email))[0]?.text).toContain(`Subject: Confirm ${email}`);
    expect(await statuses(id)).toEqual(["failed", "sent"]);
  });

  it.each(["rcpt-once.451.4.7.1", "rcpt-once.421.4.3.2", "data-once.452.4.3.1"])(
    "is sent once after %s",
    async (name) => {
      const project = await mailOf(name);
      const { id, email, run } = project;
      await run();
      expect(await statuses(id)).toEqual(["failed"]);
      await workOff(project);
      expect(await receivedMessages(email)).toHaveLength(1);
      expect(await statuses(id)).toEqual(["failed", "sent"]);
    },
  );

  it.each([
    ["rcpt.550.5.7.1", "refused permanently"],
    ["data.554.5.6.0", "refused permanently after the final dot"],
    ["close.data", "of unknown outcome: the connection is lost after the final dot"],
  ])("is not retried for %s, %s: the failure is logged", async (name) => {
    const { id, run, pendingMails } = await mailOf(name);
    await run();
    expect(await pendingMails()).toEqual([]);
    expect(await statuses(id)).toEqual(["failed"]);
  });

  it("is not retried with a wrong password in the settings", async () => {
    const { id, path, join, run, pendingMails } = await newProject();
    await join();
    const wrong = { smtp_host: "127.0.0.1", smtp_port: CAPTURING.smtpPort, smtp_user: "user" };
    const saved = await owner.put(`${path}/smtp`, {
      ...wrong,
      smtp_password: "wrong",
      from_email: "sender@postrider.test",
    });
    expect(saved.status).toBe(200);
    await run();
    expect(await pendingMails()).toEqual([]);
    expect(await statuses(id)).toEqual(["failed"]);
  });

  it("is sent once if the sender crashes between logging a failure and the next attempt's id", async () => {
    const project = await mailOf("rcpt-once.451.4.7.1");
    const { id, email, run, pendingMails, sweepAfter } = project;
    const [before] = await pendingMails();
    await run(failingAt('update "pending_mails" set "id"'));
    expect(await statuses(id)).toEqual(["failed"]);
    expect(await pendingMails()).toMatchObject([{ id: before?.id }]);
    await sweepAfter(MINUTE);
    await run(); // finds the failure again and sends nothing
    expect(await statuses(id)).toEqual(["failed"]);
    expect(await receivedMessages(email)).toEqual([]);
    await workOff(project);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await statuses(id)).toEqual(["failed", "sent"]);
  });

  it("that asks for confirmation is the same mail for ten minutes, despite repeated requests", async () => {
    const project = await newProject();
    const { id, path, key, run, pendingMails } = project;
    await owner.put(`${path}/audience-settings`, { double_opt_in: true });
    const email = `rcpt-once.451.4.7.1.${unique("pending")}@any.test`;
    const join = () => key.post("/join", { email });
    expect((await join()).status).toBe(201);
    // That mail is sent, and lost; all that follows is within ten minutes.
    await env.DB.prepare("delete from pending_mails where project_id = ?").bind(id).run();
    clock.aheadMs += 10 * MINUTE - (now() % (10 * MINUTE));
    expect((await join()).status).toBe(409);
    await run();
    expect(await statuses(id)).toEqual(["failed"]);
    const waiting = await pendingMails();
    for (let n = 0; n < 3; n += 1) expect((await join()).status).toBe(409);
    await run();
    expect([waiting.length, await pendingMails()]).toEqual([1, waiting]);
    await workOff(project);
    expect(await receivedMessages(email)).toHaveLength(1);
  });

  it("is dropped when the subscriber unsubscribes before the next attempt", async () => {
    const project = await mailOf("rcpt-once.451.4.7.1");
    const { id, path, email, run, pendingMails } = project;
    await run();
    const [pendingMail] = await pendingMails();
    const subscriber = `${path}/subscribers/${pendingMail?.subscriber_id}`;
    await owner.request("PATCH", subscriber, { status: "unsubscribed" });
    await workOff(project);
    expect(await receivedMessages(email)).toEqual([]);
    expect(await statuses(id)).toEqual(["failed"]);
  });

  it("is given up after 8 attempts", async () => {
    const { id, email, run, pendingMails } = await mailOf("welcome");
    const gone = unconnected();
    const ids = new Set<string>();
    for (let [mail] = await pendingMails(); mail; [mail] = await pendingMails()) {
      clock.aheadMs += Math.max(0, mail.due_at - now());
      ids.add(mail.id);
      await run(gone);
    }
    expect(await statuses(id)).toEqual(Array<string>(8).fill("failed"));
    expect(ids.size).toBe(9); // the last one only gives up
    expect(await receivedMessages(email)).toEqual([]);
  });
});

describe("the welcome mail", () => {
  it("is the built-in template with the automatic variables", async () => {
    const { id, join, run } = await newProject();
    const email = await join();
    await run();
    const mail = await waitForMessage(email);
    expect(mail.text).toContain("Subject: Welcome");
    expect(mail.text).toContain(`/unsubscribe/${id}/`);
    expect(mail.text).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  });

  it("is the project's own template of that name if there is one at that time", async () => {
    const { join, run, template, logs } = await newProject();
    const email = await join();
    const own = await template({
      name: "welcome",
      subject: "Own welcome, {{email}}",
      html_body: "<p>Own</p>",
    });
    await run();
    expect((await waitForMessage(email)).text).toContain(`Subject: Own welcome, ${email}`);
    expect(await logs()).toMatchObject([{ template_id: own.body["id"] }]);
  });
});

describe("the sweep of pending mails", () => {
  it("reads a few rows of each project with pending mails, however many they are", async () => {
    const [busy, other] = [await newProject(), await newProject()];
    const at = now() - HOUR;
    const insert = `insert into pending_mails (id, project_id, subscriber_id, due_at, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
      select ?2 || i, ?2, '', ?3 + i, ?3 from n`;
    for (const [mails, { id }] of [
      [3_000, busy],
      [2, other],
    ] as const)
      await env.DB.prepare(insert).bind(mails, id, at).run();
    const deps = await service.deps();
    service.d1.reset();
    const due = await selectDueProjects(deps.db, now(), 100);
    expect(due.map(({ projectId }) => projectId)).toEqual(
      expect.arrayContaining([busy.id, other.id]),
    );
    expect(service.d1.rowsRead).toBeLessThan(100);
    await env.DB.prepare("delete from pending_mails where subscriber_id = ''").run();
  });
});
