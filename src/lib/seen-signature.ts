/**
 * The verdicts on a DKIM signature of a mail that arrived. `no_key`: the DNS has no usable key.
 * `wrong_key`: the key in the DNS did not make the signature. `body_changed`: the signature is of
 * another body. `unknown`: the signature could not be verified.
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
