import { describe, expect, it } from "vitest";
import { Base64File, MessageData } from "../../src/mail/message-data.ts";
import {
  DEFAULT_SMTP_TIMEOUTS,
  type OutgoingMessage,
  sendOne,
  SmtpConnectError,
  SmtpSession,
  type SmtpSettings,
  tlsModeFor,
} from "../../src/mail/smtp/index.ts";
import { receivedMessages, waitForMessage } from "../support/mailbox.ts";
import { ports } from "../support/ports.ts";
import { FAULTS } from "../support/smtp/faults.ts";
import { startRawServer } from "../support/smtp/raw-client.ts";
import type { RawScript } from "../support/smtp/raw-script.ts";
import {
  messageTo,
  NO_GREETING_TIMEOUTS,
  outcomesOf,
  roundTrips,
  sendAndLeave,
  settingsFor,
  SHORT_TIMEOUTS,
  sockets,
  TEST_TIMEOUTS,
} from "../support/smtp/sending.ts";

const login = { user: "user", password: "pass" };

async function openError(
  settings: SmtpSettings,
  timeouts = TEST_TIMEOUTS,
): Promise<SmtpConnectError> {
  const error: unknown = await SmtpSession.open(settings, sockets, timeouts).then(
    () => new Error("the session opened"),
    (reason: unknown) => reason,
  );
  if (error instanceof SmtpConnectError) return error;
  throw error;
}

/** Sends three messages in one session, each announcing the next. */
async function sendThree(script: RawScript) {
  const server = await startRawServer(script);
  const session = await SmtpSession.open(settingsFor(server.port), sockets, TEST_TIMEOUTS);
  const messages = ["one", "two", "three"].map((name) => messageTo(`${name}@any.test`));
  const results = [];
  for (const [index, message] of messages.entries()) {
    results.push(await session.send(message, () => messages[index + 1]));
  }
  await session.quit();
  const [connection] = (await server.log()).connections;
  if (!connection) throw new Error("nobody connected");
  return { outcomes: results.flatMap(outcomesOf), connection };
}

