import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";

/** License tiers; `team` includes `pro`. */
export const LICENSE_TIERS = ["pro", "team"] as const;
export type LicenseTier = (typeof LICENSE_TIERS)[number];

/** The signed payload; `iat` and `exp` are seconds since 1970. Without `exp` it never expires. */
export interface LicensePayload {
  tier: LicenseTier;
  sub: string;
  iat: number;
  exp?: number;
}

/**
 * An Ed25519 pair (RFC 8032): the raw 32-byte public key and the PKCS #8 private key, both base64.
 */
export interface LicenseKeys {
  publicKey: string;
  signingKey: string;
}

export function generateLicenseKeys(): LicenseKeys {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const signingKey = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  const { x } = publicKey.export({ format: "jwk" });
  return { publicKey: Buffer.from(x ?? "", "base64url").toString("base64"), signingKey };
}

/** Options, for `parseArgs`, of commands that sign a license by default: both skip it. */
export const NO_LICENSE_OPTIONS = {
  "no-license": { type: "boolean", default: false },
  "no-licence": { type: "boolean", default: false },
} as const;

/**
 * Signs a license for all features that never expires, for the operator's own service. Returns the
 * settings of the service; the signing key is discarded.
 */
export function signOwnLicense() {
  const { publicKey, signingKey } = generateLicenseKeys();
  const iat = Math.floor(Date.now() / 1000);
  return {
    LICENSE_PUBLIC_KEY: publicKey,
    SERVICE_LICENSE_KEY: signLicense({ tier: "team", sub: "self-hosted", iat }, signingKey),
  };
}

/**
 * Signs a license: the base64url of its JSON, a dot, and the base64url of the Ed25519 signature of
 * the first part. Throws if the signing key is not an Ed25519 key.
 */
export function signLicense(payload: LicensePayload, signingKey: string): string {
  const body = Buffer.from(JSON.stringify(payload)).toString("base64url");
  const signature = sign(null, Buffer.from(body, "ascii"), readSigningKey(signingKey));
  return `${body}.${signature.toString("base64url")}`;
}

function readSigningKey(signingKey: string) {
  const key = createPrivateKey({
    key: Buffer.from(signingKey.trim(), "base64"),
    format: "der",
    type: "pkcs8",
  });
  if (key.asymmetricKeyType !== "ed25519") throw new Error("the signing key is not an Ed25519 key");
  return key;
}
