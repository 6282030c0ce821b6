/**
 * Tells the messages of a bounce mailbox apart. The author is a mail system that reports, an
 * autoresponder (RFC 3834), or a person. Only a mail system is credible about a failed delivery,
 * because people quote such reports, too.
 */
import { anyOf } from "./any-of.ts";
import { fieldValue, type HeaderFields } from "./header-fields.ts";
import type { OpenedMessage } from "./open-report.ts";
import type { BounceReport } from "./report.ts";

/**
 * - `bounce` and `complaint` report about a mail, even if they name no address.
 * - `auto_reply`: the answer of a program.
 * - `no_failure`: a report or a message with the null sender that reports no failure.
 * - `mail`: everything else.
 */
export type MessageKind = "bounce" | "complaint" | "auto_reply" | "no_failure" | "mail";

/** `system` reports deliveries, `auto_reply` is an autoresponder, `person` covers the rest. */
type MessageNature = "system" | "auto_reply" | "person";

const SYSTEM_SENDER = anyOf(
  String.raw`\b(?:mailer-?daemon|mail-?daemon|post[-_]?master|mdaemon|xmail|smtpd|mailsystem|mailsweeper|mailmarshal|mail ?marshal|groupwise|mail router|mta|daemon|gateway)\b`,
  String.raw`mail(?:er)? delivery`,
  String.raw`(?:mail|delivery|internet|message) (?:sub-?system|system|administrator|router|service|transfer agent)`,
  String.raw`system administrator|microsoft (?:exchange|outlook)|(?:mail|message|email) delivery`,
  String.raw`systemadministrator|administrateur système`,
);
const SYSTEM_SUBJECT = anyOf(
  String.raw`undeliver|non-?deliver`,
  String.raw`deliver(?:y|ed|ing)?[ :_-]+(?:status|fail|notif|error|problem|report|incomplete|has|unsuccess|delay|warning|to)`,
  String.raw`(?:fail(?:ed|ure)|unable|not be|un-?able|error|problem|could ?n[o']t|cannot|can't|not)\b.{0,30}deliver`,
  String.raw`return(?:ed|ing)? (?:to sender|mail|message|e-?mail|to)|failure not|failure notice`,
  String.raw`failed mail|error sending message|mail (?:failure|error|failed|system error|delivery|delayed|status)`,
  String.raw`message (?:status|delayed|delivery|undeliver|could not|not delivered)|bounced`,
  String.raw`bounce (?:mail|message|action)|user unknown|unknown (?:user|recipient|address)`,
  String.raw`warning: (?:could not send|message)|unzustellbar|nicht zustell|zustell(?:ung|fehler)`,
  String.raw`non remis|non délivr|échec|no se (?:ha )?(?:puede|podido|pudo)|no entregad|devuelto`,
  String.raw`mancata consegna|配信|配送|送信|エラー|届けられ`,
);
const REPLY_SUBJECT = /^\s*(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|odp)\s*(?:\[\d+\])?:/i;
const AUTO_REPLY_SUBJECT = anyOf(
  String.raw`out of (?:the )?office`,
  String.raw`auto(?:matic|mated)?[- ]?(?:re(?:ply|sponse|sponder)|answer|antwort)|vacation|away from`,
  String.raw`on (?:holiday|leave)|abwesen(?:d|heit)|réponse automatique|absence|respuesta autom|不在`,
  String.raw`自動応答|自動返信`,
);
const AUTO_REPLY_FIELDS = [
  "x-autoreply",
  "x-autorespond",
  "x-autoresponder",
  "x-auto-reply-from",
  "x-ms-exchange-inbox-rules-loop",
];

/**
 * Classifies a message by its headers alone. An empty return path does not prove a report, because
 * replies use one, too. Mail systems also write Auto-Submitted, but under their own name.
 */
export function natureOf(headers: HeaderFields): MessageNature {
  const subject = fieldValue(headers, "subject");
  if (AUTO_REPLY_SUBJECT.test(subject) || isMarkedAutoReply(headers)) return "auto_reply";
  if (SYSTEM_SENDER.test(senderOf(headers)) || headers.has("x-failed-recipients")) return "system";
  if (isAutomatic(headers)) return "auto_reply";
  return SYSTEM_SUBJECT.test(subject) && !REPLY_SUBJECT.test(subject) ? "system" : "person";
}

/** Returns the kind of a message with this content. */
export function kindOf(
  { headers, contentType }: OpenedMessage,
  told: BounceReport["kind"],
): MessageKind {
  if (told !== "other") return told;
  if (natureOf(headers) === "auto_reply") return "auto_reply";
  const isFromNobody = /^\s*<\s*>\s*$/.test(fieldValue(headers, "return-path"));
  return isFromNobody || contentType === "multipart/report" ? "no_failure" : "mail";
}

/** Returns true for a subject that announces undelivered mail in the wording of mail systems. */
export const announcesFailure = (subject: string) =>
  SYSTEM_SUBJECT.test(subject) && !/success|delivered to|relayed/i.test(subject);

/** Detects headers that only autoresponders write. */
const isMarkedAutoReply = (headers: HeaderFields) =>
  AUTO_REPLY_FIELDS.some((name) => headers.has(name)) ||
  /auto_?reply/i.test(fieldValue(headers, "precedence")) ||
  /vacation/i.test(fieldValue(headers, "auto-submitted"));

const senderOf = (headers: HeaderFields) =>
  `${fieldValue(headers, "from")} ${fieldValue(headers, "sender")} ${fieldValue(headers, "return-path")}`;

/** Detects a message that no person wrote (RFC 3834 section 5, Exchange). */
const isAutomatic = (headers: HeaderFields) =>
  /^\s*auto-/i.test(fieldValue(headers, "auto-submitted")) ||
  headers.has("x-auto-response-suppress");
