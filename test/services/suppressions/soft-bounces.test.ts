/* Soft bounces: an address that refuses mail for days is suppressed in the end. */
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { runBatch } from "../../../src/db/client.ts";
import { uuidAt } from "../../../src/lib/ids.ts";
import { receiveMail } from "../../../src/services/bounces/index.ts";
import { handleReports } from "../../../src/services/bounces/handle-reports.ts";
import type { AddressOutcome } from "../../../src/services/mailing/outcome.ts";
import { recordStatements } from "../../../src/services/mailing/record.ts";
import { returnPathOf } from "../../../src/services/tracking/index.ts";
import { failureReport } from "../../support/bounce-reports.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { DAY, standingClock } from "../../support/times.ts";

const clock = standingClock(Date.UTC(2026, 9, 1, 12));
const service = createService({}, { now: () => clock.now });
const deps = await service.deps();
const owner = await service.newOwner();
const projects = await Promise.all(Array.from({ length: 28 }, () => owner.newProject(CAPTURING)));

const FULL = { status: "failed", error: "452 4.2.2 full", reason: "mailbox_full" } as const;
const SENT = { status: "sent", error: null } as const;

/** An address of a project, whose mails a test records at chosen times. */
async function newAddress(limit?: number, project = projects.pop()) {
  if (!project) throw new Error("too few projects");
  const email = `${unique("reader")}@any.test`;
  if (limit !== undefined)
    await allRows(
      "update projects set bounce_settings = ? where id = ?",
      JSON.stringify({ softBounceLimit: limit }),
      project.id,
    );
  const record = async (...outcomes: Omit<AddressOutcome, "email">[]) => {
    for (const outcome of outcomes) await settleOne(outcome);
  };
  const settleOne = async (outcome: Omit<AddressOutcome, "email">) => {
    const mail = {
      logId: uuidAt(clock.now),
      subject: "s",
      tags: null,
      templateId: null,
      subscriberId: null,
      broadcastId: null,
    };
    const recorded = { mail, outcome: { main: { email, ...outcome }, copies: [] } };
    await runBatch(deps.db, recordStatements(deps, project.id, [recorded]));
    return mail.logId;
  };
  const report = (logId: string, action?: "delayed") =>
    handleReports(deps, project.id, [failureReport(email, logId, "4.2.2", action)]);
  const key = service.withKey(project.key); // a key outlives sessions
  const post = async (event: object) => {
    const { body } = await key.get<{ url: string }>(`/projects/${project.id}/bounce-webhook`);
    await service.fetch(body.url, { method: "POST", body: JSON.stringify(event) });
  };
  return {
    project,
    email,
    record,
    /** Posts an event as a provider does. */
    post,
    /** Records a mail that the server accepts, and returns its log id. */
    accept: () => settleOne(SENT),
    report,
    rows: () =>
      allRows("select days from soft_bounces where project_id = ? and days > 0", project.id),
    suppression: async () =>
      (
        await allRows(
          "select id, email, reason, source from suppressions where project_id = ?",
          project.id,
        )
      )[0],
  };
}