describe("a message to a real server", () => {
  it.each([
    ["STARTTLS", { tls: "starttls", ...login }, ports.smtp, true],
    ["implicit TLS", { tls: "implicit", ...login }, ports.smtps, true],
    [
      "STARTTLS towards loopback, as it is offered",
      { tls: "loopback", ...login },
      ports.smtp,
      true,
    ],
    [
      "plain text towards loopback, unasked login left out",
      { tls: "loopback", ...login },
      ports.smtpPlain,
      false,
    ],
  ] as const)("arrives by %s", async (name, changes, port, isSecure) => {
    const to = `arrives-${name.replaceAll(/\W/g, "-")}@any.test`;
    const message = messageTo(to, ".\r\n..two\r\nline.\r\n.");
    const result = await sendAndLeave(settingsFor(port, changes), message, TEST_TIMEOUTS);
    expect(outcomesOf(result)).toEqual(["accepted at body"]);
    const received = await waitForMessage(to);
    expect(received).toMatchObject({ ehlo: "client.test", from: "sender@any.test", to: [to] });
    expect(received).toMatchObject({ secure: isSecure, user: isSecure ? "user" : "" });
    expect(received.text).toBe("Subject: test\r\n\r\n.\r\n..two\r\nline.\r\n.\r\n");
  });

  it("gives every recipient a separate outcome and reaches the accepted ones", async () => {
    const to = ["mixed@any.test", "rcpt.550.5.1.1.mixed@any.test", "rcpt.451.4.7.1.mixed@any.test"];
    const settings = settingsFor(ports.smtp, { tls: "starttls", ...login });
    const result = await sendAndLeave(settings, messageTo(to), TEST_TIMEOUTS);
    expect(outcomesOf(result)).toEqual([
      "accepted at body",
      "rejected at rcpt",
      "deferred at rcpt",
    ]);
    expect(result.recipients[1]).toMatchObject({
      address: "rcpt.550.5.1.1.mixed@any.test",
      reply: { code: 550, enhanced: "5.1.1", text: "Scripted answer" },
      error: "550 5.1.1 Scripted answer",
    });
    expect((await waitForMessage("mixed@any.test")).to).toEqual(["mixed@any.test"]);
  });

  it.each([
    ["mail.553.5.1.8.x@any.test", "plain@any.test", "rejected at mail", 553],
    ["sender@any.test", "rcpt.452.4.2.2.x@any.test", "deferred at rcpt", 452],
    ["sender@any.test", "data.554.5.6.0.x@any.test", "rejected at body", 554],
    ["sender@any.test", "data.451.4.3.0.x@any.test", "deferred at body", 451],
  ])("from %s to %s is %s", async (from, to, outcome, code) => {
    const message = messageTo(to);
    message.envelope.from = from;
    const session = await SmtpSession.open(settingsFor(ports.smtpPlain), sockets, TEST_TIMEOUTS);
    const refused = await session.send(message);
    expect(outcomesOf(refused)).toEqual([outcome]);
    expect(refused.recipients[0]?.reply?.code).toBe(code);
    const second = await session.send(messageTo(`after-${code}@any.test`));
    expect(outcomesOf(second)).toEqual(["accepted at body"]);
    await session.quit();
    expect(await receivedMessages(to)).toEqual([]);
  });

  it("keeps a large message intact, dots included", async () => {
    const body = ".leading dot and text that fills the line\r\n".repeat(60_000);
    const to = "large@any.test";
    const settings = settingsFor(ports.smtp, { tls: "starttls", ...login });
    const result = await sendAndLeave(settings, messageTo(to, body), DEFAULT_SMTP_TIMEOUTS);
    expect(outcomesOf(result)).toEqual(["accepted at body"]);
    expect((await waitForMessage(to)).text).toBe(`Subject: test\r\n\r\n${body}`);
  });

  it("keeps a file between lines with dots intact", async () => {
    const to = "file@any.test";
    const content = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7) & 255);
    const text = (part: string) => new TextEncoder().encode(part);
    const data = new MessageData([
      text("A: b\r\n\r\n.\r\n"),
      new Base64File(content),
      text("\r\n."),
    ]);
    const settings = settingsFor(ports.smtp, { tls: "starttls", ...login });
    const message = { ...messageTo(to), data };
    const result = await sendAndLeave(settings, message, DEFAULT_SMTP_TIMEOUTS);
    expect(outcomesOf(result)).toEqual(["accepted at body"]);
    const lines = Buffer.from(content)
      .toString("base64")
      .match(/.{1,76}/g);
    const expected = `A: b\r\n\r\n.\r\n${lines?.join("\r\n")}\r\n.\r\n`;
    expect((await waitForMessage(to)).text === expected).toBe(true);
  });

  it("carries UTF-8 in addresses, text and credentials", async () => {
    const to = "jörg@any.test";
    const message: OutgoingMessage = messageTo(to, "Grüße\r\n");
    const result = await sendAndLeave(settingsFor(ports.smtpPlain), message, TEST_TIMEOUTS);
    expect(outcomesOf(result)).toEqual(["accepted at body"]);
    expect((await waitForMessage(to)).text).toContain("Grüße");

    const server = await startRawServer({ offers: ["AUTH LOGIN PLAIN"] });
    const settings = settingsFor(server.port, { user: "jörg", password: "pässwörd€" });
    await (await SmtpSession.open(settings, sockets, TEST_TIMEOUTS)).quit();
    const [connection] = (await server.log()).connections;
    const auth = connection?.traffic.find(({ text }) => text.startsWith("AUTH PLAIN "))?.text ?? "";
    const bytes = Uint8Array.from(atob(auth.slice(11).trim()), (c) => c.charCodeAt(0));
    expect(new TextDecoder().decode(bytes)).toBe("\0jörg\0pässwörd€");
  });
});

