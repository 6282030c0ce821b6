import { describe, expect, it } from "vitest";
import type { SocketFactory } from "../../src/mail/net/socket.ts";
import {
  SessionPool,
  SmtpSession,
  type SmtpSettings,
  type SmtpTimeouts,
} from "../../src/mail/smtp/index.ts";
import { closesAfterMessages } from "../support/smtp/faults.ts";
import { type RawServer, startRawServer } from "../support/smtp/raw-client.ts";
import type { RawRule, RawStep } from "../support/smtp/raw-script.ts";
import {
  countSockets,
  messageTo,
  NO_RSET_TIMEOUTS,
  outcomesOf,
  settingsFor,
  SHORT_TIMEOUTS,
  sockets,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";
import { deliveries, type Numbered, ship, tally } from "../support/smtp/shipping.ts";

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
  pool: SessionPool,
  count: number,
  changes: {
    settings?: SmtpSettings;
    maxConnections?: number;
    timeouts?: SmtpTimeouts;
    sockets?: SocketFactory;
  } = {},
): Promise<void> {
  const results = await ship(count, server.port, { pool, ...changes });
  expect(tally(results)).toEqual({ "accepted at body": count });
}

/** Expects each recipient to have the message of each shipment exactly once. */
async function expectEach(server: RawServer, recipients: number, times: number): Promise<void> {
  const counts = await deliveries(server);
  expect(counts.size).toBe(recipients);
  expect(new Set(counts.values())).toEqual(new Set([times]));
}

/** A kept session after one message. */
async function keepSession(
  pool: SessionPool,
  server: RawServer,
  timeouts = TEST_TIMEOUTS,
): Promise<void> {
  const session = await SmtpSession.open(settingsFor(server.port), sockets, timeouts);
  expect(outcomesOf(await session.send(messageTo("kept@x.test")))).toEqual(["accepted at body"]);
  await pool.leave(session);
}

