import { z } from "zod";
import type { Deps } from "../../deps.ts";
import { refusal } from "../../errors.ts";
import { fromBase64, fromBase64Url } from "../../lib/encoding.ts";

/** The license tiers. `team` includes `pro` (API reference §2.8). */
export const TIERS = ["pro", "team"] as const;
type Tier = (typeof TIERS)[number];

/**
 * The licensed features, as error messages name them, with the tier of each. Analytics requires one
 * only in cloud mode.
 */
const TIER_OF = {
  webhooks: "pro",
  analytics: "pro",
  "audit log": "pro",
  "workspace members": "team",
} satisfies Record<string, Tier>;

export type LicensedFeature = keyof typeof TIER_OF;

export const LICENSED_FEATURES = [
  "webhooks",
  "analytics",
  "audit log",
  "workspace members",
] as const satisfies LicensedFeature[];

/** The signed claims of a license (API reference §2.8). Times are in seconds since 1970. */
const claimsSchema = z.object({
  tier: z.enum(TIERS),
  sub: z.string(),
  iat: z.number(),
  exp: z.number().optional(),
});
type Claims = z.infer<typeof claimsSchema>;

/**
 * The claims of the last license that this isolate verified, by public key and license text. The
 * isolate verifies a signature once and checks the expiry on every request.
 */
let known: { text: string; claims: Claims | undefined } | undefined;

/**
 * Throws license_required unless the deployment currently has the feature (API reference §2.8).
 * Works offline. An invalid license counts as none.
 */
export async function requireLicense(deps: Deps, feature: LicensedFeature): Promise<void> {
  if (covers(deps, await validClaims(deps), feature)) return;
  throw refusal("license_required", { feature });
}

/** A license without its key. */
export interface LicenseFacts {
  /** Null without a valid license. */
  tier: Tier | null;
  features: LicensedFeature[];
  /** Milliseconds; null for a license that never expires, and without a license. */
  expiresAt: number | null;
}

/** Returns the deployment's current tier and features, with or without a license. */
export async function licenseFacts(deps: Deps): Promise<LicenseFacts> {
  const claims = await validClaims(deps);
  return {
    tier: claims?.tier ?? null,
    features: LICENSED_FEATURES.filter((feature) => covers(deps, claims, feature)),
    expiresAt: claims?.exp === undefined ? null : claims.exp * 1_000,
  };
}

function covers({ config }: Deps, claims: Claims | undefined, feature: LicensedFeature): boolean {
  if (feature === "analytics" && config.deploymentMode === "self_hosted") return true;
  return claims !== undefined && (claims.tier === "team" || TIER_OF[feature] === "pro");
}

/** Returns the claims of the license if it is currently valid. */
async function validClaims(deps: Deps): Promise<Claims | undefined> {
  const { licenseKey, licensePublicKey } = deps.config;
  const text = `${licensePublicKey} ${licenseKey}`;
  if (known?.text !== text)
    known = { text, claims: await readLicense(licenseKey, licensePublicKey) };
  const { claims } = known;
  return claims && (claims.exp === undefined || deps.now() < claims.exp * 1_000)
    ? claims
    : undefined;
}

/** Returns the claims of a license if its Ed25519 signature is valid (RFC 8032). */
async function readLicense(license: string, publicKeyText: string): Promise<Claims | undefined> {
  const [body = "", signatureText = "", ...rest] = license.split(".");
  const payload = fromBase64Url(body);
  const signature = fromBase64Url(signatureText);
  const rawKey = fromBase64(publicKeyText);
  if (!payload.ok || !signature.ok || !rawKey.ok || rest.length > 0) return undefined;
  if (!(await isSigned(rawKey.bytes, signature.bytes, body))) return undefined;
  const claims = claimsSchema.safeParse(parseJson(new TextDecoder().decode(payload.bytes)));
  return claims.success ? claims.data : undefined;
}

/** The sizes from RFC 8032 §5.1. The runtime throws for any other length. */
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

async function isSigned(rawKey: Uint8Array, signature: Uint8Array, body: string) {
  if (rawKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  const key = await crypto.subtle.importKey("raw", rawKey, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, signature, new TextEncoder().encode(body));
}

/** Parses JSON. Even a correctly signed payload may not be JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
