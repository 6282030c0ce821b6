/*
 * The fallback server of a project: when it takes a mail, when it never does, and what the log
 * says. Each mail is accepted by one of two scripted servers, or by neither.
 */
import { env } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { createService, unique } from "../../support/service.ts";
import { FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer, type RawServer } from "../../support/smtp/raw-client.ts";
import type { RawRule, RawScript, RawStep } from "../../support/smtp/raw-script.ts";
import { deliveries } from "../../support/smtp/shipping.ts";
import { isRecord, newNewsletter, scenario } from "../../support/broadcasting.ts";
import { deathOfWorker } from "../../support/refusals.ts";
import { runSender } from "../../support/project-objects.ts";
import { allRows, insertRow, insertSubscriber } from "../../support/rows.ts";

const clock = { aheadMs: 0 };
const now = () => Date.now() + clock.aheadMs;
const service = createService({}, { now });
const owner = await service.newOwner();

const DATA = ["PIPELINING", "8BITMIME"];
const CHUNKED = [...DATA, "CHUNKING"];
const TAKES: RawScript = { offers: DATA };
const CLOSE: RawStep = { close: true };
const says421 = (on: string): RawRule => ({
  on,
  steps: [{ send: "421 4.3.2 service not available\r\n" }, CLOSE],
});

type Attempt = { at: string; status: string; error: string | null; via_fallback: boolean };
type Log = Omit<Attempt, "at"> & { id: string; to_email: string };

/** The settings of two servers. A user of its own keeps each test's first server apart. */
const serversAt = (first: number, second: number, user = unique("user")) => ({
  ...serverAt(first, user),
  from_email: "sender@postrider.test",
  fallback: serverAt(second, "second-user"),
});
const serverAt = (port: number, user: string) => ({
  smtp_host: "127.0.0.1",
  smtp_port: port,
  smtp_user: user,
  smtp_password: "first-secret",
});

const CLOSED_PORT = 1;

async function newPair(first: RawScript | undefined, second: RawScript = TAKES) {
  const [one, two] = [first && (await startRawServer(first)), await startRawServer(second)];
  const { id, key } = await owner.newProject();
  const path = `/projects/${id}`;
  const servers = serversAt(one?.port ?? CLOSED_PORT, two.port);
  const saved = await owner.put(`${path}/smtp`, servers);
  expect(saved).toMatchObject({ status: 200 });
  const send = () =>
    service.anonymous.request<{ id: string; error: string }>(
      "POST",
      `${path}/send`,
      { to: `${unique("to")}@any.test`, subject: "Hello", html_body: "<p>Hi</p>" },
      { Cookie: owner.cookie },
    );
  const logs = async () => (await owner.get<{ logs: Log[] }>(`${path}/logs?limit=200`)).body.logs;
  const taken = async () => ({ first: one ? await mailsAt(one) : 0, second: await mailsAt(two) });
  return { id, key, path, one, two, send, logs, taken };
}

const mailsAt = async (server: RawServer) =>
  [...(await deliveries(server)).values()].reduce((sum, count) => sum + count, 0);
const connectionsAt = async (server: RawServer | undefined) =>
  (await server?.log())?.connections.length;

