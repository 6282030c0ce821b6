import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../../src/errors.ts";
import { type Mailbox, parseMailbox } from "../../src/mail/address.ts";
import { composeMessage, type MessageContent, usesSmtpUtf8 } from "../../src/mail/compose.ts";
import { customHeaders } from "../../src/mail/custom-headers.ts";
import { encodeBase64, encodeQuotedPrintable, encodeText } from "../../src/mail/encode.ts";
import { encodedWords } from "../../src/mail/encoded-word.ts";
import { mailboxHeader, structuredHeader, unstructuredHeader } from "../../src/mail/header.ts";
import { MessageData } from "../../src/mail/message-data.ts";
import { FINAL_DOT, stuffDots } from "../../src/mail/smtp/dot-stuffing.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function box(text: string): Mailbox {
  const result = parseMailbox(text);
  if (!result.ok) throw new Error(result.fault.message);
  return result.mailbox;
}

const message = (changes: Partial<MessageContent> = {}): MessageContent => ({
  from: box("Postrider <news@example.com>"),
  to: [box("ann@example.org")],
  subject: "Hello",
  text: "Hi Ann,\n.a dot\nbye",
  messageId: "log-1@example.com",
  date: new Date("2026-03-04T05:06:07Z"),
  boundarySeed: "seed",
  ...changes,
});

const composed = (changes: Partial<MessageContent> = {}) =>
  textOf(composeMessage(message(changes)).toBytes());

const HEAD = [
  "From: Postrider <news@example.com>",
  "To: ann@example.org",
  "Subject: Hello",
  "Date: Wed, 04 Mar 2026 05:06:07 +0000",
  "Message-ID: <log-1@example.com>",
];

