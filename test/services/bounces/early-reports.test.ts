/* Reports that overtake the log: a worker has handed the mail over and logs it soon. */
import { describe, expect, it, vi } from "vitest";
import { uuidAt } from "../../../src/lib/ids.ts";
import { pollMailbox } from "../../../src/services/bounces/index.ts";
import { returnPathOf } from "../../../src/services/tracking/index.ts";
import { failureReport } from "../../support/bounce-reports.ts";
import { holding, startImapServer } from "../../support/imap/sessions.ts";
import { allRows, insertRow, insertSubscriber } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { HOUR, MINUTE } from "../../support/times.ts";

const clock = { aheadMs: 0 };
const service = createService({}, { now: () => Date.now() + clock.aheadMs });
const deps = await service.deps();
const owner = await service.newOwner();
const report = (to: string, id?: string) => new TextDecoder().decode(failureReport(to, id));

/** Project whose mailbox holds these messages; they may be about a mail in its log. */
async function projectWith(messages: (to: string, id: string) => string[]) {
  const { id } = await owner.newProject(CAPTURING);
  const path = `/projects/${id}`;
  const to = `${unique("to")}@any.test`;
  const mail = { to, subject: "Hello", html_body: "<p>Hi</p>" };
  const { body } = await owner.post<{ id: string }>(`${path}/send`, mail);
  const { port, commands } = await startImapServer({ rules: holding(messages(to, body.id)) });
  const account = { enabled: true, host: "localhost", user: "ann", password: "secret", port };
  expect(await owner.put(`${path}/bounce-imap`, account)).toMatchObject({ status: 200 });
  return {
    id,
    /** The mail in the log. */
    logged: { id: body.id, to },
    /** Posts a report as a provider does. */
    post: async (text: string) => {
      const { url } = (await owner.get<{ url: string }>(`${path}/bounce-webhook`)).body;
      const answer = await service.fetch(url, { method: "POST", body: text });
      return { status: answer.status, body: await answer.json() };
    },
    suppressed: async () => (await owner.get<{ total: number }>(`${path}/suppressions`)).body.total,
    poll: () => {
      clock.aheadMs += MINUTE; // long after any earlier poll
      return pollMailbox(deps, id);
    },
    stores: async () => (await commands()).filter((line) => line.includes("STORE")),
    statusOf: async (logId: string) =>
      (await allRows("select status from logged_mails where id = ?", logId))[0]?.["status"],
  };
}

/** A mail that some worker has handed over `agoMs` ago; `log` is what the worker writes later. */
function mailInHand(agoMs = 0, name = unique("early"), to = `${name}@any.test`) {
  const id = uuidAt(deps.now() - agoMs);
  const log = (projectId: string) =>
    insertRow("logged_mails", {
      id,
      to_email: to,
      project_id: projectId,
      subject: "s",
      status: "sent",
      sent_at: deps.now(),
    });
  return { id, name, to, log };
}

/** Watches the lines of one event in the log. */
function infoLines(event: string) {
  const spy = vi.spyOn(console, "info").mockReturnValue();
  const told = () =>
    spy.mock.calls
      .map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
      .filter((line) => line["event"] === event);
  return { told, end: () => spy.mockRestore() };
}

const withToken = async ({ id, to }: { id: string; to: string }) => {
  const pattern = "bounces+{token}@bounce.postrider.test";
  const address = await returnPathOf(deps, pattern, { logId: id, hasCopies: false });
  return `Delivered-To: ${address}\r\n${report(to)}`;
};

