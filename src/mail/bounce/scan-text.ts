/**
 * Finds failed recipients in the wording of a report without a machine-readable part: in the lines
 * around an address, as qmail, Exim, Sendmail and many others write them.
 *
 * The text is untrusted. At most 1,500 lines of 1,000 characters are scanned, and at most 100
 * recipients returned.
 */
import { anyOf } from "./any-of.ts";
import type { EmailAddress } from "../address.ts";
import { type Evidence, hasCode, judgeEvidence, readEvidence } from "./evidence.ts";
import { findAddresses } from "./find-addresses.ts";
import { MAX_RECIPIENTS } from "./report.ts";

const MAX_LINES = 1500;
const MAX_LINE_LENGTH = 1000;
/** Lines after an address that may still give its reason, as in a wrapped SMTP reply. */
const LINES_AFTER = 8;
/** Lines before an address that may give its reason or head a list. */
const LINES_BEFORE = 6;
/** Maximum length of a list of failed recipients whose heading is searched for. */
const MAX_LIST_LINES = 120;

/** Labels of lines that name someone other than the failed recipient. */
const OTHER_PARTY = anyOf(
  String.raw`^\s*[*|]?\s*(?:from|sender|reply-to|return-path|message-?id|received|references|in-reply-to|x-[\w-]+|cc|date|mail from|mailfrom|de|von|expéditeur|absender)\s*:`,
  String.raw`mail from:?\s*<|contact`,
  String.raw`(?:e-?mail|write|send|forward|report|reply)[^@]{0,40}\bto:? *<?\S{1,60}@\S+ *(?:for|if|and|with)`,
  String.raw`help|assistance|question|https?://\S*@|your (?:e-?mail )?(?:message|mail) from|sent by`,
  String.raw`message from|sender:`,
);
/**
 * A quoted line, except an SMTP dialogue (`>>> RCPT TO:<a@b>`) or a list of addresses (`> a@b`).
 */
const QUOTED_LINE = /^\s*>(?!>> | ?[^\s<>@]{1,64}@[^\s<>@]{1,253}\s*$)|^\s*\|\s*>/;

/** Returns true if a line is quoted, so that someone else wrote its words. */
export const isQuoted = (line: string) => QUOTED_LINE.test(line);

const HEADING = anyOf(
  String.raw`(?:following|these|this|below|intended|one or more|some|the) (?:of (?:the |your )?)?(?:intended |final |listed |e-?mail |local )*(?:address|recipient|destination|user|person|mailbox)`,
  String.raw`(?:not|n't|unable to|cannot|failed to|failure to|impossible to) (?:be )?(?:deliver|reach|send|sent)`,
  String.raw`undeliver|delivery (?:to|has|failed|failure)|failed (?:address|recipient|for|to|while)`,
  String.raw`unzustellbar|zugestellt werden|empf(?:ä|ae?)nger|destinataire|destinatario|remis|entreg`,
  String.raw`宛先|受信者|配信|配送|无法(?:发送|送达|投递)|收件人|不能送达|не(?:возможно|\s+удалось)?\s+доставить`,
);

/** A recipient found in the wording; without `evidence`, only a heading implies the failure. */
export interface ScannedRecipient {
  email: EmailAddress;
  evidence: Evidence | undefined;
  /** The line with the reason, or else with the address. */
  line: string;
}

/** A parsed line, so that nothing is parsed twice. */
interface ScannedLine {
  text: string;
  addresses: EmailAddress[];
  evidence: Evidence | undefined;
  isHeading: boolean;
  /** True for a line of a list: it has addresses, no code and no words. */
  isListed: boolean;
}

/**
 * Finds recipients in a report's own lines, in order; `isExcluded` marks addresses that never
 * count.
 */
export function scanText(
  ownLines: readonly string[],
  isExcluded: (email: EmailAddress) => boolean,
): ScannedRecipient[] {
  const lines = ownLines.slice(0, MAX_LINES).map((line) => readLine(line, isExcluded));
  const found = new Map<EmailAddress, ScannedRecipient>();
  for (const [i, { addresses }] of lines.entries()) {
    if (addresses.length === 0) continue;
    const reason = findReason(lines, i);
    if (!reason) continue;
    for (const email of addresses) keepBetter(found, { email, ...reason });
    if (found.size >= MAX_RECIPIENTS) break;
  }
  return [...found.values()].slice(0, MAX_RECIPIENTS);
}

/** Returns all addresses in a report's own lines that may be the recipient, without duplicates. */
export function mentionedAddresses(
  ownLines: readonly string[],
  isExcluded: (email: EmailAddress) => boolean,
): EmailAddress[] {
  const mentioned = new Set<EmailAddress>();
  for (const line of ownLines.slice(0, MAX_LINES)) {
    for (const email of addressesOf(line.slice(0, MAX_LINE_LENGTH))) {
      if (!isExcluded(email)) mentioned.add(email);
    }
    if (mentioned.size > MAX_RECIPIENTS) break;
  }
  return [...mentioned];
}

function readLine(line: string, isExcluded: (email: EmailAddress) => boolean): ScannedLine {
  const text = line.slice(0, MAX_LINE_LENGTH);
  const words = withoutAddresses(text);
  const addresses = addressesOf(text).filter((email) => !isExcluded(email));
  const evidence = QUOTED_LINE.test(text) ? undefined : readEvidence(words);
  return {
    text,
    addresses,
    evidence,
    isHeading: HEADING.test(words),
    isListed: addresses.length > 0 && !evidence && !WORD.test(words),
  };
}

