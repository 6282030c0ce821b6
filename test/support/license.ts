import { toBase64Url } from "../../src/lib/encoding.ts";

const utf8 = new TextEncoder();

/** Settings with a licence of this tier and the public key that proves it. */
export async function testLicense(tier: "pro" | "team", change: Record<string, unknown> = {}) {
  const { publicKey, privateKey } = (await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const claims = { tier, sub: "tests", iat: 1_700_000_000, ...change };
  const payload = toBase64Url(utf8.encode(JSON.stringify(claims)));
  const signature = await crypto.subtle.sign("Ed25519", privateKey, utf8.encode(payload));
  const raw = new Uint8Array((await crypto.subtle.exportKey("raw", publicKey)) as ArrayBuffer);
  return {
    SERVICE_LICENSE_KEY: `${payload}.${toBase64Url(new Uint8Array(signature))}`,
    LICENSE_PUBLIC_KEY: btoa(String.fromCharCode(...raw)),
  };
}
