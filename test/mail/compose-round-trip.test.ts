import { connect } from "cloudflare:sockets";
import fc from "fast-check";
import PostalMime, { decodeWords, type Email } from "postal-mime";
import { expect, it } from "vitest";
import { type Mailbox, parseEmailAddress } from "../../src/mail/address.ts";
import { composeMessage, type MessageContent } from "../../src/mail/compose.ts";
import { DEFAULT_SMTP_TIMEOUTS, SmtpSession } from "../../src/mail/smtp/index.ts";
import { waitForMessage } from "../support/mailbox.ts";
import { ports } from "../support/ports.ts";

/**
 * Characters that are hard to transport, among any others; never U+FEFF, which the reader drops.
 */
const anyCharacter = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
  fc
    .string({ unit: "binary", minLength: 1, maxLength: 3 })
    .map((text) => text.replaceAll("\ufeff", "x")),
  fc.constantFrom(
    "\r",
    "\n",
    "\r\n",
    "\r\n.\r\n",
    "\n..",
    "\n.",
    " \n",
    "\t\n",
    "\nFrom ",
    "--=_s_",
  ),
  fc.constantFrom(
    "=",
    "=\n",
    "=3D",
    "=?",
    "?=",
    "=?UTF-8?Q?a?=",
    "_",
    " ",
    "  ",
    "\t",
    '"',
    "\\",
    ",",
  ),
  fc.constantFrom(
    "\ud800",
    "\udfff",
    "\ud83d\ude00",
    "é",
    "\u0301",
    "\u0085",
    "\u2028",
    "\0",
    "\x7f",
  ),
  fc.integer({ min: 60, max: 1_100 }).map((length) => "w".repeat(length)),
);
const anyText = (maxLength: number) =>
  fc.array(anyCharacter, { maxLength }).map((pieces) => pieces.join(""));
const headerText = (maxLength: number) =>
  anyText(maxLength).map((text) => text.replace(/[\r\n\0]/g, ""));
/** Excludes `=?`: the reader decodes encoded words in file names, which RFC 2047 does not allow. */
const fileName = headerText(5).map((text) => {
  const name = text.replace(/[\p{Cc}\u2028\u2029]/gu, "").replaceAll("=?", "-");
  return `${name.slice(0, 250)}.x`;
});

const anyMailbox = fc
  .record({ name: headerText(6), local: fc.constantFrom("a", "b.c", "o'x") })
  .map(({ name, local }) => mailbox(name, `${local}@round.example`));

const anyMessage: fc.Arbitrary<MessageContent> = fc
  .record({
    from: anyMailbox,
    to: fc.array(anyMailbox, { minLength: 1, maxLength: 4 }),
    replyTo: fc.array(anyMailbox, { maxLength: 2 }),
    subject: headerText(8),
    text: anyText(12),
    html: fc.option(anyText(12), { nil: undefined }),
    headers: headerText(8)
      .filter((value) => !/[!-~]{998}/.test(value))
      .map((value) => ({ "X-Custom": value.slice(0, 2_000) })),
    attachments: fc.array(
      fc.record({
        filename: fileName,
        contentType: fc.constantFrom("application/octet-stream", "image/png"),
        content: fc.uint8Array({ maxLength: 200 }),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ html, ...rest }) => ({
    ...rest,
    ...(html === undefined ? {} : { html }),
    messageId: "m@round.example",
    date: new Date("2026-01-02T03:04:05Z"),
    boundarySeed: "s",
  }));

function mailbox(name: string, text: string): Mailbox {
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return { name, address: parsed.address };
}

/**
 * Expects the reader's form of a body: quoted-printable gets LF for line breaks and one more at its
 * end; base64 keeps its CRLF.
 */
function expectBody(read: string | undefined, written: string) {
  const lines = written.toWellFormed().replace(/\r?\n/g, "\n");
  const canonical = written.toWellFormed().replace(/\r?\n/g, "\r\n");
  expect([lines, `${lines}\n`, canonical]).toContain(read ?? "");
}

const written = ({ name, address }: Mailbox) => ({ name: name.toWellFormed().trim(), address });

/** Custom headers of ASCII go out as they are, and the reader may unfold them to one space. */
const isAsItIs = (value: string) => /^[\t -~]*$/.test(value) && value.trim() !== "";
const inOneLine = (value: string) => value.trim().replace(/\s+/g, " ");

function expectSame(email: Email, message: MessageContent) {
  expect(email.subject ?? "").toBe(message.subject.toWellFormed());
  expect(email.from).toEqual(written(message.from));
  expect(email.to).toEqual(message.to.map(written));
  expect(email.replyTo ?? []).toEqual((message.replyTo ?? []).map(written));
  expectBody(email.text, message.text);
  expectBody(email.html, message.html ?? "");
  expect(email.messageId).toBe("<m@round.example>");
  expect(email.date).toBe("2026-01-02T03:04:05.000Z");
  const custom = email.headers.filter(({ key }) => key === "x-custom");
  const given = message.headers?.["X-Custom"] ?? "";
  const read = custom.map(({ value }) => decodeWords(value));
  if (isAsItIs(given)) expect(read.map(inOneLine)).toEqual([decodeWords(inOneLine(given))]);
  else expect(read).toEqual([given.toWellFormed()]);
  const files = email.attachments.map(({ filename, mimeType, content }) => ({
    filename,
    mimeType,
    bytes: typeof content === "string" ? content : [...new Uint8Array(content)],
  }));
  expect(files).toEqual(
    (message.attachments ?? []).map(({ filename, contentType, content }) => ({
      filename: filename.toWellFormed(),
      mimeType: contentType,
      bytes: [...content],
    })),
  );
}

it("any subject, names, bodies and files survive a round trip through a MIME parser", async () => {
  await fc.assert(
    fc.asyncProperty(anyMessage, async (message) => {
      expectSame(await PostalMime.parse(composeMessage(message).toBytes()), message);
    }),
    { seed: 2026, numRuns: 200 },
  );
});

it("any message passes through an SMTP server byte for byte and parses as it was written", async () => {
  const settings = {
    host: "localhost",
    port: ports.smtp,
    tls: "starttls",
    user: "user",
    password: "pass",
    ehloName: "round.example",
  } as const;
  const session = await SmtpSession.open(settings, connect, DEFAULT_SMTP_TIMEOUTS);
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(anyMessage, async (message) => {
      const to = `round-trip-${runs++}@any.test`;
      const data = composeMessage(message);
      const envelope = { from: "round@any.test", to: [to], smtpUtf8: false };
      const sent = await session.send({ envelope, data });
      expect(sent.recipients.map(({ outcome, error }) => outcome + error)).toEqual(["accepted"]);
      const { raw } = await waitForMessage(to);
      expect(new TextDecoder().decode(raw)).toBe(new TextDecoder().decode(data.toBytes()));
      expectSame(await PostalMime.parse(raw), message);
    }),
    { seed: 4711, numRuns: 80 },
  );
  await session.quit();
});
