/* DKIM in the check of a sender: keys in the DNS, and signatures of mail that arrived. */
import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { checkDkim } from "../../src/mail/sender-check/check-dkim.ts";
import { readSignatures } from "../../src/mail/sender-check/index.ts";
import { parseDkim } from "../../src/mail/sender-check/parse-dkim.ts";
import { readFacts, type SeenMail } from "../../src/mail/sender-check/read-facts.ts";
import { resolverOf, rsaKey, type Zone } from "../support/dns-zone.ts";

const DOMAIN = "shop.example";

/** Checks the key of a selector, or the signature of a mail. */
async function checkOf(zone: Zone, by: { dkimSelector?: string; seenMail?: SeenMail }) {
  const { ask, asked } = resolverOf(zone);
  const sender = { domain: DOMAIN, envelopeDomain: DOMAIN, smtpHosts: [] };
  const none = { dkimSelector: undefined, seenMail: undefined };
  const [item] = checkDkim(await readFacts(ask, { ...sender, ...none, ...by }));
  return { item, asked };
}

describe("a DKIM key", async () => {
  const [good, weak] = await Promise.all([rsaKey(2048), rsaKey(1024)]);
  const tiny = `305c300d06092a864886f70d0101010500034b003048024100${"c5".repeat(64)}0203010001`;
  const short = Buffer.alloc(32, 7).toString("base64");

  it.each([
    [`v=DKIM1; k=rsa; p=${good}`, { kind: "rsa", bits: 2048, isTesting: false }],
    [`p=${good.slice(0, 100)} ${good.slice(100)}`, { kind: "rsa", bits: 2048 }],
    [`v=DKIM1; t=s:y; p=${weak}`, { kind: "rsa", bits: 1024, isTesting: true }],
    [`v=DKIM1; k=ed25519; p=${short}`, { kind: "ed25519" }],
    ["v=DKIM1; p=", { kind: "revoked" }],
    ["v=DKIM1; k=rsa", { kind: "broken" }],
    ["v=DKIM1; p=*", { kind: "broken" }],
    [`v=DKIM1; p=${short}`, { kind: "broken" }],
    [`v=DKIM1; p=${good}; p=`, { kind: "broken" }],
    ["\u0000\u00ff=", { kind: "broken" }],
  ])("is read: %.40s", (text, key) => {
    expect(parseDkim(text)).toMatchObject(key);
  });

  it.each<[string, string[], string, string]>([
    ["one that servers ignore", ["v=DKIM1; p=*"], "problem", "dkim_key_ignored"],
    ["one of Ed25519", [`v=DKIM1; k=ed25519; p=${short}`], "warning", "dkim_key_ed25519"],
    [
      "one of 512 bits",
      [`p=${Buffer.from(tiny, "hex").toString("base64")}`],
      "problem",
      "dkim_key_too_short",
    ],
    ["a good one", [`v=DKIM1; p=${good}`], "ok", "dkim_key_found"],
    ["a short one", [`v=DKIM1; p=${weak}`], "warning", "dkim_key_short"],
    ["one under test", [`v=DKIM1; t=y; p=${good}`], "warning", "dkim_key_testing"],
    ["a revoked one", ["v=DKIM1; p="], "problem", "dkim_key_revoked"],
    ["two", [`v=DKIM1; p=${good}`, "v=DKIM1; p="], "problem", "dkim_key_several"],
    ["none beside other texts", ["v=spf1 -all"], "problem", "dkim_key_missing"],
  ])("of a selector: %s", async (_, texts, verdict, code) => {
    const zone = { [`TXT s1._domainkey.${DOMAIN}`]: texts };
    const { item } = await checkOf(zone, { dkimSelector: "s1" });
    expect(item).toMatchObject({ verdict, code });
  });

  it("of an unknown selector is not queried, and the check explains how to find it", async () => {
    const { item, asked } = await checkOf({}, {});
    expect(item).toMatchObject({ verdict: "unknown", code: "dkim_selector_unknown" });
    expect(asked.filter((question) => question.includes("_domainkey"))).toEqual([]);
  });
});

