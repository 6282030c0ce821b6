import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  domainOf,
  needsSmtpUtf8,
  parseEmailAddress,
  parseMailbox,
} from "../../src/mail/address.ts";
import { isLinear } from "../support/growth.ts";

const accepted = (text: string) => {
  const result = parseEmailAddress(text);
  return result.ok ? result.address : `refused: ${result.fault.message}`;
};
const mailbox = (text: string) => {
  const result = parseMailbox(text);
  return result.ok ? result.mailbox : `refused: ${result.fault.message}`;
};

describe("an address", () => {
  it.each([
    ["ann@example.com", "ann@example.com"],
    ["  Ann.Lee+News@Example.COM\n", "ann.lee+news@example.com"],
    ["o'hara!#$%&*/=?^_`{|}~-@example.co.uk", "o'hara!#$%&*/=?^_`{|}~-@example.co.uk"],
    ["a@localhost", "a@localhost"],
    ["1@2.3-4.example", "1@2.3-4.example"],
    ["info@bücher.example", "info@xn--bcher-kva.example"],
    ["info@BÜCHER.example", "info@xn--bcher-kva.example"],
    ["info@例え.テスト", "info@xn--r8jz45g.xn--zckzah"],
    ["info@example。com", "info@example.com"],
    ["info@xn--bcher-kva.example", "info@xn--bcher-kva.example"],
    ["Jörg@example.com", "jörg@example.com"],
    ["jo\u0308rg@example.com", "jörg@example.com"],
    ["J\u030con@example.com", "\u01f0on@example.com"],
    ["用户@example.com", "用户@example.com"],
    [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
  ])("%j is read as %s", (text, address) => {
    expect(accepted(text)).toBe(address);
  });

  it.each([
    ["", "empty"],
    [" \t\n", "empty"],
    ["ann", "no @"],
    ["@example.com", "nothing before the @"],
    ["ann@", "the domain is not valid"],
    ["ann@example", "the domain is not valid"],
    ["ann@example.com.", "the domain is not valid"],
    ["ann@.example.com", "the domain is not valid"],
    ["ann@exa..mple.com", "the domain is not valid"],
    ["ann@-example.com", "the domain is not valid"],
    ["ann@example-.com", "the domain is not valid"],
    ["ann@exa_mple.com", "the domain is not valid"],
    ["ann@exa%6dple.com", "the domain is not valid"],
    ["ann@ex%6d\u00fc.com", "the domain is not valid"],
    ["ann@1.2.3.4", "the domain is not valid"],
    ["ann@example.c", "the domain is not valid"],
    ["ann@[1.2.3.4]", "address literals"],
    ["ann@example.com:25", "the domain is not valid"],
    [".ann@example.com", "misplaced dot"],
    ["ann.@example.com", "misplaced dot"],
    ["a..n@example.com", "misplaced dot"],
    ["a@b@example.com", "misplaced dot or character"],
    ["ann(x)@example.com", "misplaced dot or character"],
    ["ann,bob@example.com", "misplaced dot or character"],
    ['"ann"@example.com', "quoted local parts"],
    ["<ann@example.com>", "misplaced dot or character"],
    ["ann@example.com>", "the domain is not valid"],
    ["an n@example.com", "spaces, control"],
    ["ann@example.com\r\nRCPT TO:<b@example.com>", "spaces, control"],
    ["ann\r@example.com", "spaces, control"],
    ["ann\n@example.com", "spaces, control"],
    ["ann\0@example.com", "spaces, control"],
    ["ann\x7f@example.com", "spaces, control"],
    ["ann\u0085@example.com", "spaces, control"],
    ["ann\u00a0@example.com", "spaces, control"],
    ["ann\u200b@example.com", "invisible"],
    ["ann\u202e@example.com", "invisible"],
    ["ann\ud800@example.com", "invisible"],
    [`${"a".repeat(65)}@example.com`, "before the @ is too long"],
    [`${"ä".repeat(33)}@example.com`, "before the @ is too long"],
    [`a@${"b".repeat(64)}.example`, "the domain is not valid"],
    [`a@${"b.".repeat(125)}example`, "the address is too long"],
    [`a@${"ü".repeat(62)}.example`, "the domain is not valid"],
  ])("%j is rejected", (text, reason) => {
    expect(accepted(text)).toMatch(new RegExp(`^refused: .*${reason}`));
  });

  it("is at most 254 octets long, however few characters those are", () => {
    const domain = `${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example`;
    const local = "ä".repeat(28);
    expect(accepted(`${local}aa@${domain}`)).toBe(`${local}aa@${domain}`);
    expect(accepted(`${local}${"a".repeat(8)}@e${domain}`)).toMatch(/too long/);
  });

  it("is unchanged when parsed again, and contains nothing that could end a command", () => {
    const piece = fc.string({ unit: "binary", maxLength: 20 });
    const domain = fc.oneof(piece, fc.constantFrom("example.com", "bücher.example", "localhost"));
    fc.assert(
      fc.property(piece, domain, (local, host) => {
        const result = parseEmailAddress(`${local}@${host}`);
        if (!result.ok) return;
        expect(accepted(result.address)).toBe(result.address);
        expect(result.address).not.toMatch(/[\s<>\p{C}]/u);
        expect(domainOf(result.address)).toMatch(/^[a-z0-9.-]+$/);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it("needs SMTPUTF8 only for its local part, because the domain is already ASCII", () => {
    const utf8 = parseEmailAddress("jörg@bücher.example");
    const ascii = parseEmailAddress("joerg@bücher.example");
    if (!utf8.ok || !ascii.ok) throw new Error("not parsed");
    expect(needsSmtpUtf8(utf8.address)).toBe(true);
    expect(needsSmtpUtf8(ascii.address)).toBe(false);
    expect(domainOf(utf8.address)).toBe("xn--bcher-kva.example");
  });

  it("takes linear time to reject", async () => {
    const linear = await isLinear((size) => {
      const hostile = ["a.", "a@b-", "@", " "].map((piece) => piece.repeat(size));
      for (const text of hostile) expect(parseEmailAddress(text).ok).toBe(false);
    }, 1_600_000);
    expect(linear).toBe(true);
  });
});

describe("a mailbox", () => {
  it.each([
    ["ann@example.com", { name: "", address: "ann@example.com" }],
    ["<ann@example.com>", { name: "", address: "ann@example.com" }],
    [" Ann Lee <Ann@Example.com> ", { name: "Ann Lee", address: "ann@example.com" }],
    ["Ann<ann@example.com>", { name: "Ann", address: "ann@example.com" }],
    ["A<ann@example.com>", { name: "A", address: "ann@example.com" }],
    ['" Ann " <ann@example.com>', { name: "Ann", address: "ann@example.com" }],
    ['"Lee, Ann" <ann@example.com>', { name: "Lee, Ann", address: "ann@example.com" }],
    [
      '"A \\"q\\" \\\\ <b>" <ann@example.com>',
      { name: 'A "q" \\ <b>', address: "ann@example.com" },
    ],
    ["Jörg 💌 <j@bücher.example>", { name: "Jörg 💌", address: "j@xn--bcher-kva.example" }],
    ["ann@x.example <ann@example.com>", { name: "ann@x.example", address: "ann@example.com" }],
  ])("%j is a name and an address", (text, expected) => {
    expect(mailbox(text)).toEqual(expected);
  });

  it.each([
    "Ann",
    "Ann <ann>",
    "Ann ann@example.com>",
    "ann@example.com>",
    "Ann <ann@example.com",
    "Lee, Ann <ann@example.com>",
    "a@example.com, b@example.com",
    "a@example.com, B <b@example.com>",
    'A "b" c <ann@example.com>',
    '"open <ann@example.com>',
    '"a" b" <ann@example.com>',
    '"a\\" <ann@example.com>',
    "Ann\r\nBcc: b@example.com <ann@example.com>",
    "Ann\0 <ann@example.com>",
    '"Ann\n" <ann@example.com>',
    "Ann <ann@example.com\r\n>x>",
    `${"a".repeat(800)} <ann@example.com>`,
  ])("%j is rejected", (text) => {
    expect(mailbox(text)).toMatch(/^refused: /);
  });
});
