import { connect } from "cloudflare:sockets";
import { describe, expect, it } from "vitest";
import { Dialogue } from "../../src/mail/imap/dialogue.ts";
import { parseFetchAnswer } from "../../src/mail/imap/fetch-answer.ts";
import { encodeMailboxName } from "../../src/mail/imap/mailbox-name.ts";
import { Connection } from "../../src/mail/net/connection.ts";
import type { ImapRule, ImapStep } from "../support/imap/script.ts";
import {
  openInbox,
  openSession,
  SHORT_TIMEOUTS,
  startImapServer,
} from "../support/imap/sessions.ts";

/**
 * Returns short time-outs where the time-out is the fault; a busy machine exceeds them elsewhere.
 */
const timeoutsFor = (fault: string) => (fault === "timeout" ? SHORT_TIMEOUTS : undefined);

const DONE = "<tag> OK done\r\n";
const PLAIN_RESPONSE = btoa("\0ann\0secret");
const close: ImapStep = { close: true };

const says = (on: string, send: string): ImapRule => ({ on, steps: [{ send }] });
const fetches = (answer: string) => openInbox([says("UID FETCH", `${answer}${DONE}`)]);
const text = (raw: Uint8Array) => new TextDecoder().decode(raw);
const asText = (messages: { uid: number; raw: Uint8Array }[]) =>
  messages.map(({ uid, raw }) => [uid, text(raw)]);

