import { describe, expect, it } from "vitest";
import { waitForMessages } from "../support/mailbox.ts";
import { ports } from "../support/ports.ts";
import { closesAfterMessages, FAULTS } from "../support/smtp/faults.ts";
import { startRawServer } from "../support/smtp/raw-client.ts";
import {
  countSockets,
  messageTo,
  NO_GREETING_TIMEOUTS,
  outcomesOf,
  settingsFor,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";
import { AT_ONCE, deliveries, openPool, sendBulk, ship, tally } from "../support/smtp/shipping.ts";

const offers = ["PIPELINING", "8BITMIME"];

/** Longer than a message may take. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 850));

describe("many messages over several connections", () => {
  it("arrive once each over four sessions", async () => {
    const server = await startRawServer({ offers });
    const results = await ship(200, server.port);
    expect(tally(results)).toEqual({ "accepted at body": 200 });
    const counts = await deliveries(server);
    expect(counts.size).toBe(200);
    expect(new Set(counts.values())).toEqual(new Set([1]));
    const log = await server.log();
    expect(log.openMax).toBe(4);
    expect(log.connections).toHaveLength(4);
    expect(await server.openConnections()).toBe(0);
  });

  it("arrive at a real server with their outcomes, by TLS and login", async () => {
    const from = "delivery@unique.test";
    const settings = settingsFor(ports.smtp, { tls: "starttls", user: "user", password: "pass" });
    const kinds = ["a", "rcpt.550.5.1.1.a", "data.554.5.6.0.a", "rcpt.451.4.7.1.a", "close.data.a"];
    const to = (number: number) => `${kinds[number % 5]}${number}@any.test`;
    const results = await ship(50, settings.port, { settings }, (number) => {
      const message = messageTo(to(number));
      return { ...message, envelope: { ...message.envelope, from } };
    });
    const expected = [
      "accepted at body",
      "rejected at rcpt",
      "rejected at body",
      "deferred at rcpt",
      "unknown at body",
    ];
    for (const [number, result] of results)
      expect(outcomesOf(result)).toEqual([expected[number % 5]]);
    const received = await waitForMessages({ from }, 10);
    expect(new Set(received.map(({ to }) => to[0])).size).toBe(10);
    expect(received).toHaveLength(10);
  });

  it("open no more connections than there are messages", async () => {
    for (const count of [0, 1, 2]) {
      const server = await startRawServer({ offers });
      expect((await ship(count, server.port)).size).toBe(count);
      expect((await server.log()).connections.length).toBeLessThanOrEqual(count);
    }
  });

  it.each([
    ["DATA", offers],
    ["CHUNKING", [...offers, "CHUNKING"]],
  ])("go on over one session when no more may, by %s", async (_how, offered) => {
    const ok = { send: "250 2.0.0 ok\r\n", chunkBytes: 2, everyMs: 5 };
    const server = await startRawServer({ offers: offered, rules: [{ on: "body", steps: [ok] }] });
    let taken = 0;
    const make = (number: number) => messageTo(`r${(taken = number)}@x.test`);
    const pool = openPool({ connectionsMax: () => (taken < 24 ? 4 : 1) });
    await ship(60, server.port, { pool }, make);
    expect(await server.openConnections(1)).toBe(1);
    await pool.end();
    const counts = await deliveries(server);
    expect([counts.size, new Set(counts.values())]).toEqual([60, new Set([1])]);
    const { connections } = await server.log();
    const carried = connections.map(({ transactions }) => transactions.length);
    expect(carried).toHaveLength(4);
    expect(Math.max(...carried)).toBeGreaterThan(30);
  });

  it("may come slowly without the end of a session", async () => {
    const server = await startRawServer({ offers });
    const pool = openPool({ timeouts: { ...TEST_TIMEOUTS, messageMs: 800 } });
    const settings = settingsFor(server.port);
    for (const name of ["a", "b"]) {
      const result = await sendBulk(pool, settings, messageTo(`${name}@x.test`));
      expect(outcomesOf(result)).toEqual(["accepted at body"]);
      await pause();
    }
    await pool.end();
    expect((await server.log()).connections).toHaveLength(1);
  });

  it("let single ones pass that come later", async () => {
    const slow = { send: "250 2.0.0 ok\r\n", chunkBytes: 2, everyMs: 5 };
    const server = await startRawServer({ offers, rules: [{ on: "body", steps: [slow] }] });
    const pool = openPool({ maxConnections: 1 });
    const shipped = ship(AT_ONCE, server.port, { pool });
    await pool.send(messageTo("single@x.test"), { smtp: settingsFor(server.port) });
    await shipped;
    await pool.end();
    const order = [...(await deliveries(server)).keys()];
    expect(order).toHaveLength(AT_ONCE + 1);
    expect(order.indexOf("RCPT TO:<single@x.test>")).toBeLessThanOrEqual(2);
  });
});

describe("sessions that end early", () => {
  it.each([
    [1, ""],
    [3, ""],
    [1, "421 4.7.0 enough\r\n"],
    [3, "421 4.7.0 enough\r\n"],
  ] as const)(
    "after %i messages, with farewell %j, lose no message",
    async (messages, farewell) => {
      const server = await startRawServer(closesAfterMessages(messages, farewell));
      const counted = countSockets();
      const results = await ship(40, server.port, { sockets: counted.sockets });
      expect(tally(results)).toEqual({ "accepted at body": 40 });
      const counts = await deliveries(server);
      expect(counts.size).toBe(40);
      expect(new Set(counts.values())).toEqual(new Set([1]));
      expect(counted.openMax()).toBe(4);
      expect(await server.openConnections()).toBe(0);
    },
  );

  it("after a final dot leave that one message unknown and never resend it", async () => {
    const server = await startRawServer({
      offers,
      rules: [{ on: "body", connection: 1, skip: 2, steps: [{ close: true }] }],
    });
    const results = await ship(20, server.port, { maxConnections: 1 });
    expect(tally(results)).toEqual({ "accepted at body": 19, "unknown at body": 1 });
    expect(outcomesOf(results.get(3)!)).toEqual(["unknown at body"]);
    const bodies = (await server.log()).connections.flatMap(({ transactions }) => transactions);
    expect(bodies.filter(({ rcpt }) => rcpt[0] === "RCPT TO:<r3@x.test>")).toHaveLength(1);
    expect(bodies).toHaveLength(20);
  });

  it("because of one message lose only that one", async () => {
    const rules = [{ on: "RCPT TO:<r2@", steps: [{ close: true as const }] }];
    const server = await startRawServer({ offers, rules });
    const results = await ship(20, server.port);
    expect(tally(results)).toEqual({ "accepted at body": 19, "not_sent at rcpt": 1 });
    expect(outcomesOf(results.get(2)!)).toEqual(["not_sent at rcpt"]);
    expect((await deliveries(server)).size).toBe(19);
  });
});

describe("an unreachable server", () => {
  it.each([
    ["closes at once", FAULTS.closesAtConnect, "not_sent at connect"],
    ["never answers", FAULTS.silentAtConnect, "not_sent at connect"],
    ["refuses the password", FAULTS.refusesLogin, "not_sent at auth"],
  ])("that %s is tried once for all messages that wait", async (_how, script, outcome) => {
    const server = await startRawServer(script);
    const settings = settingsFor(server.port, { user: "user", password: "wrong" });
    const results = await ship(AT_ONCE, server.port, { settings, timeouts: NO_GREETING_TIMEOUTS });
    expect(tally(results)).toEqual({ [outcome]: AT_ONCE });
    expect((await server.log()).connections).toHaveLength(1);
    expect(await server.openConnections()).toBe(0);
  });

  it("that allows only two connections gets everything over these two", async () => {
    const busy = [{ send: "421 4.7.0 too many connections\r\n" }, { close: true as const }];
    const rules = [3, 4, 5, 6].map((connection) => ({ on: "connect", connection, steps: busy }));
    const server = await startRawServer({ offers, rules });
    expect(tally(await ship(60, server.port))).toEqual({ "accepted at body": 60 });
    const log = await server.log();
    expect(log.connections).toHaveLength(4);
    expect(new Set((await deliveries(server)).values())).toEqual(new Set([1]));
  });
});

describe("the reply of a hostile server", () => {
  it("has no control characters, which would fill six times their room in a row", async () => {
    const noise = "\u0001\u0000\t\u007f\r";
    const send = `550-5.1.1 no${noise}user\r\n550 5.1.1 ${noise.repeat(50)}here\r\n`;
    const rules = [{ on: "RCPT TO", steps: [{ send }] }];
    const server = await startRawServer({ offers, rules });
    const [result] = (await ship(1, server.port)).values();
    expect(result?.recipients[0]).toMatchObject({
      reply: { code: 550, enhanced: "5.1.1", text: "no user\n here" },
      error: "550 5.1.1 no user here",
    });
  });
});
