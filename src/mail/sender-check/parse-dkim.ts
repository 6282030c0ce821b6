/* Parses DKIM keys (RFC 6376 §3.6.1, RFC 8463). */
import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject } from "node:crypto";
import { fromBase64 } from "../../lib/encoding.ts";
import { readTags } from "./read-records.ts";

/** A key; `broken` if servers ignore it. */
export type DkimKey =
  | { kind: "revoked" }
  | { kind: "broken" }
  | { kind: "rsa"; key: KeyObject; bits: number; isTesting: boolean }
  | { kind: "ed25519"; isTesting: boolean };

/** Matches a DKIM key among other TXT records. */
export const ANY_KEY_TEXT = /(?:^|;)\s*(?:v\s*=\s*DKIM1|[kp]\s*=)/i;

export function parseDkim(text: string): DkimKey {
  const tags = readTags(text);
  const encoded = tags?.get("p")?.replaceAll(/\s/g, "");
  if (encoded === "") return { kind: "revoked" };
  if (!tags || encoded === undefined) return { kind: "broken" };
  const isTesting = (tags.get("t") ?? "").split(":").some((flag) => flag.trim() === "y");
  if (tags.get("k")?.toLowerCase() === "ed25519") return { kind: "ed25519", isTesting };
  const key = readRsa(encoded);
  const bits = key?.asymmetricKeyDetails?.modulusLength;
  return key && bits !== undefined ? { kind: "rsa", key, bits, isTesting } : { kind: "broken" };
}

function readRsa(encoded: string): KeyObject | undefined {
  const decoded = fromBase64(encoded);
  if (!decoded.ok) return undefined;
  try {
    const der = { key: Buffer.from(decoded.bytes), format: "der", type: "spki" } as const;
    const key = createPublicKey(der);
    return key.asymmetricKeyType === "rsa" ? key : undefined;
  } catch {
    return undefined; // an untrusted record
  }
}
