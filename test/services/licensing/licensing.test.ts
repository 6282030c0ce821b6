/* Valid and invalid licences (API reference §2.8), the invalid ones as attacks on the check. */
import { describe, expect, it } from "vitest";
import { toBase64Url } from "../../../src/lib/encoding.ts";
import { requireLicense, type LicensedFeature } from "../../../src/services/licensing/index.ts";
import { createService } from "../../support/service.ts";

const PRO_FEATURES = ["webhooks", "analytics", "audit log"] as const;
const FEATURES = [...PRO_FEATURES, "workspace members"] as const;
const NOW = 1_800_000_000_000;
const CLAIMS = { tier: "team", sub: "tests", iat: 1_700_000_000 };
const utf8 = new TextEncoder();

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const encode = (claims: unknown) =>
  toBase64Url(utf8.encode(typeof claims === "string" ? claims : JSON.stringify(claims)));

/** Issuer of licences with a key pair of its own. */
async function newIssuer() {
  const { publicKey, privateKey } = (await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const raw = new Uint8Array((await crypto.subtle.exportKey("raw", publicKey)) as ArrayBuffer);
  const signatureOf = async (text: string) =>
    toBase64Url(new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, utf8.encode(text))));
  const sign = async (claims: unknown) => {
    const body = encode(claims);
    return `${body}.${await signatureOf(body)}`;
  };
  return { raw, publicKey: base64(raw), sign, signatureOf };
}

const issuer = await newIssuer();
const good = await issuer.sign(CLAIMS);
const [body = "", signature = ""] = good.split(".");

/** Result of a deployment with this licence for a feature: "granted", or the error. */
async function ask(
  license: string,
  feature: LicensedFeature = "webhooks",
  { publicKey = issuer.publicKey, at = NOW }: { publicKey?: string; at?: number } = {},
) {
  const settings = { SERVICE_LICENSE_KEY: license, LICENSE_PUBLIC_KEY: publicKey };
  const deps = await createService(settings, { now: () => at }).deps();
  return requireLicense(deps, feature).then(
    () => "granted",
    (error: unknown) => error,
  );
}

const refusal = (feature: string) =>
  expect.objectContaining({
    name: "AppError",
    code: "license_required",
    message: `license required for ${feature}`,
  });

