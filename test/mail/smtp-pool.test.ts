import { describe, expect, it } from "vitest";
import type { SmtpPool, SmtpSettings } from "../../src/mail/smtp/index.ts";
import { closesAfterMessages } from "../support/smtp/faults.ts";
import { type RawServer, startRawServer } from "../support/smtp/raw-client.ts";
import type { RawRule, RawStep } from "../support/smtp/raw-script.ts";
import {
  countSockets,
  messageTo,
  NO_RSET_TIMEOUTS,
  settingsFor,
  SHORT_TIMEOUTS,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";
import { AT_ONCE, deliveries, openPool, sendBulk, ship, tally } from "../support/smtp/shipping.ts";

const close: RawStep = { close: true };
const queued: RawStep = { send: "250 2.0.0 queued\r\n" };
/** Servers that accept messages by DATA, and those that accept several in flight. */
const WAYS = [
  ["DATA", ["PIPELINING", "8BITMIME"]],
  ["CHUNKING", ["PIPELINING", "8BITMIME", "CHUNKING"]],
] as const;

/** Commands of the client on each connection. */
async function talks(server: RawServer): Promise<string[]> {
  return (await server.log()).connections.map(({ traffic }) =>
    traffic.flatMap(({ from, text }) => (from === "client" ? [text] : [])).join(""),
  );
}

async function countOf(server: RawServer, pattern: RegExp): Promise<number> {
  return (await talks(server)).join("").match(pattern)?.length ?? 0;
}

/** Ships `count` messages with their own numbers, and expects all of them to be accepted. */
async function shipAll(
  server: RawServer,
  pool: SmtpPool,
  count: number,
  settings = settingsFor(server.port),
): Promise<void> {
  expect(tally(await ship(count, server.port, { pool, settings }))).toEqual({
    "accepted at body": count,
  });
}

const pause = (ms: number) => new Promise<void>((resume) => setTimeout(resume, ms));

/** Expects each recipient to have the message of each shipment exactly once. */
async function expectEach(server: RawServer, recipients: number, times: number): Promise<void> {
  const counts = await deliveries(server);
  expect(counts.size).toBe(recipients);
  expect(new Set(counts.values())).toEqual(new Set([times]));
}

describe.each(WAYS)("sessions kept between shipments, by %s,", (_way, offered) => {
  const offers = [...offered];

  it("carry them all, and quit when the pool ends", async () => {
    const server = await startRawServer({ offers, strict: true });
    const pool = openPool();
    for (let shipment = 0; shipment < 3; shipment += 1) {
      await shipAll(server, pool, 60);
      expect(await server.openConnections(0)).toBe(4);
    }
    expect(await countOf(server, /QUIT/g)).toBe(0);
    await pool.end();
    expect(await server.openConnections()).toBe(0);
    await pool.end();
    const said = await talks(server);
    expect(said).toHaveLength(4);
    for (const text of said) expect(text).toMatch(/^EHLO client\.test\r\n[^]*\r\nQUIT\r\n$/);
    await expectEach(server, 60, 3);
  });

  it("that rested shortly carry the next shipment at once, and any other after a check", async () => {
    const server = await startRawServer({ offers, strict: true });
    const isCheck = ({ text }: { text: string }) => text === "RSET\r\n";
    const checks = async () =>
      (await server.log()).connections.flatMap(({ traffic }) => traffic.filter(isCheck)).length;
    for (const [checkAfterMs, expected] of [
      [5_000, 0],
      [50, 1],
    ] as const) {
      const pool = openPool({ checkAfterMs, maxConnections: 1 });
      await shipAll(server, pool, 5);
      await pause(100);
      await shipAll(server, pool, 5);
      expect(await checks()).toBe(expected);
      await pool.end();
    }
    expect(await talks(server)).toHaveLength(2);
    await expectEach(server, 5, 4);
  });

  it("that rested shortly, but that the server has closed, lose no message", async () => {
    const rules: RawRule[] = [{ on: "body", skip: 4, connection: 1, steps: [queued, close] }];
    const server = await startRawServer({ offers, strict: true, rules });
    const pool = openPool({ checkAfterMs: 60_000, maxConnections: 1 });
    await shipAll(server, pool, 5);
    expect(await server.openConnections()).toBe(0);
    await shipAll(server, pool, 5);
    await pool.end();
    expect(await talks(server)).toHaveLength(2);
    await expectEach(server, 5, 2);
  });

  it("that the server closes meanwhile lose no message", async () => {
    const rules: RawRule[] = [{ on: "body", skip: 4, connection: 1, steps: [queued, close] }];
    const server = await startRawServer({ offers, strict: true, rules });
    const pool = openPool({ checkAfterMs: 50, maxConnections: 1 });
    await shipAll(server, pool, 5);
    await pause(100);
    await shipAll(server, pool, 5);
    await pool.end();
    expect(await talks(server)).toHaveLength(2);
    await expectEach(server, 5, 2);
  });

  it("that the server ends with 421 meanwhile lose no message", async () => {
    const farewell = { send: "250 2.0.0 queued\r\n421 4.4.2 bye\r\n", chunkBytes: 18, everyMs: 20 };
    const rules: RawRule[] = [{ on: "body", skip: 4, connection: 1, steps: [farewell, close] }];
    const server = await startRawServer({ offers, strict: true, rules });
    const pool = openPool({ checkAfterMs: 50, maxConnections: 1 });
    await shipAll(server, pool, 5);
    await expect
      .poll(async () => (await server.log()).connections[0]?.traffic.at(-1)?.text)
      .toContain("421");
    await shipAll(server, pool, 5);
    await pool.end();
    expect(await talks(server)).toHaveLength(2);
    await expectEach(server, 5, 2);
  });

  it("on which the server falls silent cost one wait, not one each", async () => {
    const rules = [1, 2, 3, 4].map((connection) => ({ on: "RSET", connection, steps: [] }));
    const server = await startRawServer({ offers: ["PIPELINING"], rules });
    const pool = openPool({ timeouts: NO_RSET_TIMEOUTS, checkAfterMs: 50 });
    await shipAll(server, pool, 20);
    await pause(100);
    const settings = settingsFor(server.port);
    await sendBulk(pool, settings, messageTo("late@x.test"));
    const said = await talks(server);
    expect(said.slice(0, 4).filter((text) => text.includes("RSET"))).toHaveLength(1);
    await pool.end();
  });

  it("serve no other settings, and are closed before the first session of those", async () => {
    const server = await startRawServer({
      offers: [...offers, "STARTTLS", "AUTH PLAIN"],
    });
    const counted = countSockets();
    const pool = openPool({ sockets: counted.sockets });
    const settings = settingsFor(server.port, { user: "user", password: "pass" });
    const others: SmtpSettings[] = [
      { ...settings, user: "other" },
      { ...settings, password: "other" },
      { ...settings, ehloName: "other.test" },
      { ...settings, host: "127.0.0.1" },
      { ...settings, tls: "starttls" },
      settingsFor(server.port),
    ];
    for (const one of [settings, ...others]) await shipAll(server, pool, 20, one);
    const elsewhere = await startRawServer({ offers });
    await shipAll(elsewhere, pool, 20);
    expect(await server.openConnections()).toBe(0);
    await pool.end();
    expect(counted.openMax()).toBe(4);
    expect((await server.log()).connections).toHaveLength(4 * (1 + others.length));
    expect(await countOf(server, /QUIT\r\n/g)).toBe(4 * (1 + others.length));
  });

  it("end within the bound of a farewell, even with a silent server", async () => {
    const server = await startRawServer({ offers, rules: [{ on: "QUIT", steps: [] }] });
    const pool = openPool({ timeouts: SHORT_TIMEOUTS });
    await shipAll(server, pool, 20);
    await pool.end();
    expect(await server.openConnections()).toBe(0);
    expect(await countOf(server, /QUIT\r\n/g)).toBe(4);
  });

  it("end after every few messages if the server requires it, and nothing is lost or sent twice", async () => {
    const server = await startRawServer({
      ...closesAfterMessages(7, "421 4.7.0 enough\r\n"),
      offers,
    });
    const counted = countSockets();
    const pool = openPool({ sockets: counted.sockets });
    for (let shipment = 0; shipment < 3; shipment += 1) await shipAll(server, pool, 40);
    await pool.end();
    expect(counted.openMax()).toBe(4);
    await expectEach(server, 40, 3);
  });
});

describe("a kept session", () => {
  const offers = ["PIPELINING"];

  it("gives a message no second try: that gets a new one", async () => {
    const server = await startRawServer(closesAfterMessages(2, "421 4.7.0 enough\r\n"));
    const pool = openPool();
    await shipAll(server, pool, 4);
    await shipAll(server, pool, 4);
    await shipAll(server, pool, 1);
    await pool.end();
    const times = [...(await deliveries(server)).values()];
    expect(times).toEqual([3, 2, 2, 2]);
  });

  it("ends at the limit of its time, even while it waits", async () => {
    const server = await startRawServer({ offers });
    const pool = openPool({ timeouts: { ...TEST_TIMEOUTS, sessionMs: 1_000 } });
    await shipAll(server, pool, 1);
    expect(await server.openConnections()).toBe(0);
    await shipAll(server, pool, 1);
    expect(await talks(server)).toHaveLength(2);
    await pool.end();
  });

  it("is not kept with an unexpected answer", async () => {
    const steps = [{ send: "250 2.0.0 queued\r\n250 2.0.0 queued\r\n" }];
    const server = await startRawServer({ offers, rules: [{ on: "body", steps }] });
    const pool = openPool();
    await shipAll(server, pool, 1);
    expect(await server.openConnections()).toBe(0);
  });

  it("does not make a wrong password cost more than one login", async () => {
    const wrong = `AUTH PLAIN ${btoa("\0user\0wrong")}`;
    const rules: RawRule[] = [{ on: wrong, steps: [{ send: "535 5.7.8 wrong password\r\n" }] }];
    const server = await startRawServer({ offers: [...offers, "AUTH PLAIN"], rules });
    const pool = openPool();
    const settings = settingsFor(server.port, { user: "user", password: "pass" });
    await shipAll(server, pool, 20, settings);
    const login = { ...settings, password: "wrong" };
    const results = await ship(AT_ONCE, server.port, { pool, settings: login });
    expect(tally(results)).toEqual({ "not_sent at auth": AT_ONCE });
    expect(await talks(server)).toHaveLength(5);
  });
});

describe("the memory of CHUNKING", () => {
  const offers = ["PIPELINING", "CHUNKING"];

  it("lasts as long as the pool, for the same settings alone", async () => {
    const rules: RawRule[] = [{ on: "body", steps: [{ send: "502 5.5.1 what?\r\n" }] }];
    const broken = rules.flatMap((rule) => [1, 3].map((connection) => ({ ...rule, connection })));
    const server = await startRawServer({ offers, rules: broken });
    const pool = openPool({ maxConnections: 1 });
    const settings = settingsFor(server.port);
    for (let shipment = 0; shipment < 3; shipment += 1) await shipAll(server, pool, 5);
    expect(await countOf(server, /BDAT/g)).toBe(1);
    const renamed = { ...settings, ehloName: "other.test" };
    await shipAll(server, pool, 5, renamed);
    expect(await countOf(server, /BDAT/g)).toBe(2);
    await pool.end();
  });

  it("lets a later shipment fill its windows from the first message on", async () => {
    const awaitFourth = [{ awaitText: "RCPT TO:<late4@" }, queued];
    const rules: RawRule[] = [
      { on: "body", skip: 2, steps: [queued] },
      { on: "body", skip: 1, steps: awaitFourth },
    ];
    const server = await startRawServer({ offers, strict: true, rules });
    const pool = openPool({ maxConnections: 1 });
    await shipAll(server, pool, 1);
    const results = await ship(4, server.port, { pool }, (number) =>
      messageTo(`late${number}@x.test`),
    );
    expect(tally(results)).toEqual({ "accepted at body": 4 });
    await pool.end();
  });
});
