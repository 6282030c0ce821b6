/*
 * Sessions that outlive a mail: how often they are used, when they end, and what a fault at each
 * phase of a used session does to the mail.
 */
import { describe, expect, it, vi } from "vitest";
import { type PoolRules, SmtpConnectError } from "../../src/mail/smtp/index.ts";
import { FAULTS } from "../support/smtp/faults.ts";
import { startRawServer } from "../support/smtp/raw-client.ts";
import type { RawRule, RawScript, RawStep } from "../support/smtp/raw-script.ts";
import {
  messageTo,
  NO_RSET_TIMEOUTS,
  outcomesOf,
  roundTrips,
  settingsFor,
  SHORT_TIMEOUTS,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";
import { deliveries, openPool } from "../support/smtp/shipping.ts";

const DATA = ["PIPELINING", "8BITMIME"];
const CHUNKED = [...DATA, "CHUNKING"];

async function warm(script: RawScript, rules: Partial<PoolRules> = {}, timeouts = TEST_TIMEOUTS) {
  const server = await startRawServer(script);
  const bounds = { maxConnections: 6, waitMs: 5_000, idleMs: 5_000, mailsMax: 100 };
  const pool = openPool({ timeouts, ...bounds, ...rules });
  const settings = settingsFor(server.port);
  const send = async (name: string, changes = {}) => {
    const smtp = { ...settings, ...changes };
    return outcomesOf((await pool.send(messageTo(`${name}@any.test`), { smtp })).result);
  };
  const sendAll = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => send(`r${n}`)));
  const connections = async () => (await server.log()).connections;
  return { server, pool, send, sendAll, connections };
}

/** Returns how often each recipient got its mail. */
async function received(server: Awaited<ReturnType<typeof startRawServer>>) {
  const found = [...(await deliveries(server))].map(([line, count]) => {
    const name = /<(\w+)@/.exec(line)?.[1] ?? line;
    return [name, count] as const;
  });
  return Object.fromEntries(found);
}

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

describe("a kept session", () => {
  it.each([
    ["two round trips a mail", DATA, 2],
    ["one round trip a mail with CHUNKING", CHUNKED, 1],
  ])("costs %s, and one connection for all", async (_what, offers, each) => {
    const { send, connections } = await warm({ offers });
    for (const name of ["a", "b", "c", "d"]) expect(await send(name)).toEqual(["accepted at body"]);
    const [connection, ...others] = await connections();
    expect(others).toEqual([]);
    const greeting = 1; // EHLO
    expect(connection && roundTrips(connection)).toBe(greeting + 4 * each);
  });

  it("answers RSET before a mail after a rest", async () => {
    const { send, connections } = await warm({ offers: DATA }, { checkAfterMs: 500 });
    await send("a");
    await send("b");
    await pause(600);
    await send("c");
    const [connection] = await connections();
    const written = connection?.traffic.filter(({ from }) => from === "client") ?? [];
    expect(written.map(({ text }) => text.slice(0, 4))).toEqual(
      "EHLO MAIL Subj MAIL Subj RSET MAIL Subj".split(" "),
    );
  });

  it("answers RSET before its first mail, too, if it has rested", async () => {
    const ok: RawStep = { send: "250 2.0.0 ok\r\n", chunkBytes: 2, everyMs: 30 };
    const late: RawStep = { send: "220 ready\r\n", chunkBytes: 1, everyMs: 100 };
    const rules: RawRule[] = [
      { on: "body", connection: 1, steps: [ok] },
      { on: "connect", connection: 2, steps: [late] },
    ];
    const { send, sendAll, connections } = await warm(
      { offers: DATA, rules },
      { checkAfterMs: 50 },
    );
    await sendAll(2); // the first session carries both before the second is open
    const isOpen = async () => {
      const [, second] = await connections();
      expect(second?.traffic.at(-1)?.text).toMatch(/^250/);
    };
    await vi.waitFor(isOpen, { timeout: 5_000 });
    await pause(200);
    expect(await send("c")).toEqual(["accepted at body"]);
    const written = (await connections())[1]?.traffic.filter(({ from }) => from === "client") ?? [];
    expect(written.map(({ text }) => text.slice(0, 4))).toEqual("EHLO RSET MAIL Subj".split(" "));
  });

  it("ends after its rest, and after its most mails", async () => {
    const { server, send, connections } = await warm(
      { offers: DATA },
      { idleMs: 1_000, mailsMax: 3 },
    );
    for (let nth = 0; nth < 7; nth++) await send(`r${nth}`);
    expect((await connections()).map(({ transactions }) => transactions.length)).toEqual([3, 3, 1]);
    expect(await server.openConnections()).toBe(0);
  });

  it("serves one login alone: with other settings it ends, after its mail", async () => {
    const slow: RawStep = { send: "250 2.0.0 ok\r\n", chunkBytes: 1, everyMs: 15 };
    const { server, pool, send, connections } = await warm({
      offers: [...DATA, "AUTH PLAIN"],
      rules: [{ on: "body", steps: [slow] }],
    });
    await send("a", { user: "u", password: "old" });
    const old = send("b", { user: "u", password: "old" });
    await pause(20);
    expect(await send("c", { user: "u", password: "new" })).toEqual(["accepted at body"]);
    expect(await old).toEqual(["accepted at body"]);
    expect((await connections()).map(({ transactions }) => transactions.length)).toEqual([2, 1]);
    await pool.end();
    expect(await server.openConnections()).toBe(0);
  });
});

