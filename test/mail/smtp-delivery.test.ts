import { describe, expect, it } from "vitest";
import { type SendResult, sendOverConnections, SessionPool } from "../../src/mail/smtp/index.ts";
import { receivedMessages, waitForMessages } from "../support/mailbox.ts";
import { ports } from "../support/ports.ts";
import { closesAfterMessages, FAULTS } from "../support/smtp/faults.ts";
import { startRawServer } from "../support/smtp/raw-client.ts";
import {
  countSockets,
  messageTo,
  NO_GREETING_TIMEOUTS,
  outcomesOf,
  settingsFor,
  sockets,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";
import { deliveries, ship, tally } from "../support/smtp/shipping.ts";

const offers = ["PIPELINING", "8BITMIME"];

/** Occasional delay of a database. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 850));

describe("many messages over several connections", () => {
  it("arrive once each over at most four sessions, whatever number is requested", async () => {
    const server = await startRawServer({ offers });
    const results = await ship(200, server.port, { maxConnections: 50 });
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
    const left = Array.from({ length: 50 }, (_, n) => `${kinds[n % 5]}${n}@any.test`);
    const outcomes = new Map<string, string>();
    await sendOverConnections({
      settings,
      sockets,
      timeouts: TEST_TIMEOUTS,
      maxConnections: 4,
      take: () => {
        const to = left.shift();
        if (to === undefined) return undefined;
        const message = messageTo(to);
        return { ...message, envelope: { ...message.envelope, from } };
      },
      settle: ({ envelope }, result) => {
        outcomes.set(envelope.to[0] ?? "", outcomesOf(result)[0] ?? "");
      },
    });
    const expected = [
      "accepted at body",
      "rejected at rcpt",
      "rejected at body",
      "deferred at rcpt",
      "unknown at body",
    ];
    for (let n = 0; n < 50; n += 1)
      expect(outcomes.get(`${kinds[n % 5]}${n}@any.test`)).toBe(expected[n % 5]);
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
    let settled = 0;
    const settle = () => void (settled += 1);
    const pool = new SessionPool();
    const connectionsNow = () => (settled < 8 ? 4 : 1);
    await ship(60, server.port, { connectionsNow, settle, pool });
    expect(await server.openConnections(1)).toBe(1);
    await pool.close();
    const counts = await deliveries(server);
    expect([counts.size, new Set(counts.values())]).toEqual([60, new Set([1])]);
    const { connections } = await server.log();
    const carried = connections.map(({ transactions }) => transactions.length);
    expect(carried).toHaveLength(4);
    expect(Math.max(...carried)).toBeGreaterThan(30);
  });

  it("may be taken and settled slowly without the end of a session", async () => {
    const server = await startRawServer({ offers });
    let taken = 0;
    const results: SendResult[] = [];
    await sendOverConnections({
      settings: settingsFor(server.port),
      sockets,
      timeouts: { ...TEST_TIMEOUTS, greetingToAuthMs: 5_000, messageMs: 800, afterDataMs: 5_000 },
      maxConnections: 1,
      take: async () => {
        await pause();
        taken += 1;
        return taken > 2 ? undefined : messageTo(`slow${taken}@x.test`);
      },
      settle: async (_item, result) => {
        await pause();
        results.push(result);
      },
    });
    expect(results.flatMap(outcomesOf)).toEqual(Array(2).fill("accepted at body"));
    expect((await server.log()).connections).toHaveLength(1);
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

  it("after every message are given up when two in a row end each connection", async () => {
    for (const script of [
      FAULTS.closesAtRcpt,
      FAULTS.closes421AtMail,
      FAULTS.closesAfterFinalDot,
    ]) {
      const server = await startRawServer(script);
      const results = await ship(500, server.port, { maxConnections: 2 });
      expect(results.size).toBe(500);
      const last = results.get(500)?.recipients[0];
      expect(last).toMatchObject({ outcome: "not_sent" });
      expect(last?.error).toContain("the server ends every session");
      expect((await server.log()).connections.length).toBeLessThanOrEqual(12);
      expect(await deliveries(server)).toEqual(new Map());
    }
  });
});

describe("an unreachable server", () => {
  it("is tried twice, then all messages are settled as not sent", async () => {
    const server = await startRawServer(FAULTS.closesAtConnect);
    const results = await ship(5_000, server.port);
    expect(tally(results)).toEqual({ "not_sent at connect": 5_000 });
    expect(results.get(5_000)?.recipients[0]?.error).toContain("the server closed the connection");
    expect((await server.log()).connections).toHaveLength(2);
  });

  it("that never answers costs two connection timeouts, not one per message", async () => {
    const server = await startRawServer(FAULTS.silentAtConnect);
    const results = await ship(1_000, server.port, { timeouts: NO_GREETING_TIMEOUTS });
    expect(tally(results)).toEqual({ "not_sent at connect": 1_000 });
    expect((await server.log()).connections).toHaveLength(2);
    expect(await server.openConnections()).toBe(0);
  });

  it("that refuses the password is tried once", async () => {
    const server = await startRawServer(FAULTS.refusesLogin);
    const settings = settingsFor(server.port, { user: "user", password: "wrong" });
    const results = await ship(100, server.port, { settings });
    expect(tally(results)).toEqual({ "not_sent at auth": 100 });
    expect(results.get(100)?.recipients[0]?.reply?.code).toBe(535);
    expect((await server.log()).connections).toHaveLength(1);
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

  it("that fails once is tried again", async () => {
    const rules = [{ on: "connect", connection: 1, steps: [{ close: true as const }] }];
    const server = await startRawServer({ offers, rules });
    expect(tally(await ship(10, server.port))).toEqual({ "accepted at body": 10 });
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

describe("a fault of the caller", () => {
  it("in take is thrown after the taken messages are settled and all sessions are closed", async () => {
    const server = await startRawServer({ offers });
    const settled: Record<string, number> = {};
    let taken = 0;
    const shipping = sendOverConnections({
      settings: settingsFor(server.port),
      sockets,
      timeouts: TEST_TIMEOUTS,
      maxConnections: 4,
      take: async () => {
        if (taken === 17) throw new Error("the database is gone");
        taken += 1;
        return messageTo(`t${taken}@x.test`);
      },
      settle: ({ envelope }) => {
        const [to = ""] = envelope.to;
        settled[to] = (settled[to] ?? 0) + 1;
      },
    });
    await expect(shipping).rejects.toThrow("the database is gone");
    expect(Object.keys(settled)).toHaveLength(17);
    expect(new Set(Object.values(settled))).toEqual(new Set([1]));
    expect(await server.openConnections()).toBe(0);
  });

  it("in settle stops the rest, which is settled as not sent", async () => {
    const server = await startRawServer({ offers });
    const outcomes: string[] = [];
    let taken = 0;
    const shipping = sendOverConnections({
      settings: settingsFor(server.port),
      sockets,
      timeouts: TEST_TIMEOUTS,
      maxConnections: 2,
      take: () => {
        taken += 1;
        return messageTo(`s${taken}@x.test`);
      },
      settle: (_item, result) => {
        outcomes.push(...outcomesOf(result));
        if (outcomes.length === 5) throw new Error("the row is locked");
      },
    });
    await expect(shipping).rejects.toThrow("the row is locked");
    expect(outcomes).toHaveLength(taken);
    expect(outcomes.filter((outcome) => outcome === "accepted at body")).toHaveLength(
      (await deliveries(server)).size,
    );
    expect(await server.openConnections()).toBe(0);
    expect(await receivedMessages("s1@x.test")).toEqual([]);
  });
});