describe("pipelining", () => {
  const offers = ["PIPELINING", "8BITMIME", "SMTPUTF8"];

  it("costs one round trip per message plus one for the first envelope", async () => {
    const { outcomes, connection } = await sendThree({ offers });
    expect(outcomes).toEqual(Array(3).fill("accepted at body"));
    expect(connection.transactions.map(({ accepted }) => accepted)).toEqual([true, true, true]);
    const ehloAndQuit = 2;
    expect(roundTrips(connection)).toBe(ehloAndQuit + 1 + 3);
    const writes = connection.traffic.filter(({ from }) => from === "client");
    expect(writes[2]?.text).toBe(
      "Subject: test\r\n\r\nHello\r\n.\r\n" +
        "MAIL FROM:<sender@any.test>\r\nRCPT TO:<two@any.test>\r\nDATA\r\n",
    );
  });

  it("is not used if it is not offered: four round trips per message", async () => {
    const { outcomes, connection } = await sendThree({});
    expect(outcomes).toEqual(Array(3).fill("accepted at body"));
    expect(roundTrips(connection)).toBe(2 + 3 * 4);
  });

  it("continues with the announced message when the previous one is rejected after its final dot", async () => {
    const steps = [{ send: "554 5.6.0 no\r\n" }];
    const rules = [
      { on: "body", steps: [{ send: "250 2.0.0 ok\r\n" }], skip: 1 },
      { on: "body", steps },
    ];
    const { outcomes, connection } = await sendThree({ offers, rules });
    expect(outcomes).toEqual(["rejected at body", "accepted at body", "accepted at body"]);
    expect(connection.transactions.map(({ rcpt }) => rcpt)).toEqual([
      ["RCPT TO:<one@any.test>"],
      ["RCPT TO:<two@any.test>"],
      ["RCPT TO:<three@any.test>"],
    ]);
  });

  it("resets a rejected envelope together with the next one", async () => {
    const rules = [{ on: "RCPT TO:<two", steps: [{ send: "550 5.1.1 who?\r\n" }] }];
    const noData = { on: "DATA", steps: [{ send: "554 5.5.1 no recipients\r\n" }] };
    const afterFirst = { ...noData, skip: 1 };
    const thenAgain = { on: "DATA", steps: [{ send: "354 go ahead\r\n" }], skip: 2 };
    const { outcomes, connection } = await sendThree({
      offers,
      rules: [...rules, thenAgain, afterFirst],
    });
    expect(outcomes).toEqual(["accepted at body", "rejected at rcpt", "accepted at body"]);
    const writes = connection.traffic.filter(({ from }) => from === "client");
    expect(writes[3]?.text).toMatch(/^RSET\r\nMAIL FROM:/);
    expect(roundTrips(connection)).toBe(2 + 4);
  });

  it("ends a 354 without any accepted recipient with an empty message", async () => {
    const server = await startRawServer(FAULTS.says354WithoutRecipient);
    const session = await SmtpSession.open(settingsFor(server.port), sockets, TEST_TIMEOUTS);
    expect(outcomesOf(await session.send(messageTo(["no1@any.test", "no2@any.test"])))).toEqual([
      "rejected at rcpt",
      "rejected at rcpt",
    ]);
    const [connection] = (await server.log()).connections;
    expect(connection?.transactions).toEqual([
      { mail: "MAIL FROM:<sender@any.test>", rcpt: [], body: "", accepted: false },
    ]);
    await session.quit();
  });

  it("assigns mixed replies to one group to their recipients", async () => {
    const server = await startRawServer({
      offers,
      rules: [
        { on: "RCPT TO:<b", steps: [{ send: "550-5.1.1 no\r\n550 5.1.1 such user\r\n" }] },
        { on: "RCPT TO:<c", steps: [{ send: "251 2.1.5 forwarded\r\n" }] },
        { on: "RCPT TO:<d", steps: [{ send: "452 4.5.3 too many\r\n" }] },
      ],
    });
    const session = await SmtpSession.open(settingsFor(server.port), sockets, TEST_TIMEOUTS);
    const result = await session.send(messageTo(["a@x.test", "b@x.test", "c@x.test", "d@x.test"]));
    expect(outcomesOf(result)).toEqual([
      "accepted at body",
      "rejected at rcpt",
      "accepted at body",
      "deferred at rcpt",
    ]);
    expect(result.recipients[1]?.reply?.text).toBe("no\nsuch user");
    await session.quit();
  });

  it("throws for any message but the announced one", async () => {
    const server = await startRawServer({ offers });
    const session = await SmtpSession.open(settingsFor(server.port), sockets, TEST_TIMEOUTS);
    await session.send(messageTo("a@x.test"), () => messageTo("b@x.test"));
    await expect(session.send(messageTo("c@x.test"))).rejects.toThrow(
      "another message was announced",
    );
    await session.quit();
    expect(await server.openConnections()).toBe(0);
  });
});