describe("connections", () => {
  const slow: RawStep = { send: "250 2.0.0 ok\r\n", chunkBytes: 2, everyMs: 2 };

  it.each([
    ["by DATA", DATA],
    ["by CHUNKING", CHUNKED],
  ])("are never more than set, and 50 mails share them %s", async (_what, offers) => {
    const { server, sendAll } = await warm({ offers, rules: [{ on: "body", steps: [slow] }] });
    const outcomes = await sendAll(50);
    expect(new Set(outcomes.flat())).toEqual(new Set(["accepted at body"]));
    const { openMax, connections } = await server.log();
    expect([openMax, connections.length]).toEqual([6, 6]);
    expect(Object.values(await received(server))).toEqual(Array(50).fill(1));
  });

  it("are never more than set while sessions end and others open", async () => {
    const rules: RawRule[] = [{ on: "MAIL", skip: 2, steps: [{ close: true }] }];
    const { server, sendAll } = await warm({ offers: DATA, rules }, { connectionsMax: () => 2 });
    await sendAll(20);
    expect((await server.log()).openMax).toBeLessThanOrEqual(2);
    expect(Object.values(await received(server))).toEqual(Array(20).fill(1));
  });

  it("are as many as the server allows, when it refuses the others", async () => {
    const busy: RawStep[] = [{ send: "421 4.7.0 too many connections\r\n" }, { close: true }];
    const refusals = [3, 4, 5, 6].map((connection) => ({ on: "connect", connection, steps: busy }));
    const rules = [...refusals, { on: "body", steps: [slow] }];
    const { server, sendAll } = await warm({ offers: DATA, rules });
    const outcomes = await sendAll(30);
    expect(new Set(outcomes.flat())).toEqual(new Set(["accepted at body"]));
    expect(Object.values(await received(server))).toEqual(Array(30).fill(1));
  });

  it("carry on while the server refuses others slowly and one by one", async () => {
    const greeting: RawStep = { send: "220 ready\r\n", chunkBytes: 1, everyMs: 40 };
    const refused = [3, 4, 5, 6].map((connection, n) => {
      const send = "421 4.7.0 too many connections\r\n";
      const steps: RawStep[] = [{ send, chunkBytes: 4, everyMs: 15 * n }, { close: true }];
      return { on: "connect", connection, steps };
    });
    const late = { on: "connect", connection: 2, steps: [greeting] };
    const rules = [late, ...refused, { on: "body", steps: [slow] }];
    const { server, sendAll } = await warm({ offers: DATA, rules });
    const outcomes = await sendAll(60);
    expect(new Set(outcomes.flat())).toEqual(new Set(["accepted at body"]));
    expect(Object.values(await received(server))).toEqual(Array(60).fill(1));
    const { connections } = await server.log();
    const served = connections.filter(({ transactions }) => transactions.length > 0);
    expect([connections.length, served.length]).toEqual([6, 2]);
  });

  it("carry a mail again when the server refuses a new session and another one rests", async () => {
    const ok: RawStep = { send: "250 2.0.0 ok\r\n", chunkBytes: 2, everyMs: 40 };
    const bye: RawStep[] = [{ send: "421 4.7.0 enough\r\n" }, { close: true }];
    const busy: RawStep = { send: "421 4.7.0 too many\r\n", chunkBytes: 1, everyMs: 60 };
    const rules: RawRule[] = [
      { on: "MAIL", connection: 1, skip: 1, steps: bye },
      { on: "connect", connection: 3, steps: [busy, { close: true }] },
      { on: "body", steps: [ok] },
    ];
    const { server, sendAll } = await warm({ offers: DATA, rules });
    await sendAll(2);
    expect(new Set((await sendAll(2)).flat())).toEqual(new Set(["accepted at body"]));
    expect(await received(server)).toEqual({ r0: 2, r1: 2 });
    const carried = (await server.log()).connections.map(({ transactions }) => transactions.length);
    expect(carried).toEqual([1, 2, 0, 1]);
  });

  it("open once the last one is closed, when the server still counts it", async () => {
    const send = "421 4.7.0 too many connections\r\n";
    const rules: RawRule[] = [
      { on: "connect", connection: 2, steps: [{ send }, { close: true }] },
      { on: "QUIT", steps: [{ send: "221 bye\r\n", chunkBytes: 1, everyMs: 30 }, { close: true }] },
    ];
    const { send: mail, connections } = await warm({ offers: DATA, rules }, { mailsMax: 1 });
    expect(await mail("a")).toEqual(["accepted at body"]);
    expect(await mail("b")).toEqual(["accepted at body"]);
    const transactions = (await connections()).map((one) => one.transactions.length);
    expect(transactions).toEqual([1, 0, 1]);
  });

  it("are waited for, but not for ever: the mail then has a temporary error", async () => {
    const rules = [{ on: "body", steps: [] }];
    const limits = { connectionsMax: () => 1, waitMs: 100 };
    const { send, server } = await warm({ offers: DATA, rules }, limits, SHORT_TIMEOUTS);
    const first = send("a");
    const second = await send("b").catch((error: unknown) => error);
    expect(second).toBeInstanceOf(SmtpConnectError);
    expect(second).toMatchObject({
      temporary: true,
      message: expect.stringContaining("no more than 1"),
    });
    expect(await first).toEqual(["unknown at body"]);
    expect((await server.log()).openMax).toBe(1);
  });

  it("try a wrong password once for all mails that wait", async () => {
    const { pool, sendAll, connections, server } = await warm(FAULTS.refusesLogin);
    const settings = { user: "user", password: "wrong" };
    const smtp = settingsFor(server.port, settings);
    const all = Array.from({ length: 20 }, () => pool.send(messageTo("a@any.test"), { smtp }));
    const ends = await Promise.allSettled(all);
    expect(ends.map(({ status }) => status)).toEqual(Array(20).fill("rejected"));
    expect(await connections()).toHaveLength(1);
    await sendAll(1).catch(() => undefined);
    expect(await connections()).toHaveLength(2); // a later mail tries again
  });
});

