/* Who may say that an address bounced: reports with and without proof, and forged ones. */
import { describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import type { EmailAddress } from "../../../src/mail/address.ts";
import { uuidAt } from "../../../src/lib/ids.ts";
import { broadcastLogId } from "../../../src/services/email-log/index.ts";
import { returnPathOf } from "../../../src/services/tracking/index.ts";
import { handleReports } from "../../../src/services/bounces/handle-reports.ts";
import { purgeStep } from "../../../src/services/project-removal/purge-project.ts";
import { recordReports } from "../../../src/services/bounces/record-reports.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { complaintReport, failureReport } from "../../support/bounce-reports.ts";
import { allRows, insertRow, insertSubscriber } from "../../support/rows.ts";
import { storeBroadcast } from "../../support/stored-broadcasts.ts";
import { createService, unique, type Client } from "../../support/service.ts";
import { DAY, standingClock } from "../../support/times.ts";

const clock = standingClock(Date.UTC(2026, 9, 1, 12));
const service = createService({ WEBHOOK_QUEUE }, { now: () => clock.now });
const deps = await service.deps();
const owner = await service.newOwner();
const EVERY_NIGHT = "17 3 * * *";

interface Unverified {
  email: string;
  kind: string;
  reason: string;
  reports: number;
  log_id: string | null;
  first_seen_at: string;
  last_seen_at: string;
}

async function newProject(proof: "required" | "recent", by: Client = owner) {
  const { id } = await by.newProject();
  const path = `/projects/${id}`;
  await by.put(`${path}/bounce-settings`, { bounce_proof: proof });
  /** Logs a mail that a server accepted; returns its address and id. */
  const mailed = async (change: Record<string, unknown> = {}) => {
    const mail = { id: uuidAt(clock.now - DAY), to_email: `${unique("reader")}@any.test` };
    const facts = { ...mail, sent_at: clock.now - DAY, status: "sent", ...change };
    await insertRow("logged_mails", { ...facts, project_id: id, subject: "s" });
    return { id: mail.id, email: mail.to_email };
  };
  return {
    id,
    path,
    mailed,
    mailedMany: (count: number) => Promise.all(Array.from({ length: count }, () => mailed())),
    report: (...reports: Uint8Array[]) => handleReports(deps, id, reports),
    suppressed: async () =>
      (await allRows("select email from suppressions where project_id = ?", id)).map(
        ({ email }) => email,
      ),
    unverified: async () =>
      (await by.get<{ reports: Unverified[]; total: number }>(`${path}/bounces/unverified`)).body,
    statusOf: async (logId: string) =>
      (await allRows("select status from logged_mails where id = ?", logId))[0]?.["status"],
  };
}

describe.each(["required", "recent"] as const)("where bounce_proof is %s, a report", (proof) => {
  it("that names a mail sent to its address counts, regardless of the mail's age", async () => {
    const project = await newProject(proof);
    const old = await project.mailed({ sent_at: clock.now - 80 * DAY, opened_at: clock.now });
    const angry = await project.mailed({ opened_at: clock.now });
    const result = await project.report(
      failureReport(old.email, old.id),
      complaintReport(angry.email, angry.id),
    );
    expect(result).toMatchObject({ suppressed: 2, unverified: 0, ignored: 0 });
    expect(await project.statusOf(old.id)).toBe("bounced");
    expect(await project.statusOf(angry.id)).toBe("sent");
  });

  it("that is forged about a subscriber suppresses no address and is held for review", async () => {
    const project = await newProject(proof);
    const victim = unique("victim");
    await insertSubscriber(victim, project.id);
    const email = `${victim}@any.test`;
    const other = await project.mailed();
    const forged = [failureReport(email), failureReport(email, other.id), complaintReport(email)];
    expect(await project.report(...forged)).toMatchObject({ suppressed: 0, unverified: 3 });
    expect(await project.suppressed()).toEqual([]);
    expect(await project.unverified()).toMatchObject({
      reports: [{ email, kind: "complaint", reports: 3, log_id: null }],
      total: 1,
    });
    expect(await project.statusOf(other.id)).toBe("sent");
  });

  it.each([
    ["was mailed six days ago", { sent_at: clock.now - 6 * DAY }],
    ["has opened since", { opened_at: clock.now }],
    ["has clicked since", { clicked_at: clock.now }],
    ["was refused at once", { status: "failed" }],
  ])("that is forged about an address that %s is held for review", async (_, change) => {
    const project = await newProject(proof);
    const { email, id } = await project.mailed(change);
    expect(await project.report(failureReport(email))).toMatchObject({
      suppressed: 0,
      unverified: 1,
    });
    expect(await project.suppressed()).toEqual([]);
    expect((await project.unverified()).reports).toMatchObject([{ email, log_id: id }]);
  });

  it("that is forged about a reader who has opened a broadcast since is held for review", async () => {
    const project = await newProject(proof);
    const reader = unique("reader");
    await insertSubscriber(reader, project.id);
    const columns = {
      project_id: project.id,
      log_key: unique("key"),
      created_at: clock.now - DAY,
      cutoff_id: reader,
      planned_id: reader,
    };
    const broadcast = await storeBroadcast(service, columns);
    const id = broadcastLogId(broadcast, reader);
    const email = `${reader}@any.test`;
    await project.mailed({ id, to_email: email, opened_at: clock.now, broadcast_id: broadcast.id });
    expect(await project.report(failureReport(email))).toMatchObject({ suppressed: 0 });
    expect((await project.unverified()).reports).toMatchObject([{ email, log_id: id }]);
  });

  it("about an address that the project does not know is not even stored", async () => {
    const project = await newProject(proof);
    expect(await project.report(failureReport(`${unique("stranger")}@any.test`))).toMatchObject({
      suppressed: 0,
      unverified: 0,
      ignored: 1,
    });
    expect(await project.unverified()).toEqual({ reports: [], total: 0 });
  });

  it("costs one read and one write for twenty of them", async () => {
    const project = await newProject(proof);
    const mails = await project.mailedMany(20);
    service.d1.reset();
    await project.report(...mails.map(({ email }) => failureReport(email)));
    expect(service.d1.roundTrips).toBe(2);
  });
});

describe("a mailbox shared by two projects", () => {
  const poll = async (project: { id: string }, user: string) =>
    insertRow("bounce_imap", {
      project_id: project.id,
      enabled: 1,
      host: "imap.test",
      port: 993,
      user,
      password_sealed: "",
      folder: "INBOX",
      last_error: "",
    });

  it("assigns a report to the project whose mail it names, regardless of which project polls it", async () => {
    const [polling, other] = [await newProject("required"), await newProject("required")];
    const user = unique("bounces");
    for (const project of [polling, other]) await poll(project, user);
    const own = await polling.mailed();
    const [theirs, victim, byToken] = [
      await other.mailed(),
      await other.mailed(),
      await other.mailed(),
    ];
    const path = await returnPathOf(deps, "b+{token}@bounce.test", {
      logId: byToken.id,
      hasCopies: false,
    });
    const told = new TextDecoder().decode(failureReport(byToken.email));
    const result = await polling.report(
      failureReport(own.email, own.id),
      failureReport(theirs.email, theirs.id),
      failureReport(victim.email, theirs.id), // another's mail
      new TextEncoder().encode(`Delivered-To: ${path}\r\n${told}`),
    );
    expect(result).toMatchObject({ messages: 4, suppressed: 3 });
    expect(await polling.suppressed()).toEqual([own.email]);
    expect(new Set(await other.suppressed())).toEqual(new Set([theirs.email, byToken.email]));
  });

  it("does so only for projects that poll the same account", async () => {
    const [polling, other] = [await newProject("required"), await newProject("required")];
    await poll(polling, unique("bounces"));
    await poll(other, unique("bounces"));
    const theirs = await other.mailed();
    await polling.report(failureReport(theirs.email, theirs.id));
    expect(await other.suppressed()).toEqual([]);
  });
});

describe("where proof is required", () => {
  it("a report without any suppresses no address, even one just mailed", async () => {
    const project = await newProject("required");
    const { email, id } = await project.mailed();
    expect(await project.report(failureReport(email))).toMatchObject({
      suppressed: 0,
      unverified: 1,
    });
    expect(await project.statusOf(id)).toBe("sent");
  });
});

describe("where a recent mail is sufficient proof, reports without a better one", () => {
  const forgedFor = (mails: { email: string }[]) => mails.map(({ email }) => failureReport(email));

  it("suppress an address mailed within five days, mark its mail and emit one event", async () => {
    const project = await newProject("recent");
    const hook = await newWebhook(project.id);
    const { email, id } = await project.mailed();
    const report = failureReport(email);
    expect(await project.report(report, report)).toMatchObject({ suppressed: 1, unverified: 0 });
    expect(await project.report(report)).toMatchObject({ suppressed: 0, unverified: 0 });
    expect(await project.suppressed()).toEqual([email]);
    expect(await project.statusOf(id)).toBe("bounced");
    expect(await hook.payloads()).toMatchObject([{ type: "email.bounced", data: { to: email } }]);
  });

  it("are about the newest mail that the server accepted, not about one that failed since", async () => {
    const project = await newProject("recent");
    const { email, id } = await project.mailed({ sent_at: clock.now - 2 * DAY });
    const older = await project.mailed({ to_email: email, sent_at: clock.now - 3 * DAY });
    const failed = await project.mailed({ to_email: email, status: "failed" });
    expect(await project.report(failureReport(email))).toMatchObject({ suppressed: 1 });
    expect(await project.statusOf(id)).toBe("bounced");
    expect(await project.statusOf(older.id)).toBe("sent");
    expect(await project.statusOf(failed.id)).toBe("failed");
  });

  it("suppress at most 20 addresses a day; proven ones do not count", async () => {
    const project = await newProject("recent");
    const [mails, proven] = [await project.mailedMany(25), await project.mailed()];
    const reports = forgedFor(mails);
    expect(await project.report(...reports, failureReport(proven.email, proven.id))).toMatchObject({
      suppressed: 21,
      unverified: 5,
    });
    expect(await project.report(...reports)).toMatchObject({ suppressed: 0, unverified: 5 });
    expect((await project.unverified()).total).toBe(5);
    clock.now += DAY;
    expect(await project.report(...reports)).toMatchObject({ suppressed: 5, unverified: 0 });
    expect(await project.unverified()).toEqual({ reports: [], total: 0 });
  });

  it("suppress at most 1 % of the recipients of these days, if that is more", async () => {
    const project = await newProject("recent");
    const day = Math.floor(clock.now / DAY) * DAY;
    for (const [bucket_at, sent] of [
      [day, 2_000],
      [day - 4 * DAY, 900],
      [day - 6 * DAY, 900_000],
    ])
      await insertRow("rollups", {
        project_id: project.id,
        kind: "log",
        grain: "day",
        bucket_at,
        sent,
      });
    const reports = forgedFor(await project.mailedMany(35));
    expect(await project.report(...reports)).toMatchObject({ suppressed: 29, unverified: 6 });
  });

  it("of two polls that read the same allowance stay within the limit together", async () => {
    const project = await newProject("recent");
    const mails = await project.mailedMany(30);
    /** Records reports as a poll does that read its allowance before the other poll wrote. */
    const record = (some: typeof mails) =>
      recordReports(
        deps,
        project.id,
        {
          proven: [],
          believed: some.map(({ id, email }) => ({
            kind: "bounce",
            email: email as EmailAddress,
            words: "",
            reason: "user_unknown",
            logId: id,
          })),
          held: [],
          soft: [],
          isBoundReached: false,
        },
        "imap",
      );
    expect(await record(mails.slice(0, 15))).toEqual({ suppressed: 15, unverified: 0 });
    expect(await record(mails.slice(15))).toEqual({ suppressed: 0, unverified: 15 });
    expect(await project.suppressed()).toHaveLength(15);
    expect((await project.unverified()).total).toBe(15);
    expect(await project.statusOf(mails[20]?.id ?? "")).toBe("sent");
  });
});

describe("unverified reports", () => {
  it("exclude an address that is erased while its report is read", async () => {
    const project = await newProject("required");
    const [kept, erased] = await project.mailedMany(2);
    const email = String(erased?.email);
    const held = [String(kept?.email), email].map((one) => ({
      kind: "bounce" as const,
      email: one as EmailAddress,
      words: "",
      reason: "user_unknown" as const,
      logId: undefined,
    }));
    const found = { proven: [], believed: [], held, soft: [], isBoundReached: false };
    await owner.post(`${project.path}/erasures`, { email });
    await recordReports(deps, project.id, found, "imap");
    expect(
      await allRows("select email from unverified_bounces where project_id = ?", project.id),
    ).toEqual([{ email: kept?.email }]);
  });

  it("are listed newest first, one per address, and suppressed by one call of a user", async () => {
    const project = await newProject("required");
    const [first, second, third] = await project.mailedMany(3);
    if (!first || !second || !third) throw new Error("no mails");
    await project.report(failureReport(first.email));
    const firstSeen = new Date(clock.now).toISOString();
    clock.now += 1_000;
    await project.report(failureReport(second.email), failureReport(third.email));
    clock.now += 1_000;
    await project.report(complaintReport(second.email), failureReport(first.email));
    const { reports, total } = await project.unverified();
    expect(total).toBe(3);
    expect(
      reports
        .map(({ email }) => email)
        .slice(0, 2)
        .toSorted(),
    ).toEqual([first.email, second.email].toSorted());
    expect(reports.find(({ email }) => email === first.email)).toEqual({
      email: first.email,
      kind: "bounce",
      reason: "user_unknown",
      diagnostic: "5.1.1",
      log_id: first.id,
      reports: 2,
      first_seen_at: firstSeen,
      last_seen_at: new Date(clock.now).toISOString(),
    });
    const emails = [first.email.toUpperCase(), second.email, "nobody@any.test"];
    const call = () => owner.post(`${project.path}/bounces/unverified/suppress`, { emails });
    expect(await call()).toMatchObject({ status: 200, body: { suppressed: 2 } });
    expect(await call()).toMatchObject({ status: 200, body: { suppressed: 0 } });
    expect(
      await allRows(
        "select email, reason, source from suppressions where project_id = ? order by reason",
        project.id,
      ),
    ).toEqual([
      { email: first.email, reason: "hard_bounce", source: "imap: 5.1.1" },
      { email: second.email, reason: "manual", source: "complaint" },
    ]);
    expect(await project.statusOf(first.id)).toBe("bounced");
    expect((await project.unverified()).reports).toMatchObject([{ email: third.email }]);
    const audited = await allRows(
      "select metadata from audit_entries where scope_id = ? and action = 'suppression.add' order by metadata",
      project.id,
    );
    expect(audited).toEqual([
      { metadata: '{"from":"unverified reports","added":1,"reason":"hard_bounce"}' },
      { metadata: '{"from":"unverified reports","added":1,"reason":"manual"}' },
    ]);
  });

  it("of another project can neither be read nor suppressed", async () => {
    const project = await newProject("required");
    const { email } = await project.mailed();
    await project.report(failureReport(email));
    const stranger = await service.newOwner();
    const theirs = await newProject("required", stranger);
    const call = (path: string) =>
      stranger.post(`${path}/bounces/unverified/suppress`, { emails: [email] });
    expect(await call(theirs.path)).toMatchObject({ status: 200, body: { suppressed: 0 } });
    expect((await call(project.path)).status).toBe(403);
    expect((await stranger.get(`${project.path}/bounces/unverified`)).status).toBe(403);
    expect((await theirs.unverified()).total).toBe(0);
    expect((await project.unverified()).total).toBe(1);
  });

  it.each([{}, { emails: [] }, { emails: ["nobody"] }, { emails: Array(1_001).fill("a@b.test") }])(
    "are not suppressed by a call without valid addresses",
    async (body) => {
      const project = await newProject("required");
      expect(await owner.post(`${project.path}/bounces/unverified/suppress`, body)).toMatchObject({
        status: 400,
      });
    },
  );

  it("are deleted 30 days after they were last seen, and with their project", async () => {
    const project = await newProject("required");
    const [one, two] = await project.mailedMany(2);
    if (!one || !two) throw new Error("no mails");
    await project.report(failureReport(one.email), failureReport(two.email));
    clock.now += 20 * DAY;
    await project.report(failureReport(two.email));
    clock.now += 10 * DAY + 1;
    await runScheduled(deps, EVERY_NIGHT);
    const left = () =>
      allRows("select email from unverified_bounces where project_id = ?", project.id);
    expect(await left()).toEqual([{ email: two.email }]);
    await runBatch(deps.db, purgeStep(deps.db, project.id));
    expect(await left()).toEqual([]);
  });
});