describe("a mail goes to the fallback, once,", () => {
  it.each<[string, RawScript | undefined]>([
    ["if the first server cannot be reached", undefined],
    ["if it closes before its greeting", FAULTS.closesAtConnect],
    ["if it says 421 at its greeting", FAULTS.closes421AtGreeting],
    ["if it says 421 to EHLO", { rules: [says421("EHLO")] }],
    ["if it refuses the login", FAULTS.refusesLogin],
    ["if it says 421 to MAIL", { offers: DATA, rules: [says421("MAIL")] }],
    ["if it says 421 to RCPT", { offers: DATA, rules: [says421("RCPT")] }],
    ["if it says 421 to MAIL without PIPELINING", { offers: [], rules: [says421("MAIL")] }],
    ["if it closes the session at MAIL", FAULTS.closesAtMail],
    ["if it says 421 to MAIL with CHUNKING", { offers: CHUNKED, rules: [says421("MAIL")] }],
  ])("%s", async (_fault, first) => {
    const { send, logs, taken, path } = await newPair(first);
    expect(await send()).toMatchObject({ status: 200 });
    expect(await logs()).toMatchObject([{ status: "sent", error: null, via_fallback: true }]);
    expect(await taken()).toEqual({ first: 0, second: 1 });
    const [{ id } = { id: "" }] = await logs();
    const { attempts } = (await owner.get<{ attempts: Attempt[] }>(`${path}/logs/${id}`)).body;
    expect(attempts).toMatchObject([
      { status: "deferred", error: expect.stringMatching(/\w/), via_fallback: false },
      { status: "sent", error: null, via_fallback: true },
    ]);
    await send(); // the first server rests, so nobody asks it
    const [next = { id: "" }] = (await logs()).filter((log) => log.id !== id);
    const later = await owner.get<{ attempts: Attempt[] }>(`${path}/logs/${next.id}`);
    expect(later.body.attempts).toMatchObject([{ status: "sent", via_fallback: true }]);
  });
});

describe("a mail never goes to the fallback", () => {
  it.each<[string, RawScript, string]>([
    ["after a 421 to DATA", { offers: DATA, rules: [says421("DATA")] }, "421"],
    ["after a 421 to the final dot", FAULTS.closes421AfterFinalDot, "421"],
    ["after a connection lost in DATA", FAULTS.closesAfterData, ""],
    ["after a connection lost behind the final dot", FAULTS.closesAfterFinalDot, "unknown"],
    ["after a 421 to BDAT", { offers: CHUNKED, rules: [says421("body")] }, "421"],
    [
      "after a connection lost in BDAT",
      { offers: CHUNKED, rules: [{ on: "body", steps: [CLOSE] }] },
      "unknown",
    ],
    [
      "after a refusal of the sender",
      { rules: [{ on: "MAIL", steps: [{ send: "553 5.1.8 no\r\n" }] }] },
      "553",
    ],
    [
      "after a refusal of the address for now",
      { offers: DATA, rules: [{ on: "RCPT", steps: [{ send: "451 4.7.1 later\r\n" }] }] },
      "451",
    ],
  ])("%s", async (_fault, first, error) => {
    const { send, logs, taken } = await newPair(first);
    expect(await send()).toMatchObject({ status: 502 });
    const [entry, ...others] = await logs();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ status: "failed", via_fallback: false });
    expect(entry?.error).toContain(error);
    expect(await taken()).toEqual({ first: 0, second: 0 });
  });
});

describe("a kept session", () => {
  const gone: RawRule[] = [2, 3, 4].map((connection) => ({
    on: "connect",
    connection,
    steps: [CLOSE],
  }));

  it("that says 421 to a mail, and whose server is gone, leaves the mail to the fallback", async () => {
    const { send, logs, taken } = await newPair({
      offers: DATA,
      rules: [...gone, { ...says421("MAIL"), skip: 1 }],
    });
    for (const _ of [1, 2]) expect(await send()).toMatchObject({ status: 200 });
    expect((await logs()).map((log) => log.via_fallback)).toEqual([true, false]);
    expect(await taken()).toEqual({ first: 1, second: 1 });
  });

  it("that says 421 to the content, and whose server is gone, does not", async () => {
    const { send, logs, taken } = await newPair({
      offers: DATA,
      rules: [...gone, { ...says421("body"), skip: 1 }],
    });
    expect(await send()).toMatchObject({ status: 200 });
    expect(await send()).toMatchObject({ status: 502 });
    expect(await logs()).toMatchObject([{ status: "failed", via_fallback: false }, {}]);
    expect(await taken()).toEqual({ first: 1, second: 0 });
  });
});