describe("an address whose mailbox rejects mail", () => {
  it("for five days over at least seven is suppressed as a hard bounce, with one row per address", async () => {
    const address = await newAddress();
    for (let n = 0; n < 5; n++) {
      expect(await address.suppression()).toBeUndefined();
      await address.record(FULL, FULL);
      expect(await address.rows()).toEqual([{ days: n + 1 }]);
      clock.now += 2 * DAY;
    }
    expect(await address.suppression()).toMatchObject({
      email: address.email,
      reason: "hard_bounce",
      source: "soft bounces",
    });
    const counted =
      "select suppressions_hard_bounce as n from project_counters where project_id = ?";
    expect(await allRows(counted, address.project.id)).toEqual([{ n: 1 }]);
  });

  it("for five days in a row is suppressed only once seven days have passed", async () => {
    const address = await newAddress();
    for (let n = 0; n < 5; n++, clock.now += DAY) await address.record(FULL);
    expect(await address.suppression()).toBeUndefined();
    clock.now += 2 * DAY;
    await address.record(FULL);
    expect(await address.suppression()).toMatchObject({ source: "soft bounces" });
  });

  it("starts over after a delivery", async () => {
    const address = await newAddress();
    for (let n = 0; n < 4; n++, clock.now += 3 * DAY) await address.record(FULL);
    await address.record(SENT);
    expect(await address.rows()).toEqual([]);
    for (let n = 0; n < 4; n++, clock.now += 3 * DAY) await address.record(FULL);
    expect(await address.suppression()).toBeUndefined();
  });

  it("has no soft bounces in its export after a delivery", async () => {
    const own = await service.newOwner(); // a nightly run ends old sessions
    const address = await newAddress(5, await own.newProject(CAPTURING));
    const exported = async () => {
      const path = `/projects/${address.project.id}/address-export?email=${address.email}`;
      return (await own.get<{ soft_bounces: object | null }>(path)).body.soft_bounces;
    };
    await address.record(FULL);
    expect(await exported()).toMatchObject({ days: 1 });
    await address.record(SENT);
    expect(await exported()).toBeNull();
  });

  it.each([
    ["the sender is slowed down", { ...FULL, reason: "rate_limited" }],
    ["the sender is blocked for now", { ...FULL, reason: "blocked" }],
    ["the network is down", { ...FULL, reason: "network" }],
    ["no session opens", { status: "failed", error: "no session" }],
  ] as const)("is not counted while %s", async (_, outcome) => {
    const address = await newAddress();
    await address.record(outcome);
    expect(await address.rows()).toEqual([]);
  });

  it("is never suppressed if the limit is 0, and sooner if it is lower", async () => {
    const [never, soon] = [await newAddress(0), await newAddress(2)];
    for (let n = 0; n < 2; n++, clock.now += 8 * DAY)
      for (const address of [never, soon]) await address.record(FULL);
    expect(await never.suppression()).toBeUndefined();
    expect(await soon.suppression()).toMatchObject({ email: soon.email });
  });

  it("is counted by a send, and deleted 90 days after the last one", async () => {
    const { project, rows } = await newAddress();
    const mail = { subject: "Hi", html_body: "<p>Hi</p>" };
    const to = `rcpt.452.4.2.2.${unique("full")}@any.test`;
    await service.withKey(project.key).post(`/projects/${project.id}/send`, { to, ...mail });
    expect(await rows()).toEqual([{ days: 1 }]);
    clock.now += 91 * DAY;
    await runScheduled(deps, "17 3 * * *");
    expect(await rows()).toEqual([]);
  });

  it("is not counted if the server does not find the sender's domain, which affects all recipients", async () => {
    const own = await service.newOwner(); // a nightly run ends old sessions
    const { project, email, rows } = await newAddress(5, await own.newProject(CAPTURING));
    const path = `/projects/${project.id}`;
    const server = { smtp_host: "localhost", smtp_port: CAPTURING.smtpPort };
    const account = { smtp_user: "user", smtp_password: "pass" };
    const smtp = { ...server, ...account, from_email: "mail.450.4.1.2.sender@postrider.test" };
    expect(await own.put(`${path}/smtp`, smtp)).toMatchObject({ status: 200 });
    const mail = { to: email, subject: "Hi", html_body: "<p>Hi</p>" };
    expect(await own.post(`${path}/send`, mail)).toMatchObject({ status: 502 });
    expect(await rows()).toEqual([]);
  });

  it("is counted by a provider's report, and by a mailbox report that names the mail", async () => {
    const { project, email, rows, post } = await newAddress();
    for (const reason of ["452 4.2.2 mailbox full", "451 4.7.1 greylisted"])
      await post({ email, type: "temporary", reason });
    expect(await rows()).toEqual([{ days: 1 }]);
    clock.now += DAY;
    const id = uuidAt(clock.now);
    const logged = { id, project_id: project.id, to_email: email, sent_at: clock.now };
    await insertRow("logged_mails", { ...logged, subject: "s", status: "sent" });
    await handleReports(deps, project.id, [failureReport(email, "none", "4.2.2")]);
    expect(await rows()).toEqual([{ days: 1 }]);
    await handleReports(deps, project.id, [failureReport(email, id, "4.2.2")]);
    expect(await rows()).toEqual([{ days: 2 }]);
  });
});

