import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyRefusal } from "../../src/mail/bounce/classify-refusal.ts";
import { classifyReply, parseBounce } from "../../src/mail/bounce/index.ts";
import { parseIngest } from "../../src/mail/bounce/parse-ingest.ts";
import { classOf, isSoftBounce } from "../../src/mail/bounce/reasons.ts";
import { COMPLAINTS_AND_OTHERS } from "../fixtures/bounces/complaints-and-others.ts";
import {
  ABOUT_SOMETHING_ELSE,
  ABOUT_THE_ADDRESS,
  UNCLEAR,
} from "../fixtures/bounces/documented-replies.ts";
import { type BounceFixture, deliveryReport, plainReport } from "../fixtures/bounces/fixture.ts";
import { INTERNATIONAL_REPORTS } from "../fixtures/bounces/international-reports.ts";
import { REPLIES } from "../fixtures/bounces/replies.ts";
import { STATUS_REPORTS } from "../fixtures/bounces/status-reports.ts";
import { WORDED_REPORTS } from "../fixtures/bounces/worded-reports.ts";

const encoder = new TextEncoder();
const parse = (raw: string) => parseBounce(encoder.encode(raw));

/** Replies that blame the address. */
const BAD_ADDRESSES = REPLIES.filter(([, , reason]) => classOf(reason) === "bad_address").map(
  ([, reply, reason]) => ({ reply, reason }),
);

const found = (report: Awaited<ReturnType<typeof parse>>) =>
  report.recipients.map(({ email, verdict }) => [email, verdict]);

async function expectFixture({ raw, kind, recipients, messageId }: BounceFixture): Promise<void> {
  for (const text of [raw, raw.replaceAll("\n", "\r\n")]) {
    const report = await parse(text);
    expect({ kind: report.kind, recipients: found(report) }).toEqual({ kind, recipients });
    expect(report.messageIds[0] ?? "").toBe(messageId ?? "");
  }
}

