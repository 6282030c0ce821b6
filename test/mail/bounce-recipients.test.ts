import { describe, expect, it } from "vitest";
import { parseBounce } from "../../src/mail/bounce/index.ts";
import { deliveryReport, plainReport } from "../fixtures/bounces/fixture.ts";

const FROM = "MAILER-DAEMON@mx.example";
const SUBJECT = "Undelivered Mail Returned to Sender";

async function read(raw: string): Promise<[string, string][]> {
  const { recipients } = await parseBounce(new TextEncoder().encode(raw));
  return recipients.map(({ email, verdict }) => [email, verdict]);
}
const inProse = (text: string, headers = "") => read(plainReport(FROM, SUBJECT, text, headers));
const inStatus = (groups: string, text = "Your message could not be delivered.") =>
  read(
    deliveryReport({
      from: FROM,
      subject: SUBJECT,
      text,
      status: `Reporting-MTA: dns; mx.example\n\n${groups}`,
    }),
  );

const bad = (...names: string[]) => names.map((name) => [`${name}@mx.example`, "bad_address"]);

describe("a report about several recipients", () => {
  it("in fields without an empty line in between finds each of them", async () => {
    const group = (name: string, status: string) =>
      `Original-Recipient: rfc822; ${name}@mx.example\nFinal-Recipient: rfc822; ${name}@mx.example\nAction: failed\nStatus: ${status}\n`;
    expect(await inStatus(group("ann", "5.1.1") + group("bob", "5.2.2"))).toEqual([
      ["ann@mx.example", "bad_address"],
      ["bob@mx.example", "not_address"],
    ]);
  });

  it("whose fields begin with the action keeps the outcome of each", async () => {
    const group = (name: string, outcome: string, status: string) =>
      `Action: ${outcome}\nFinal-Recipient: rfc822; ${name}@mx.example\nStatus: ${status}\n`;
    const groups = group("ann", "failed", "5.1.1") + group("bob", "delayed", "5.1.1");
    expect(await inStatus(groups)).toEqual([
      ["ann@mx.example", "bad_address"],
      ["bob@mx.example", "temporary"],
    ]);
  });

  it.each([
    "Final-Recipient: rfc822; ann@mx.example\nFinal-Recipient: rfc822; bob@mx.example",
    "Final-Recipient: rfc822; ann@mx.example, bob@mx.example",
  ])("with one outcome finds each of them: %j", async (fields) => {
    expect(await inStatus(`${fields}\nAction: failed\nStatus: 5.1.1\n`)).toEqual(bad("ann", "bob"));
  });

  it("with a status part for each of them finds each of them", async () => {
    const names = Array.from({ length: 8 }, (_, i) => `user${i}`);
    const parts = names.map(
      (name) =>
        `Final-Recipient: rfc822; ${name}@mx.example\nAction: failed\nStatus: 5.1.1\n\n--=_report\nContent-Type: message/delivery-status\n\n`,
    );
    expect(await inStatus(parts.join(""))).toEqual(bad(...names));
  });

  it("in one long header field finds each of them", async () => {
    const names = Array.from({ length: 50 }, (_, i) => `a-recipient-with-a-long-name-${i}`);
    const header = `X-Failed-Recipients: ${names.map((name) => `${name}@mx.example`).join(",\n  ")}\n`;
    expect(await inProse("550 5.1.1 User unknown\n", header)).toEqual(bad(...names));
  });

  it.each([
    "The following recipients could not be reached:\n\nann@mx.example\nbob@mx.example\n\n550 5.1.1 User unknown\n",
    "  ----- The following addresses had permanent fatal errors -----\n<ann@mx.example>\n<bob@mx.example>\n    (reason: 550 5.1.1 User unknown)\n",
    "The following recipients do not exist (550 5.1.1 User unknown):\n\n<ann@mx.example>\n<bob@mx.example>\n",
    "These mailboxes do not exist:\n\n  SMTP:ann@mx.example\n  SMTP:bob@mx.example\n",
    "Delivery has failed to these recipients:\n\nann@mx.example\n\nbob@mx.example\n\nThe email address does not exist.\n",
    "Unknown users: ann@mx.example, bob@mx.example\n",
  ])("gives the reason of a list to each of them: %j", async (text) => {
    expect(await inProse(text)).toEqual(bad("ann", "bob"));
  });

  it.each([
    "SMTP error from remote mail server after RCPT TO:<bob@mx.example>:\n    552 5.2.2 Mailbox full",
    "SMTP error from remote mail server after MAIL FROM:<news@shop.example>:\n    550 Access denied",
  ])("gives none that has words of its own the code of another: %j", async (reason) => {
    const text = `The following addresses failed:\n\n  ann@mx.example\n    Unrouteable address\n  bob@mx.example\n    ${reason}\n`;
    const header = "X-Failed-Recipients: ann@mx.example, bob@mx.example\n";
    expect(await inProse(text, header)).toEqual([
      ["ann@mx.example", "bad_address"],
      ["bob@mx.example", "not_address"],
    ]);
  });

  it("gives a header's recipients the only reason, unless it is that of one of them", async () => {
    const header = "X-Failed-Recipients: ann@mx.example, bob@mx.example\n";
    expect(await inProse("550 5.1.1 User unknown\n", header)).toEqual(bad("ann", "bob"));
    expect(await inProse("ann@mx.example\n  550 5.1.1 User unknown\n", header)).toEqual([
      ["ann@mx.example", "bad_address"],
      ["bob@mx.example", "not_address"],
    ]);
  });

  it("gives no recipient of a list the reason of another", async () => {
    const text =
      "The following addresses had permanent fatal errors\n<ann@mx.example>\n<bob@mx.example>\n\n" +
      "... while talking to mx.example.:\n>>> RCPT To:<ann@mx.example>\n<<< 550 5.1.1 User unknown\n" +
      ">>> RCPT To:<bob@mx.example>\n<<< 552 5.2.2 Mailbox full\n";
    expect(await inProse(text)).toEqual([
      ["ann@mx.example", "bad_address"],
      ["bob@mx.example", "not_address"],
    ]);
  });
});

describe("a report about a rejection before RCPT TO", () => {
  it.each([
    "550 5.1.1 User unknown (in reply to MAIL FROM command)",
    "550 5.1.1 User unknown (in reply to\n    MAIL FROM command)",
    "550 5.1.1 User unknown (in reply to EHLO command)",
    "550 5.1.1 User unknown (in reply to AUTH command)",
    "SMTP error from remote mail server after initial connection: 550 No such user",
  ])("never blames the recipient: %j", async (words) => {
    const [recipient] = await inProse(
      `<lena@mx.example>: host mx.example[192.0.2.1] said:\n    ${words}\n`,
    );
    expect(recipient).toEqual(["lena@mx.example", "not_address"]);
    const status = `Final-Recipient: rfc822; lena@mx.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; ${words}\n`;
    expect(await inStatus(status)).toEqual([["lena@mx.example", "not_address"]]);
  });

  it("never blames the recipient if the server refused to talk", async () => {
    const words = "host mx.example[192.0.2.1] refused to talk to me: 550 5.1.1 User unknown";
    expect(await inProse(`<lena@mx.example>: ${words}\n`)).toEqual([
      ["lena@mx.example", "not_address"],
    ]);
  });
});