describe("a first server that failed", () => {
  it("is left alone for a minute, and asked by one mail of many after it", async () => {
    const { send, one, two, taken, path } = await newPair(FAULTS.closes421AtGreeting);
    for (let nth = 0; nth < 3; nth++) expect(await send()).toMatchObject({ status: 200 });
    expect(await connectionsAt(one)).toBe(1);
    expect(await connectionsAt(two)).toBe(1); // a warm session of the fallback
    clock.aheadMs += 61_000;
    const answers = await Promise.all(Array.from({ length: 8 }, () => send()));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await connectionsAt(one)).toBe(2);
    expect(await taken()).toEqual({ first: 0, second: 11 });
    const { body } = await owner.get(`${path}/sending`);
    expect(body).toMatchObject({ learned: { connections: null } }); // the other one keeps its connections
  });

  it("takes mail again once it answers", async () => {
    const back = { ...says421("connect"), connection: 1 };
    const { send, logs, taken } = await newPair({ offers: DATA, rules: [back] });
    const said: string[] = [];
    const note = (line: string) => void said.push((JSON.parse(line) as { event: string }).event);
    const spies = (["warn", "info"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(note),
    );
    await send();
    clock.aheadMs += 61_000;
    await send();
    await send();
    for (const spy of spies) spy.mockRestore();
    expect(said).toEqual(["smtp_server_failed", "smtp_server_back"]);
    expect((await logs()).map((log) => log.via_fallback)).toEqual([false, false, true]);
    expect(await taken()).toEqual({ first: 2, second: 1 });
  });

  it("is named beside the fallback when neither takes a mail, which is then not sent", async () => {
    const { send, logs, taken } = await newPair(FAULTS.closes421AtGreeting, FAULTS.refusesLogin);
    for (const _ of ["asked", "left alone"]) {
      const { status, body } = await send();
      expect(status).toBe(502);
      expect(body.error).toMatch(/the fallback server: .*535.*; the first server: .*421/);
    }
    expect(await logs()).toMatchObject([{ status: "failed" }, { status: "failed" }]);
    expect(await taken()).toEqual({ first: 0, second: 0 });
  });
});