describe("a message", () => {
  it("of text alone is a single part that ends in a line break", () => {
    expect(composed()).toBe(
      [
        ...HEAD,
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Hi Ann,",
        ".a dot",
        "bye",
        "",
      ].join("\r\n"),
    );
    expect(composed({ text: "bye\n" })).toMatch(/[^\n]\r\n\r\nbye\r\n$/);
    expect(composed({ text: "" })).toMatch(/quoted-printable\r\n\r\n\r\n$/);
  });

  it("with HTML is an alternative, text first, with the unsubscribe and custom headers", () => {
    const changes = {
      cc: [box('"Lee, Bo" <bo@example.org>'), box("Cy <cy@example.org>")],
      replyTo: [box("Jörg <j@bücher.example>")],
      html: '<p class="a">é</p>\n',
      listUnsubscribeUrl: "https://example.com/u?a=1&b=2",
      headers: { "X-Campaign": "été", "Auto-Submitted": "auto-generated" },
    };
    expect(composed(changes)).toBe(
      [
        ...HEAD.slice(0, 2),
        'Cc: "Lee, Bo" <bo@example.org>, Cy <cy@example.org>',
        "Reply-To: =?UTF-8?B?SsO2cmc=?= <j@xn--bcher-kva.example>",
        ...HEAD.slice(2),
        "List-Unsubscribe: <https://example.com/u?a=1&b=2>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "X-Campaign: =?UTF-8?B?w6l0w6k=?=",
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
        'Content-Type: multipart/alternative; boundary="=_seed_alternative"',
        "",
        "--=_seed_alternative",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Hi Ann,",
        ".a dot",
        "bye",
        "--=_seed_alternative",
        "Content-Type: text/html; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        '<p class=3D"a">=C3=A9</p>',
        "",
        "--=_seed_alternative--",
        "",
      ].join("\r\n"),
    );
  });

  it("with files is mixed, and images of the HTML are related to it", () => {
    const changes = {
      text: "T",
      html: '<img src="cid:logo">',
      attachments: [
        {
          filename: "Über 1.pdf",
          contentType: "application/pdf",
          content: Uint8Array.of(0, 255, 10),
        },
        {
          filename: "logo.png",
          contentType: 'image/png;x="a b"  ; y=1',
          content: new Uint8Array(),
          contentId: "logo",
        },
      ],
    };
    expect(composed(changes).split("MIME-Version: 1.0\r\n")[1]).toBe(
      [
        'Content-Type: multipart/mixed; boundary="=_seed_mixed"',
        "",
        "--=_seed_mixed",
        'Content-Type: multipart/alternative; boundary="=_seed_alternative"',
        "",
        "--=_seed_alternative",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "T",
        "--=_seed_alternative",
        'Content-Type: multipart/related; boundary="=_seed_related"; type="text/html"',
        "",
        "--=_seed_related",
        "Content-Type: text/html; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        '<img src=3D"cid:logo">',
        "--=_seed_related",
        'Content-Type: image/png; x="a b"; y=1; name="logo.png"',
        "Content-Transfer-Encoding: base64",
        'Content-Disposition: inline; filename="logo.png"',
        "Content-ID: <logo>",
        "",
        "",
        "--=_seed_related--",
        "--=_seed_alternative--",
        "--=_seed_mixed",
        'Content-Type: application/pdf; name="=?UTF-8?B?w5xiZXIgMS5wZGY=?="',
        "Content-Transfer-Encoding: base64",
        "Content-Disposition: attachment; filename*0*=UTF-8''%C3%9Cber%201.pdf",
        "",
        "AP8K",
        "--=_seed_mixed--",
        "",
      ].join("\r\n"),
    );
  });

  it.each([
    ["l'été.pdf", ["=?UTF-8?B?bCfDqXTDqS5wZGY=?="], ["l%27%C3%A9t%C3%A9.pdf"]],
    ["()*%&é", ["=?UTF-8?B?KCkqJSbDqQ==?="], ["%28%29%2A%25%26%C3%A9"]],
    [
      `${"x".repeat(61)}é`,
      [`=?UTF-8?Q?${"x".repeat(52)}?=`, "=?UTF-8?Q?xxxxxxxxx=C3=A9?="],
      ["x".repeat(54), "xxxxxxx%C3%A9"],
    ],
    [
      "é".repeat(10),
      [`=?UTF-8?B?${btoa("\u00c3\u00a9".repeat(10))}?=`],
      ["%C3%A9".repeat(9), "%C3%A9"],
    ],
  ])(
    "encodes the file name %s in RFC 2231 pieces without a fallback, and in encoded words for old clients",
    (filename, words, pieces) => {
      const file = { filename, contentType: 'text/csv; name="other.csv"', content: bytesOf("") };
      const text = composed({ attachments: [file] });
      const parametersOf = (header: string) =>
        new RegExp(`^${header};(.*(?:\\r\\n .*)*)`, "m").exec(text)?.[1]?.trim().split(/;\s+/);
      expect(parametersOf("Content-Disposition: attachment")).toEqual(
        pieces.map((piece, at) => `filename*${at}*=${at === 0 ? "UTF-8''" : ""}${piece}`),
      );
      expect(
        parametersOf("Content-Type: text/csv")?.map((one) => one.replace(/\s+/g, " ")),
      ).toEqual([`name="${words.join(" ")}"`]);
    },
  );

  it("has the same bytes for the same seed", () => {
    expect(composed({ html: "x" })).toBe(composed({ html: "x" }));
  });

  it("is 7-bit in lines of at most 78 characters, whatever its content", () => {
    const long = `${"wörd ".repeat(300)}${"x".repeat(3_000)}${"\u{1f600}".repeat(500)}`;
    const data = composeMessage(
      message({
        subject: long,
        text: long,
        html: long,
        to: Array.from({ length: 40 }, (_, i) => box(`Näme ${i} <someone${i}@example.org>`)),
        from: { name: long, address: box("a@b.example").address },
        headers: { "X-Long": long.slice(0, 2_000) },
        attachments: [
          { filename: "ü".repeat(255), contentType: "text/plain", content: bytesOf(long) },
        ],
      }),
    );
    const bytes = data.toBytes();
    expect(bytes.every((byte) => byte < 0x80)).toBe(true);
    const lines = textOf(bytes).split("\r\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(78);
    expect(lines.join("")).not.toMatch(/[\r\n]/);
  });

  it("encodes a file in lines of 76 characters lazily, in chunks, on each iteration", () => {
    const content = new Uint8Array(300_001);
    const file = { filename: "a.bin", contentType: "application/octet-stream", content };
    const data = composeMessage(message({ attachments: [file, { ...file, filename: "b.bin" }] }));
    for (const index of content.keys()) content[index] = (index * 7) & 255;
    const lines = Buffer.from(content)
      .toString("base64")
      .match(/.{1,76}/g);
    const text = textOf(data.toBytes());
    expect(text.split(`\r\n\r\n${lines?.join("\r\n")}\r\n--`)).toHaveLength(3);
    expect(data.length).toBe(text.length);
    for (const _reading of [1, 2]) {
      const chunks = [...data.chunks()].map((chunk) => chunk.length);
      expect(Math.max(...chunks)).toBeLessThanOrEqual(80_000);
      expect(chunks.reduce((sum, length) => sum + length)).toBe(data.length);
    }
  });

  it("carries a UTF-8 local part unchanged, for SMTPUTF8", () => {
    expect(usesSmtpUtf8(message({ to: [box("Jörg <j@bücher.example>")] }))).toBe(false);
    expect(usesSmtpUtf8(message({ replyTo: [box("jörg@example.org")] }))).toBe(true);
    expect(composed({ to: [box("Jörg <jörg@example.org>")] })).toContain(
      "To: =?UTF-8?B?SsO2cmc=?= <jörg@example.org>\r\n",
    );
  });

  it("cannot be ended early by a body that contains its boundaries", () => {
    const forged = "\r\n--=_seed_alternative--\r\n\r\n--=_seed_mixed--\r\n";
    const text = composed({ text: forged, html: forged });
    expect(text.match(/^--=_seed_alternative/gm)).toHaveLength(3);
    expect(text).not.toMatch(/^--=_seed_mixed/m);
  });
});

describe("header values", () => {
  const injections: [string, Partial<MessageContent>][] = ["\r\n", "\n", "\r", "\0"].flatMap(
    (evil): [string, Partial<MessageContent>][] => [
      ["Subject", { subject: `a${evil}Bcc: b@example.org` }],
      ["From", { from: { ...box("a@b.example"), name: `a${evil}b` } }],
      ["To", { to: [{ ...box("a@b.example"), name: `a${evil}b` }] }],
      ["Cc", { cc: [{ ...box("a@b.example"), name: evil }] }],
      ["Reply-To", { replyTo: [{ ...box("a@b.example"), name: `a${evil}b` }] }],
      ["Message-ID", { messageId: `a${evil}b@c` }],
      ["List-Unsubscribe", { listUnsubscribeUrl: `https://a/${evil}b` }],
      ["X-A", { headers: { "X-A": `a${evil}b` } }],
      ["name", { headers: { [`X-A${evil}B`]: "a" } }],
    ],
  );

  it.each(injections)("of %s reject CR, LF and NUL: %j", (name, changes) => {
    const compose = () => composeMessage(message(changes));
    expect(compose).toThrow(AppError);
    expect(compose).toThrow(new RegExp(`header (${name} |name)`));
    expect(compose).not.toThrow(/[\r\n\0]/);
  });

  it.each<[string, Partial<MessageContent>]>([
    ["a Message-ID without @", { messageId: "abc" }],
    ["a Message-ID with brackets", { messageId: "<a@b>" }],
    ["a Message-ID that is not ASCII", { messageId: "ä@b" }],
    ["a Message-ID beyond the longest line", { messageId: `${"a".repeat(990)}@b.example` }],
    ["an invalid date", { date: new Date(Number.NaN) }],
    ["an unsubscribe link with a bracket", { listUnsubscribeUrl: "https://a/>" }],
    ["an unsubscribe link that is not ASCII", { listUnsubscribeUrl: "https://ä/" }],
    ["a boundary seed with a quote", { html: "", boundarySeed: 'a"b' }],
    ["an empty boundary seed", { html: "", boundarySeed: "" }],
    ["a reserved header", { headers: { "mIME-Version": "2" } }],
    ["a multipart attachment", attach({ contentType: "multipart/mixed" })],
    ["an attached message", attach({ contentType: "message/rfc822" })],
    ["an invalid content type", attach({ contentType: "text" })],
    ["a content type with a line break", attach({ contentType: "text/a\r\nX: y" })],
    ["a content type that ends in a line break", attach({ contentType: "text/a\n" })],
    ["an empty file name", attach({ filename: "" })],
    ["a file name of 256 characters", attach({ filename: "a".repeat(256) })],
    ["a file name with a line break", attach({ filename: "a\r\nb" })],
    ["a content id with a bracket", { html: "", ...attach({ contentId: "a>b" }) }],
  ])("reject %s", (_, changes) => {
    expect(() => composeMessage(message(changes))).toThrow(AppError);
  });

  function attach(changes: object): Partial<MessageContent> {
    const file = { filename: "a.txt", contentType: "text/plain", content: bytesOf("a") };
    return { attachments: [{ ...file, ...changes }] };
  }

  it.each([
    ["", "X:\r\n"],
    ["plain text", "X: plain text\r\n"],
    [" outer spaces ", "X: =?UTF-8?Q?_outer_spaces_?=\r\n"],
    ["two  spaces", "X: =?UTF-8?Q?two__spaces?=\r\n"],
    ["tab\tstop", "X: =?UTF-8?Q?tab=09stop?=\r\n"],
    ["=?UTF-8?Q?fake?=", "X: =?UTF-8?B?PT9VVEYtOD9RP2Zha2U/PQ==?=\r\n"],
    ["naïve café au lait", "X: =?UTF-8?Q?na=C3=AFve_caf=C3=A9_au_lait?=\r\n"],
    ["日本語", "X: =?UTF-8?B?5pel5pys6Kqe?=\r\n"],
    ["half \ud83d", "X: =?UTF-8?B?aGFsZiDvv70=?=\r\n"],
    [`${"word ".repeat(20)}end`, `X:${" word".repeat(14)}\r\n${" word".repeat(6)} end\r\n`],
    [`first ${"y".repeat(100)}`, `X: first\r\n ${"y".repeat(100)}\r\n`],
    [`${"a".repeat(50)} ${"b".repeat(22)} c`, `X: ${"a".repeat(50)} ${"b".repeat(22)}\r\n c\r\n`],
    [`${"word ".repeat(60)}end`, expect.stringMatching(/^X:(?: word){14}\r\n(?: word){15}\r\n/)],
  ])("of free text: %j", (value, line) => {
    expect(unstructuredHeader("X", value)).toEqual(line);
  });

  it("of free text fold before the first word only if it is an encoded one", () => {
    const name = "X-Name-Of-Some-Length";
    const encoded = unstructuredHeader(name, `é${"a".repeat(70)}`);
    expect(encoded).toMatch(new RegExp(`^${name}:\\r\\n =\\?UTF-8\\?Q\\?=C3=A9a{46}\\?=\\r\\n `));
    const plain = "y".repeat(70);
    expect(unstructuredHeader(name, plain)).toBe(`${name}: ${plain}\r\n`);
    expect(unstructuredHeader(name, `${plain}=?`)).toMatch(new RegExp(`^${name}:\\r\\n =\\?`));
  });

  it("of free text encode a very long word to keep lines short", () => {
    const lines = unstructuredHeader("Subject", "z".repeat(2_000)).split("\r\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
  });

  it("of free text become encoded words when a word has 257 characters or more", () => {
    const longest = "y".repeat(256);
    expect(unstructuredHeader("X", `long ${longest}`)).toBe(`X: long\r\n ${longest}\r\n`);
    expect(unstructuredHeader("X", `long ${longest}y`)).toMatch(
      /^X: =\?UTF-8\?Q\?long_y+\?=\r\n =/,
    );
  });

  it.each([
    ["Ann Lee", "Ann Lee <a@b.example>"],
    ["  Ann  ", "Ann <a@b.example>"],
    ["Ann  Lee", "=?UTF-8?Q?Ann__Lee?= <a@b.example>"],
    ["A. Lee", '"A. Lee" <a@b.example>'],
    ["news@x.example", '"news@x.example" <a@b.example>'],
    ['Say "hi" \\o/', '"Say \\"hi\\" \\\\o/" <a@b.example>'],
    ["a=?b?=", "=?UTF-8?B?YT0/Yj89?= <a@b.example>"],
    ["(comment), <x>", '"(comment), <x>" <a@b.example>'],
    ["Zoë", "=?UTF-8?Q?Zo=C3=AB?= <a@b.example>"],
    ["", "a@b.example"],
    [`${"a".repeat(59)}.`, `"${"a".repeat(59)}."\r\n <a@b.example>`],
    [`${"a".repeat(60)}.`, expect.stringMatching(/^=\?UTF-8\?Q\?a{52}\?=\r\n =/)],
  ])("of mailboxes quote or encode the name %j", (name, value) => {
    const { address } = box("a@b.example");
    const header = mailboxHeader("To", [{ name, address }]);
    expect(/^To: (.*)\r\n$/s.exec(header)?.[1]).toEqual(value);
  });

  it("of an empty list of mailboxes are omitted", () => {
    expect(mailboxHeader("Cc", [])).toBe("");
    expect(composed({ to: [] })).not.toContain("To:");
  });

  it("of structured headers are printable ASCII within a line", () => {
    expect(() => structuredHeader("X", "é")).toThrow(AppError);
    expect(() => structuredHeader("X", "a\tb")).toThrow(AppError);
    expect(() => structuredHeader("X", "a".repeat(998))).toThrow(AppError);
    expect(structuredHeader("X", "a".repeat(997))).toBe(`X:\r\n ${"a".repeat(997)}\r\n`);
    expect(structuredHeader("X", "a".repeat(995))).toHaveLength(1_000);
    expect(() => structuredHeader("X:", "a")).toThrow(AppError);
    expect(() => structuredHeader("X", "a", "é")).toThrow(AppError);
    expect(() => structuredHeader("X", "a", "b".repeat(998))).toThrow(AppError);
  });

  it("have names of at most 76 characters", () => {
    expect(structuredHeader("X".repeat(76), "a")).toBe(`${"X".repeat(76)}: a\r\n`);
    expect(() => structuredHeader("X".repeat(77), "a")).toThrow(
      expect.objectContaining({ code: "invalid_header_name" }),
    );
  });

  it("as encoded words fill 64 characters each and decode to the text", () => {
    const q = (payload: string) => `=?UTF-8?Q?${payload}?=`;
    expect(encodedWords("")).toEqual([]);
    expect(encodedWords("a".repeat(52))).toEqual([q("a".repeat(52))]);
    expect(encodedWords("a".repeat(105))).toEqual(["a".repeat(52), "a".repeat(52), "a"].map(q));
    expect(encodedWords(`${"a".repeat(51)}\t`)).toEqual(["a".repeat(51), "=09"].map(q));
    const b = (text: string) => `=?UTF-8?B?${btoa(String.fromCharCode(...bytesOf(text)))}?=`;
    expect(encodedWords("日".repeat(27))).toEqual(["日".repeat(13), "日".repeat(13), "日"].map(b));
    for (const word of encodedWords("日".repeat(27)).slice(0, 2)) expect(word).toHaveLength(64);
  });

  it("as encoded words never split a character", () => {
    for (let shift = 0; shift < 60; shift++) {
      const words = encodedWords(`${"a".repeat(shift)}${"\u{1f468}é".repeat(40)}`);
      for (const word of words) {
        expect(word.length).toBeLessThanOrEqual(75);
        const payload = /^=\?UTF-8\?B\?(.*)\?=$/.exec(word)?.[1] ?? "";
        const bytes = Uint8Array.from(atob(payload), (byte) => byte.charCodeAt(0));
        expect(() =>
          new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
        ).not.toThrow();
      }
    }
  });
});

describe("custom headers", () => {
  const refusal = (headers: Record<string, string>) => {
    try {
      customHeaders(headers);
      return "accepted";
    } catch (error) {
      if (error instanceof AppError) return `${error.code}: ${error.message}`;
      throw error;
    }
  };

  it.each(
    "From TO cc Bcc reply-to Subject Date Message-ID MIME-Version Content-Type content-anything Return-Path Received Sender DKIM-Signature List-Unsubscribe List-Unsubscribe-Post Resent-To".split(
      " ",
    ),
  )("cannot be %s", (name) => {
    expect(refusal({ [name]: "x" })).toBe(`header_reserved: header ${name} cannot be set`);
  });

  it.each(["", "a b", "a:b", "ä", "x".repeat(77)])("cannot be named %j", (name) => {
    expect(refusal({ [name]: "x" })).toBe("invalid_header_name: a header name is not a token");
  });

  it("are limited to 50 with distinct names, and in length", () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, "v"]));
    expect(refusal(many(50))).toBe("accepted");
    expect(refusal(many(51))).toMatch(/^too_many_headers: at most 50/);
    expect(refusal({ "X-A": "1", "x-a": "2" })).toBe("header_repeated: header x-a is given twice");
    expect(refusal({ "X-A": "v".repeat(2_001) })).toBe(
      "header_too_long: header X-A has more than 2000 characters",
    );
    expect(refusal({ "List-ID": "<news.example.com>", "X-Entity-Ref-ID": "ö" })).toBe("accepted");
  });

  const long = `<https://e.example/${"p".repeat(280)}>`;
  it.each([
    ["a long run", long, `X-A: ${long}\r\n`],
    ["JSON", `{"k": "${"v".repeat(280)}"}`, `X-A: {"k":\r\n "${"v".repeat(280)}"}\r\n`],
    ["double spaces", `{"k": "a  b"}`, `X-A: {"k": "a  b"}\r\n`],
    ["outer spaces", " a ", "X-A: a\r\n"],
    ["a tab", "a\tb", "X-A: a\tb\r\n"],
    ["a question mark", "<https://e.example/?a=?b>", "X-A: <https://e.example/?a=?b>\r\n"],
    ["a run that fills a line", "r".repeat(993), `X-A: ${"r".repeat(993)}\r\n`],
    ["a run that fills the next line", "r".repeat(997), `X-A:\r\n ${"r".repeat(997)}\r\n`],
    ["spaces at a fold", `${"a".repeat(70)}   b`, `X-A: ${"a".repeat(70)}  \r\n b\r\n`],
    ["no ASCII", "é", "X-A: =?UTF-8?B?w6k=?=\r\n"],
    ["nothing", "", "X-A:\r\n"],
  ])("of ASCII are folded and never encoded, with %s", (_, value, lines) => {
    expect(customHeaders({ "X-A": value })).toBe(lines);
  });

  it("cannot have a run that does not fit on a line", () => {
    expect(refusal({ "X-A": `a ${"r".repeat(998)} b` })).toBe(
      "header_line_too_long: header X-A is too long: a line has at most 998 characters and can be folded only at a space",
    );
  });
});