describe.each(WAYS)("sessions kept between shipments, by %s,", (_way, offered) => {
  const offers = [...offered];

  it("carry them all, and quit when the pool is closed", async () => {
    const server = await startRawServer({ offers, strict: true });
    const pool = new SessionPool();
    for (let shipment = 0; shipment < 3; shipment += 1) {
      await shipAll(server, pool, 60);
      expect(await server.openConnections(0)).toBe(4);
    }
    expect(await countOf(server, /QUIT/g)).toBe(0);
    await pool.close();
    expect(await server.openConnections()).toBe(0);
    await pool.close();
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
      [0, 1],
    ] as const) {
      const pool = new SessionPool(checkAfterMs);
      await shipAll(server, pool, 5, { maxConnections: 1 });
      await shipAll(server, pool, 5, { maxConnections: 1 });
      expect(await checks()).toBe(expected);
      await pool.close();
    }
    expect(await talks(server)).toHaveLength(2);
    await expectEach(server, 5, 4);
  });

  it("that rested shortly, but that the server has closed, lose no message", async () => {
    const rules: RawRule[] = [{ on: "body", skip: 4, connection: 1, steps: [queued, close] }];
    const server = await startRawServer({ offers, strict: true, rules });
    const pool = new SessionPool(60_000);
    await shipAll(server, pool, 5, { maxConnections: 1 });
    expect(await server.openConnections()).toBe(0);
    await shipAll(server, pool, 5, { maxConnections: 1 });
    await pool.close();
    expect(await talks(server)).toHaveLength(2);
    await expectEach(server, 5, 2);
  });

  it("that the server closes meanwhile lose no message", async () => {
    const rules: RawRule[] = [{ on: "body", skip: 4, connection: 1, steps: [queued, close] }];
    const server = await startRawServer({ offers, strict: true, rules });
    const pool = new SessionPool();
    await shipAll(server, pool, 5, { maxConnections: 1 });
    await shipAll(server, pool, 5, { maxConnections: 1 });
    await pool.close();
    expect(await talks(server)).toHaveLength(2);
    await expectEach(server, 5, 2);
  });

  it("that the server ends with 421 meanwhile lose no message", async () => {
    const farewell = { send: "250 2.0.0 queued\r\n421 4.4.2 bye\r\n", chunkBytes: 18, everyMs: 20 };
    const rules: RawRule[] = [{ on: "body", skip: 4, connection: 1, steps: [farewell, close] }];
    const server = await startRawServer({ offers, strict: true, rules });
    const pool = new SessionPool();
    await shipAll(server, pool, 5, { maxConnections: 1 });
    await expect
      .poll(async () => (await server.log()).connections[0]?.traffic.at(-1)?.text)
      .toContain("421");
    await shipAll(server, pool, 5, { maxConnections: 1 });
    await pool.close();
    expect(await talks(server)).toHaveLength(2);
    await expectEach(server, 5, 2);
  });

  it("on which the server falls silent cost one wait, not one each", async () => {
    const rules = [1, 2, 3, 4].map((connection) => ({ on: "RSET", connection, steps: [] }));
    const server = await startRawServer({ offers, rules });
    const pool = new SessionPool();
    await pool.prepare(settingsFor(server.port));
    for (let kept = 0; kept < 4; kept += 1) await keepSession(pool, server, NO_RSET_TIMEOUTS);
    await shipAll(server, pool, 20);
    const said = await talks(server);
    expect(said.slice(0, 4).filter((text) => text.includes("RSET"))).toHaveLength(1);
    await pool.close();
  });

  it("serve no other settings, and are closed before the first session of those", async () => {
    const server = await startRawServer({
      offers: [...offers, "STARTTLS", "AUTH PLAIN"],
    });
    const pool = new SessionPool();
    const settings = settingsFor(server.port, { user: "user", password: "pass" });
    const others: SmtpSettings[] = [
      { ...settings, user: "other" },
      { ...settings, password: "other" },
      { ...settings, ehloName: "other.test" },
      { ...settings, host: "127.0.0.1" },
      { ...settings, tls: "starttls" },
      settingsFor(server.port),
    ];
    const counted = countSockets();
    for (const one of [settings, ...others]) {
      await shipAll(server, pool, 20, { settings: one, sockets: counted.sockets });
    }
    const elsewhere = await startRawServer({ offers });
    await shipAll(elsewhere, pool, 20, { sockets: counted.sockets });
    expect(await server.openConnections()).toBe(0);
    await pool.close();
    expect(counted.openMax()).toBe(4);
    expect((await server.log()).connections).toHaveLength(4 * (1 + others.length));
    expect(await countOf(server, /QUIT\r\n/g)).toBe(4 * (1 + others.length));
  });

  it("are closed by a fault of a later shipment, which is thrown", async () => {
    const server = await startRawServer({ offers, strict: true });
    const pool = new SessionPool();
    await shipAll(server, pool, 20);
    const settled: number[] = [];
    let taken = 0;
    const take = (): Numbered => {
      if (taken === 10) throw new Error("the database is gone");
      taken += 1;
      return { number: taken, ...messageTo(`late${taken}@x.test`) };
    };
    const settle = ({ number }: Numbered) => void settled.push(number);
    await expect(ship(0, server.port, { pool, take, settle })).rejects.toThrow("is gone");
    expect(await server.openConnections()).toBe(0);
    expect(settled.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await talks(server)).toHaveLength(4);
    await shipAll(server, pool, 20);
    await pool.close();
    const counts = await deliveries(server);
    for (let number = 1; number <= 20; number += 1) {
      expect(counts.get(`RCPT TO:<r${number}@x.test>`)).toBe(2);
    }
  });

  it("end within the bound of a farewell, even with a silent server", async () => {
    const server = await startRawServer({ offers, rules: [{ on: "QUIT", steps: [] }] });
    const pool = new SessionPool();
    await shipAll(server, pool, 20, { timeouts: SHORT_TIMEOUTS });
    await pool.close();
    expect(await server.openConnections()).toBe(0);
    expect(await countOf(server, /QUIT\r\n/g)).toBe(4);
  });

  it("end after every few messages if the server requires it, and nothing is lost or sent twice", async () => {
    const server = await startRawServer({
      ...closesAfterMessages(7, "421 4.7.0 enough\r\n"),
      offers,
    });
    const pool = new SessionPool();
    const counted = countSockets();
    for (let shipment = 0; shipment < 3; shipment += 1) {
      await shipAll(server, pool, 40, { sockets: counted.sockets });
    }
    await pool.close();
    expect(counted.openMax()).toBe(4);
    await expectEach(server, 40, 3);
  });
});

