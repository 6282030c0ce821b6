/**
 * The verdicts on a DKIM signature of a mail that arrived. `no_key` has no usable key in the DNS,
 * `wrong_key` is not of the key there, and `body_changed` is not of this body. `unknown` could not
 * be verified.
 */
export const SIGNATURE_VERDICTS = [
  "valid",
  "no_key",
  "wrong_key",
  "body_changed",
  "unknown",
] as const;

export type SignatureVerdict = (typeof SIGNATURE_VERDICTS)[number];

/** A DKIM signature of a mail that arrived. */
export interface SeenSignature {
  domain: string;
  selector: string;
  verdict: SignatureVerdict;
}