describe("a session that ends while it rests", () => {
  const ends: [string, RawStep[]][] = [
    ["without a word", [{ close: true }]],
    ["with a 421", [{ send: "421 4.4.2 idle for too long\r\n" }, { close: true }]],
  ];
  const cases = ends.flatMap(([how, steps]) => [
    [`${how}, by DATA`, DATA, steps] as const,
    [`${how}, by CHUNKING`, CHUNKED, steps] as const,
  ]);

  it.each(cases)("is replaced before the next mail: %s", async (_how, offers, steps) => {
    const rule = { on: "body", connection: 1, steps: [{ send: "250 2.0.0 ok\r\n" }, ...steps] };
    const { server, send } = await warm({ offers, rules: [rule] });
    expect(await send("a")).toEqual(["accepted at body"]);
    await server.openConnections();
    await pause(100); // the end has reached the client, too
    expect(await send("b")).toEqual(["accepted at body"]);
    expect(await received(server)).toEqual({ a: 1, b: 1 });
  });

  it("and does not answer RSET is replaced before the next mail", async () => {
    const rule = { on: "RSET", connection: 1, steps: [] };
    const { server, send } = await warm(
      { offers: CHUNKED, rules: [rule] },
      { checkAfterMs: 0 },
      NO_RSET_TIMEOUTS,
    );
    await send("a");
    expect(await send("b")).toEqual(["accepted at body"]);
    expect(await received(server)).toEqual({ a: 1, b: 1 });
  });
});