describe("a kept session", () => {
  const offers = ["PIPELINING"];

  it("gives a message no second try", async () => {
    const server = await startRawServer(closesAfterMessages(1, "421 4.7.0 enough\r\n"));
    const pool = new SessionPool();
    await pool.prepare(settingsFor(server.port));
    for (let kept = 0; kept < 4; kept += 1) await keepSession(pool, server);
    await shipAll(server, pool, 1);
    expect(await talks(server)).toHaveLength(5);
    await pool.close();
  });

  it("ends at the limit of its time, even while it waits", async () => {
    const server = await startRawServer({ offers });
    const pool = new SessionPool();
    const timeouts = { ...TEST_TIMEOUTS, sessionMs: 1_000 };
    await shipAll(server, pool, 1, { timeouts });
    expect(await server.openConnections()).toBe(0);
    await shipAll(server, pool, 1, { timeouts });
    expect(await talks(server)).toHaveLength(2);
    await pool.close();
  });

  it("is not kept with an announced envelope that has no message", async () => {
    const rules: RawRule[] = [{ on: "MAIL", skip: 1, steps: [] }];
    const server = await startRawServer({ offers, rules });
    const session = await SmtpSession.open(settingsFor(server.port), sockets, TEST_TIMEOUTS);
    await session.send(messageTo("a@x.test"), messageTo("b@x.test"));
    await new SessionPool().leave(session);
    expect(await server.openConnections()).toBe(0);
  });

  it("is not kept with an unexpected answer", async () => {
    const steps = [{ send: "250 2.0.0 queued\r\n250 2.0.0 queued\r\n" }];
    const server = await startRawServer({ offers, rules: [{ on: "body", steps }] });
    const pool = new SessionPool();
    await keepSession(pool, server);
    expect(await server.openConnections()).toBe(0);
    expect(await pool.take()).toBeUndefined();
  });

  it("does not make a wrong password cost more than one login", async () => {
    const wrong = `AUTH PLAIN ${btoa("\0user\0wrong")}`;
    const rules: RawRule[] = [{ on: wrong, steps: [{ send: "535 5.7.8 wrong password\r\n" }] }];
    const server = await startRawServer({ offers: [...offers, "AUTH PLAIN"], rules });
    const pool = new SessionPool();
    const settings = settingsFor(server.port, { user: "user", password: "pass" });
    await shipAll(server, pool, 20, { settings });
    const results = await ship(20, server.port, {
      pool,
      settings: { ...settings, password: "wrong" },
    });
    expect(tally(results)).toEqual({ "not_sent at auth": 20 });
    expect(await talks(server)).toHaveLength(5);
  });
});

describe("the memory of CHUNKING", () => {
  const offers = ["PIPELINING", "CHUNKING"];

  it("lasts as long as the pool, for the same settings alone", async () => {
    const rules: RawRule[] = [{ on: "body", steps: [{ send: "502 5.5.1 what?\r\n" }] }];
    const broken = rules.flatMap((rule) => [1, 3].map((connection) => ({ ...rule, connection })));
    const server = await startRawServer({ offers, rules: broken });
    const pool = new SessionPool();
    const settings = settingsFor(server.port);
    for (let shipment = 0; shipment < 3; shipment += 1) {
      await shipAll(server, pool, 5, { settings, maxConnections: 1 });
    }
    expect(await countOf(server, /BDAT/g)).toBe(1);
    const renamed = { ...settings, ehloName: "other.test" };
    await shipAll(server, pool, 5, { settings: renamed, maxConnections: 1 });
    expect(await countOf(server, /BDAT/g)).toBe(2);
    await pool.close();
  });

  it("lets a later shipment fill its windows from the first message on", async () => {
    const awaitFourth = [{ awaitText: "RCPT TO:<late4@" }, queued];
    const rules: RawRule[] = [
      { on: "body", skip: 2, steps: [queued] },
      { on: "body", skip: 1, steps: awaitFourth },
    ];
    const server = await startRawServer({ offers, strict: true, rules });
    const pool = new SessionPool();
    await shipAll(server, pool, 1, { maxConnections: 1 });
    const results = await ship(4, server.port, { pool, maxConnections: 1 }, (number) =>
      messageTo(`late${number}@x.test`),
    );
    expect(tally(results)).toEqual({ "accepted at body": 4 });
    await pool.close();
  });
});
