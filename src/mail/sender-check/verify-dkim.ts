/* Verifies a DKIM signature (RFC 6376 §6.1.3). */
import { Buffer } from "node:buffer";
import { createHash, type KeyObject, verify } from "node:crypto";
import { fromBase64 } from "../../lib/encoding.ts";
import type { SignatureVerdict } from "../../lib/seen-signature.ts";
import type { DkimSignature } from "./dkim-signature.ts";
import { canonicalBody, canonicalField, type SplitMail } from "./mail-fields.ts";

/** The only algorithm that every signer supports; others are not verified. */
export const VERIFIED_ALGORITHM = "rsa-sha256";

const bytesOf = (text: string) => Buffer.from(text, "latin1");

/** Verifies an `rsa-sha256` signature with the key from DNS. */
export function verifySignature(
  mail: SplitMail,
  signature: DkimSignature,
  key: KeyObject,
): SignatureVerdict {
  const body = canonicalBody(mail.body, signature.bodyForm);
  const hash = createHash("sha256").update(bytesOf(body)).digest("base64");
  if (hash !== signature.bodyHash) return "body_changed";
  const decoded = fromBase64(signature.signature);
  if (!decoded.ok) return "wrong_key";
  const isSigned = verify("sha256", bytesOf(signedText(mail, signature)), key, decoded.bytes);
  return isSigned ? "valid" : "wrong_key";
}

/** Returns the signed fields (of duplicates, the last one first), and the signature without `b`. */
function signedText({ fields }: SplitMail, signature: DkimSignature): string {
  const left = new Map<string, string[]>();
  for (const { name, raw } of fields) left.set(name, [...(left.get(name) ?? []), raw]);
  const signed = signature.signedFields.flatMap((name) => {
    const raw = left.get(name)?.pop();
    return raw === undefined ? [] : [`${canonicalField(raw, signature.fieldForm)}\r\n`];
  });
  const own = signature.raw.replace(/((?:;|^[^:]*:)\s*b\s*=)[^;]*/, "$1");
  return `${signed.join("")}${canonicalField(own, signature.fieldForm)}`;
}