describe("mails to many", () => {
  /** A server that takes some mails a session and is then gone. */
  const diesAfter = (mails: number, offers = DATA): RawScript => ({
    offers,
    rules: [
      ...[5, 6, 7, 8, 9, 10, 11, 12].map((connection) => ({
        on: "connect",
        connection,
        steps: [CLOSE],
      })),
      { on: "MAIL", skip: mails, steps: [CLOSE] },
    ],
  });
  const sum = (taken: { first: number; second: number }) => taken.first + taken.second;

  it.each([
    ["DATA", DATA],
    ["CHUNKING", CHUNKED],
  ])("of a batch go on over the fallback when the first server dies (%s)", async (_how, offers) => {
    const { path, taken, logs } = await newPair(diesAfter(5, offers));
    const template = await owner.post<{ id: string }>(`${path}/templates`, {
      name: "batch",
      subject: "Hello",
      html_body: "<p>Hi</p>",
    });
    const recipients = Array.from({ length: 60 }, (_, n) => ({
      to: `${unique(`n${n}`)}@any.test`,
    }));
    const { body } = await owner.post<{ sent: number }>(`${path}/send/batch`, {
      template_id: template.body.id,
      recipients,
    });
    const entries = await logs();
    const mails = await taken();
    // A server that dies behind a mail may have taken it: then its outcome is unknown.
    const byFirst = entries.filter((log) => log.status === "sent" && !log.via_fallback).length;
    expect(mails.first - byFirst).toBeGreaterThanOrEqual(0);
    expect(entries.filter((log) => log.status === "sent" && log.via_fallback)).toHaveLength(
      mails.second,
    );
    expect(mails.first).toBeGreaterThan(0);
    expect(mails.second).toBeGreaterThan(0);
    expect(byFirst + mails.second).toBe(body.sent);
    const failed = entries.filter((log) => log.status !== "sent");
    expect(failed.length).toBeLessThanOrEqual(offers === DATA ? 4 : 16);
    expect(failed.every(({ error }) => error?.startsWith("outcome unknown"))).toBe(true);
    expect(new Set(entries.map((log) => log.to_email)).size).toBe(entries.length);
  });

  it("of a broadcast go on over the fallback when the first server dies, nobody twice", async () => {
    const [one, two] = [await startRawServer(diesAfter(8)), await startRawServer(TAKES)];
    const world = await scenario(120, (news, person) =>
      person.put(`${news.path}/smtp`, serversAt(one.port, two.port)),
    );
    await world.finish();
    expect(await world.news.progress(world.id)).toMatchObject({ state: "done", sent: 120 });
    const all = new Map([...(await deliveries(one)), ...(await deliveries(two))]);
    expect(all.size).toBe(120);
    const mails = { first: await mailsAt(one), second: await mailsAt(two) };
    expect(mails.first).toBeGreaterThan(0);
    expect(sum(mails)).toBe(120);
    const { body } = await world.owner.get<{ logs: Log[] }>(`${world.news.path}/logs?limit=200`);
    expect(body.logs.filter((log) => log.via_fallback)).toHaveLength(mails.second);
    const [moved] = await allRows(
      "select count(*) as n from log_entries where earlier is not null and via_fallback = 1 and hex(project_id) = ?",
      world.news.id.replaceAll("-", "").toUpperCase(),
    );
    expect(Number(moved?.["n"])).toBeGreaterThan(0);
    expect(Number(moved?.["n"])).toBeLessThanOrEqual(mails.second);
  });

  it("of a broadcast pause it when both servers refuse the login", async () => {
    const refuses = () => startRawServer(FAULTS.refusesLogin);
    const [one, two] = [await refuses(), await refuses()];
    const world = await scenario(3, (news, person) =>
      person.put(`${news.path}/smtp`, serversAt(one.port, two.port)),
    );
    await world.work();
    const progress = await world.news.progress(world.id);
    expect(progress).toMatchObject({ state: "paused", sent: 0, failed: 0 });
    expect(progress.error).toContain("the first server: ");
  });

  it("keep their server in the log when the sender dies before it logs them", async () => {
    const [one, two] = [await startRawServer(diesAfter(8)), await startRawServer(TAKES)];
    const world = await scenario(60, (news, person) =>
      person.put(`${news.path}/smtp`, serversAt(one.port, two.port)),
    );
    world.service.d1.before = (sql) => {
      if (isRecord(sql)) throw deathOfWorker("the sender died here");
    };
    await expect(world.work()).rejects.toThrow("died");
    world.service.d1.before = undefined;
    await world.run();
    const { body } = await world.owner.get<{ logs: Log[] }>(`${world.news.path}/logs?limit=200`);
    expect(body.logs).toHaveLength(60);
    const byServer = (isSecond: boolean) =>
      body.logs.filter((log) => log.status === "sent" && log.via_fallback === isSecond).length;
    expect(byServer(true)).toBe(await mailsAt(two));
    expect(byServer(false)).toBe(await mailsAt(one));
    expect(byServer(true)).toBeGreaterThan(0);
    expect(byServer(false)).toBeGreaterThan(0);
  });
});

describe("a pending mail", () => {
  it("goes to the fallback when the first server is down", async () => {
    const { id, taken, logs } = await newPair(undefined);
    const subscriber = crypto.randomUUID();
    await insertSubscriber(subscriber, id);
    await insertRow("pending_mails", {
      id: crypto.randomUUID(),
      project_id: id,
      subscriber_id: subscriber,
      template_name: "welcome",
      due_at: 1,
      created_at: now(),
    });
    await runSender(env.PROJECT_SENDER, id, await service.deps());
    expect(await logs()).toMatchObject([{ status: "sent", via_fallback: true }]);
    expect(await taken()).toEqual({ first: 0, second: 1 });
  });
});

