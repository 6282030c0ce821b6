/**
 * Verdicts on the DKIM signature of a received mail. `no_key`: DNS has no usable key. `wrong_key`:
 * the signature does not match the key in DNS. `body_changed`: the body hash does not match.
 * `unknown`: the signature could not be verified.
 */
export const SIGNATURE_VERDICTS = [
  "valid",
  "no_key",
  "wrong_key",
  "body_changed",
  "unknown",
] as const;

export type SignatureVerdict = (typeof SIGNATURE_VERDICTS)[number];

/** A DKIM signature of a received mail. */
export interface SeenSignature {
  domain: string;
  selector: string;
  verdict: SignatureVerdict;
}