describe.concurrent("a login", () => {
  it.each([
    [["AUTH=PLAIN", "SASL-IR"], [`P1 AUTHENTICATE PLAIN ${PLAIN_RESPONSE}`]],
    [["AUTH=PLAIN"], ["P1 AUTHENTICATE PLAIN", PLAIN_RESPONSE]],
    [["AUTH=PLAIN", "SASL-IR", "LOGINDISABLED"], [`P1 AUTHENTICATE PLAIN ${PLAIN_RESPONSE}`]],
    [[], ['P1 LOGIN "ann" "secret"']],
  ])("with %j offered is %j", async (offers, commands) => {
    const server = await startImapServer({ offers });
    await (await openSession(server)).logout();
    expect(await server.commands()).toEqual([...commands, "P2 LOGOUT"]);
  });

  it("quotes names with quotes and backslashes", async () => {
    const server = await startImapServer({ offers: [] });
    await (await openSession({ ...server, password: 'a"b\\c' })).logout();
    expect((await server.commands())[0]).toBe('P1 LOGIN "ann" "a\\"b\\\\c"');
  });

  it("sends unquotable text as a literal when the server requests it", async () => {
    const server = await startImapServer({ offers: [] });
    await (await openSession({ ...server, user: "jörg", password: "a\r\nb" })).logout();
    expect((await server.commands()).slice(0, 4)).toEqual([
      "P1 LOGIN {5}",
      "j\xc3\xb6rg {4}",
      "a",
      "b",
    ]);
  });

  it("requests capabilities that the greeting does not list", async () => {
    const server = await startImapServer({ rules: [says("connect", "* OK hello\r\n")] });
    await (await openSession(server)).logout();
    expect((await server.commands()).slice(0, 2)).toEqual([
      "P1 CAPABILITY",
      `P2 AUTHENTICATE PLAIN ${PLAIN_RESPONSE}`,
    ]);
  });

  it("is skipped when the server reports the client as logged in", async () => {
    const greeting = says("connect", "* PREAUTH [CAPABILITY IMAP4rev1] hello\r\n");
    const server = await startImapServer({ rules: [greeting] });
    await (await openSession(server)).logout();
    expect(await server.commands()).toEqual(["P1 LOGOUT"]);
  });

  it.each([
    [
      "a wrong password",
      says("AUTH", "<tag> NO [AUTHENTICATIONFAILED] Wrong.\r\n"),
      "login",
      "the server refused the login: Wrong.",
    ],
    [
      "an echo of the password",
      says("AUTH", `<tag> BAD ${PLAIN_RESPONSE} is secret\r\n`),
      "login",
      "the server refused the login: … is …",
    ],
    [
      "a refusal without a text",
      says("AUTH", "<tag> NO\r\n"),
      "login",
      "the server refused the login: no reason given",
    ],
    [
      "BYE as a greeting",
      says("connect", "* BYE too busy\r\n"),
      "closed",
      "could not log in: the server ended the session: too busy",
    ],
    [
      "BYE during the login",
      says("AUTH", "* BYE \x07leaving\r\n"),
      "closed",
      "could not log in: the server ended the session: leaving",
    ],
    [
      "another protocol",
      says("connect", "220 mx.test ESMTP\r\n"),
      "protocol",
      "could not log in: the server sent something that is not an IMAP response",
    ],
    [
      "an old protocol",
      says("connect", "* OK [CAPABILITY IMAP2] hi\r\n"),
      "protocol",
      "the server does not support IMAP4rev1",
    ],
    [
      "no way to log in",
      says("connect", "* OK [CAPABILITY IMAP4rev1 LOGINDISABLED] hi\r\n"),
      "login",
      "the server does not offer password authentication",
    ],
    [
      "a second question for the password",
      says("AUTH", "+ \r\n"),
      "protocol",
      "could not log in: the server sent an unexpected response",
    ],
    [
      "a closed connection",
      { on: "AUTH", steps: [close] },
      "closed",
      "could not log in: the server closed the connection",
    ],
    ["silence", { on: "connect", steps: [] }, "timeout", "could not log in: no answer in time"],
    [
      "a dripping greeting",
      { on: "connect", steps: [{ send: "* OK ", times: 400, chunkBytes: 1, everyMs: 20 }] },
      "timeout",
      "could not log in: no answer in time",
    ],
    [
      "a greeting without end",
      { on: "connect", steps: [{ send: "* OK ", times: 100_000 }] },
      "protocol",
      "could not log in: a line is over 262144 bytes",
    ],
  ] satisfies [string, ImapRule, string, string][])(
    "ends with a clear error at %s",
    async (_name, rule, fault, message) => {
      const server = await startImapServer({ rules: [rule] });
      await expect(openSession(server, timeoutsFor(fault))).rejects.toMatchObject({
        fault,
        message,
      });
    },
  );

  it.each([
    [
      ["LOGINDISABLED", "AUTH=CRAM-MD5"],
      "does not offer password authentication (it offers AUTH=CRAM-MD5)",
    ],
    [["AUTH=LOGIN"], "refused the login: no such method (it offers AUTH=LOGIN)"],
  ])("lists the methods that a server offers instead of a password: %j", async (offers, words) => {
    const refused = says("LOGIN", "<tag> NO no such method\r\n");
    const server = await startImapServer({ offers, rules: [refused] });
    const message = `the server ${words}`;
    await expect(openSession(server)).rejects.toMatchObject({ fault: "login_method", message });
  });

  it("rejects an untrusted certificate, and a port without a listener", async () => {
    const { port } = await startImapServer({ certificate: "untrusted" });
    const refusal = (port: number) => ({
      fault: "refused",
      message: `could not connect to localhost:${port}: the connection was refused or the TLS certificate is not valid for that name`,
    });
    await expect(openSession({ port })).rejects.toMatchObject(refusal(port));
    await expect(openSession({ port: 1 })).rejects.toMatchObject(refusal(1));
  });

  it("never sends a NUL", async () => {
    const server = await startImapServer({});
    const opening = openSession({ ...server, password: "a\0b" });
    await expect(opening).rejects.toMatchObject({ fault: "login" });
    expect(await server.commands()).toEqual([]);
  });
});

