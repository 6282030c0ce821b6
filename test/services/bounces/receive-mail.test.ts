/* Mail that Cloudflare's Email Routing hands to the Worker: reports, replies, and everything else. */
import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { readStart } from "../../../src/inbound/read-start.ts";
import { receiveEmail } from "../../../src/inbound/receive-email.ts";
import worker from "../../../src/index.ts";
import { uuidAt } from "../../../src/lib/ids.ts";
import { returnPathOf } from "../../../src/services/tracking/index.ts";
import { COMPLAINTS_AND_OTHERS } from "../../fixtures/bounces/complaints-and-others.ts";
import { INTERNATIONAL_REPORTS } from "../../fixtures/bounces/international-reports.ts";
import { STATUS_REPORTS } from "../../fixtures/bounces/status-reports.ts";
import { WORDED_REPORTS } from "../../fixtures/bounces/worded-reports.ts";
import { complaintReport, failureReport } from "../../support/bounce-reports.ts";
import { allRows, insertRow, insertSubscriber } from "../../support/rows.ts";
import { createService, unique } from "../../support/service.ts";
import { MINUTE } from "../../support/times.ts";

const clock = { aheadMs: 0 };
const service = createService({}, { now: () => Date.now() + clock.aheadMs });
const deps = await service.deps();
const owner = await service.newOwner();
const text = (raw: Uint8Array) => new TextDecoder().decode(raw);

async function newProject(settings: { return_path?: string; forward_to?: string } = {}) {
  const { id } = await owner.newProject();
  const domain = `${unique("bounce")}.test`;
  const pattern = settings.return_path ?? `bounces+{token}@${domain}`;
  const path = `/projects/${id}`;
  const saved = await owner.put(`${path}/bounce-settings`, { return_path: pattern, ...settings });
  expect(saved.status).toBe(200);
  /** Logs a mail and returns the return path that it had; without `isLogged` only the latter. */
  const mailed = async (email = `${unique("reader")}@any.test`, isLogged = true) => {
    const logId = deps.newId();
    const log = () =>
      insertRow("logged_mails", {
        id: logId,
        to_email: email,
        project_id: id,
        subject: "s",
        status: "sent",
        sent_at: deps.now(),
      });
    if (isLogged) await log();
    const to = await returnPathOf(deps, pattern, { logId, hasCopies: false });
    return { email, logId, to, log };
  };
  return {
    id,
    path,
    domain: pattern.slice(pattern.indexOf("@") + 1),
    mailed,
    suppressed: () =>
      allRows<{ email: string; reason: string; source: string }>(
        "select email, reason, source from suppressions where project_id = ?",
        id,
      ),
    unverified: async () =>
      (
        await allRows<{ email: string }>(
          "select email from unverified_bounces where project_id = ? order by email",
          id,
        )
      ).map(({ email }) => email),
    statusOf: async (logId: string) =>
      (await allRows("select status from logged_mails where id = ?", logId))[0]?.["status"],
  };
}

interface Given {
  from?: string;
  canBeForwarded?: boolean;
  forward?: () => Promise<never>;
}

/** Hands over a mail as Email Routing does; returns what the Worker did with it. */
async function receive(to: string, raw: string | Uint8Array, given: Given = {}, via = deps) {
  const { from = "", canBeForwarded = true, forward } = given;
  const done = { rejected: [] as string[], forwarded: [] as string[] };
  const bytes = typeof raw === "string" ? new TextEncoder().encode(raw) : raw;
  const body = new Response(bytes).body;
  if (!body) throw new Error("a message has a body");
  const message = {
    from,
    to,
    raw: body,
    rawSize: bytes.length,
    canBeForwarded,
    setReject: (reason: string) => void done.rejected.push(reason),
    forward: async (rcptTo: string) => {
      if (forward) return forward();
      done.forwarded.push(rcptTo);
      return { messageId: "id" };
    },
  };
  service.d1.reset();
  await receiveEmail(via, message);
  return { ...done, trips: service.d1.roundTrips };
}

const NOTHING = { rejected: [], forwarded: [] };
const REFUSED = { rejected: [expect.stringContaining("only delivery reports")], forwarded: [] };

const ALL = [...STATUS_REPORTS, ...WORDED_REPORTS, ...INTERNATIONAL_REPORTS];
/** Returns the envelope sender of a fixture: reports say that it is empty. */
const senderOf = (raw: string) => (raw.startsWith("Return-Path: <>") ? "" : "lena@mx.example");
const addressOf = (email = "") => email.toLowerCase();