describe("a license", () => {
  it("of the tier team unlocks everything", async () => {
    for (const feature of FEATURES) expect(await ask(good, feature)).toBe("granted");
  });

  it("of the tier pro unlocks everything except workspace members", async () => {
    const pro = await issuer.sign({ ...CLAIMS, tier: "pro" });
    for (const feature of PRO_FEATURES) expect(await ask(pro, feature)).toBe("granted");
    expect(await ask(pro, "workspace members")).toEqual(refusal("workspace members"));
  });

  it("that is empty grants nothing, and each feature gets the message in the reference", async () => {
    for (const feature of FEATURES) {
      expect(await ask("", feature)).toEqual(refusal(feature));
      expect(await ask("", feature, { publicKey: "" })).toEqual(refusal(feature));
    }
  });

  it("from the issuing script is accepted: both ends agree on the format", async () => {
    // Signed by scripts/sign-license.ts with the key of RFC 8032 §7.1, test 1.
    const publicKey = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
    const license =
      "eyJ0aWVyIjoidGVhbSIsInN1YiI6InZlY3RvciIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjo0MTAyNDQ0ODAwfQ.toplrxUD2nqc8A2Bd-pO2lSGqJasmEUaaKIqQ0VmIzKDAW79JCag2geu-yC4CJ0q8pRpf3j3URRPxmSAHtxKBA";
    expect(await ask(license, "workspace members", { publicKey })).toBe("granted");
    expect(await ask(license, "webhooks", { publicKey, at: 4_102_444_800_000 })).toEqual(
      refusal("webhooks"),
    );
  });

  it.each([
    ["a word", "license"],
    ["a dot", "."],
    ["only a payload", body],
    ["a payload and a dot", `${body}.`],
    ["only a signature", `.${signature}`],
    ["the parts the wrong way round", `${signature}.${body}`],
    ["three parts", `${body}.${signature}.`],
    ["a part before it", `.${body}.${signature}`],
    ["a part between", `${body}..${signature}`],
    ["the three parts of a JWT", `${encode({ alg: "none" })}.${body}.${signature}`],
    ["white space after it", `${good}\n`],
    ["white space before it", ` ${good}`],
    ["white space inside", `${body}. ${signature}`],
    ["padding", `${body}=.${signature}`],
    ["the alphabet of plain base64", `${body}.+/${signature.slice(2)}`],
    ["quotes around it", `"${good}"`],
    ["a NUL", `${good}\0`],
    ["a lone letter that is no byte", `${body}.${signature}AAA`],
    ["a signature cut short", `${body}.${signature.slice(0, -4)}`],
    ["a signature with more behind it", `${body}.${signature}AAAA`],
    ["a signature of zeros", `${body}.${"A".repeat(86)}`],
    ["a payload cut short", `${body.slice(0, -4)}.${signature}`],
    ["a huge payload", `${"A".repeat(4_000_000)}.${signature}`],
    ["a huge signature", `${body}.${"A".repeat(4_000_000)}`],
    ["very many dots", ".".repeat(1_000_000)],
  ])("that is malformed grants nothing: %s", async (_what, license) => {
    expect(await ask(license)).toEqual(refusal("webhooks"));
  });

  it("signed with another key grants nothing", async () => {
    const other = await newIssuer();
    expect(await ask(await other.sign(CLAIMS))).toEqual(refusal("webhooks"));
    expect(await ask(good, "webhooks", other)).toEqual(refusal("webhooks"));
  });

  it("with any single character of the payload changed grants nothing", async () => {
    for (let at = 0; at < body.length; at++) {
      const other = body[at] === "A" ? "B" : "A";
      const altered = `${body.slice(0, at)}${other}${body.slice(at + 1)}`;
      expect(await ask(`${altered}.${signature}`)).toEqual(refusal("webhooks"));
    }
  });

  it("with the signature of another payload grants nothing", async () => {
    const pro = await issuer.sign({ ...CLAIMS, tier: "pro" });
    expect(await ask(`${body}.${pro.split(".")[1] ?? ""}`)).toEqual(refusal("webhooks"));
  });

  it("with a signature over the JSON, not over its base64url, grants nothing", async () => {
    const overJson = await issuer.signatureOf(JSON.stringify(CLAIMS));
    expect(await ask(`${body}.${overJson}`)).toEqual(refusal("webhooks"));
  });

  it.each([
    ["no tier", { sub: "x", iat: 1 }],
    ["an unknown tier", { ...CLAIMS, tier: "enterprise" }],
    ["a tier in capitals", { ...CLAIMS, tier: "TEAM" }],
    ["a list of tiers", { ...CLAIMS, tier: ["team"] }],
    ["no subject", { tier: "team", iat: 1 }],
    ["no time of issue", { tier: "team", sub: "x" }],
    ["a time of issue that is text", { ...CLAIMS, iat: "1700000000" }],
    ["an expiry that is text", { ...CLAIMS, exp: "4102444800" }],
    ["an expiry that is null", { ...CLAIMS, exp: null }],
    ["an expiry that is true", { ...CLAIMS, exp: true }],
    ["an expiry beyond every number", '{"tier":"team","sub":"x","iat":1,"exp":1e999}'],
    ["an expiry of 0", { ...CLAIMS, exp: 0 }],
    ["an expiry before 1970", { ...CLAIMS, exp: -4_102_444_800 }],
    ["a list", [CLAIMS]],
    ["null", null],
    ["text", JSON.stringify("team")],
    ["nothing", ""],
    ["no JSON", "{tier: team}"],
  ])("with a valid signature and an invalid payload grants nothing: %s", async (_what, claims) => {
    expect(await ask(await issuer.sign(claims))).toEqual(refusal("webhooks"));
  });

  it("is valid until the second of its expiry, and not afterwards", async () => {
    const license = await issuer.sign({ ...CLAIMS, exp: NOW / 1_000 });
    expect(await ask(license, "webhooks", { at: NOW - 1 })).toBe("granted");
    expect(await ask(license, "webhooks", { at: NOW })).toEqual(refusal("webhooks"));
  });

  it("expires while the service runs, although its signature was checked before", async () => {
    const clock = { now: NOW - 1 };
    const license = await issuer.sign({ ...CLAIMS, exp: NOW / 1_000 });
    const settings = { SERVICE_LICENSE_KEY: license, LICENSE_PUBLIC_KEY: issuer.publicKey };
    const deps = await createService(settings, { now: () => clock.now }).deps();
    await requireLicense(deps, "audit log");
    clock.now = NOW;
    await expect(requireLicense(deps, "audit log")).rejects.toEqual(refusal("audit log"));
  });

  it("is dropped when it is removed or replaced, and never shared between deployments", async () => {
    const answers = [];
    for (const license of [good, "", good, `${good}A`, good]) answers.push(await ask(license));
    const none = refusal("webhooks");
    expect(answers).toEqual(["granted", none, "granted", none, "granted"]);
    const other = await newIssuer();
    const pro = await other.sign({ ...CLAIMS, tier: "pro" });
    const feature = "workspace members";
    expect(
      await Promise.all([ask(good, feature), ask(pro, feature, other), ask(good, feature)]),
    ).toEqual(["granted", refusal(feature), "granted"]);
  });

  it("is cached without ambiguity between license and key", async () => {
    expect(await ask(good)).toBe("granted");
    const { publicKey } = issuer;
    const moved = `${publicKey.slice(20)} ${good}`;
    expect(await ask(moved, "webhooks", { publicKey: publicKey.slice(0, 20) })).toEqual(
      refusal("webhooks"),
    );
  });
});

describe("LICENSE_PUBLIC_KEY", () => {
  it.each([
    ["missing", ""],
    ["no base64", "not a key!"],
    ["too short", base64(issuer.raw.subarray(1))],
    ["too long", base64(new Uint8Array([...issuer.raw, 0]))],
    ["zeros", base64(new Uint8Array(32))],
    ["ones", base64(new Uint8Array(32).fill(255))],
    ["in hexadecimal", [...issuer.raw].map((byte) => byte.toString(16).padStart(2, "0")).join("")],
    ["with white space", `${issuer.publicKey}\n`],
  ])("that is %s validates no license and breaks nothing", async (_what, publicKey) => {
    expect(await ask(good, "webhooks", { publicKey })).toEqual(refusal("webhooks"));
  });

  it("may be written without its padding", async () => {
    const publicKey = issuer.publicKey.replace("=", "");
    expect(await ask(good, "webhooks", { publicKey })).toBe("granted");
  });
});
