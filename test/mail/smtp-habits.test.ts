/*
 * Servers that end a session in their own ways: by what they answer behind a final dot, after some
 * mails, or after some refusals. Bulk mail and single mails meet the same rules.
 */
import { describe, expect, it } from "vitest";
import { type RawServer, startRawServer } from "../support/smtp/raw-client.ts";
import type { RawRule } from "../support/smtp/raw-script.ts";
import {
  messageTo,
  outcomesOf,
  sendAndLeave,
  settingsFor,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";
import { deliveries, openPool, ship } from "../support/smtp/shipping.ts";

const DATA = ["PIPELINING", "8BITMIME"];
const CHUNKED = [...DATA, "CHUNKING"];
/** A try of a MAIL behind a dot lasts as long as a connection. */
const timeouts = { ...TEST_TIMEOUTS, connectMs: 3_000 };

/** Mail n of a test; every second one goes to an address that `UNKNOWN` refuses. */
const mailTo = (n: number) => messageTo(`${n % 2 === 0 ? "bad" : "good"}${n}@x.test`);
const UNKNOWN: RawRule = { on: "RCPT TO:<bad", steps: [{ send: "550 5.1.1 unknown\r\n" }] };

type Send = (server: RawServer, count: number, make?: typeof mailTo) => Promise<string[]>;

const inBulk: Send = async ({ port }, count, make = (n) => messageTo(`r${n}@x.test`)) =>
  [...(await ship(count, port, { timeouts }, make)).values()].flatMap(outcomesOf);

const oneByOne: Send = async ({ port }, count, make = (n) => messageTo(`r${n}@x.test`)) => {
  const pool = openPool({ timeouts, maxConnections: 2 });
  const smtp = settingsFor(port);
  const mails = Array.from({ length: count }, (_, n) => pool.send(make(n + 1), { smtp }));
  const results = await Promise.all(mails);
  await pool.end();
  return results.flatMap(({ result }) => outcomesOf(result));
};

const WAYS: [string, Send, string[]][] = [
  ["in bulk by DATA", inBulk, DATA],
  ["in bulk by CHUNKING", inBulk, CHUNKED],
  ["one by one by DATA", oneByOne, DATA],
  ["one by one by CHUNKING", oneByOne, CHUNKED],
];

const tally = (outcomes: string[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([k, v]) => [k, v.length]));

/** Expects each of so many recipients to have had so many mails. */
async function expectEach(server: RawServer, recipients: number, mails: number): Promise<void> {
  expect([...(await deliveries(server)).values()]).toEqual(Array(recipients).fill(mails));
}

/** Returns how often the server got, or sent, something. */
async function countOf(server: RawServer, from: "client" | "server", what: RegExp) {
  const { connections } = await server.log();
  const texts = connections.flatMap(({ traffic }) => traffic.filter((one) => one.from === from));
  return texts.map(({ text }) => text.match(what)?.length ?? 0).reduce((a, b) => a + b, 0);
}

describe("a MAIL behind a final dot", () => {
  const pairs = (server: RawServer) => countOf(server, "client", /\r\n\.\r\nMAIL/g);

  it.each([["refused"], ["dropped"]] as const)(
    "that is %s fails no mail, and is written once to an account",
    async (behindDot) => {
      const server = await startRawServer({ strict: true, offers: DATA, behindDot });
      for (const shipment of [1, 2]) {
        expect(tally(await inBulk(server, 40))).toEqual({ "accepted at body": 40 });
        await expectEach(server, 40, shipment);
      }
      expect(await pairs(server)).toBe(1);
    },
  );

  it("is written by one session alone until the server has answered one", async () => {
    const slow = { send: "250 2.1.0 ok\r\n", chunkBytes: 1, everyMs: 10 };
    const server = await startRawServer({
      strict: true,
      offers: DATA,
      rules: [{ on: "MAIL", steps: [slow] }],
    });
    const first = inBulk(server, 24);
    await expect.poll(() => countOf(server, "client", /MAIL/g)).toBeGreaterThan(4);
    expect(await pairs(server)).toBe(1);
    expect(tally(await first)).toEqual({ "accepted at body": 24 });
    expect(await pairs(server)).toBeGreaterThan(1);
  });

  it("that a server refuses after it has taken others fails no mail, and is the last", async () => {
    const refusal = { on: "MAIL", skip: 5, steps: [{ send: "503 5.5.1 pipelined\r\n" }] };
    const server = await startRawServer({
      strict: true,
      offers: DATA,
      rules: [{ ...refusal, connection: 1 }],
    });
    const results = await ship(30, server.port, { timeouts, maxConnections: 1 });
    expect(tally([...results.values()].flatMap(outcomesOf))).toEqual({ "accepted at body": 30 });
    await expectEach(server, 30, 1);
    expect(await pairs(server)).toBe(5);
  });
});

describe.each(WAYS)("a server's limit of a session, %s,", (_way, send, offers) => {
  it("of mails fails no mail, and later sessions end before it", async () => {
    const full = "452 4.5.3 Too many messages sent";
    const rules = [{ on: "MAIL", skip: 12, steps: [{ send: `${full}\r\n` }] }];
    const server = await startRawServer({ strict: true, offers, rules });
    expect(tally(await send(server, 60))).toEqual({ "accepted at body": 60 });
    const refused = await countOf(server, "server", /452/g);
    expect(refused).toBeGreaterThan(0);
    expect(tally(await send(server, 60))).toEqual({ "accepted at body": 60 });
    expect(await countOf(server, "server", /452/g)).toBe(refused);
    await expectEach(server, 60, 2);
  });

  it("of mails, by 421, fails no mail", async () => {
    const over = [
      { send: "421 too many messages in this connection\r\n" },
      { close: true } as const,
    ];
    const server = await startRawServer({
      strict: true,
      offers,
      rules: [{ on: "MAIL", skip: 5, steps: over }],
    });
    expect(tally(await send(server, 30))).toEqual({ "accepted at body": 30 });
    await expectEach(server, 30, 1);
  });

  it("of RSETs behind refused mails loses no mail", async () => {
    const server = await startRawServer({ strict: true, offers, resetsMax: 10, rules: [UNKNOWN] });
    const outcomes = { "accepted at body": 60, "rejected at rcpt": 60 };
    expect(tally(await send(server, 120, mailTo))).toEqual(outcomes);
    await expectEach(server, 60, 1);
    expect(await countOf(server, "server", /554 Too many/g)).toBe(0);
  });
});

describe("a server's limit of recipients", () => {
  const alone: Send = async ({ port }, count, make = mailTo) => {
    const settings = settingsFor(port);
    const results = Array.from({ length: count }, (_, n) =>
      sendAndLeave(settings, make(n), timeouts),
    );
    return (await Promise.all(results)).flatMap(outcomesOf);
  };
  const to = ["a", "b", "c", "d", "e"].map((name) => `${name}@x.test`);

  it.each([...WAYS, ["over a session of its own", alone, DATA] as const])(
    "gets the rest in further transactions, %s",
    async (_way, send, offers) => {
      const server = await startRawServer({ strict: true, offers, recipientsMax: 2 });
      expect(tally(await send(server, 1, () => messageTo(to)))).toEqual({ "accepted at body": 5 });
      await expectEach(server, 5, 1);
      const { connections } = await server.log();
      expect(connections.flatMap(({ transactions }) => transactions)).toHaveLength(3);
    },
  );

  it("is not a mailbox that is full, nor one that nobody gets past", async () => {
    for (const [rcpt, reply, outcomes] of [
      ["RCPT TO:<b", "452 4.2.2 mailbox full", ["accepted at body", "deferred at rcpt"]],
      ["RCPT", "452 too many recipients", ["deferred at rcpt", "deferred at rcpt"]],
    ] as const) {
      const rules = [{ on: rcpt, steps: [{ send: `${reply}\r\n` }] }];
      const server = await startRawServer({ strict: true, offers: DATA, rules });
      expect(await alone(server, 1, () => messageTo(to.slice(0, 2)))).toEqual(outcomes);
      expect(await countOf(server, "client", /MAIL/g)).toBe(1);
    }
  });
});