describe("a report that Email Routing hands over", () => {
  let project: Awaited<ReturnType<typeof newProject>>;
  beforeEach(async () => {
    project ??= await newProject();
    await allRows("delete from suppressions where project_id = ?", project.id);
  });

  const bounces = ALL.filter(
    ({ recipients }) => recipients.length === 1 && recipients[0]?.[1] === "bad_address",
  );
  it.each(bounces)("$name: bounces the mail of its return path", async ({ raw, recipients }) => {
    const { email, logId, to } = await project.mailed(addressOf(recipients[0]?.[0]));
    expect(await receive(to, raw)).toEqual({ ...NOTHING, trips: 2 });
    expect(await project.suppressed()).toMatchObject([{ email, reason: "hard_bounce" }]);
    expect((await project.suppressed())[0]?.source).toMatch(/^email/);
    expect(await project.statusOf(logId)).toBe("bounced");
  });

  const complaints = COMPLAINTS_AND_OTHERS.filter(({ kind }) => kind === "complaint");
  it.each(complaints)("$name: suppresses the complaining address", async ({ raw, recipients }) => {
    const { email, to } = await project.mailed(addressOf(recipients[0]?.[0] ?? "lena@mx.example"));
    expect(await receive(to, raw)).toEqual({ ...NOTHING, trips: 2 });
    expect(await project.suppressed()).toEqual([{ email, reason: "manual", source: "complaint" }]);
  });

  const harmless = [...ALL, ...COMPLAINTS_AND_OTHERS].filter(
    ({ kind, recipients }) =>
      kind !== "complaint" && recipients.every(([, verdict]) => verdict !== "bad_address"),
  );
  it.each(harmless)("$name: suppresses no address", async ({ raw, recipients }) => {
    const { to } = await project.mailed(addressOf(recipients[0]?.[0] ?? "lena@mx.example"));
    const from = senderOf(raw);
    expect(await receive(to, raw, { from })).toMatchObject({ forwarded: [] });
    expect(await project.suppressed()).toEqual([]);
  });
});

describe("a report that Email Routing hands over", () => {
  it("belongs to the project of its token, not to the one of its domain", async () => {
    const [mine, theirs] = [await newProject(), await newProject()];
    const { email, to } = await theirs.mailed();
    const [local] = to.split("@");
    await receive(`${local}@${mine.domain}`.toUpperCase(), failureReport(email));
    expect(await mine.suppressed()).toEqual([]);
    expect(await mine.unverified()).toEqual([]);
    expect(await theirs.suppressed()).toMatchObject([{ email }]);
  });

  it("with a forged token suppresses no address, and is held for review if it names a recipient", async () => {
    const project = await newProject();
    const { email, to, logId } = await project.mailed();
    const at = to.indexOf("@") - 3;
    const forged = `${to.slice(0, at)}${to[at] === "a" ? "b" : "a"}${to.slice(at + 1)}`;
    const subscriber = unique("subscriber");
    await insertSubscriber(subscriber, project.id);
    for (const named of [email, `${subscriber}@any.test`, "stranger@any.test"])
      for (const report of [failureReport(named), complaintReport(named)])
        expect(await receive(forged, report)).toMatchObject(NOTHING);
    expect(await project.suppressed()).toEqual([]);
    expect(await project.statusOf(logId)).toBe("sent");
    expect(await project.unverified()).toEqual([email, `${subscriber}@any.test`]);
  });

  it("is also proven by the id of its mail, even if its domain identifies no project", async () => {
    const project = await newProject();
    const { email, logId } = await project.mailed();
    const other = await project.mailed();
    const stranger = "bounces@elsewhere.test";
    expect(await receive(stranger, failureReport(email, other.logId))).toMatchObject(NOTHING);
    expect(await project.suppressed()).toEqual([]);
    expect(await receive(stranger, failureReport(email, logId))).toMatchObject({ trips: 2 });
    expect(await project.suppressed()).toMatchObject([{ email }]);
  });

  it("about a mail that is not in the log yet is retried, and one about a removed mail is not", async () => {
    const project = await newProject();
    const { email, to, log } = await project.mailed(undefined, false);
    await expect(receive(to, failureReport(email))).rejects.toThrow("not in the log yet");
    await log();
    await receive(to, failureReport(email));
    expect(await project.suppressed()).toMatchObject([{ email }]);
    const removed = await project.mailed(undefined, false);
    clock.aheadMs += 6 * MINUTE;
    expect(await receive(removed.to, failureReport(removed.email))).toMatchObject(NOTHING);
    expect(await project.suppressed()).toHaveLength(1);
  });

  it("with only the Message-ID of a mail that is not in the log yet is retried, one from the future is not", async () => {
    const project = await newProject();
    const { email, logId, log } = await project.mailed(undefined, false);
    const to = `bounces@${project.domain}`;
    const report = failureReport(email, logId);
    await expect(receive(to, report)).rejects.toThrow("not in the log yet");
    await log();
    expect(await receive(to, report)).toEqual({ ...NOTHING, trips: 2 });
    expect(await project.suppressed()).toMatchObject([{ email }]);
    for (const at of [deps.now() + 6 * MINUTE, deps.now() - 6 * MINUTE])
      expect(await receive(to, failureReport("a@b.test", uuidAt(at)))).toMatchObject(NOTHING);
    expect(await project.suppressed()).toHaveLength(1);
  });

  it.each(["read", "write"])("is retried if the %s fails, and then counts once", async (step) => {
    const project = await newProject();
    const { email, to, logId } = await project.mailed();
    const failing = createService();
    let trips = 0;
    failing.d1.before = () => {
      trips += 1;
      if (trips === (step === "read" ? 1 : 2)) throw new Error("D1 is down");
    };
    const via = await failing.deps();
    await expect(receive(to, failureReport(email), {}, via)).rejects.toThrow("D1 is down");
    expect(await project.suppressed()).toEqual([]);
    for (let again = 0; again < 2; again++) await receive(to, failureReport(email), {}, via);
    expect(await project.suppressed()).toHaveLength(1);
    expect(await project.statusOf(logId)).toBe("bounced");
  });

  it("reaches the Worker through its export", async () => {
    const project = await newProject();
    const { email, to } = await project.mailed();
    const context = createExecutionContext();
    const raw = new Response(failureReport(email)).body;
    const message = { from: "<>", to, raw, rawSize: 1, headers: new Headers() };
    await worker.email(message as ForwardableEmailMessage, env, context);
    await waitOnExecutionContext(context);
    expect(await project.suppressed()).toMatchObject([{ email }]);
  });
});

