import { Buffer } from "node:buffer";
import { verify, X509Certificate } from "node:crypto";
import { fromBase64 } from "../../lib/encoding.ts";
import type { SnsMessage } from "./sns-message.ts";

/** Digest by signature version. */
const DIGESTS = new Map([
  ["1", "RSA-SHA1"],
  ["2", "RSA-SHA256"],
]);

/** Parses a PEM certificate; undefined for anything else. */
function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // a server may send anything
  }
}

/** Returns true for a certificate with an RSA key that is valid at this time. */
export function isCertificateValid(pem: string, now: number): boolean {
  const certificate = readCertificate(pem);
  if (!certificate) return false;
  const from = Date.parse(certificate.validFrom);
  const to = Date.parse(certificate.validTo);
  return from <= now && now <= to && certificate.publicKey.asymmetricKeyType === "rsa";
}

/** Returns true if the certificate's key signed the message. */
export function isSignedByCertificate(
  { signature, signatureVersion, signedText }: SnsMessage,
  pem: string,
): boolean {
  const certificate = readCertificate(pem);
  const digest = DIGESTS.get(signatureVersion);
  const decoded = fromBase64(signature);
  if (!certificate || digest === undefined || !decoded.ok) return false;
  return verify(digest, Buffer.from(signedText, "utf8"), certificate.publicKey, decoded.bytes);
}
