import type { RefusalReason } from "./reasons.ts";

/**
 * Reasons of enhanced codes without their class: RFC 3463 section 3, the IANA registry (RFC 5248,
 * RFC 7372, RFC 7505) and the codes of Exchange Online. Codes not listed name no reason.
 */
const REASONS: Readonly<Record<string, RefusalReason>> = {
  "1.1": "user_unknown",
  "1.2": "host_unknown",
  "1.3": "user_unknown",
  "1.4": "user_unknown",
  "1.6": "user_unknown",
  "1.7": "sender_rejected",
  "1.8": "sender_rejected",
  "1.9": "system",
  "1.10": "no_mx",
  "1.20": "user_unknown",
  "2.1": "mailbox_disabled",
  "2.2": "mailbox_full",
  "2.3": "too_large",
  "3.1": "system",
  "3.4": "too_large",
  "4.6": "system",
  "4.7": "expired",
  "4.14": "system",
  "4.310": "host_unknown",
  "5.3": "rate_limited",
  "7.17": "user_unknown",
  "7.18": "user_unknown",
  "7.28": "rate_limited",
  "7.64": "relaying_denied",
  "7.509": "authentication",
  "7.515": "authentication",
};
/** Ranges of security codes: SPF, DKIM, DMARC and reverse DNS; then bans of Exchange Online. */
const AUTHENTICATION = /^7\.(?:8|9|2[0-6]|29)$/;
const BANNED = /^7\.[5-7]\d\d$/;
/** Reasons by subject, for details that are not listed above. */
const SUBJECTS: Readonly<Record<string, RefusalReason>> = {
  "3": "system",
  "4": "network",
  "6": "content",
  "7": "policy",
};

/** Meaning of an enhanced code; `isGeneral` if words are more specific. */
export interface CodedReason {
  reason: RefusalReason;
  isGeneral: boolean;
}

/** Looks up an enhanced code such as "5.1.1"; undefined if it names no cause. */
export function readEnhancedCode(enhanced: string | undefined): CodedReason | undefined {
  const [, subject = "", detail = ""] = enhanced?.split(".") ?? [];
  const code = `${Number(subject)}.${Number(detail)}`;
  const named = REASONS[code];
  if (named) return { reason: named, isGeneral: false };
  if (AUTHENTICATION.test(code)) return { reason: "authentication", isGeneral: false };
  if (BANNED.test(code)) return { reason: "blocked", isGeneral: false };
  // Means a sender with a null MX (RFC 7505). Sendmail uses it for recipients, with words that say
  // so.
  if (code === "7.27") return { reason: "sender_rejected", isGeneral: true };
  const reason = code === "5.0" ? undefined : SUBJECTS[subject];
  return reason && { reason, isGeneral: true };
}