const mailFrom = (from: string, subject: string, fields = "") =>
  `From: ${from}\r\nTo: x@y.test\r\nSubject: ${subject}\r\n${fields}\r\nHello\r\n`;
const REPLY = mailFrom("Ann <ann@home.test>", "Re: Our spring offers");
const FROM_ANN = { from: "ann@home.test" };

describe("other mail that Email Routing hands over", () => {
  it.each([
    ["an absence notice", mailFrom("ann@home.test", "Out of office"), FROM_ANN],
    [
      "a vacation reply",
      mailFrom("a@b.test", "Re: Hi", "Auto-Submitted: auto-replied\r\n"),
      FROM_ANN,
    ],
    ["an answer of a program", mailFrom("a@b.test", "Re: Hi", "X-Autoreply: yes\r\n"), FROM_ANN],
    ["a note of a mail system", mailFrom("MAILER-DAEMON@b.test", "Hello"), { from: "" }],
    ["a note with the null sender", mailFrom("a@b.test", "Hello"), { from: "<>" }],
  ])("is ignored without reading the database: %s", async (_, raw, given) => {
    const project = await newProject({ forward_to: "people@inbox.test" });
    const { to } = await project.mailed();
    expect(await receive(to, raw, given)).toEqual({ ...NOTHING, trips: 0 });
  });

  it("is forwarded to forward_to of its project, by its token or by the address without one", async () => {
    const project = await newProject({ forward_to: "people@inbox.test" });
    const { to } = await project.mailed();
    for (const address of [to, `bounces@${project.domain}`, `other@${project.domain}`])
      expect(await receive(address, REPLY, FROM_ANN)).toEqual({
        rejected: [],
        forwarded: ["people@inbox.test"],
        trips: 1,
      });
  });

  it.each([
    ["there is no forward_to", {}, {}],
    [
      "forward_to leads back",
      { forward_to: "back@loop.test", return_path: "b+{token}@loop.test" },
      {},
    ],
    ["it cannot be forwarded", { forward_to: "people@inbox.test" }, { canBeForwarded: false }],
  ])("is rejected with a clear text if %s", async (_, settings, given) => {
    const project = await newProject(settings);
    const { to } = await project.mailed();
    const { rejected, forwarded } = await receive(to, REPLY, { ...FROM_ANN, ...given });
    expect(rejected).toEqual([expect.stringMatching(/^This (?:address|mail) /)]);
    expect(forwarded).toEqual([]);
  });

  it("is rejected for an unknown domain, and for an invalid recipient", async () => {
    for (const to of ["bounces@nobody.test", "no address", "", "\r\n"])
      expect(await receive(to, REPLY, FROM_ANN)).toMatchObject(REFUSED);
  });

  it("for a domain of several projects is forwarded if the address matches and all agree, or the DNS decides", async () => {
    const domain = `${unique("shared")}.test`;
    const at = (name: string, forward_to: string) =>
      newProject({ return_path: `${name}+{token}@${domain}`, forward_to });
    const shop = await at("shop", "shop@inbox.test");
    const news = await at("news", "news@inbox.test");
    const to = async (local: string) => receive(`${local}@${domain}`, REPLY, FROM_ANN);
    expect(await to("shop")).toMatchObject({ forwarded: ["shop@inbox.test"] });
    expect(await to("news+x")).toMatchObject({ forwarded: ["news@inbox.test"] });
    expect(await to("other")).toMatchObject(REFUSED);
    await at("shop", "thief@inbox.test"); // another's claim on the same address
    expect(await to("shop")).toMatchObject(REFUSED);
    const asked: string[] = [];
    const fetch = (async (url: string) => {
      asked.push(new URL(url).searchParams.get("name") ?? "");
      const data = [`"postrider-project=${shop.id}"`, '"v=spf1 -all"'];
      return Response.json({ Status: 0, Answer: data.map((one) => ({ type: 16, data: one })) });
    }) as typeof deps.fetch;
    const proven = await receive(`shop@${domain}`, REPLY, FROM_ANN, { ...deps, fetch });
    expect(proven).toMatchObject({ forwarded: ["shop@inbox.test"], trips: 2 });
    expect(asked).toEqual([`_postrider.${domain}`]);
    const mailed = await news.mailed();
    expect(await receive(mailed.to, REPLY, FROM_ANN)).toMatchObject({
      forwarded: ["news@inbox.test"],
    });
  });

  it("for a domain that hundreds of projects claim is forwarded only with a token", async () => {
    const project = await newProject({ forward_to: "people@inbox.test" });
    const settings = {
      returnPath: `bounces+{token}@${project.domain}`,
      forwardTo: "thief@inbox.test",
    };
    await allRows(
      `insert into projects (id, workspace_id, created_by, name, description, created_at, updated_at, bounce_settings, bounce_domain)
       select '00-' || value || ?2, 'w', 'u', 'n', '', 1, 1, ?1, ?2 from json_each(?3)`,
      JSON.stringify(settings),
      project.domain,
      JSON.stringify([...Array(250).keys()]),
    );
    const { to } = await project.mailed();
    expect(await receive(`bounces@${project.domain}`, REPLY, FROM_ANN)).toMatchObject(REFUSED);
    expect(await receive(to, REPLY, FROM_ANN)).toMatchObject({ forwarded: ["people@inbox.test"] });
  });

  it("that Cloudflare cannot forward is retried", async () => {
    const project = await newProject({ forward_to: "unverified@inbox.test" });
    const { to } = await project.mailed();
    const forward = async () => Promise.reject(new Error("destination address not verified"));
    await expect(receive(to, REPLY, { ...FROM_ANN, forward })).rejects.toThrow("not verified");
  });

  it("may be anything: random bytes, no bytes, or far too many", async () => {
    const project = await newProject();
    const { to } = await project.mailed();
    const random = crypto.getRandomValues(new Uint8Array(50_000));
    const endless = text(failureReport("a@b.test")) + "x".repeat(5_000_000);
    for (const raw of [random, "", "\0\0", "Content-Type: multipart/report; boundary=", endless])
      expect(await receive(to, raw, FROM_ANN)).toMatchObject({ forwarded: [] });
    expect(await project.suppressed()).toEqual([]);
  });
});

describe("the beginning of a mail", () => {
  const endless = (pull: (controller: ReadableStreamDefaultController) => unknown) =>
    new ReadableStream<Uint8Array>({ pull: async (controller) => void (await pull(controller)) });

  it("is read up to a limit, regardless of the rest", async () => {
    const stream = endless((controller) => controller.enqueue(new Uint8Array(1_000).fill(1)));
    const start = await readStart(stream, 2_500, 10_000);
    expect(start.length).toBe(2_500);
    expect(start.every((byte) => byte === 1)).toBe(true);
  });

  it("fails if it does not arrive in time, so that the sender retries", async () => {
    const stream = endless(() => new Promise(() => undefined));
    await expect(readStart(stream, 2_500, 50)).rejects.toThrow("did not arrive in time");
  });
});