describe("a rejection", () => {
  it.each([
    [550, "5.1.1", "bad_address"],
    [550, undefined, "bad_address"],
    [551, undefined, "bad_address"],
    [550, "5.2.1", "bad_address"],
    [550, "5.5.0", "bad_address"],
    [500, undefined, "bad_address"],
    [501, "5.5.4", "bad_address"],
    [503, undefined, "not_address"],
    [530, undefined, "not_address"],
    [534, undefined, "not_address"],
    [535, undefined, "not_address"],
    [538, undefined, "not_address"],
    [552, undefined, "not_address"],
    [500, "5.1.1", "bad_address"],
    [550, "5.2.2", "not_address"],
    [550, "5.2.20", "bad_address"],
    [550, "5.3.0", "not_address"],
    [550, "5.4.1", "temporary"],
    [550, "5.6.0", "not_address"],
    [550, "5.7.1", "not_address"],
    [550, "5.30.1", "bad_address"],
    [550, "4.7.1", "temporary"],
    [450, "4.2.0", "temporary"],
    [499, undefined, "temporary"],
    [450, "5.1.1", "temporary"],
  ] as const)("of the recipient with %s %s is %s", (code, enhanced, expected) => {
    expect(classifyRefusal({ phase: "recipient", code, enhanced, text: "" }).verdict).toBe(
      expected,
    );
  });

  it.each([
    [550, "5.1.1", "bad_address"],
    [550, "5.10.1", "not_address"],
    [550, "5.2.1", "not_address"],
    [550, undefined, "not_address"],
    [554, "5.7.1", "not_address"],
    [550, "4.7.1", "temporary"],
    [451, undefined, "temporary"],
  ] as const)("of the message with %s %s is %s", (code, enhanced, expected) => {
    expect(classifyRefusal({ phase: "message", code, enhanced, text: "" }).verdict).toBe(expected);
  });

  it.each(REPLIES)("to %s with %j is %s", (command, reply, reason) => {
    const { verdict, reason: found } = classifyReply(command, reply);
    expect(found).toBe(reason);
    expect(verdict).toBe(/^4|: Connection timed out/.test(reply) ? "temporary" : classOf(reason));
  });

  it.each(ABOUT_THE_ADDRESS)(
    "to %s with %j, as documented, blames the address",
    (command, reply) => {
      expect(classifyReply(command, reply).verdict).toBe("bad_address");
    },
  );

  it.each(ABOUT_SOMETHING_ELSE)(
    "to %s with %j, as documented, does not blame the address",
    (command, reply) => {
      expect(classifyReply(command, reply).verdict).not.toBe("bad_address");
    },
  );

  it.each(UNCLEAR)("to RCPT TO with %j names no other cause, so it blames the address", (reply) => {
    expect(classifyReply("RCPT", reply).verdict).toBe("bad_address");
  });

  it.each(["5.1.7", "5.1.8"])("with %s never blames the recipient, whatever it says", (code) => {
    for (const { reply, reason } of BAD_ADDRESSES) {
      const words = reply.replaceAll(/[245]\.\d+\.\d+/g, code);
      const said = words.includes(code) ? words : `550 ${code} ${words}`;
      for (const command of ["RCPT", "DATA", "MAIL", "EHLO", ""])
        expect(classifyReply(command, said), `${reason}: ${said}`).toMatchObject({
          verdict: "not_address",
        });
    }
  });

  it.each([
    "sender address rejected: domain not found",
    "sender verify failed",
    "client host [192.0.2.1] blocked using zen.spamhaus.org",
    "cannot find your reverse hostname",
    "SPF check failed",
    "rejected by the DMARC policy of shop.example",
  ])("that says %j is not about the address, whatever its code", (words) => {
    for (const codes of ["550", "550 5.1.1", "550 5.1.0", "551 5.1.6", "553 5.1.3", "554 5.2.1"])
      for (const command of ["RCPT", "DATA", ""])
        expect(classifyReply(command, `${codes} <lena@mx.example>: ${words}`)).toMatchObject({
          verdict: "not_address",
        });
  });

  it.each(["CONNECT", "CONN", "EHLO", "HELO", "STARTTLS", "AUTH", "MAIL"])(
    "to %s, before the server knows the recipient, never blames them or their mailbox",
    (command) => {
      const documented = ABOUT_THE_ADDRESS.map(([, reply]) => reply);
      const full = ["552 5.2.2 Mailbox full", "521 mx.example does not accept mail", "550"];
      for (const reply of [...BAD_ADDRESSES.map((bad) => bad.reply), ...documented, ...full]) {
        const { verdict, reason } = classifyReply(command, reply);
        expect(verdict, reply).not.toBe("bad_address");
        expect(isSoftBounce(reason) && reason !== "expired", reply).toBe(false);
      }
    },
  );

  it("to RCPT TO in a dialogue that goes on to DATA may blame the recipient", () => {
    const dialogue = "550 5.1.1 <lena@mx.example>... User unknown 503 5.0.0 Need RCPT (recipient)";
    expect(classifyReply("EHLO", dialogue).verdict).toBe("bad_address");
  });

  it.each([
    "550 5.1.2 lost connection with mx.example[192.0.2.1] while sending RCPT TO",
    "host mx.example [192.0.2.1]: connection reset by peer; host not found",
    "550 5.4.4 Host unknown: lost connection",
    "SMTP connection broken: unknown host",
    "550 5.1.2 Remote host closed the connection unexpectedly",
    "5.1.2 Broken pipe",
    "unable to resolve mx.example: connection timed out; no servers could be reached",
    "550 5.1.2 The connection was aborted",
    "553 5.1.2 the remote server disconnected unexpectedly",
    "550 5.1.2 unexpected EOF",
  ])("that says %j is a broken connection, not an unknown host", (reply) => {
    for (const command of ["RCPT", "DATA", ""])
      expect(classifyReply(command, reply)).toMatchObject({
        verdict: "temporary",
        reason: "network",
      });
  });

  it.each([
    "550 5.7.1 The domain mx.example has a null MX",
    "550 Null-MX record (RFC 7505)",
    "556 mx.example publishes an empty MX record",
    "Domain mx.example does not accept mail (nullMX)",
    "550 5.7.27 mx.example sends and receives no email (NULL MX)",
    "an MX or SRV record indicated no SMTP service",
    "The domain mx.example doesn't receive email according to the administrator returned Null MX",
  ])("that says %j is a bad address", (reply) => {
    for (const command of ["RCPT", "DATA", ""])
      expect(classifyReply(command, reply)).toMatchObject({
        verdict: "bad_address",
        reason: "no_mx",
      });
  });

  it("to MAIL FROM, which no recipient caused, is not a soft bounce", () => {
    const replies = REPLIES.filter(([, , reason]) => reason !== "expired");
    for (const [, reply] of replies)
      for (const said of [reply, `450 4.0.0 ${reply.replaceAll(/\b5\d\d\b|\b5\./g, "4.")}`])
        expect(isSoftBounce(classifyReply("MAIL", said).reason), said).toBe(false);
  });

  it("of class 4 is temporary, whatever it says", () => {
    for (const [command, reply] of REPLIES)
      expect(
        classifyReply(command, `450 4.0.0 ${reply.replaceAll(/\b5\d\d\b|\b5\./g, "4.")}`),
      ).toMatchObject({
        verdict: "temporary",
      });
  });

  it("with a long reply is classified in bounded time", () => {
    const start = performance.now();
    for (const word of ["user ", "no such ", "sender mail from ", "a@", "1.", "550 5.1.1-", "("])
      classifyReply("RCPT", word.repeat(100_000));
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe("reports with a status part", () => {
  it.each(STATUS_REPORTS)("$name", expectFixture);

  it("the diagnostic is one line of the remote server's reply", async () => {
    const report = await parse(STATUS_REPORTS[0]?.raw ?? "");
    expect(report.recipients[0]?.diagnostic).toBe(
      "550 5.1.1 <lena@mx.example>: Recipient address rejected: User unknown",
    );
  });
});

describe("reports in prose", () => {
  it.each(WORDED_REPORTS)("$name", expectFixture);
  it.each(INTERNATIONAL_REPORTS)("$name", expectFixture);
});

describe("complaints and mail other than reports", () => {
  it.each(COMPLAINTS_AND_OTHERS)("$name", expectFixture);
});

describe("hostile mail", () => {
  const MAX_MILLISECONDS = 5_000;
  const group = (i: number) =>
    `\nFinal-Recipient: rfc822; u${i}@mx.example\nAction: failed\nStatus: 5.1.1\n`;
  const system = (text: string) => plainReport("MAILER-DAEMON@mx.example", "Undeliverable", text);
  const nested = (depth: number) => {
    let raw = "From: mailer-daemon@mx.example\n";
    for (let i = 0; i < depth; i++) {
      raw += `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`;
    }
    return raw;
  };
  const CASES: [name: string, raw: string][] = [
    ["nothing", ""],
    [
      "a status part of 20,000 recipients",
      report("x", Array.from({ length: 20_000 }, (_, i) => group(i)).join("")),
    ],
    [
      "a text of 20,000 recipients",
      system(
        Array.from({ length: 20_000 }, (_, i) => `u${i}@mx.example: 550 5.1.1 unknown`).join("\n"),
      ),
    ],
    ["one line of addresses without end", system(`550 ${"a@b.example,".repeat(30_000)}`)],
    ["one line of @", system("@".repeat(300_000))],
    ["one line of a", system("a".repeat(300_000))],
    ["one line of <", system("<".repeat(300_000))],
    ["lines of almost reasons", system("user user user user user user no such \n".repeat(8000))],
    [
      "lines of almost addresses under a heading",
      system(`following addresses\n${"u@mx.example\nx\n".repeat(20_000)}`),
    ],
    ["200 levels of parts", nested(200)],
    ["3,000 levels of parts", nested(3000)],
    ["300,000 header lines", `From: mailer-daemon@mx.example\n${"A: b\n".repeat(60_000)}`],
    ["a header that is continued without end", `Subject: Undeliverable\n${" x\n".repeat(100_000)}`],
    [
      "a status field that is continued without end",
      report("x", `Final-Recipient: rfc822;\n${" x\n".repeat(80_000)}`),
    ],
    ["status groups without a recipient", report("x", "Final-Recipient: x\n\n".repeat(13_000))],
    [
      "HTML of tags without end",
      `From: postmaster@mx.example\nContent-Type: text/html\n\n${"<div><a href=x>".repeat(20_000)}`,
    ],
    ["spaces without end", system(`${" ".repeat(250_000)}550`)],
    ["dashes without end", system("-".repeat(250_000))],
    ["header-like lines without end", system("X-A: b\nword\n".repeat(20_000))],
    ["status-like lines in the text", system("Final-Recipient: rfc822; nobody\n".repeat(8000))],
    ["20 MiB of text", system("550 user unknown a@b.example\n".repeat(700_000))],
    [
      "encoded words without end",
      `Subject: ${"=?utf-8?q?a?= ".repeat(18_000)}\nFrom: postmaster@x.example\n\nx`,
    ],
  ];

  function report(text: string, status: string): string {
    return deliveryReport({
      from: "MAILER-DAEMON@mx.example",
      subject: "Undeliverable",
      text,
      status,
    });
  }

  it.each(CASES)("%s is read in bounded time and memory", async (_, raw) => {
    const bytes = encoder.encode(raw);
    const start = performance.now();
    const result = await parseBounce(bytes);
    expect(performance.now() - start).toBeLessThan(MAX_MILLISECONDS);
    expect(result.recipients.length).toBeLessThanOrEqual(100);
    expect(result.messageIds.length).toBeLessThanOrEqual(5);
  });

  it("a report about 20,000 recipients yields the first 100", async () => {
    const result = await parse(CASES[1]?.[1] ?? "");
    expect(result.recipients).toHaveLength(100);
    expect(result.recipients[99]?.email).toBe("u99@mx.example");
  });

  it("any bytes yield a report, and every diagnostic is one short line", async () => {
    const words = fc.constantFrom(
      "550",
      "5.1.1",
      "<a@b.example>",
      "user unknown",
      "\n",
      "\n\n",
      ":",
      "--=_report",
      "Final-Recipient: rfc822; c@d.example",
      "Status: 5.1.1",
      "Message-ID: <x@y>",
      "\u0000",
      "\u202e",
      "é",
      ">",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { maxLength: 60 }),
        fc.boolean(),
        async (parts, inStatus) => {
          const text = parts.join(" ");
          const { recipients } = await parse(inStatus ? report("x", text) : system(text));
          for (const { diagnostic } of recipients)
            expect(diagnostic).toMatch(/^[^\p{Cc}]{0,200}$/u);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("arbitrary bytes never throw", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        expect((await parseBounce(bytes)).kind).toBe("other");
      }),
      { numRuns: 100 },
    );
  });
});

describe("posted bounces", () => {
  const ingest = (body: unknown) => parseIngest(JSON.stringify(body));
  const event = (fields: object, status?: object) =>
    ingest({
      "event-data": {
        event: "failed",
        severity: "permanent",
        recipient: "Lena@mx.example",
        reason: "bounce",
        ...(status ? { "delivery-status": status } : {}),
        ...fields,
      },
    });

  it("a generic object needs only an address", () => {
    expect(ingest({ email: " Lena@MX.example " })).toEqual({
      ok: true,
      entries: [
        {
          email: "lena@mx.example",
          kind: "bounce",
          reason: "",
          cause: "unknown",
          messageId: undefined,
        },
      ],
    });
  });

  it.each(["Lena Weiß <lena@mx.example>", '"W, Lena" <lena@mx.example>', "<lena@mx.example>"])(
    "an address may be given as %s",
    (email) => {
      const entries = [{ email: "lena@mx.example", kind: "bounce" }];
      expect(ingest({ email })).toMatchObject({ ok: true, entries });
      expect(event({ recipient: email })).toMatchObject({ ok: true, entries });
    },
  );

  it("an array yields only the entries with an address", () => {
    const result = ingest([
      { email: "a@mx.example", reason: "gone\nfor good", type: "permanent" },
      { email: "nobody" },
      7,
      null,
      { email: "b@mx.example", type: "temporary", "message-id": "<1@shop.example>" },
    ]);
    expect(result).toEqual({
      ok: true,
      entries: [
        {
          email: "a@mx.example",
          kind: "bounce",
          reason: "gone for good",
          cause: "unknown",
          messageId: undefined,
        },
        {
          email: "b@mx.example",
          kind: "harmless",
          reason: "",
          cause: "unknown",
          messageId: "1@shop.example",
        },
      ],
    });
  });

  it.each([
    ["permanent", "", true],
    ["hard", "", true],
    ["Transient", "", false],
    ["soft_bounce", "", false],
    ["", "452 4.2.2 full", false],
    ["", "550 5.1.1 unknown", true],
    ["", "asked to try again, then gone", true],
  ])("generic type %j with reason %j is permanent: %s", (type, reason, permanent) => {
    const kind = permanent ? "bounce" : "harmless";
    expect(ingest({ email: "a@mx.example", type, reason })).toMatchObject({
      entries: [{ kind }],
    });
  });

  it.each([
    ["no such mailbox", {}, { code: 550, message: "5.1.1 No such mailbox" }, true],
    [
      "a provider's own code",
      {},
      { code: 605, message: "Not delivering to previously bounced address" },
      true,
    ],
    ["no status", {}, undefined, true],
    ["a temporary code", { severity: "" }, { code: 451, message: "try later" }, false],
    ["no severity and no such mailbox", { severity: "" }, { code: 550, message: "5.1.1" }, true],
    ["permanent severity and a temporary code", {}, { code: 451, message: "try later" }, true],
    ["temporary severity", { severity: "temporary" }, { code: 550, message: "x" }, false],
    ["a delivery", { event: "delivered" }, { code: 250, message: "OK" }, false],
    ["an unknown name", { event: "permanent_fail" }, { code: 550, message: "no user" }, true],
    ["no name", { event: undefined }, { code: 550, message: "5.1.1 no such user" }, true],
    ["no name and only a severity", { event: undefined }, undefined, true],
    ["no name and no severity", { event: undefined, severity: "" }, { code: 550 }, true],
    ["a failure and nothing else", { severity: "" }, undefined, true],
    ["nothing but an address", { event: undefined, severity: "" }, undefined, false],
    ["an unknown name and no more", { event: "other", severity: "" }, undefined, false],
    ["an unknown name and a temporary code", { event: "x", severity: "" }, { code: 451 }, false],
    ["an unknown name and a policy", { event: "x", severity: "" }, { message: "spam" }, false],
    ["an unknown name and code 550", { event: "x", severity: "" }, { code: 550 }, false],
    ["a failure with bare words", { severity: "" }, { code: 550, message: "rejected" }, true],
    ["a permanent policy", {}, { code: 550, message: "5.7.1 blocked by policy" }, true],
    ["a permanently full mailbox", {}, { code: 552, message: "5.2.2 mailbox full" }, true],
    ...["opened", "clicked", "accepted", "deferred", "temporary_fail"].map(
      (word): [string, object, object, boolean] => [word, { event: word }, { code: 550 }, false],
    ),
  ])("a provider event of %s", (_, fields, status, permanent) => {
    expect(event(fields, status)).toMatchObject({
      ok: true,
      entries: [{ email: "lena@mx.example", kind: permanent ? "bounce" : "harmless" }],
    });
  });

  it.each([
    ["a policy", { severity: "" }, { code: 550, message: "5.7.1 blocked" }],
    ["a full mailbox", { severity: "" }, { code: 552, message: "5.2.2 mailbox full" }],
    ["a refusal of the sender", { severity: "" }, { code: 550, message: "Sender rejected" }],
    ["a block", { severity: "" }, { code: 554, message: "blocked using zen.spamhaus.org" }],
  ])(
    "a provider event of %s is a refusal for a reason other than the address",
    (_, more, status) => {
      const entries = [{ email: "lena@mx.example", kind: "refusal" }];
      expect(event(more, status)).toMatchObject({ entries });
      const reason = `${status.code} ${status.message}`;
      for (const type of ["bounce", ""])
        expect(ingest({ email: "lena@mx.example", type, reason })).toMatchObject({ entries });
    },
  );

  it.each(["rejected", "delivery denied", "asked to try again, then gone", "x"])(
    "a permanent failure with wording as general as %j is a bounce",
    (reason) => {
      const entries = [{ kind: "bounce" }];
      expect(ingest({ email: "a@mx.example", type: "permanent", reason })).toMatchObject({
        entries,
      });
      expect(event({}, { code: 550, message: reason })).toMatchObject({ entries });
    },
  );

  it.each(["complained", "Complaint", "spam_complaint"])("%s is a complaint", (word) => {
    const entries = [{ kind: "complaint" }];
    expect(event({ event: word })).toMatchObject({ entries });
    expect(ingest({ email: "a@mx.example", type: word })).toMatchObject({ entries });
  });

  it("a provider event yields the reply as reason and the original's id", () => {
    const message = { headers: { "message-id": "7@shop.example" } };
    expect(event({ message }, { code: 550, message: "no such user" })).toMatchObject({
      entries: [{ reason: "no such user", cause: "user_unknown", messageId: "7@shop.example" }],
    });
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    "7",
    '"a@b.example"',
    '{"email":7}',
    '{"event-data":{}}',
    "[".repeat(60_000),
  ])("%.20j contains no address", (text) => {
    expect(parseIngest(text)).toEqual({ ok: false });
  });
});
