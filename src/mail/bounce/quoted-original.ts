/**
 * Finds where a plain-text report ends and the quoted mail starts, and reads the fields of that
 * mail. A quotation is never evidence, because the sender wrote it.
 */
import { anyOf } from "./any-of.ts";
import type { EmailAddress } from "../address.ts";
import { findAllAddresses } from "./find-addresses.ts";
import { fieldValue, type HeaderFields, readFields } from "./header-fields.ts";

/**
 * Maximum length of a message id. A line may have 998 octets (RFC 5322 section 2.1.1); our ids are
 * short.
 */
const MAX_MESSAGE_ID_LENGTH = 250;
/** Transport headers: they start a mail, and mail systems do not use them as labels. */
const TRANSPORT_FIELD =
  /^(?:Received|Return-Path|Message-ID|DKIM-Signature|MIME-Version|Delivered-To|X-[\w-]+): ?\S/i;
const ANY_FIELD = /^[A-Za-z][\w-]{1,60}:(?: |$)/;
const SEPARATOR = anyOf(
  String.raw`^[ \t]*[-=_*#+]{2,}.*(?:original|returned|unsent|undelivered|following is|copy of|text of|start of)[^\n]{0,30}(?:message|mail|e-mail)`,
  String.raw`^[ \t]*-+ ?(?:message (?:header|text|follows|body)|headers? (?:of|follow|from)|below this line|this is a copy|begin|nachricht|forwarded|included)`,
  String.raw`^[ \t]*[-=*]{2,}.*(?:message header|headers? follow|below this line|message (?:text )?follows|message body follows)`,
);
const INTRODUCTION = anyOf(
  String.raw`(?:original|returned|undelivered|your|unsent|rejected) (?:message|mail|e-mail|text)(?: header| text|'s header)?s? (?:is|are|follow|start|begin|was included|included|reads)[^.@]{0,40}:\s*$`,
  String.raw`(?<!receive an? )(?:headers|first lines|copy|text|beginning) (?:of|from) (?:the |your )?(?:original |returned |undelivered )?(?:message|mail)[^.@]{0,40}:\s*$`,
  String.raw`^\W*(?:the |your |possibly |truncated |original |returned |unsent )*(?:message|headers?|message headers?) (?:text )?follows?[:.]?\s*$`,
  String.raw`^\s*original message:?\s*$|^\s*message headers?:\s*$`,
);

/** The text of a report, split into its own lines and the lines of the quoted mail. */
export interface SplitText {
  own: string[];
  quoted: string[];
}

/** Splits at the first separator, introduction or block of transport headers. */
export function splitAtOriginal(text: string): SplitText {
  const lines = text.split("\n");
  const cut = lines.findIndex((_, i) => startsOriginal(lines, i));
  return cut === -1
    ? { own: lines, quoted: [] }
    : { own: lines.slice(0, cut), quoted: lines.slice(cut) };
}

function startsOriginal(lines: readonly string[], index: number): boolean {
  const line = (lines[index] ?? "").slice(0, 300);
  if (SEPARATOR.test(line) || INTRODUCTION.test(line)) return true;
  if (!TRANSPORT_FIELD.test(line)) return false;
  const unfolded = lines.slice(index + 1, index + 16).filter((next) => !/^[ \t]/.test(next));
  return unfolded.slice(0, 5).filter((next) => ANY_FIELD.test(next)).length >= 2;
}

/** Reads the header fields of a returned mail, from the first line that is a field. */
export function readOriginalFields(lines: readonly string[]): HeaderFields {
  const start = lines.findIndex((line) => ANY_FIELD.test(line));
  return start === -1 ? new Map() : readFields(lines, start);
}

export function originalRecipients(fields: HeaderFields): EmailAddress[] {
  return findAllAddresses(fieldValue(fields, "to"));
}

/** Returns the message ids of a header value such as `<a@b> <c@d>`, without their brackets. */
export function findMessageIds(value: string): string[] {
  const bracketed = [...value.matchAll(/<([^<>\s]{1,998})>/g)].map(([, id]) => id ?? "");
  const ids = bracketed.length > 0 ? bracketed : [value.trim()];
  return ids.filter((id) => /^[^\s<>]+$/.test(id) && id.length <= MAX_MESSAGE_ID_LENGTH);
}