describe("a folder", () => {
  it.each([
    ["<tag> NO [NONEXISTENT] nope\r\n", 'the folder "Bounces" does not exist'],
    ["<tag> NO Bounces doesn't exist.\r\n", 'the folder "Bounces" does not exist'],
    ["<tag> NO [NOPERM] denied\r\n", 'could not open the folder "Bounces": denied'],
    [
      "* OK [PERMANENTFLAGS (\\Deleted \\*)] limited\r\n<tag> OK [READ-WRITE] selected\r\n",
      'could not open the folder "Bounces": messages in it cannot be marked as seen',
    ],
    [
      "<tag> OK [READ-ONLY] selected\r\n",
      'could not open the folder "Bounces": messages in it cannot be marked as seen',
    ],
  ])("answered with %j: %s", async (answer, message) => {
    const session = await openSession(await startImapServer({ rules: [says("SELECT", answer)] }));
    await expect(session.select("Bounces")).rejects.toMatchObject({ fault: "folder", message });
    await session.logout();
  });

  it.each([
    ["INBOX", "INBOX"],
    ["Tom & Jerry", "Tom &- Jerry"],
    ["~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"],
    ["a\r\nP9 DELETE b", "a&AA0ACg-P9 DELETE b"],
  ])("named %j is sent as %j", (name, encoded) => {
    expect(encodeMailboxName(name)).toBe(encoded);
  });

  it.each(["", "x".repeat(1_001)])(
    "without a name, or with one that is too long, is rejected",
    (name) => {
      expect(() => encodeMailboxName(name)).toThrow("empty or too long");
    },
  );
});

describe("a search", () => {
  it("covers a large folder in windows until it has enough", async () => {
    const server = await startImapServer({
      rules: [
        says("SELECT", `* 70000 EXISTS\r\n${DONE}`),
        says("UID SEARCH 1:20000 ", `* SEARCH 9 3\r\n${DONE}`),
        says("UID SEARCH 20001:40000 ", `* SEARCH\r\n${DONE}`),
        says("UID SEARCH 40001:60000 ", `* SEARCH 30004 30001\r\n* SEARCH 30002\r\n${DONE}`),
      ],
    });
    const session = await openSession(server);
    await session.select("INBOX");
    expect(await session.searchUnseen(4)).toEqual([3, 9, 30_001, 30_002]);
    await session.logout();
    const searches = (await server.commands()).filter((line) => line.includes("SEARCH"));
    expect(searches).toHaveLength(3);
  });

  it("sends at most 50 searches, for the newest messages, whatever number the server claims", async () => {
    const more = `* 9999999999 EXISTS\r\n${DONE}`;
    const server = await startImapServer({
      rules: [says("SELECT", more), says("UID SEARCH", more)],
    });
    const session = await openSession(server);
    await session.select("INBOX");
    expect(await session.searchUnseen(500)).toEqual([]);
    await session.logout();
    const searches = (await server.commands()).filter((line) => line.includes("SEARCH"));
    expect(searches).toHaveLength(50);
    expect(searches.at(-1)).toContain("UID SEARCH 4294947296:4294967295 UNSEEN");
  });

  it("does not search for messages that do not exist", async () => {
    const server = await startImapServer({
      rules: [says("SELECT", `* 2 EXISTS\r\n* 1 EXPUNGE\r\n* 1 EXPUNGE\r\n* 1 EXPUNGE\r\n${DONE}`)],
    });
    const session = await openSession(server);
    await session.select("INBOX");
    expect(await session.searchUnseen(10)).toEqual([]);
    await session.logout();
    expect((await server.commands()).join()).not.toContain("SEARCH");
  });

  it("ignores values that are not UIDs", async () => {
    const answer = "* SEARCH 0 -1 1.5 4294967296 NaN 7 7 x 4294967295\r\n";
    const session = await openInbox([says("UID SEARCH", `${answer}${DONE}`)]);
    expect(await session.searchUnseen(10)).toEqual([7, 4_294_967_295]);
    await session.logout();
  });
});