describe("a feature that the server does not offer", () => {
  it.each([
    ["an address with UTF-8", messageTo("jörg@x.test"), "SMTPUTF8"],
    ["text with UTF-8", messageTo("a@x.test", "Grüße\r\n"), "8BITMIME"],
    [
      "a message over SIZE",
      messageTo("a@x.test", "x".repeat(2_000)),
      "the server accepts at most 1000",
    ],
    ["a line end in an address", messageTo("a@x.test>\r\nDATA"), "address"],
    ["a space in an address", messageTo("a b@x.test"), "address"],
    ["a bracket in an address", messageTo("a<b@x.test"), "address"],
    ["a NUL in an address", messageTo("a\0@x.test"), "address"],
    ["an address without end", messageTo(`${"a".repeat(255)}@x.test`), "address"],
    ["no recipient among several", messageTo(["a@x.test", ""]), "address"],
    ["102 recipients", messageTo(Array(102).fill("a@x.test")), "at most 101 recipients"],
  ])(
    "%s is rejected before a byte is written, and never announced",
    async (_name, message, words) => {
      const server = await startRawServer({ offers: ["PIPELINING", "SIZE 1000"] });
      const session = await SmtpSession.open(settingsFor(server.port), sockets, TEST_TIMEOUTS);
      const first = await session.send(messageTo("first@x.test"), () => message);
      const second = await session.send(message);
      await session.quit();
      expect(outcomesOf(first)).toEqual(["accepted at body"]);
      expect(new Set(outcomesOf(second))).toEqual(new Set(["rejected at mail"]));
      expect(second.sessionUsable).toBe(true);
      expect(second.recipients[0]?.error).toContain(words);
      const [connection] = (await server.log()).connections;
      const written = connection?.traffic.filter(({ from }) => from === "client") ?? [];
      expect(written.map(({ text }) => text).join("")).toBe(
        "EHLO client.test\r\nMAIL FROM:<sender@any.test> SIZE=24\r\nRCPT TO:<first@x.test>\r\nDATA\r\n" +
          "Subject: test\r\n\r\nHello\r\n.\r\nQUIT\r\n",
      );
    },
  );
});