describe("an address whose rejections arrive as reports, because the server accepts each mail", () => {
  const NIGHTLY = "17 3 * * *";

  it("is suppressed like any other: five days of mails over at least seven", async () => {
    const address = await newAddress();
    for (const days of [1, 2, 3, 4, 5]) {
      expect(await address.suppression()).toBeUndefined();
      const mail = await address.accept();
      clock.now += DAY;
      await address.report(mail);
      expect(await address.rows()).toEqual([{ days }]);
      clock.now += DAY;
      await runScheduled(deps, NIGHTLY);
    }
    expect(await address.suppression()).toMatchObject({
      reason: "hard_bounce",
      source: "soft bounces",
    });
  });

  it("is suppressed although the server sends its reports after five days, and later mails in between", async () => {
    const address = await newAddress();
    const mails: string[] = [];
    for (let day = 0; day < 13; day++, clock.now += DAY) {
      await runScheduled(deps, NIGHTLY);
      mails.push(await address.accept());
      const back = mails[day - 5];
      if (back !== undefined) await address.report(back);
      if (day === 11) expect(await address.suppression()).toBeUndefined();
    }
    expect(await address.suppression()).toMatchObject({ source: "soft bounces" });
  });

  it("is suppressed although it gets a mail a week, whose report takes six days", async () => {
    const address = await newAddress(3);
    for (const days of [1, 2, 3]) {
      await runScheduled(deps, NIGHTLY);
      const mail = await address.accept();
      clock.now += 6 * DAY;
      await runScheduled(deps, NIGHTLY);
      await address.report(mail);
      expect(await address.rows()).toEqual([{ days }]);
      clock.now += DAY;
    }
    expect(await address.suppression()).toMatchObject({ source: "soft bounces" });
  });

  it("counts a mail once on its day: the same report on later days changes nothing", async () => {
    const address = await newAddress(2);
    const mail = await address.accept();
    for (let n = 0; n < 10; n++, clock.now += DAY) await address.report(mail);
    expect(await address.rows()).toEqual([{ days: 1 }]);
    const late = await Promise.all([address.accept(), address.accept()]);
    clock.now += 2 * DAY;
    for (const one of [...late, mail]) await address.report(one);
    expect(await address.rows()).toEqual([{ days: 2 }]);
  });

  it.each<[string, (projectId: string, path: string, raw: Uint8Array) => Promise<unknown>]>([
    [
      "a poll reads it",
      (projectId, path, raw) =>
        handleReports(deps, projectId, [Buffer.concat([Buffer.from(`To: ${path}\r\n`), raw])]),
    ],
    [
      "mail routing hands it over",
      (_, path, raw) => receiveMail(deps, { from: "", to: path, raw, size: raw.length }),
    ],
  ])("counts a mail that a return path names once on its day if %s", async (_, receive) => {
    const address = await newAddress();
    const logId = await address.accept();
    const pattern = "bounces+{token}@postrider.test";
    const path = await returnPathOf(deps, pattern, { logId, hasCopies: false });
    const raw = failureReport(address.email, "none", "4.2.2");
    for (let n = 0; n < 2; n++, clock.now += DAY) await receive(address.project.id, path, raw);
    expect(await address.rows()).toEqual([{ days: 1 }]);
  });

  it("counts reports of several days that one poll reads", async () => {
    const address = await newAddress();
    const mails: string[] = [];
    for (let n = 0; n < 5; n++, clock.now += 2 * DAY) mails.push(await address.accept());
    const reports = mails.toReversed().map((id) => failureReport(address.email, id, "4.2.2"));
    await handleReports(deps, address.project.id, reports);
    expect(await address.rows()).toEqual([{ days: 5 }]);
    expect(await address.suppression()).toMatchObject({ source: "soft bounces" });
  });

  it("starts over once no report of an accepted mail has arrived for seven days, regardless of later mails", async () => {
    const address = await newAddress(4);
    const bounce = async () => address.report(await address.accept());
    for (let n = 0; n < 3; n++, clock.now += 2 * DAY) await bounce();
    await address.accept();
    clock.now += 2 * DAY;
    await bounce();
    expect(await address.rows()).toEqual([{ days: 4 }]);
    clock.now += 4 * DAY;
    await runScheduled(deps, NIGHTLY);
    expect(await address.rows()).toEqual([{ days: 4 }]);
    clock.now += DAY;
    await runScheduled(deps, NIGHTLY);
    await bounce();
    expect(await address.rows()).toEqual([{ days: 1 }]);
  });

  it("continues with SMTP replies, which a delivery does not reset while reports count as well", async () => {
    const address = await newAddress();
    await address.report(await address.accept());
    clock.now += DAY;
    await address.record(FULL, SENT);
    expect(await address.rows()).toEqual([{ days: 2 }]);
    await address.record(FULL);
    expect(await address.rows()).toEqual([{ days: 2 }]);
  });

  it("continues after a delivery if a report arrived on a day already counted by an SMTP reply", async () => {
    const address = await newAddress();
    const mail = await address.accept();
    await address.record(FULL);
    await address.report(mail);
    clock.now += DAY;
    await address.record(FULL, SENT);
    expect(await address.rows()).toEqual([{ days: 2 }]);
  });

  it("starts over after a delivery, even if a report about an earlier mail arrives after it", async () => {
    const address = await newAddress();
    const mail = await address.accept();
    clock.now += DAY;
    await address.record(FULL);
    clock.now += DAY;
    await address.record(SENT);
    await address.report(mail);
    expect(await address.rows()).toEqual([{ days: 1 }]);
    clock.now += 7 * DAY;
    await runScheduled(deps, NIGHTLY);
    expect(await address.rows()).toEqual([]);
  });

  it("is not counted for a delay, after which the mail may still be delivered", async () => {
    const address = await newAddress();
    const mail = await address.accept();
    await address.report(mail, "delayed");
    for (const event of [
      { email: address.email, event: "deferred", reason: "452 4.2.2 mailbox full" },
      { email: address.email, type: "delayed", reason: "452 4.2.2 mailbox full" },
      {
        "event-data": {
          event: "failed",
          severity: "temporary",
          recipient: address.email,
          "delivery-status": { code: 452, message: "4.2.2 mailbox full" },
        },
      },
    ])
      await address.post(event);
    expect(await address.rows()).toEqual([]);
    await address.report(mail);
    expect(await address.rows()).toEqual([{ days: 1 }]);
  });

  it("is counted by a provider on the day of the mail that it names, else on the day of the report", async () => {
    const address = await newAddress();
    const full = { email: address.email, type: "temporary", reason: "452 4.2.2 mailbox full" };
    const mail = await address.accept();
    for (let n = 0; n < 2; n++, clock.now += DAY)
      await address.post({ ...full, message_id: `<${mail}@any.test>` });
    expect(await address.rows()).toEqual([{ days: 1 }]);
    await address.accept();
    await address.post(full);
    expect(await address.rows()).toEqual([{ days: 2 }]);
    clock.now += 8 * DAY;
    await runScheduled(deps, NIGHTLY); // the report without a mail was about the accepted one
    expect(await address.rows()).toEqual([{ days: 2 }]);
  });

  it("continues if a report without a mail arrives on a day already counted", async () => {
    const address = await newAddress();
    await address.report(await address.accept());
    clock.now += DAY;
    await address.accept();
    clock.now += DAY;
    await address.record(FULL);
    await address.post({ email: address.email, type: "temporary", reason: "452 4.2.2 full" });
    expect(await address.rows()).toEqual([{ days: 2 }]);
    clock.now += 8 * DAY;
    await runScheduled(deps, NIGHTLY); // the report without a mail was about the accepted one
    expect(await address.rows()).toEqual([{ days: 2 }]);
  });
});

describe("an address that a user removes from the list", () => {
  it("starts over with its soft bounces", async () => {
    const own = await service.newOwner(); // a nightly run ends old sessions
    const address = await newAddress(2, await own.newProject(CAPTURING));
    for (let n = 0; n < 2; n++, clock.now += 8 * DAY) await address.record(FULL);
    const suppressed = await address.suppression();
    clock.now -= 16 * DAY; // the session of the owner is of that time
    const path = `/projects/${address.project.id}/suppressions/${String(suppressed?.["id"])}`;
    expect((await own.delete(path)).status).toBe(204);
    clock.now += 16 * DAY;
    await address.record(FULL);
    expect(await address.rows()).toEqual([{ days: 1 }]);
    expect(await address.suppression()).toBeUndefined();
  });
});