/** The faults of a used session, and the outcome of its mail by DATA and by CHUNKING (if any). */
describe.concurrent("a fault of a used session", () => {
  const close: RawStep[] = [{ close: true }];
  const closing = "421 4.3.2 closing\r\n";
  const again = "accepted at body";
  const FAULTS_OF_USED: [string, string, RawStep[], string, string][] = [
    ["MAIL", "the connection ends", close, again, "unknown at body"],
    ["RCPT", "the connection ends", close, again, "unknown at body"],
    ["DATA", "the connection ends", close, again, ""],
    ["body", "the connection ends", close, "unknown at body", "unknown at body"],
    ["MAIL", "421", [{ send: closing }, ...close], again, again],
    ["RCPT", "421", [{ send: closing }, ...close], again, again],
    ["DATA", "421", [{ send: closing }, ...close], again, ""],
    ["body", "421", [{ send: closing }, ...close], again, again],
    ["MAIL", "nonsense", [{ send: "HTTP/1.1 400\r\n" }], again, "unknown at body"],
    ["body", "nonsense", [{ send: "HTTP/1.1 400\r\n" }], "unknown at body", "unknown at body"],
    ["MAIL", "silence", [], again, "unknown at body"],
    ["RCPT", "silence", [], again, "unknown at body"],
    ["DATA", "silence", [], again, ""],
    ["body", "silence", [], "unknown at body", "unknown at body"],
    ["MAIL", "451", [{ send: "451 4.3.0 later\r\n" }], again, again],
    ["RCPT", "550", [{ send: "550 5.1.1 who\r\n" }], "rejected at rcpt", "rejected at rcpt"],
    ["DATA", "554", [{ send: "554 5.5.1 no\r\n" }], "rejected at data", ""],
    ["body", "554", [{ send: "554 5.6.0 no\r\n" }], "rejected at body", "rejected at body"],
  ];
  const cases = FAULTS_OF_USED.flatMap(([on, what, steps, byData, byChunk]) => [
    [`${what} at ${on}, by DATA`, DATA, on, steps, byData] as const,
    ...(byChunk ? [[`${what} at ${on}, by CHUNKING`, CHUNKED, on, steps, byChunk] as const] : []),
  ]);

  it.each(cases)("mails nobody twice and says no false sent: %s", async (...given) => {
    const [, offers, on, steps, outcome] = given;
    const rules = [{ on, steps, skip: 1, connection: 1 }];
    const { server, send } = await warm({ strict: true, offers, rules }, {}, SHORT_TIMEOUTS);
    expect(await send("before")).toEqual(["accepted at body"]);
    expect(await send("mail")).toEqual([outcome]);
    const isRefusal = /^(deferred|rejected)/.test(outcome); // that goes on: the session stays
    expect(await send("after")).toEqual([isRefusal ? outcome : again]);
    expect((await server.log()).connections).toHaveLength(isRefusal ? 1 : 2);
    const { mail = 0, ...others } = await received(server);
    expect(others).toEqual(isRefusal ? { before: 1 } : { before: 1, after: 1 });
    if (outcome.startsWith("unknown")) expect(mail).toBeLessThanOrEqual(1);
    else expect(mail).toBe(outcome === again ? 1 : 0);
  });

  it("of a new session is not tried again", async () => {
    const { send, connections } = await warm(FAULTS.closesAtMail);
    expect(await send("mail")).toEqual(["not_sent at mail"]);
    expect(await connections()).toHaveLength(1);
  });

  it("that does not know BDAT, whatever it offers, sends the mail by DATA", async () => {
    const steps = [{ send: "502 5.5.1 what?\r\n".repeat(4) }];
    const rules = [{ on: "body", connection: 1, steps }];
    const { server, send } = await warm({ offers: CHUNKED, rules });
    expect(await send("a")).toEqual(["accepted at body"]);
    expect(await send("b")).toEqual(["accepted at body"]);
    expect(await received(server)).toEqual({ a: 1, b: 1 });
    expect((await server.log()).connections).toHaveLength(2);
  });

  it("that does not know BDAT sends the mail by DATA although a copy is refused", async () => {
    const rules = [
      { on: "RCPT TO:<no", steps: [{ send: "550 5.1.1 nobody\r\n" }] },
      { on: "body", connection: 1, steps: [{ send: "500 5.5.2 what?\r\n".repeat(4) }] },
    ];
    const { server, pool } = await warm({ offers: CHUNKED, rules });
    const { envelope, data } = messageTo("a@any.test");
    const both = { envelope: { ...envelope, to: [...envelope.to, "no@any.test"] }, data };
    const { result } = await pool.send(both, { smtp: settingsFor(server.port) });
    expect(outcomesOf(result)).toEqual(["accepted at body", "rejected at rcpt"]);
    expect(await received(server)).toEqual({ a: 1 });
  });
});