describe.concurrent("a fetch", () => {
  it.each([
    ["a literal", "* 1 FETCH (UID 5 BODY[]<0> {7}\r\na{3}\r\nb)\r\n", [[5, "a{3}\r\nb"]]],
    ["the UID after the body", '* 1 FETCH (BODY[]<0> "abc" UID 5)\r\n', [[5, "abc"]]],
    [
      "a quoted body",
      String.raw`* 1 FETCH (UID 5 BODY[]<0> "a\"b\\c (d")` + "\r\n",
      [[5, 'a"b\\c (d']],
    ],
    ["no body", "* 1 FETCH (UID 5 BODY[] NIL)\r\n", [[5, ""]]],
    ["an empty literal", "* 1 FETCH (UID 5 BODY[]<0> {0}\r\n)\r\n", [[5, ""]]],
    [
      "lists in between",
      '* 1 FETCH (FLAGS (\\Seen (UID 9)) UID 5 X ("BODY[]" ()) BODY[] "abc")\r\n',
      [[5, "abc"]],
    ],
    ["an unrequested UID", '* 1 FETCH (UID 6 BODY[]<0> "abc")\r\n', []],
    ["no UID", '* 1 FETCH (BODY[]<0> "abc")\r\n', []],
    [
      "news of other messages",
      '* 9 EXISTS\r\n* 2 EXPUNGE\r\n* 1 FETCH (FLAGS (\\Seen))\r\n* OK still here {9}\r\n* 1 FETCH (UID 5 BODY[]<0> "abc")\r\n* 1 FETCH (UID 5 FLAGS ())\r\n* XYZ {3}\r\n(((\r\n',
      [[5, "abc"]],
    ],
    ["nothing", "", []],
    [
      "more text than asked for",
      `* 1 FETCH (UID 5 BODY[] "${"x".repeat(100)}")\r\n`,
      [[5, "x".repeat(50)]],
    ],
  ])("reads a response with %s", async (_name, answer, messages) => {
    const session = await fetches(answer);
    expect(asText(await session.fetch([5], 50))).toEqual(messages);
    await session.logout();
  });

  it("requests many messages in portions with a bounded number of bytes", async () => {
    const server = await startImapServer({});
    const session = await openSession(server);
    await session.fetch([1, 2, 3, 4, 5], 2_000_000);
    await session.fetch(
      Array.from({ length: 150 }, (_, index) => index + 1),
      1_000,
    );
    await session.logout();
    const counts = (await server.commands())
      .filter((line) => line.includes("FETCH"))
      .map((line) => line.split(",").length);
    expect(counts).toEqual([2, 2, 1, 100, 50]);
  });

  it.each([
    [
      "a literal over the size asked for",
      [{ send: "* 1 FETCH (UID 5 BODY[] {51}\r\n" }],
      "protocol",
    ],
    [
      "a literal of absurd size",
      [{ send: `* 1 FETCH (UID 5 BODY[] {${"9".repeat(400)}}\r\n` }],
      "protocol",
    ],
    ["a literal that never comes", [{ send: "* 1 FETCH (UID 5 BODY[] {50}\r\nabc" }], "timeout"],
    ["a literal cut off", [{ send: "* 1 FETCH (UID 5 BODY[] {50}\r\nabc" }, close], "closed"],
    ["lines without end", [{ send: "* 1 EXISTS\r\n", times: 100_000 }], "protocol"],
    ["empty lines without end", [{ send: "* \r\n", times: 300_000 }], "protocol"],
    ["one line without end", [{ send: "* X", times: 200_000 }], "protocol"],
    [
      "literals without end",
      [{ send: "* X {50}\r\n" + "y".repeat(50), times: 10_000 }],
      "protocol",
    ],
    ["a dripping line", [{ send: "* 1 ", times: 400, chunkBytes: 1, everyMs: 20 }], "timeout"],
    [
      "dripping lines",
      [{ send: "* 1 EXISTS\r\n", times: 100, chunkBytes: 12, everyMs: 50 }],
      "timeout",
    ],
    ["the tag of another command", [{ send: "P99 OK done\r\n" }], "protocol"],
    ["a question", [{ send: "+ more\r\n" }], "protocol"],
    ["BYE", [{ send: "* BYE shutting down\r\n" }], "closed"],
    ["a refusal", [{ send: "<tag> NO disk on fire\r\n" }], "command"],
    ["silence", [], "timeout"],
  ] satisfies [string, ImapStep[], string][])("ends at %s", async (_name, steps, fault) => {
    const session = await openInbox([{ on: "UID FETCH", steps }], timeoutsFor(fault));
    await expect(session.fetch([5], 50)).rejects.toMatchObject({ fault });
    await session.logout();
  });

  it("cannot start in a session that a fault has ended", async () => {
    const session = await openInbox([says("UID FETCH", "* BYE\r\n")]);
    await expect(session.fetch([5], 50)).rejects.toMatchObject({ fault: "closed" });
    await expect(session.markSeen([5])).rejects.toThrow("the session has ended");
    await session.logout();
  });

  it("takes linear time with unclosed quotes", () => {
    const startMs = Date.now();
    const line = `1 FETCH (UID 5 BODY[] "${'\\"'.repeat(120_000)}\\`;
    expect(parseFetchAnswer([line])?.uid).toBe(5);
    expect(Date.now() - startMs).toBeLessThan(10_000);
  });
});