describe("PUT /projects/{id}/smtp with a fallback", () => {
  const SET = { smtp_host: "127.0.0.1", smtp_port: 2_525, smtp_user: "second-user" };

  it("answers without its password, keeps it when left out, and removes it with an empty host", async () => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}/smtp`;
    const both = serversAt(2_500, 2_525);
    const saved = await owner.put(path, both);
    expect(saved).toMatchObject({ status: 200, body: { fallback: SET } });
    expect(JSON.stringify(saved.body)).not.toContain("secret");
    const { fallback: _left, ...first } = both;
    const kept = await owner.put(path, { ...first, fallback: null }); // as if left out
    expect(kept).toMatchObject({ status: 200, body: { fallback: SET } });
    expect(await owner.put(path, first)).toMatchObject({ status: 200, body: { fallback: SET } });
    // The stored password stays with its server and user.
    expect(await owner.put(path, { ...both, fallback: SET })).toMatchObject({ status: 200 });
    const moved = { ...both, fallback: { ...SET, smtp_host: "127.0.0.2" } };
    expect(await owner.put(path, moved)).toMatchObject({
      status: 400,
      body: { details: [{ path: "fallback.smtp_password", code: "required_again" }] },
    });
    expect(await owner.get(`/projects/${id}`)).toMatchObject({ body: { fallback: SET } });
    const removed = await owner.put(path, { ...first, fallback: { smtp_host: "" } });
    expect(removed).toMatchObject({ status: 200, body: { fallback: null } });
    expect(await owner.put(path, { ...both, fallback: SET })).toMatchObject({
      status: 400,
      body: { error: "fallback.smtp_password: is required" },
    });
    const [{ metadata } = { metadata: "" }] = (
      await service.env.DB.prepare(
        "select metadata from audit_entries where scope_id = ? and action = 'smtp.update' order by id limit 1",
      )
        .bind(id)
        .all<{ metadata: string }>()
    ).results;
    expect(JSON.parse(metadata)).toEqual({
      host: "127.0.0.1",
      port: 2_500,
      fallback_host: "127.0.0.1",
      fallback_port: 2_525,
    });
  });

  it.each([
    [{ smtp_host: "10.0.0.1" }, "fallback.smtp_host: is not allowed"],
    [{ smtp_host: " " }, "fallback.smtp_host: is required"],
    [{ smtp_port: 25 }, "fallback.smtp_port: must be 587 or 465"],
    [{ smtp_user: "a\r\nb" }, "fallback.smtp_user: must be a single line"],
  ])("refuses %o and saves nothing", async (fault, error) => {
    const strict = createService({ ALLOW_PRIVATE_TARGETS: "" });
    const { id } = await owner.newProject();
    const { body, status } = await strict.anonymous.request<{ error: string }>(
      "PUT",
      `/projects/${id}/smtp`,
      {
        ...serverAt(587, "user"),
        smtp_host: "smtp.example.com",
        fallback: { ...serverAt(587, "user"), smtp_host: "smtp.example.org", ...fault },
      },
      { Cookie: owner.cookie },
    );
    expect([status, body.error]).toEqual([400, expect.stringContaining(error)]);
    expect((await owner.get(`/projects/${id}`)).body).toMatchObject({ smtp_host: null });
  });
});

describe("POST /projects/{id}/smtp/test", () => {
  it("tests one server alone, the first or the fallback", async () => {
    const { path, taken, logs } = await newPair(undefined);
    expect((await owner.post(`${path}/smtp/test`)).status).toBe(502);
    expect(await taken()).toEqual({ first: 0, second: 0 });
    const tested = await owner.post(`${path}/smtp/test?server=fallback`);
    expect(tested).toMatchObject({ status: 200, body: { message: "sent" } });
    expect(await taken()).toEqual({ first: 0, second: 1 });
    expect((await logs()).map((log) => log.via_fallback)).toEqual([true, false]);
    const { id } = await newNewsletter(service, owner);
    expect(await owner.post(`/projects/${id}/smtp/test?server=fallback`)).toMatchObject({
      status: 400,
      body: { error: "no fallback server is set" },
    });
  });
});