describe("TLS and login", () => {
  it.each([
    ["STARTTLS is not offered", FAULTS.hasNoStartTls, "tls", false, "does not offer STARTTLS"],
    ["STARTTLS is refused", FAULTS.refusesStartTls, "tls", true, "454 4.7.0 TLS not available"],
    ["text is injected before TLS", FAULTS.injectsBeforeTls, "tls", true, "before TLS"],
    ["the certificate is wrong", FAULTS.hasWrongCertificate, "tls", false, "certificate"],
    ["the server closes in the handshake", FAULTS.closesInHandshake, "tls", false, "handshake"],
    [
      "the server closes before the second EHLO",
      FAULTS.closesAfterHandshake,
      "tls",
      true,
      "when TLS began",
    ],
  ] as const)(
    "fails when %s, with no credentials sent",
    async (_name, script, phase, temporary, words) => {
      const server = await startRawServer(script);
      const error = await openError(settingsFor(server.port, { tls: "starttls", ...login }));
      expect(error).toMatchObject({ phase, temporary });
      expect(error.message).toContain(words);
      expect(await server.openConnections()).toBe(0);
      const { connections } = await server.log();
      expect(connections).toHaveLength(1);
      expect(JSON.stringify(connections)).not.toContain("AUTH PLAIN");
    },
  );

  it("names both causes if a bad certificate and a refused connection are indistinguishable", async () => {
    const server = await startRawServer(FAULTS.hasWrongImplicitCertificate);
    const error = await openError(settingsFor(server.port, { tls: "implicit" }));
    expect(error).toMatchObject({ phase: "connect", temporary: true });
    expect(error.message).toBe(
      `could not connect to localhost:${server.port}: ` +
        "the connection was refused or the TLS certificate is not valid for that name",
    );
    expect((await openError(settingsFor(1))).message).toContain(
      "localhost:1: the connection was refused",
    );
  });

  it("falls back to plain text only for loopback, on a fresh connection", async () => {
    for (const script of [FAULTS.hasWrongCertificate, FAULTS.refusesStartTls]) {
      const server = await startRawServer({ ...script, offers: ["STARTTLS", "AUTH PLAIN"] });
      const session = await SmtpSession.open(
        settingsFor(server.port, login),
        sockets,
        TEST_TIMEOUTS,
      );
      expect(outcomesOf(await session.send(messageTo("a@x.test")))).toEqual(["accepted at body"]);
      await session.quit();
      const { connections, openMax } = await server.log();
      expect(connections).toHaveLength(2);
      expect(openMax).toBeLessThanOrEqual(2);
      const second = connections[1]?.traffic.filter(({ from }) => from === "client") ?? [];
      expect(second.map(({ text }) => text.slice(0, 4))).toEqual([
        "EHLO",
        "AUTH",
        "MAIL",
        "RCPT",
        "DATA",
        "Subj",
        "QUIT",
      ]);
    }
    const error = await openError({ ...settingsFor(25), host: "mail.example", tls: "loopback" });
    expect(error).toMatchObject({ phase: "tls", temporary: false });
  });

  it("fails on a wrong password after one attempt, with the server's reply", async () => {
    const settings = settingsFor(ports.smtp, { tls: "starttls", user: "user", password: "wrong" });
    const error = await openError(settings);
    expect(error).toMatchObject({
      phase: "auth",
      temporary: false,
      reply: { code: 535, enhanced: "5.7.8" },
    });
    const server = await startRawServer(FAULTS.refusesLogin);
    expect((await openError(settingsFor(server.port, login))).message).toBe(
      "could not log in to localhost: the server answered 535 5.7.8 wrong password",
    );
    expect(await server.openConnections()).toBe(0);
  });

  it.each<[string, (settings: { user: string; password: string }) => string]>([
    ["the password", ({ password }) => `bad password ${password}`],
    [
      "the line of AUTH PLAIN",
      ({ user, password }) => `AUTH PLAIN ${btoa(`\0${user}\0${password}`)}`,
    ],
    ["the password of AUTH LOGIN", ({ password }) => `LOGIN ${btoa(password)}`],
    ["base64 without padding", ({ password }) => btoa(password).replaceAll("=", "")],
    ["the password within a word", ({ password }) => `x${password}x`],
  ])("redacts %s in every reply, during login and later", async (_what, told) => {
    const credentials = { user: "ann@any.test", password: "s3cr.t$words?" };
    const words = told(credentials);
    const secrets = [credentials.password, btoa(credentials.password).replaceAll("=", "")];
    const refusing = await startRawServer({
      offers: ["AUTH PLAIN"],
      rules: [{ on: "AUTH", steps: [{ send: `535-5.7.8 no\r\n535 5.7.8 ${words}\r\n` }] }],
    });
    const error = await openError(settingsFor(refusing.port, credentials));
    expect(error.message).toMatch(/the server answered 535 5\.7\.8 no .*…/);
    const late = await startRawServer({
      offers: ["AUTH PLAIN"],
      rules: [{ on: "RCPT", steps: [{ send: `550 5.1.1 ${words}\r\n` }] }],
    });
    const session = await SmtpSession.open(
      settingsFor(late.port, credentials),
      sockets,
      TEST_TIMEOUTS,
    );
    const { recipients } = await session.send(messageTo("a@x.test"));
    await session.quit();
    expect(recipients[0]?.error).toMatch(/^550 5\.1\.1 .*…/);
    for (const secret of secrets)
      expect(JSON.stringify([error.message, error.reply, recipients])).not.toContain(secret);
  });

  it("leaves words that contain a short password intact", async () => {
    const refusing = await startRawServer({
      offers: ["AUTH PLAIN"],
      rules: [{ on: "AUTH", steps: [{ send: "535 5.7.8 wrong password: pass\r\n" }] }],
    });
    const { message } = await openError(settingsFor(refusing.port, login));
    expect(message).toContain("535 5.7.8 wrong password: …");
  });

  it("logs in with LOGIN if PLAIN is missing, and reports if both are", async () => {
    const asks = [{ on: "AUTH LOGIN", steps: [{ send: "334 VXNlcm5hbWU6\r\n" }] }];
    const user = { on: btoa("user"), steps: [{ send: "334 UGFzc3dvcmQ6\r\n" }] };
    const password = { on: btoa("pass"), steps: [{ send: "235 2.7.0 welcome\r\n" }] };
    const server = await startRawServer({
      offers: ["AUTH=LOGIN"],
      rules: [...asks, user, password],
    });
    await (await SmtpSession.open(settingsFor(server.port, login), sockets, TEST_TIMEOUTS)).quit();

    const odd = await startRawServer(FAULTS.offersNoPlainOrLogin);
    const error = await openError(settingsFor(odd.port, login));
    expect(error).toMatchObject({ phase: "auth", temporary: false });
    expect(error.message).toContain("CRAM-MD5, XOAUTH2");
  });

  it.each(["", "two words", "line\r\nend", "<tag>"])(
    "rejects %j as name for EHLO",
    async (ehloName) => {
      const error = await openError(settingsFor(ports.smtpPlain, { ehloName }));
      expect(error).toMatchObject({ phase: "connect", temporary: false });
    },
  );

  it.each([
    [465, "mail.example", false, "implicit"],
    [465, "localhost", true, "implicit"],
    [587, "mail.example", true, "starttls"],
    [25, "localhost", false, "starttls"],
    [1025, "localhost", true, "loopback"],
    [1025, "127.0.0.1", true, "loopback"],
    [1025, "10.0.0.1", true, "starttls"],
  ])("on port %i of %s, private targets %s, the mode is %s", (port, host, allowed, mode) => {
    expect(tlsModeFor(port, host, allowed)).toBe(mode);
  });
});

