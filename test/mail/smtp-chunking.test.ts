import { describe, expect, it } from "vitest";
import { Base64File, MessageData } from "../../src/mail/message-data.ts";
import { type SendResult, SmtpSession } from "../../src/mail/smtp/index.ts";
import { closesAfterMessages } from "../support/smtp/faults.ts";
import { type RawServer, startRawServer } from "../support/smtp/raw-client.ts";
import type { RawConnectionLog, RawRule, RawScript, RawStep } from "../support/smtp/raw-script.ts";
import {
  countWrites,
  messageTo,
  outcomesOf,
  settingsFor,
  SHORT_TIMEOUTS,
  sockets,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";
import { AT_ONCE, deliveries, ship, tally } from "../support/smtp/shipping.ts";

const offers = ["PIPELINING", "CHUNKING", "8BITMIME", "SIZE 30000000"];
/** A server that follows RFC 3030 literally: a refused BDAT leaves it stuck until RSET. */
const strict = { offers, strict: true } as const;
const WINDOW = 4;
const LARGE_BYTES = 20_000_000;
const close: RawStep = { close: true };

function textOf({ traffic }: RawConnectionLog, who: "client" | "server"): string {
  return traffic
    .filter(({ from }) => from === who)
    .map(({ text }) => text)
    .join("");
}

/** Commands of a connection without the bytes of its messages. */
async function commandsOn(server: RawServer, connection: number): Promise<string[]> {
  const log = (await server.log()).connections[connection - 1];
  if (!log) throw new Error(`there was no connection ${connection}`);
  const lines = textOf(log, "client").split("\r\n");
  return lines.filter((line) => /^(EHLO|RSET|MAIL|RCPT|DATA|BDAT|QUIT)/.test(line));
}

/** Number of messages in flight after each piece of traffic. */
function inFlight({ traffic }: RawConnectionLog): number[] {
  let count = 0;
  return traffic.map(({ from, text }) => {
    const pattern = from === "client" ? /^BDAT /gm : / queued\r\n/g;
    count += (text.match(pattern)?.length ?? 0) * (from === "client" ? 1 : -1);
    return count;
  });
}

async function logOf(server: RawServer): Promise<RawConnectionLog> {
  const [log] = (await server.log()).connections;
  if (!log) throw new Error("nobody connected");
  return log;
}

/**
 * Checks that every accepted message arrived once, no unsent one arrived, and an unknown one at
 * most once.
 */
async function checkHonesty(server: RawServer, results: Map<number, SendResult>): Promise<void> {
  const counts = await deliveries(server);
  for (const [number, { recipients }] of results) {
    const [recipient] = recipients;
    const count = counts.get(`RCPT TO:<${recipient?.address}>`) ?? 0;
    const isTold = `${number} ${recipient?.outcome} ${count}`;
    if (recipient?.outcome === "accepted") expect(isTold).toBe(`${number} accepted 1`);
    else if (recipient?.outcome === "unknown") expect(count).toBeLessThanOrEqual(1);
    else expect(isTold).toBe(`${number} ${recipient?.outcome} 0`);
  }
}

const numbersThat = (results: Map<number, SendResult>, outcome: string) =>
  [...results].filter(([, result]) => outcomesOf(result)[0]?.startsWith(outcome)).map(([n]) => n);

describe("CHUNKING with PIPELINING", () => {
  it("delivers all messages once each without DATA, and quits when nothing is in flight", async () => {
    const server = await startRawServer(strict);
    const results = await ship(200, server.port);
    expect(tally(results)).toEqual({ "accepted at body": 200 });
    const counts = await deliveries(server);
    expect(counts.size).toBe(200);
    expect(new Set(counts.values())).toEqual(new Set([1]));
    const { connections, openMax } = await server.log();
    expect(openMax).toBe(4);
    for (const log of connections) {
      expect(textOf(log, "client")).not.toContain("DATA\r\n");
      expect(textOf(log, "client").endsWith("QUIT\r\n")).toBe(true);
      expect(inFlight(log).at(-1)).toBe(0);
      expect(Math.max(...inFlight(log))).toBeLessThanOrEqual(WINDOW);
    }
  });

  it("keeps a full window in flight after the first message was accepted alone", async () => {
    const last = `RCPT TO:<r${1 + WINDOW}@`;
    const rules: RawRule[] = [
      { on: "body", skip: 2, steps: [{ send: "250 2.0.0 queued\r\n" }] },
      { on: "body", skip: 1, steps: [{ awaitText: last }, { send: "250 2.0.0 queued\r\n" }] },
    ];
    const server = await startRawServer({ ...strict, rules });
    expect(tally(await ship(20, server.port, { maxConnections: 1 }))).toEqual({
      "accepted at body": 20,
    });
    const log = await logOf(server);
    const firstAnswer = log.traffic.findIndex(({ text }) => text.includes("queued"));
    expect(Math.max(...inFlight(log).slice(0, firstAnswer))).toBe(1);
    expect(Math.max(...inFlight(log))).toBe(WINDOW);
    expect(await commandsOn(server, 1)).toEqual([
      "EHLO client.test",
      ...Array.from({ length: 20 }, (_, index) => [
        ...(index === 0 ? [] : ["RSET"]),
        `MAIL FROM:<sender@any.test> SIZE=24`,
        `RCPT TO:<r${index + 1}@x.test>`,
        "BDAT 24 LAST",
      ]).flat(),
      "QUIT",
    ]);
  });

  it("writes together what is posted during a write, in its order", async () => {
    const queued = { send: "250 2.0.0 queued\r\n" };
    const rules: RawRule[] = [
      { on: "body", skip: 2, steps: [queued] },
      { on: "body", skip: 1, steps: [{ awaitText: "RCPT TO:<r5@" }, queued] },
    ];
    const server = await startRawServer({ ...strict, rules });
    const counted = countWrites();
    const changes = { maxConnections: 1, sockets: counted.sockets };
    expect(tally(await ship(5, server.port, changes))).toEqual({ "accepted at body": 5 });
    const apart = ["EHLO", "1", "2", "3", "4", "5", "QUIT"].length;
    expect([apart - 2, apart - 1]).toContain(counted.writes());
    expect([...(await deliveries(server)).keys()]).toEqual(
      [1, 2, 3, 4, 5].map((number) => `RCPT TO:<r${number}@x.test>`),
    );
  });

  it.each([
    [100_000, 2],
    [300_000, 1],
  ])("is bounded in bytes: of %i bytes there are %i in flight", async (bytes, most) => {
    // The second message fills the window; the third of 300,000 bytes must wait.
    const answer = { send: "250 2.0.0 queued\r\n" };
    const rules: RawRule[] = [
      { on: "body", skip: 2, steps: [answer] },
      { on: "body", skip: 1, steps: [{ awaitText: `RCPT TO:<r${1 + most}@` }, answer] },
    ];
    const server = await startRawServer({ ...strict, rules });
    const make = (number: number) => messageTo(`r${number}@x.test`, "x".repeat(bytes));
    const results = await ship(8, server.port, { maxConnections: 1 }, make);
    expect(tally(results)).toEqual({ "accepted at body": 8 });
    expect(Math.max(...inFlight(await logOf(server)))).toBe(most);
  });

  it.each([[["PIPELINING", "8BITMIME"]], [["CHUNKING", "8BITMIME"]]])(
    "is not used where only %j are offered",
    async (offered) => {
      const server = await startRawServer({ offers: offered });
      expect(tally(await ship(5, server.port))).toEqual({ "accepted at body": 5 });
      for (const log of (await server.log()).connections) {
        expect(textOf(log, "client")).not.toContain("BDAT");
      }
    },
  );

  it("sends the bytes unchanged, with the last line ended", async () => {
    const bodies = [".\r\n..two\r\n.", "Grüße\r\n.\r\nRSET\r\n", "a".repeat(70_000)];
    const make = (number: number) => messageTo(`r${number}@x.test`, bodies[number - 1]);
    const server = await startRawServer(strict);
    const results = await ship(3, server.port, { maxConnections: 1 }, make);
    expect(tally(results)).toEqual({ "accepted at body": 3 });
    const { transactions } = await logOf(server);
    expect(
      transactions.map(({ body }) =>
        new TextDecoder().decode(Uint8Array.from(body, (character) => character.charCodeAt(0))),
      ),
    ).toEqual([
      `Subject: test\r\n\r\n${bodies[0]}\r\n`,
      `Subject: test\r\n\r\n${bodies[1]}`,
      `Subject: test\r\n\r\n${bodies[2]}\r\n`,
    ]);
    expect(transactions[1]?.mail).toMatch(/ SIZE=\d+ BODY=8BITMIME$/);
  });

  it("gives every message a time limit of its own", async () => {
    const slow = { send: "250 2.0.0 queued\r\n", chunkBytes: 9, everyMs: 250 };
    const server = await startRawServer({ ...strict, rules: [{ on: "body", steps: [slow] }] });
    const timeouts = { ...TEST_TIMEOUTS, messageMs: 1_200, afterDataMs: 1_200 };
    const results = await ship(9, server.port, { maxConnections: 1, timeouts });
    expect(tally(results)).toEqual({ "accepted at body": 9 });
  });
});

describe("a refusal within a window", () => {
  it("affects that message alone, and none of its bytes enter the next", async () => {
    const rules: RawRule[] = [
      { on: "MAIL FROM:<bad", steps: [{ send: "553 5.1.8 no such sender\r\n" }] },
      { on: "RCPT TO:<r4@", steps: [{ send: "550 5.1.1 who?\r\n" }] },
      { on: "RCPT TO:<r5@", steps: [{ send: "452 4.2.2 full\r\n" }] },
      { on: "RCPT TO:<no@", steps: [{ send: "550-5.1.1 not\r\n550 5.1.1 here\r\n" }] },
    ];
    const server = await startRawServer({ ...strict, rules });
    const make = (number: number) => {
      const to = [`r${number}@x.test`, ...(number === 6 ? ["no@x.test", "also@x.test"] : [])];
      const message = messageTo(to);
      if (number === 3) message.envelope.from = "bad@any.test";
      return message;
    };
    const results = await ship(12, server.port, { maxConnections: 1 }, make);
    expect([...results.values()].map((result) => outcomesOf(result).join())).toEqual([
      "accepted at body",
      "accepted at body",
      "rejected at mail",
      "rejected at rcpt",
      "deferred at rcpt",
      "accepted at body,rejected at rcpt,accepted at body",
      ...Array(6).fill("accepted at body"),
    ]);
    expect(results.get(6)?.recipients[1]?.reply?.text).toBe("not\nhere");
    const { connections } = await server.log();
    expect(connections).toHaveLength(1);
    const taken = connections[0]?.transactions.filter(({ accepted }) => accepted);
    const recipients = (number: number) => [`RCPT TO:<r${number}@x.test>`];
    expect(taken?.map(({ rcpt }) => rcpt)).toEqual([
      ...[1, 2].map(recipients),
      [...recipients(6), "RCPT TO:<also@x.test>"],
      ...[7, 8, 9, 10, 11, 12].map(recipients),
    ]);
  });

  it.each([
    ["554 5.6.0 no", "rejected at body"],
    ["452 4.3.1 disk full", "deferred at body"],
  ])("after the bytes, %j, is %s, and RSET frees the server", async (answer, outcome) => {
    const rules: RawRule[] = [
      { on: "body", skip: 4, steps: [{ send: "250 2.0.0 queued\r\n" }] },
      { on: "body", skip: 3, steps: [{ send: `${answer}\r\n` }] },
      { on: "body", steps: [{ send: "250 2.0.0 queued\r\n" }] },
    ];
    const server = await startRawServer({ ...strict, rules });
    const results = await ship(12, server.port, { maxConnections: 1 });
    expect(outcomesOf(results.get(4)!)).toEqual([outcome]);
    expect(tally(results)).toEqual({ "accepted at body": 11, [outcome]: 1 });
    expect((await deliveries(server)).size).toBe(11);
    expect((await server.log()).connections).toHaveLength(1);
  });

  it("at the end of a window affects neither the next window nor a DATA after it", async () => {
    const rules: RawRule[] = [{ on: "RCPT TO:<bad", steps: [{ send: "550 5.1.1 who?\r\n" }] }];
    const server = await startRawServer({ ...strict, rules });
    const session = await SmtpSession.open(settingsFor(server.port), sockets, TEST_TIMEOUTS);
    const outcomes: string[] = [];
    for (const to of ["bad1@x.test", "good@x.test", "bad2@x.test"]) {
      const window = session.openWindow();
      const posted = await window?.post(messageTo(to));
      outcomes.push(...(posted ? outcomesOf(posted.result) : []));
    }
    outcomes.push(...outcomesOf(await session.send(messageTo("last@x.test"))));
    await session.quit();
    expect(outcomes).toEqual([
      "rejected at rcpt",
      "accepted at body",
      "rejected at rcpt",
      "accepted at body",
    ]);
  });

  it("of BDAT itself, by a server that does not know it, loses nothing: DATA carries all messages", async () => {
    const steps = [{ send: "502 5.5.1 what?\r\n".repeat(4) }];
    const server = await startRawServer({ offers, rules: [{ on: "body", connection: 1, steps }] });
    expect(tally(await ship(12, server.port, { maxConnections: 1 }))).toEqual({
      "accepted at body": 12,
    });
    expect(await commandsOn(server, 1)).toHaveLength(4);
    expect((await commandsOn(server, 2)).join()).not.toContain("BDAT");
  });

  it("by the client, of a message beyond the server's abilities, sends none of its bytes", async () => {
    const server = await startRawServer(strict);
    const make = (number: number) => messageTo(`${number === 3 ? "jörg" : `r${number}`}@x.test`);
    const results = await ship(8, server.port, { maxConnections: 1 }, make);
    expect(tally(results)).toEqual({ "accepted at body": 7, "rejected at mail": 1 });
    expect(results.get(3)?.recipients[0]?.error).toContain("SMTPUTF8");
    expect((await commandsOn(server, 1)).filter((line) => line.startsWith("BDAT"))).toHaveLength(7);
  });
});

/** Fault of the first connection at one of its events. */
function faultAt(on: string, steps: RawStep[], skip = 0): RawScript {
  return { ...strict, rules: [{ on, steps, skip, connection: 1 }] };
}

describe.concurrent("a lost session", () => {
  it.each([
    ["closes at MAIL", faultAt("MAIL", [close], 2)],
    ["closes at RCPT", faultAt("RCPT TO:<r3@", [close])],
    ["closes within the bytes", faultAt("BDAT", [close], 2)],
    ["closes after the bytes", faultAt("body", [close], 2)],
    ["is silent at RCPT", faultAt("RCPT TO:<r3@", [])],
    ["is silent after the bytes", faultAt("body", [], 2)],
    ["drips", faultAt("MAIL", [{ send: "250-".repeat(900), chunkBytes: 1, everyMs: 20 }], 2)],
    ["answers nonsense", faultAt("MAIL", [{ send: "HTTP/1.1 400\r\n" }], 2)],
    ["asks for more", faultAt("RCPT TO:<r3@", [{ send: "354 go ahead\r\n" }])],
    ["never ends its reply", faultAt("body", [{ send: "250-more\r\n".repeat(10_000) }], 2)],
    ["refuses RSET", faultAt("RSET", [{ send: "500 5.5.2 Subject: what?\r\n" }], 1)],
  ])(
    "in which the server %s leaves the messages in flight unknown, and DATA carries the rest",
    async (_, script) => {
      const server = await startRawServer(script);
      const timeouts = SHORT_TIMEOUTS;
      const results = await ship(12, server.port, { maxConnections: 1, timeouts });
      const unknown = numbersThat(results, "unknown at body");
      expect(unknown).toEqual([3, 4, 5, 6].slice(0, unknown.length));
      expect(unknown.length).toBeGreaterThan(0);
      expect(tally(results)).toEqual({
        "accepted at body": 12 - unknown.length,
        "unknown at body": unknown.length,
      });
      for (const number of unknown) expect(results.get(number)?.recipients[0]?.error).not.toBe("");
      await checkHonesty(server, results);
      const second = await commandsOn(server, 2);
      expect(second.filter((line) => line === "DATA")).toHaveLength(12 - 2 - unknown.length);
      expect(second.join()).not.toContain("BDAT");
      expect(await server.openConnections()).toBe(0);
    },
  );

  it.each([
    ["MAIL", 2],
    ["RCPT TO:<r3@", 0],
    ["BDAT", 2],
    ["body", 2],
    ["RSET", 1],
  ])(
    "ended by 421 at the %s of the third message loses no message: the later ones never arrived",
    async (on, skip) => {
      const steps = [{ send: "421 4.7.0 enough\r\n" }, close];
      const server = await startRawServer(faultAt(on, steps, skip));
      const results = await ship(12, server.port, { maxConnections: 1 });
      expect(tally(results)).toEqual({ "accepted at body": 12 });
      await checkHonesty(server, results);
      expect(await commandsOn(server, 2)).toContain("BDAT 24 LAST");
      expect((await commandsOn(server, 1)).join()).not.toContain("QUIT");
    },
  );

  it("with a 421 after which the server continues still collects the answers", async () => {
    const steps = [{ send: "421 4.7.0 slow down\r\n" }];
    const server = await startRawServer(faultAt("RCPT TO:<r3@", steps));
    const results = await ship(12, server.port, { maxConnections: 1 });
    expect(tally(results)).toEqual({ "accepted at body": 12 });
    await checkHonesty(server, results);
    expect((await server.log()).connections).toHaveLength(2);
  });

  it.each([
    ["goes on before it closes", { on: "body", skip: 3, steps: [close] }],
    ["falls silent", { on: "body", skip: 2, steps: [] }],
  ])("with a 421 after which the server %s leaves the later messages unknown", async (_, rule) => {
    const steps = [{ awaitText: "RCPT TO:<r4@" }, { send: "421 4.7.0 slow down\r\n" }];
    const rules = [{ on: "RCPT TO:<r3@", steps }, rule].map((one) => ({ ...one, connection: 1 }));
    const server = await startRawServer({ ...strict, rules });
    const timeouts = SHORT_TIMEOUTS;
    const results = await ship(12, server.port, { maxConnections: 1, timeouts });
    expect(outcomesOf(results.get(3)!)).toEqual(["accepted at body"]);
    expect(outcomesOf(results.get(4)!)).toEqual(["unknown at body"]);
    await checkHonesty(server, results);
  });

  it("ended by 421 at the same message twice defers that one alone", async () => {
    const steps = [{ send: "421 4.7.0 not this one\r\n" }, close];
    const server = await startRawServer({ ...strict, rules: [{ on: "RCPT TO:<r3@", steps }] });
    const results = await ship(12, server.port, { maxConnections: 1 });
    expect(tally(results)).toEqual({ "accepted at body": 11, "deferred at rcpt": 1 });
    expect(results.get(3)?.recipients[0]?.reply?.code).toBe(421);
    await checkHonesty(server, results);
  });

  it("after every three messages loses none if announced, else one window a session", async () => {
    const told = await startRawServer({
      ...closesAfterMessages(3, "421 4.7.0 enough\r\n"),
      offers,
    });
    expect(tally(await ship(40, told.port))).toEqual({ "accepted at body": 40 });
    expect(new Set((await deliveries(told)).values())).toEqual(new Set([1]));

    const untold = await startRawServer({ ...closesAfterMessages(3, ""), offers });
    const results = await ship(60, untold.port);
    const unknown = numbersThat(results, "unknown").length;
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(AT_ONCE);
    expect(tally(results)["accepted at body"]).toBe(60 - unknown);
    await checkHonesty(untold, results);
  });
});

describe("a large message", () => {
  const large = (number: number) =>
    messageTo(`r${number}@x.test`, number === 2 ? "x".repeat(LARGE_BYTES) : "Hello\r\n");

  it("with unwritten bytes is not sent, and is tried once more", async () => {
    const steps: RawStep[] = [{ stopReading: true }, close];
    const server = await startRawServer({ ...strict, rules: [{ on: "BDAT 2000", steps }] });
    const results = await ship(4, server.port, { maxConnections: 1 }, large);
    expect(outcomesOf(results.get(2)!)).toEqual(["not_sent at data"]);
    expect(tally(results)).toEqual({ "accepted at body": 3, "not_sent at data": 1 });
    expect((await server.log()).connections).toHaveLength(3);
    await checkHonesty(server, results);
  });

  it("with a file is encoded anew for a second connection, and arrives unchanged", async () => {
    const content = Uint8Array.from({ length: 5_000_000 }, (_, index) => (index * 7) & 255);
    const data = new MessageData([
      new TextEncoder().encode("Subject: a file\r\n\r\n"),
      new Base64File(content),
      new TextEncoder().encode("\r\n.\r\n--end--"),
    ]);
    const steps: RawStep[] = [{ stopReading: true }, close];
    const rules = [{ on: `BDAT ${data.length} LAST`, steps, connection: 1 }];
    const server = await startRawServer({ ...strict, rules });
    const make = (number: number) => {
      const message = messageTo(`r${number}@x.test`);
      return number === 1 ? message : { ...message, data };
    };
    const results = await ship(2, server.port, { maxConnections: 1 }, make);
    expect(tally(results)).toEqual({ "accepted at body": 2 });
    const { connections } = await server.log();
    expect(connections).toHaveLength(2);
    const [transaction] = connections[1]?.transactions ?? [];
    const lines = Buffer.from(content)
      .toString("base64")
      .match(/.{1,76}/g);
    const body = `Subject: a file\r\n\r\n${lines?.join("\r\n")}\r\n.\r\n--end--\r\n`;
    expect(transaction?.body === body).toBe(true);
    expect(transaction?.mail).toContain(` SIZE=${body.length}`);
  });

  it("does not stop the reading of replies while its write is blocked", async () => {
    const farewell = { send: "421 4.3.2 shutting down\r\n" };
    const steps: RawStep[] = [{ stopReading: true }, farewell, close];
    const server = await startRawServer({ ...strict, rules: [{ on: "RCPT TO:<r2@", steps }] });
    const results = await ship(4, server.port, { maxConnections: 1 }, large);
    expect(tally(results)).toEqual({ "accepted at body": 3, "deferred at rcpt": 1 });
    expect(results.get(2)?.recipients[0]?.reply?.code).toBe(421);
  });

  it("that the server stops reading ends in time", async () => {
    const rules: RawRule[] = [{ on: "RCPT TO:<r2@", steps: [{ stopReading: true }] }];
    const server = await startRawServer({ ...strict, rules });
    const timeouts = SHORT_TIMEOUTS;
    const results = await ship(3, server.port, { maxConnections: 1, timeouts }, large);
    expect(results.get(2)?.recipients[0]?.error).toBe("no answer in time");
    expect(tally(results)).toEqual({ "accepted at body": 2, "not_sent at rcpt": 1 });
  });

  it("that is refused before its bytes, which the server then ignores, ends in time", async () => {
    const refusal = { send: "552 5.3.4 too much\r\n" };
    const steps: RawStep[] = [{ stopReading: true }, refusal];
    const server = await startRawServer({ ...strict, rules: [{ on: "BDAT 2000", steps }] });
    const timeouts = SHORT_TIMEOUTS;
    const results = await ship(4, server.port, { maxConnections: 1, timeouts }, large);
    expect(tally(results)).toEqual({ "accepted at body": 3, "rejected at data": 1 });
    expect((await server.log()).connections).toHaveLength(2);
    await checkHonesty(server, results);
  });
});

describe("a connection cut at any point", () => {
  const MESSAGES = 8;

  async function shipWithCut(cut: NonNullable<RawScript["cut"]>) {
    const server = await startRawServer({ ...strict, cut });
    const results = await ship(MESSAGES, server.port, { maxConnections: 1 });
    expect(results.size).toBe(MESSAGES);
    await checkHonesty(server, results);
    return results;
  }

  /** Bytes and replies of a whole conversation without a cut. */
  async function measure() {
    const server = await startRawServer(strict);
    await ship(MESSAGES, server.port, { maxConnections: 1 });
    const log = await logOf(server);
    const replies = textOf(log, "server").match(/^\d{3} /gm)?.length ?? 0;
    return { bytes: textOf(log, "client").length, replies };
  }

  it("between bytes or replies sends nothing twice, loses nothing and reports nothing wrong", async () => {
    const { bytes, replies } = await measure();
    const everyBytes = Array.from({ length: Math.ceil(bytes / 4) }, (_, n) => ({
      afterBytes: 1 + n * 4,
    }));
    const everyReply = Array.from({ length: replies }, (_, n) => ({ afterReplies: 1 + n }));
    const cuts = [...everyBytes, ...everyReply];
    let unknown = 0;
    while (cuts.length > 0) {
      const results = await Promise.all(cuts.splice(0, 4).map(shipWithCut));
      for (const one of results) {
        const lost = numbersThat(one, "unknown").length;
        expect(lost).toBeLessThanOrEqual(WINDOW);
        unknown += lost;
      }
    }
    expect(unknown).toBeGreaterThan(0);
  });
});