/** The signed mail and the key of RFC 8463, appendix A. */
const SIGNED_MAIL = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
`;
const SIGNER = "test._domainkey.football.example.com";
const SIGNER_KEY =
  "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB";
const signaturesOf = (mail: string, zone: Zone, isWhole = true) =>
  readSignatures(resolverOf(zone).ask, Buffer.from(mail, "latin1"), isWhole);

const encode = (bytes: ArrayBuffer) => Buffer.from(bytes).toString("base64");
const hashOf = async (body: string) =>
  encode(await crypto.subtle.digest("SHA-256", Buffer.from(body)));

/** Makes a key that signs text of one character a byte, and the zone that publishes it. */
async function newSigner() {
  const pair = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  if (!("publicKey" in pair)) throw new Error("no pair of keys");
  const spki = await crypto.subtle.exportKey("spki", pair.publicKey);
  if (!(spki instanceof ArrayBuffer)) throw new Error("no SPKI");
  const sign = async (text: string) => {
    const bytes = Buffer.from(text, "latin1");
    return encode(await crypto.subtle.sign("RSASSA-PKCS1-v1_5", pair.privateKey, bytes));
  };
  return { sign, zone: { "TXT s._domainkey.a.example": [`p=${encode(spki)}`] } };
}

describe("the DKIM signature of a received mail", async () => {
  const published = { [`TXT ${SIGNER}`]: [SIGNER_KEY] };
  const other = { [`TXT ${SIGNER}`]: [`p=${await rsaKey(1024)}`] };
  const changed = (from: string | RegExp, to: string) => SIGNED_MAIL.replace(from, to);

  it.each<[string, string, Zone, string]>([
    ["as it was signed", SIGNED_MAIL, published, "valid"],
    ["with a field of a relay before it", `Received: by mx\n${SIGNED_MAIL}`, published, "valid"],
    [
      "with other white space",
      changed("the game.  Are", "the game. \tAre") + "\n \n",
      published,
      "valid",
    ],
    ["with another body", changed("lost", "won"), published, "body_changed"],
    ["with another subject", changed("dinner", "lunch"), published, "wrong_key"],
    [
      "with a second From",
      changed("From: Joe", "From: Eve <e@x.example>\nFrom: Joe"),
      published,
      "wrong_key",
    ],
    ["with the key of another server", SIGNED_MAIL, other, "wrong_key"],
    ["without a key in the DNS", SIGNED_MAIL, {}, "no_key"],
    ["with two keys", SIGNED_MAIL, { [`TXT ${SIGNER}`]: [SIGNER_KEY, "p="] }, "no_key"],
    ["while the DNS does not answer", SIGNED_MAIL, { [`TXT ${SIGNER}`]: "no_answer" }, "unknown"],
    ["by an algorithm of the future", changed("rsa-sha256", "rsa-sha512"), published, "unknown"],
  ])("%s: is %4$s", async (_, mail, zone, verdict) => {
    const signature = { domain: "football.example.com", selector: "test", verdict };
    expect(await signaturesOf(mail, zone)).toEqual([signature]);
    expect(await signaturesOf(mail.replaceAll("\n", "\r\n"), zone)).toEqual([signature]);
  });

  it("is unknown if the mail was truncated", async () => {
    expect(await signaturesOf(SIGNED_MAIL, published, false)).toMatchObject([
      { verdict: "unknown" },
    ]);
  });

  it("may sign unmodified fields and body", async () => {
    const { sign, zone } = await newSigner();
    const field = `DKIM-Signature: v=1; a=rsa-sha256; d=a.example; s=s; h=Subject; bh=${await hashOf("Hi there\r\n")}; b=`;
    const subject = "Subject:  two  spaces \r\n";
    const mail = `${field}${await sign(subject + field)}\r\n${subject}\r\nHi there\r\n`;
    expect(await signaturesOf(mail, zone)).toMatchObject([{ verdict: "valid" }]);
    expect(await signaturesOf(mail.replace("two  ", "two "), zone)).toMatchObject([
      { verdict: "wrong_key" },
    ]);
  });

  it("may sign a field that ends with the byte 0xA0, as à does in UTF-8", async () => {
    const { sign, zone } = await newSigner();
    const value = `v=1; a=rsa-sha256; c=relaxed/simple; d=a.example; s=s; h=Subject; bh=${await hashOf("Hi\r\n")}; b=`;
    const signed = await sign(`subject:Voil\u00c3\u00a0\r\ndkim-signature:${value}`);
    const mail = `DKIM-Signature: ${value}${signed}\r\nSubject: \tVoil\u00c3\u00a0 \t\r\n\r\nHi\r\n`;
    expect(await signaturesOf(mail, zone)).toMatchObject([{ verdict: "valid" }]);
  });

  it.each([
    "",
    "\r\n",
    "DKIM-Signature",
    "DKIM-Signature: v=1; d=..; s=x",
    "DKIM-Signature: d=a.example; s=a..b",
    "DKIM-Signature: d=a.example; s=s; c=other/simple",
    "DKIM-Signature: d=a.example; d=b.example; s=s",
    `DKIM-Signature: d=a.example; s=${"s.".repeat(1_000)}s`,
  ])("is none in %.60j", async (mail) => {
    const { ask, asked } = resolverOf({});
    expect(await readSignatures(ask, Buffer.from(mail), true)).toEqual([]);
    expect(asked).toEqual([]);
  });

  it("is read for at most four, in bounded time", async () => {
    const field = "DKIM-Signature: d=a.example; s=s; h=from\r\n";
    const mail = `${field.repeat(20)}X: ${"; b".repeat(20_000)}\r\n\r\n${" \t".repeat(60_000)}`;
    const startedAt = performance.now();
    expect(await signaturesOf(mail, {})).toHaveLength(4);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it.each<[string, string[], string, Zone, string, string]>([
    ["none", [], "p=none", {}, "problem", "mail_unsigned"],
    ["of another domain", ["relay.example"], "p=none", {}, "warning", "mail_signed_for_other"],
    ["of a subdomain", [`news.${DOMAIN}`], "p=none", {}, "ok", "mail_signature_valid"],
    [
      "of a subdomain, with adkim=s",
      [`news.${DOMAIN}`],
      "p=none; adkim=s",
      {},
      "warning",
      "mail_signed_for_other",
    ],
    [
      "of a relay and of the domain",
      ["relay.example", DOMAIN],
      "p=none",
      {},
      "ok",
      "mail_signature_valid",
    ],
    [
      "whose key is gone",
      [DOMAIN],
      "p=none",
      { [`TXT s1._domainkey.${DOMAIN}`]: [] },
      "problem",
      "mail_signature_valid",
    ],
  ])("tells what counts for DMARC: %s", async (_, domains, policy, change, verdict, code) => {
    const zone: Zone = { [`TXT _dmarc.${DOMAIN}`]: [`v=DMARC1; ${policy}`] };
    for (const one of domains) zone[`TXT s1._domainkey.${one}`] = [`p=${await rsaKey(2048)}`];
    const signatures = domains.map((domain) => ({
      domain,
      selector: "s1",
      verdict: "valid" as const,
    }));
    const seenMail = { seenAt: Date.UTC(2026, 0, 2, 3, 4), signatures };
    const { item } = await checkOf({ ...zone, ...change }, { seenMail });
    const when = { day: "2026-01-02", time: "03:04" };
    expect(item).toMatchObject({ check: "dkim", verdict, code, params: when });
  });

  it.each(["wrong_key", "body_changed"] as const)("that was %s is a problem", async (verdict) => {
    const zone = { [`TXT s1._domainkey.${DOMAIN}`]: [`p=${await rsaKey(2048)}`] };
    const seenMail = { seenAt: 0, signatures: [{ domain: DOMAIN, selector: "s1", verdict }] };
    const { item } = await checkOf(zone, { seenMail });
    expect(item).toMatchObject({
      domain: DOMAIN,
      verdict: "problem",
      code: `mail_${verdict}`,
      found: [expect.any(String), expect.any(String)],
    });
  });
});