describe.concurrent("a faulty server", () => {
  it.each([
    ["closes at connect", FAULTS.closesAtConnect, "the server closed the connection", true],
    ["closes after EHLO", FAULTS.closesAfterEhlo, "the server closed the connection", true],
    ["is silent", FAULTS.silentAtConnect, "no answer in time", true],
    ["drips its greeting", FAULTS.dripsGreeting, "no answer in time", true],
    ["answers 421 at once", FAULTS.closes421AtGreeting, "421 4.3.2 too busy", true],
  ])("that %s makes the opening fail in time", async (_name, script, words, temporary) => {
    const server = await startRawServer(script);
    const isSilent = words === "no answer in time";
    const timeouts = isSilent ? NO_GREETING_TIMEOUTS : TEST_TIMEOUTS;
    const error = await openError(settingsFor(server.port), timeouts);
    expect(error).toMatchObject({ phase: "connect", temporary });
    expect(error.message).toContain(words);
    expect(await server.openConnections()).toBe(0);
  });

  it.each([
    ["closes at MAIL", "not_sent at mail", FAULTS.closesAtMail],
    ["closes at RCPT", "not_sent at rcpt", FAULTS.closesAtRcpt],
    ["closes after DATA", "unknown at body", FAULTS.closesAfterData],
    ["closes after the final dot", "unknown at body", FAULTS.closesAfterFinalDot],
    ["is silent at RCPT", "not_sent at rcpt", FAULTS.silentAtRcpt],
    ["is silent after the final dot", "unknown at body", FAULTS.silentAfterFinalDot],
    ["drips its reply to MAIL", "not_sent at mail", FAULTS.dripsReplyToMail],
    ["sends a huge line", "not_sent at mail", FAULTS.sendsHugeLine],
    ["never ends its reply", "unknown at body", FAULTS.neverEndsReply],
    ["changes the code within a reply", "not_sent at mail", FAULTS.changesCodeInReply],
    ["answers nonsense", "not_sent at mail", FAULTS.answersNonsense],
    ["answers 421 to MAIL", "deferred at mail", FAULTS.closes421AtMail],
    ["answers 421 after the final dot", "deferred at body", FAULTS.closes421AfterFinalDot],
  ])("that %s leaves the message %s", async (_name, outcome, script) => {
    const server = await startRawServer(script);
    const session = await SmtpSession.open(settingsFor(server.port), sockets, SHORT_TIMEOUTS);
    const result = await session.send(messageTo("a@x.test"), () => messageTo("b@x.test"));
    expect(outcomesOf(result)).toEqual([outcome]);
    expect(result.sessionUsable).toBe(false);
    expect(result.recipients[0]?.error).not.toBe("");
    expect(result.recipients[0]?.reply?.code).toBe(
      outcome.startsWith("deferred") ? 421 : undefined,
    );
    expect(await server.openConnections()).toBe(0);
    await session.quit();
  });

  it("that is slow at every step ends at the session's own limit, if there is one", async () => {
    const server = await startRawServer(FAULTS.silentAtRcpt);
    const timeouts = { ...DEFAULT_SMTP_TIMEOUTS, sessionMs: 1_000 };
    const result = await sendAndLeave(settingsFor(server.port), messageTo("a@x.test"), timeouts);
    expect(outcomesOf(result)).toEqual(["not_sent at rcpt"]);
    expect(result.recipients[0]?.error).toContain("took too long");
    expect(await server.openConnections()).toBe(0);
  });

  it("that splits its replies anywhere is understood", async () => {
    const server = await startRawServer(FAULTS.splitsEveryReply);
    const session = await SmtpSession.open(settingsFor(server.port, login), sockets, TEST_TIMEOUTS);
    const result = await session.send(messageTo("a@x.test"));
    expect(result.recipients[0]?.reply).toEqual({
      code: 250,
      enhanced: "2.0.0",
      text: "taken\nas 17",
    });
    await session.quit();
  });

  it("that closes during a large message certainly did not get it", async () => {
    const drop = [
      { send: "354 go ahead\r\n" },
      { startTls: "trusted" as const },
      { close: true as const },
    ];
    const server = await startRawServer({
      offers: ["PIPELINING"],
      rules: [{ on: "DATA", steps: drop }],
    });
    const session = await SmtpSession.open(settingsFor(server.port), sockets, TEST_TIMEOUTS);
    const result = await session.send(messageTo("a@x.test", "x".repeat(20_000_000)));
    expect(outcomesOf(result)).toEqual(["not_sent at data"]);
    expect(await server.openConnections()).toBe(0);
  });

  it("that closes has its earlier rejections in the result", async () => {
    const server = await startRawServer({
      offers: ["PIPELINING"],
      rules: [
        { on: "RCPT TO:<bad", steps: [{ send: "550 5.1.1 who?\r\n" }] },
        { on: "DATA", steps: [{ close: true }] },
      ],
    });
    const session = await SmtpSession.open(settingsFor(server.port), sockets, TEST_TIMEOUTS);
    const result = await session.send(messageTo(["bad@x.test", "good@x.test"]));
    expect(outcomesOf(result)).toEqual(["rejected at rcpt", "not_sent at data"]);
  });

  it("that does not answer QUIT delays no result and is disconnected within the QUIT timeout", async () => {
    const server = await startRawServer({ rules: [{ on: "QUIT", steps: [] }] });
    let farewell: Promise<void> | undefined;
    const timeouts = { ...TEST_TIMEOUTS, quitMs: 1_000 };
    const result = await sendOne(
      settingsFor(server.port),
      sockets,
      messageTo("a@x.test"),
      timeouts,
      (work) => {
        farewell = work;
      },
    );
    expect(outcomesOf(result)).toEqual(["accepted at body"]);
    expect(await server.openConnections(0)).toBe(1);
    await farewell;
    expect(await server.openConnections()).toBe(0);
    const [connection] = (await server.log()).connections;
    expect(connection?.traffic.at(-1)).toMatchObject({ from: "client", text: "QUIT\r\n" });
  });

  it.each([
    ["closes instead of answering QUIT", [{ close: true as const }]],
    ["answers QUIT with nonsense", [{ send: "what?\r\n" }]],
    ["drips its answer to QUIT", [{ send: "221-bye\r\n".repeat(40), chunkBytes: 1, everyMs: 10 }]],
  ])("that %s causes no failure", async (_name, steps) => {
    const server = await startRawServer({ rules: [{ on: "QUIT", steps }] });
    const settings = settingsFor(server.port);
    const result = await sendAndLeave(settings, messageTo("a@x.test"), TEST_TIMEOUTS);
    expect(outcomesOf(result)).toEqual(["accepted at body"]);
    expect(await server.openConnections()).toBe(0);
  });
});