describe.concurrent("a session", () => {
  it("marks the given messages as seen, in portions, and reports a rejection", async () => {
    const server = await startImapServer({ rules: [says("UID STORE 7 ", "<tag> NO full\r\n")] });
    const session = await openSession(server);
    await session.markSeen(Array.from({ length: 150 }, (_, index) => index + 1));
    await expect(session.markSeen([7])).rejects.toMatchObject({
      fault: "command",
      message: "could not mark messages as seen: the server answered: full",
    });
    await session.logout();
    const stores = (await server.commands()).filter((line) => line.includes("STORE"));
    expect(stores[1]).toMatch(/^P\d+ UID STORE 101,.*,150 \+FLAGS\.SILENT \(\\Seen\)$/);
  });

  it("ends at its own deadline even if each command meets its own", async () => {
    const slow: ImapRule = {
      on: "UID STORE",
      steps: [{ send: `* X\r\n${DONE}`, chunkBytes: 5, everyMs: 60 }],
    };
    const session = await openInbox([slow], {
      ...SHORT_TIMEOUTS,
      commandMs: 5_000,
      sessionMs: 2_000,
    });
    const marking = async () => {
      for (let count = 0; count < 20; count += 1) await session.markSeen([5]);
    };
    await expect(marking()).rejects.toMatchObject({
      fault: "timeout",
      message: "could not mark messages as seen: the session took too long",
    });
  });

  it("ends when the responses together are too long", async () => {
    const server = await startImapServer({
      rules: [says("NOOP", `${"* X\r\n".repeat(20)}${DONE}`)],
    });
    const address = { hostname: "localhost", port: server.port };
    const connection = await Connection.open(address, "on", connect, 2_000);
    const dialogue = new Dialogue(connection, 3_000);
    await dialogue.readGreeting();
    await dialogue.run(["NOOP\r\n"]);
    await dialogue.run(["NOOP\r\n"]);
    await expect(dialogue.run(["NOOP\r\n"])).rejects.toMatchObject({ fault: "protocol" });
    connection.close();
  });

  it.each([
    ["silence", []],
    ["BYE alone", [{ send: "* BYE\r\n" }]],
    ["a closed connection", [close]],
    ["nonsense without end", [{ send: "nonsense\r\n", times: 100_000 }]],
  ] satisfies [string, ImapStep[]][])("closes in time at %s", async (_name, steps) => {
    const session = await openInbox([{ on: "LOGOUT", steps }], SHORT_TIMEOUTS);
    const startMs = Date.now();
    await session.logout();
    expect(Date.now() - startMs).toBeLessThan(10_000);
    await expect(session.searchUnseen(1)).rejects.toThrow("the session has ended");
  });
});
