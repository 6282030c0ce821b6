/** Stage of the SMTP dialogue at which a refusal came: RCPT TO, or after the message text. */
export type RefusalPhase = "recipient" | "message";

export interface Refusal {
  phase: RefusalPhase;
  /** Three-digit reply code (RFC 5321 §4.2). */
  code: number;
  /** Enhanced status code such as "5.1.1" (RFC 3463), when the reply has one. */
  enhanced: string | undefined;
}

/**
 * Consequence of a refusal for the address:
 * - `bad_address`: mail to it can never arrive, so the service suppresses it;
 * - `not_address`: policy, authentication, content, a full mailbox or the system refused for good;
 * - `temporary`: a later try may succeed.
 */
export type RefusalClass = "bad_address" | "not_address" | "temporary";

/** Enhanced codes whose subject or detail (RFC 3463 §3) does not blame the address. */
const NOT_THE_ADDRESS = [
  /^5\.2\.2$/, // mailbox full
  /^5\.3\./, // mail system
  /^5\.4\./, // network and routing
  /^5\.6\./, // content
  /^5\.7\./, // security and policy
];

/**
 * Bare codes about the session, not the recipient: syntax, sequence, authentication (RFC 5321,
 * RFC 4954) and storage.
 */
const SESSION_CODES = new Set([500, 502, 503, 504, 530, 534, 535, 538, 552]);

/**
 * Classifies one refusal. At RCPT TO, every 5xx blames the address unless its enhanced code or a
 * bare code about the session says otherwise. After DATA, only 5.1.x does.
 * Source: API reference §11.7, decision D29, RFC 3463 §3.
 */
export function classifyRefusal({ phase, code, enhanced }: Refusal): RefusalClass {
  if (code < 500 || enhanced?.startsWith("4.")) return "temporary";
  if (enhanced?.startsWith("5.1.")) return "bad_address";
  if (phase === "message") return "not_address";
  if (enhanced === undefined) return SESSION_CODES.has(code) ? "not_address" : "bad_address";
  return NOT_THE_ADDRESS.some((pattern) => pattern.test(enhanced)) ? "not_address" : "bad_address";
}