describe("bodies", () => {
  it.each([
    ["a=b", "a=3Db"],
    ["end \nend\t\nend ", "end=20\r\nend=09\r\nend=20"],
    ["in side", "in side"],
    ["lone\rreturn\r\r\n", "lone=0Dreturn=0D\r\n"],
    ["a\nb\r\nc", "a\r\nb\r\nc"],
    ["\0\x01\x7f", "=00=01=7F"],
    ["x".repeat(75), "x".repeat(75)],
    ["x".repeat(76), `${"x".repeat(75)}=\r\nx`],
    [`${"x".repeat(73)}=`, `${"x".repeat(73)}=\r\n=3D`],
    [`${"x".repeat(72)}=`, `${"x".repeat(72)}=3D`],
  ])("of text %j are quoted-printable %j", (text, encoded) => {
    expect(textOf(encodeQuotedPrintable(bytesOf(text)))).toBe(encoded);
  });

  it("have no trailing whitespace, wherever the line is full", () => {
    for (const length of [71, 72, 73, 74, 75, 76]) {
      const x = "x".repeat(length);
      for (const [white, escaped] of [
        [" ", "=20"],
        ["\t", "=09"],
      ] as const) {
        for (const lineEnd of ["", "\n", "\r\n"]) {
          const wrapped = length <= 72 ? x : `${x.slice(0, 75)}=\r\n${x.slice(75)}`;
          const expected = `${wrapped}${escaped}${lineEnd && "\r\n"}`;
          expect(textOf(encodeText(`${x}${white}${lineEnd}`).bytes)).toBe(expected);
        }
      }
    }
  });

  it("stay unchanged while others are encoded, whatever their length", () => {
    const words = [1, 2_000, 90_000].map((size) => "kept = ".repeat(size));
    const bodies = words.map((text) => encodeText(text).bytes);
    for (const [index, body] of bodies.entries()) {
      const text = textOf(body).replaceAll("=\r\n", "").replaceAll("=3D", "=");
      expect(text.replace(/=20$/, " ")).toBe(words[index]);
    }
  });

  it("are measured with the line breaks sent over the wire", () => {
    // 8 bytes with CRLF are 12 in either encoding, 5 with LF are 8 in base64
    const text = "é\n\n\n";
    expect(encodeText(text).transferEncoding).toBe("quoted-printable");
    expect(encodeText(text.replaceAll("\n", "\r\n")).transferEncoding).toBe("quoted-printable");
  });

  it.each([
    [[], ""],
    [[0], "AA=="],
    [[0, 1], "AAE="],
    [[0, 1, 255], "AAH/"],
  ])("of bytes %j are base64 %j", (bytes, encoded) => {
    expect(textOf(encodeBase64(Uint8Array.from(bytes)))).toBe(encoded);
  });

  it("in base64 have lines of 76 characters and no break at the end", () => {
    for (const size of [56, 57, 58, 113, 114, 115, 1_000]) {
      const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 7) & 255);
      const expected = btoa(String.fromCharCode(...bytes))
        .match(/.{1,76}/g)
        ?.join("\r\n");
      expect(textOf(encodeBase64(bytes))).toBe(expected);
    }
  });

  it("use the shorter of the two encodings", () => {
    expect(encodeText("Déjà vu, said the plain sentence").transferEncoding).toBe(
      "quoted-printable",
    );
    expect(encodeText("日本語のメールです").transferEncoding).toBe("base64");
    expect(textOf(encodeText("日\n本").bytes)).toBe("5pelDQrmnKw=");
    expect(encodeText("").bytes).toHaveLength(0);
  });
});

