/**
 * Evidence of a failure in text: reply codes (RFC 5321 section 4.2), enhanced codes (RFC 3463) and,
 * from mail systems that use neither, their wording.
 *
 * Anybody may have written the text. Every pattern is linear, and callers bound the length.
 */
import { anyOf } from "./any-of.ts";
import { classifyRefusal, type RefusalClass } from "./classify-refusal.ts";

/** Meanings of the wording of a failure. */
export type Wording = "unknown_user" | "mailbox_full" | "policy" | "retry_later";

/** The evidence in a text about one failure; at least one field is set. */
export interface Evidence {
  /** Three-digit reply code, 400 to 599. */
  code?: number;
  /** Enhanced status code such as "5.1.1". */
  enhanced?: string;
  wording?: Wording;
}

/** A standalone reply code: not part of a number, an IP address, a size or a word. */
const REPLY_CODE =
  /(?<![\w.:@/+$=<-])([45][0-5]\d)(?=[\s:;,)\]>'"-]|$)(?!-?\s*(?:\d|[kmg]i?b\b|bytes|hours?|minutes?|days?|seconds?))/i;
const REPLY_CODE_OF_ENHANCED = /(?<![\w.])([45]\d\d)[ -]#?[245]\.\d{1,3}\.\d{1,3}/;
const ENHANCED_CODE = /(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/;

const MAILBOX_FULL = anyOf(
  String.raw`quota|(?:mail|in)?box\s+(?:is\s+|was\s+|has\s+been\s+)?(?:too\s+)?(?:full|exceed)`,
  String.raw`over\s?(?:storage|the allowed|limit|size)`,
  String.raw`exceed\w{0,3}\s{1,3}(?:\w{1,20}\s{1,3}){0,3}(?:storage|space|size|mailbox|allowed)`,
  String.raw`storage\s+(?:limit|space|allocation)`,
  String.raw`insufficient\s+(?:disk|system\s+storage|storage|space)|not enough (?:storage|space|disk)`,
  String.raw`disk (?:space|full)|no space left|mailfolder is full|postfach (?:ist )?voll`,
  String.raw`bo[iî]te (?:aux lettres )?(?:est )?pleine|buz[oó]n (?:est[aá] )?lleno|邮箱已满`,
);
const RETRY_LATER = anyOf(
  String.raw`temporar(?:y|ily)|try (?:again|later)|retry(?: time)?(?:out| not reached| limit)`,
  String.raw`gr[ae]y-?list|timed? ?out|time-?out|connection (?:refused|reset|closed|dropped|lost)`,
  String.raw`couldn'?t (?:establish|find any host)|too many (?:connections|messages)`,
  String.raw`(?:too|very) busy|unreachable|not responding|no route to host|network (?:error|is)`,
  String.raw`queue (?:too long|lifetime)|delivery time expired|message expired`,
  String.raw`undelivered (?:for|after) (?:more|\d)|in (?:the )?queue (?:too|for)`,
  String.raw`failing for a long time|rate (?:limit|that)|deferred|lost connection|name server`,
  String.raw`lookup fail`,
);
/** Wordings of temporary failures only; those of `RETRY_LATER` also occur beside permanent ones. */
const SURELY_TEMPORARY = anyOf(
  String.raw`temporar(?:y|ily)|try again later|not found, try again|gr[ae]y-?list|\bdeferred\b`,
);
/**
 * Wordings about the sender or the content: "address rejected" beside them is not the recipient's.
 */
const SURELY_POLICY = anyOf(
  String.raw`spam|black-?list|block-?list|blocked (?:using|by|for)|\brbl\b|dnsbl|virus|malware`,
  String.raw`reputation|sender (?:\S+ )?(?:address )?(?:rejected|verify|unknown|denied|not|invalid)`,
  String.raw`(?:relay(?:ing)?) (?:access )?(?:is )?(?:denied|not (?:allowed|permitted)|prohibited)`,
  String.raw`(?:unable|not (?:able|allowed|permitted)) to relay|do(?:es)? not relay|too (?:big|large)`,
  String.raw`size limit|maximum size|exceeds? (?:\w{1,20} ){0,3}(?:message|size)|too many hops`,
  String.raw`mail loop|loops? back|unsolicited|bulk mail`,
);
const MAYBE_POLICY = anyOf(
  String.raw`blocked|polic(?:y|ies)|infected|content (?:reject|filter)|authenticat|authoriz`,
  String.raw`not authori[sz]ed|not permitted|permission|denied|\bspf\b|\bdkim\b|\bdmarc\b`,
  String.raw`reverse (?:dns|lookup)|message size|attachment|rejected (?:by|for|due)`,
  String.raw`(?:message|mail|content) (?:was |has been )?(?:rejected|refused|denied)|bounce address`,
  String.raw`helo`,
);
/** Names that mail systems use for a missing mailbox. */
const ACCOUNT = anyOf(
  String.raw`user|user ?id|receiver|recipient|mailbox|address|account|addressee|member|subscriber`,
  String.raw`customer|person|alias|destination|name|id|email|mail ?box|maildrop`,
);
/** Phrases that report the absence, after the name. */
const ABSENCE = anyOf(
  String.raw`unknown`,
  String.raw`not (?:found|known|listed|exist|recogni[sz]ed|valid|defined|active|local|here|available|on file|in (?:the )?(?:directory|address))`,
  String.raw`(?:does|do|did)(?:n'?t| ?not) (?:\w+ )?(?:exist|match|have)|non-?existent|invalid`,
  String.raw`inactive|disabled|deactivated|suspended|closed|discontinued|deleted|terminated|expired`,
  String.raw`no longer|isn'?t|is not (?:a |an )?(?:valid|known|listed|active|local)|cannot be found`,
  String.raw`could ?n[o']t be found`,
  String.raw`has been (?:closed|disabled|deleted|removed|suspended|discontinued)`,
);
const UNKNOWN_USER = anyOf(
  String.raw`(?:${ACCOUNT.source})s?(?:[ _-](?:address|name|account|e-?mail|mailbox|id))?[^.\n@]{0,60}?(?:${ABSENCE.source})`,
  String.raw`(?:unknown|invalid|bad|no such|non-?existent|illegal|incorrect|unrouteable|unroutable|unresolvable|inactive|wrong) (?:or (?:\w+ )?)?(?:e-?mail |mail |local |destination |recipient'?s? |remote |final )*(?:user|recipient|mailbox|address|account|addressee|local part|local-part|alias|person|name|domain|destination)`,
  String.raw`no (?:such |mailbox|account|user|recipient|valid recipient|local user|one by that name|e-?mail box)`,
  String.raw`(?:user|mailbox|recipient|account)s? (?:\S+ )?unknown|unknown\s*\(`,
  String.raw`(?:does ?n[o']t|not) have an? \S{0,80} ?account|not our customer`,
  String.raw`(?:not|isn'?t) a (?:valid|known|local|real|registered)|doesn'?t have a yahoo`,
  String.raw`undefined mailbox|not listed in|no match(?:ing)?`,
  String.raw`(?:cannot|can'?t|could ?n[o']t|couldn'?t) (?:find|open|locate|resolve) (?:the )?(?:mailbox|user|recipient|address|file)`,
  String.raw`user_?unknown|unknownrecipient`,
  String.raw`(?:address|account|mailbox|recipient|user) (?:rejected|unavailable|was not found|not found)`,
  String.raw`mailbox unavailable|host (?:unknown|not found|or domain name not found)`,
  String.raw`domain (?:name )?(?:not found|does not exist|unknown|not exist)|unknown (?:host|domain)`,
  String.raw`(?:can ?not|couldn'?t|unable to) (?:find|resolve|locate) (?:any |a |an |the )?(?:host|domain|mx|mail exchange)`,
  String.raw`moved|left the (?:company|organi[sz]ation)|ist (?:nicht|hier nicht) bekannt`,
  String.raw`unbekannte?r? (?:empf|benutzer|adress)|existiert nicht|nicht gefunden|n'existe pas`,
  String.raw`inconnue?|introuvable|no existe|desconocid[oa]|存在しません|見つかりません|あて先不明|宛先不明`,
  String.raw`ユーザーが?(?:いません|不明)|(?:用户|地址|邮箱|帐户|账号)不存在`,
);

/** Extracts the codes and wording of a text; undefined when it says nothing about a failure. */
export function readEvidence(text: string): Evidence | undefined {
  const evidence: Evidence = {};
  const enhanced = ENHANCED_CODE.exec(text)?.[1];
  if (enhanced !== undefined) evidence.enhanced = enhanced;
  const code = REPLY_CODE_OF_ENHANCED.exec(text)?.[1] ?? REPLY_CODE.exec(text)?.[1];
  if (code !== undefined) evidence.code = Number(code);
  const wording = readWording(text);
  if (wording !== undefined) evidence.wording = wording;
  return Object.keys(evidence).length > 0 ? evidence : undefined;
}

/** Returns true for evidence with a code, which outweighs wording. */
export const hasCode = (evidence: Evidence) =>
  evidence.code !== undefined || evidence.enhanced !== undefined;

/**
 * Decides what the evidence says about the address. Codes go through `classifyRefusal`. Wording
 * decides where the codes are general (no enhanced code, or x.0.0 and x.5.0); where a code blames
 * the address, wording may only soften it. Without codes or wording the result is `not_address`.
 */
export function judgeEvidence({ code, enhanced, wording }: Evidence): RefusalClass {
  if ((code !== undefined && code < 500) || enhanced?.startsWith("4.")) return "temporary";
  if (wording === "mailbox_full") return "not_address";
  const specific = enhanced !== undefined && !isGeneral(enhanced) ? enhanced : undefined;
  if (specific !== undefined || wording === undefined) {
    if (code === undefined && enhanced === undefined) return "not_address";
    return classifyRefusal({ phase: "recipient", code: code ?? 550, enhanced });
  }
  if (wording === "retry_later") return "temporary";
  return wording === "unknown_user" ? "bad_address" : "not_address";
}

/** Returns true for codes that name no cause (RFC 3463 sections 3.1, 3.4 and 3.6). */
const isGeneral = (enhanced: string) => /^5\.(?:(?:0|5|9)\.|3\.0$)/.test(enhanced);

function readWording(text: string): Wording | undefined {
  if (MAILBOX_FULL.test(text)) return "mailbox_full";
  if (SURELY_TEMPORARY.test(text)) return "retry_later";
  if (SURELY_POLICY.test(text)) return "policy";
  if (UNKNOWN_USER.test(text)) return "unknown_user";
  if (MAYBE_POLICY.test(text)) return "policy";
  return RETRY_LATER.test(text) ? "retry_later" : undefined;
}