describe("a report about a mail that is not in the log", () => {
  it.each([
    ["Message-ID", async (mail: { id: string; to: string }) => report(mail.to, mail.id)],
    ["return path", withToken],
  ])("stays unread until its %s leads to a logged mail, and then counts", async (_, reportOf) => {
    const early = mailInHand();
    const raw = await reportOf(early);
    const project = await projectWith((to, id) => ["", raw, report(to, id)]);
    await insertSubscriber(early.name, project.id);
    expect(await project.poll()).toMatchObject({ messages: 2, suppressed: 1, unverified: 0 });
    expect(await project.stores()).toEqual([expect.stringContaining("STORE 1,3 ")]);
    await early.log(project.id);
    expect(await project.poll()).toMatchObject({ messages: 3, suppressed: 1 });
    expect((await project.stores())[1]).toContain("STORE 1,2,3 ");
    expect(await project.statusOf(early.id)).toBe("bounced");
  });

  it("is counted in a log line as long as it stays unread", async () => {
    const [first, second] = [mailInHand(), mailInHand()];
    const raws = [report(first.to, first.id), await withToken(second)];
    const project = await projectWith((to, id) => [...raws, report(to, id)]);
    const lines = infoLines("early_reports_left");
    await project.poll();
    const line = { level: "info", event: "early_reports_left", projectId: project.id };
    expect(lines.told()).toEqual([{ ...line, messages: 2 }]);
    for (const mail of [first, second]) await mail.log(project.id);
    await project.poll();
    expect(lines.told()).toHaveLength(1);
    lines.end();
  });

  it.each([
    ["older than five minutes", () => mailInHand(5 * MINUTE).id],
    ["dated in the future", () => uuidAt(deps.now() + HOUR)],
    ["no log id", () => "early"],
  ])("is read once if its Message-ID is %s", async (_, idOf) => {
    const forged = report(`${unique("early")}@any.test`, idOf());
    const project = await projectWith(() => [forged]);
    expect(await project.poll()).toMatchObject({ messages: 1, ignored: 1, unverified: 0 });
    expect(await project.stores()).toEqual([expect.stringContaining("STORE 1 ")]);
  });

  it("stays unread for longer while a send has that mail in flight, and not if another project sent it", async () => {
    const [early, other] = [mailInHand(HOUR), mailInHand(HOUR)];
    await other.log(crypto.randomUUID());
    await allRows(
      `insert into send_operations (id, project_id, kind, request_hash, state, lease_token, lease_until, in_flight, created_at)
       values (?1, 'p', 'batch', '', 'running', '', ?2, ?3, 1)`,
      early.id,
      deps.now() + HOUR,
      JSON.stringify([{ logId: early.id }]),
    );
    const project = await projectWith(() => [
      report(early.to, early.id),
      report(other.to, other.id),
    ]);
    expect(await project.poll()).toMatchObject({ messages: 1, ignored: 1 });
    expect(await project.stores()).toEqual([expect.stringContaining("STORE 2 ")]);
    await allRows("delete from send_operations where id = ?", early.id);
    await early.log(project.id);
    expect(await project.poll()).toMatchObject({ messages: 2, suppressed: 1 });
  });

  it("does not stay unread if it reports no failure", async () => {
    const reply = (await withToken(mailInHand())).split("\r\n")[0] ?? "";
    const project = await projectWith(() => [`${reply}\r\nSubject: Away\r\n\r\nHi\r\n`]);
    expect(await project.poll()).toMatchObject({ messages: 1 });
    expect(await project.stores()).toHaveLength(1);
  });

  it("does not block others: forged Message-IDs keep 100 messages of a poll unread", async () => {
    const forged = Array.from({ length: 110 }, () => mailInHand());
    const proven = mailInHand();
    const last = await withToken(proven);
    const project = await projectWith((to, id) => [
      ...forged.map((mail) => report(mail.to, mail.id)),
      report(to, id),
      last,
    ]);
    expect(await project.poll()).toMatchObject({ messages: 11, ignored: 10, suppressed: 1 });
    const seen = (await project.stores()).flatMap((line) =>
      (/STORE ([\d,]+)/.exec(line)?.[1] ?? "").split(","),
    );
    expect(seen).toEqual(Array.from({ length: 11 }, (_, n) => `${101 + n}`));
  });
});

describe("a posted report about a mail that is not in the log", () => {
  const event = ({ id, to }: { id: string; to: string }) => ({
    email: to,
    reason: "550 5.1.1 User unknown",
    message_id: `<${id}@postrider.test>`,
  });
  const TOO_EARLY = {
    status: 503,
    body: { error: expect.stringContaining("post the report again") },
  };

  it.each([
    ["Message-ID", async (mail: { id: string; to: string }) => JSON.stringify(event(mail))],
    ["return path", withToken],
  ])("is posted again until its %s leads to a logged mail, and then counts", async (_, textOf) => {
    const project = await projectWith(() => []);
    const early = mailInHand(0, "", project.logged.to);
    const text = await textOf(early);
    expect(await project.post(text)).toMatchObject(TOO_EARLY);
    expect(await project.suppressed()).toBe(0);
    await early.log(project.id);
    expect(await project.post(text)).toMatchObject({ status: 200 });
    expect(await project.suppressed()).toBe(1);
    expect(await project.statusOf(early.id)).toBe("bounced");
    expect(await project.statusOf(project.logged.id)).toBe("sent");
  });

  it("waits for it even if it names no address, and delays no other report of its body", async () => {
    const project = await projectWith(() => []);
    const nameless = (await withToken(mailInHand())).replaceAll(/.*any\.test.*/g, "");
    expect(await project.post(nameless)).toMatchObject(TOO_EARLY);
    const events = [event(mailInHand()), event(project.logged)];
    expect(await project.post(JSON.stringify(events))).toMatchObject(TOO_EARLY);
    expect(await project.suppressed()).toBe(1);
    expect(await project.statusOf(project.logged.id)).toBe("bounced");
  });

  it("writes one log line for each 503 response, with the number of its reports", async () => {
    const project = await projectWith(() => []);
    const lines = infoLines("early_reports_refused");
    const events = [event(mailInHand()), event(mailInHand()), event(project.logged)];
    await project.post(JSON.stringify(events));
    const line = { level: "info", event: "early_reports_refused", projectId: project.id };
    expect(lines.told()).toEqual([{ ...line, reports: 2 }]);
    await project.post((await withToken(mailInHand())).replaceAll(/.*any\.test.*/g, ""));
    expect(lines.told()).toEqual([
      { ...line, reports: 2 },
      { ...line, reports: 1 },
    ]);
    await project.post(JSON.stringify(event(project.logged)));
    expect(lines.told()).toHaveLength(2);
    lines.end();
  });

  it("counts immediately if that mail is older than five minutes, or if none will follow", async () => {
    const project = await projectWith(() => []);
    const old = event(mailInHand(5 * MINUTE));
    expect(await project.post(JSON.stringify(old))).toMatchObject({ status: 200 });
    expect(await project.suppressed()).toBe(1);
    const harmless = [
      { ...event(mailInHand()), type: "delivered" },
      {
        ...event(mailInHand()),
        type: "bounce",
        reason: "554 5.7.1 blocked using zen.spamhaus.org",
      },
    ];
    expect(await project.post(JSON.stringify(harmless))).toMatchObject({ status: 200 });
    expect(await project.suppressed()).toBe(1);
  });
});