const addressesOf = (line: string) =>
  OTHER_PARTY.test(line) || QUOTED_LINE.test(line) ? [] : findAddresses(line);

/** Removes addresses and host names, whose words give no reason: `spam@unknown-user.example`. */
const withoutAddresses = (line: string) =>
  line.replace(/<?[^\s<>@]{1,64}@[^\s<>@]{1,253}>?/g, "<>");

/** A word, as opposed to a number, punctuation or the type of an address. */
const WORD = /(?<![a-z])(?!smtp|rfc-?822|mailto|recipient)\p{L}{2,}/iu;

type Reason = Pick<ScannedRecipient, "evidence" | "line">;

/**
 * A line with an address, or a list of such lines, which share their reason. `own` are the addresses
 * of the line, none of a list: a later line with one of them is about that one alone.
 */
interface Place {
  first: number;
  last: number;
  own: readonly EmailAddress[];
}

/** Returns the list around a line, whose lines may be separated by empty ones, or else the line. */
function placeOf(lines: readonly ScannedLine[], at: number): Place {
  const end = (step: 1 | -1) => {
    let last = at;
    for (let i = at; lines[i]?.isListed || lines[i]?.text.trim() === ""; i += step)
      if (lines[i]?.isListed) last = i;
    return last;
  };
  const [first, last] = [end(-1), end(1)];
  return { first, last, own: first === last ? (lines[at]?.addresses ?? []) : [] };
}

/**
 * Looks for a reason on the line itself, then after it, then before it. Codes beat words, words
 * beat weak words, and nearer lines beat farther ones.
 */
function findReason(lines: readonly ScannedLine[], at: number): Reason | undefined {
  const place = placeOf(lines, at);
  let worded: Reason | undefined;
  for (const line of linesAround(lines, place)) {
    const { evidence, text } = line;
    if (evidence && hasCode(evidence)) {
      const inContext = withParagraph(evidence, lines, lines.indexOf(line), place);
      return { evidence: withWording(inContext, worded), line: text };
    }
    if (evidence && (!worded || (worded.evidence?.said?.isWeak && !evidence.said?.isWeak)))
      worded = { evidence, line: text };
  }
  if (worded) return worded;
  return isUnderHeading(lines, at)
    ? { evidence: undefined, line: lines[at]?.text ?? "" }
    : undefined;
}

const withWording = (evidence: Evidence, worded: Reason | undefined): Evidence => ({
  ...(worded?.evidence?.said ? { said: worded.evidence.said } : {}),
  ...evidence,
});

/** Adds the words of the paragraph around a line with a code, because reports wrap long replies. */
function withParagraph(
  evidence: Evidence,
  lines: readonly ScannedLine[],
  from: number,
  place: Place,
): Evidence {
  const isOther = (line: ScannedLine) => line.text.trim() === "" || isAboutAnother(line, place);
  const after = lines.slice(from, from + LINES_AFTER);
  const before = lines.slice(Math.max(0, from - LINES_BEFORE), from).toReversed();
  const paragraph = [...takeUntil(before, isOther).toReversed(), ...takeUntil(after, isOther)];
  return { ...readEvidence(paragraph.map(({ text }) => text).join("\n")), ...codesOf(evidence) };
}

function takeUntil<T>(items: readonly T[], isEnd: (item: T) => boolean): T[] {
  const end = items.findIndex(isEnd);
  return end === -1 ? [...items] : items.slice(0, end);
}

function codesOf({ code, enhanced }: Evidence): Evidence {
  return {
    ...(code === undefined ? {} : { code }),
    ...(enhanced === undefined ? {} : { enhanced }),
  };
}

const isAboutAnother = ({ addresses }: ScannedLine, { own }: Place) =>
  addresses.some((email) => !own.includes(email));

/** Yields the place, then the lines after it and before it, up to one about another address. */
function* linesAround(lines: readonly ScannedLine[], place: Place): Generator<ScannedLine> {
  const { first, last } = place;
  const after = lines.slice(last + 1, last + 1 + LINES_AFTER);
  const before = lines.slice(Math.max(0, first - LINES_BEFORE), first).toReversed();
  const isEnd = (line: ScannedLine) => isAboutAnother(line, place);
  yield* lines.slice(first, last + 1);
  yield* takeUntil(after, isEnd);
  yield* takeUntil(before, isEnd);
}

/**
 * Returns true inside a list of failed recipients: below a heading, with little but addresses in
 * between.
 */
function isUnderHeading(lines: readonly ScannedLine[], at: number): boolean {
  let otherLines = 0;
  for (let i = at; i >= Math.max(0, at - MAX_LIST_LINES); i--) {
    const line = lines[i];
    if (line?.isHeading) return true;
    if (line && line.text.trim() !== "" && line.addresses.length === 0) otherLines++;
    if (otherLines > LINES_BEFORE) return false;
  }
  return false;
}

/** Ranks a reason: none, a code without a cause (5.0.0), words, a code with a cause. */
function strength({ evidence }: Reason): number {
  if (!evidence) return 0;
  if (!hasCode(evidence)) return 2;
  return judgeEvidence(evidence).reason === "unknown" ? 1 : 3;
}

function keepBetter(found: Map<EmailAddress, ScannedRecipient>, candidate: ScannedRecipient): void {
  const known = found.get(candidate.email);
  if (!known || strength(candidate) > strength(known)) found.set(candidate.email, candidate);
}
