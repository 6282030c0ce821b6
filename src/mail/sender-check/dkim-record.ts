/* Parses DKIM keys (RFC 6376 §3.6.1, RFC 8463). */
import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject } from "node:crypto";
import type { FindingCode } from "../../messages/findings.ts";
import { fromBase64 } from "../../lib/encoding.ts";
import { readTags } from "./check-item.ts";

type KeyFault = Extract<FindingCode, `key_${string}`>;

export type DkimKey =
  | { kind: "revoked" }
  | { kind: "broken"; reason: KeyFault }
  | { kind: "rsa"; key: KeyObject; bits: number; isTesting: boolean }
  | { kind: "ed25519"; isTesting: boolean };

const ED25519_BYTES = 32;

/** Matches a DKIM key among other TXT records. */
export const ANY_KEY_TEXT = /(?:^|;)\s*(?:v\s*=\s*DKIM1|[kp]\s*=)/i;

export function parseDkim(text: string): DkimKey {
  const tags = readTags(text);
  const broken = (reason: KeyFault): DkimKey => ({ kind: "broken", reason });
  if (!tags) return broken("key_not_tags");
  if ((tags.get("v") ?? "DKIM1") !== "DKIM1") return broken("key_wrong_version");
  const encoded = tags.get("p")?.replaceAll(/\s/g, "");
  if (encoded === undefined) return broken("key_empty");
  if (encoded === "") return { kind: "revoked" };
  const hashes = tags
    .get("h")
    ?.toLowerCase()
    .split(":")
    .map((hash) => hash.trim());
  if (hashes && !hashes.includes("sha256")) return broken("key_without_sha256");
  const services = tags
    .get("s")
    ?.toLowerCase()
    .split(":")
    .map((service) => service.trim());
  if (services && !services.some((service) => service === "*" || service === "email"))
    return broken("key_not_for_mail");
  const isTesting = (tags.get("t") ?? "").split(":").some((flag) => flag.trim() === "y");
  const decoded = fromBase64(encoded);
  if (!decoded.ok) return broken("key_not_base64");
  const type = tags.get("k")?.toLowerCase() ?? "rsa";
  if (type === "ed25519")
    return decoded.bytes.length === ED25519_BYTES
      ? { kind: "ed25519", isTesting }
      : broken("key_wrong_length");
  if (type !== "rsa") return broken("key_unknown_type");
  const key = readRsa(decoded.bytes);
  const bits = key?.asymmetricKeyDetails?.modulusLength;
  if (!key || bits === undefined) return broken("key_unreadable");
  return { kind: "rsa", key, bits, isTesting };
}

/** Parses a key: a SubjectPublicKeyInfo, or the bare key that some publish. */
function readRsa(bytes: Uint8Array): KeyObject | undefined {
  const key = readKey(bytes, "spki") ?? readKey(bytes, "pkcs1");
  return key?.asymmetricKeyType === "rsa" ? key : undefined;
}

function readKey(bytes: Uint8Array, type: "spki" | "pkcs1"): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(bytes), format: "der", type });
  } catch {
    return undefined; // an untrusted record
  }
}