describe("dot-stuffing", () => {
  const messageOf = (...parts: string[]) => new MessageData(parts.map((part) => bytesOf(part)));
  const stuff = (...parts: string[]) =>
    [...stuffDots(messageOf(...parts).chunks())].map((chunk) => textOf(chunk)).join("");

  it("is reversed by a receiving server for any message and leaves no line with a single dot", () => {
    const text = fc.array(fc.constantFrom("a", ".", "..", "\r\n", "\r\n.", "\n", "\r", ""));
    fc.assert(
      fc.property(text, (parts) => {
        const original = parts.join("");
        const stuffed = stuff(...parts);
        expect(stuffed).toBe(stuff(original));
        expect(stuffed.endsWith("\r\n")).toBe(true);
        expect(stuffed.split(/[\r\n]/)).not.toContain(".");
        const undone = stuffed.replaceAll(/(^|[\r\n])\./g, "$1");
        expect([original, `${original}\n`, `${original}\r\n`]).toContain(undone);
      }),
    );
  });

  it("copies nothing when no line starts with a dot", () => {
    const data = bytesOf("no dot at a start. here\r\n");
    expect([...stuffDots([data])][0]).toBe(data);
  });

  it.each([
    ["", "\r\n"],
    [".", "..\r\n"],
    ["a", "a\r\n"],
    ["a\r", "a\r\n"],
    ["a\n", "a\n\r\n"],
    ["a\r\n", "a\r\n"],
    [".a\r\n.\n..b\r.c.d", "..a\r\n..\n...b\r..c.d\r\n"],
  ])("turns %j into %j", (text, stuffed) => {
    expect(stuff(text)).toBe(stuffed);
    const ended = text.endsWith("\r\n") ? text : text.endsWith("\r") ? `${text}\n` : `${text}\r\n`;
    expect(textOf(messageOf(text).toBytes())).toBe(ended);
  });

  it("ends a message with a dot on a line of its own", () => {
    expect(textOf(FINAL_DOT)).toBe(".\r\n");
  });

  it("copies nothing to end a line that is already terminated", () => {
    const bytes = bytesOf(".\r\n");
    expect(new MessageData([bytes]).toBytes()).toBe(bytes);
  });
});
