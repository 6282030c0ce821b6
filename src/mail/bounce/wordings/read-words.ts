import type { RefusalReason } from "../reasons.ts";
import { COMMON, WEAK } from "./many-servers.ts";
import { BROKEN_CONNECTION, GRAMMARS } from "./grammars.ts";
import { LANGUAGES } from "./languages.ts";
import { PROVIDERS } from "./providers.ts";
import { SERVERS } from "./servers.ts";
import { type Finder, findGrammar, findWordings, type WordingMatch } from "./wording.ts";

/** The meaning of a text, with the wording that matched. */
export interface SaidReason {
  reason: RefusalReason;
  /** The server or provider that uses it. */
  source: string;
  wording: string;
  /** True if the words are so general that a specific code overrides them. */
  isWeak: boolean;
}

/** Maximum length of compared text, in UTF-16 units. */
const MAX_LENGTH = 2000;

/**
 * Precedence of reasons if a text gives several. Reasons about the sender come first: they affect
 * every recipient alike, so mistaking one for a bad address would suppress a whole list.
 */
const PRECEDENCE: readonly RefusalReason[] = [
  "sender_rejected",
  "relaying_denied",
  "authentication",
  "blocked",
  "content",
  "too_large",
  "greylisted",
  "rate_limited",
  "mailbox_full",
  "no_mx",
  "host_unknown",
  "mailbox_disabled",
  "user_unknown",
  "policy",
  "expired",
  "network",
  "system",
];
/** The same for weak words, where "denied" takes precedence over "recipient rejected". */
const WEAK_PRECEDENCE: readonly RefusalReason[] = [
  "policy",
  "user_unknown",
  "rate_limited",
  "system",
];

const STRONG_FINDERS: readonly Finder[] = [
  findWordings([...PROVIDERS, ...SERVERS, ...COMMON, ...LANGUAGES]),
  ...GRAMMARS.map(findGrammar),
];
const findWeak = findWordings(WEAK);
const findBroken = findGrammar(BROKEN_CONNECTION);

/** Classifies the words of a reply or report; undefined if no wording matches. */
export function readWords(text: string): SaidReason | undefined {
  const words = plainWords(text);
  const broken = findBroken(words); // then no server answered, and "host unknown" is a guess
  const isGuess = ({ reason }: WordingMatch) => broken.length > 0 && reason === "host_unknown";
  const found = STRONG_FINDERS.flatMap((find) => find(words)).filter((match) => !isGuess(match));
  const strong = [...found, ...broken];
  const weak = findWeak(words);
  const all = [...strong, ...weak];
  return (
    firstOf(outermost(strong, all), PRECEDENCE, false) ??
    firstOf(outermost(weak, all), WEAK_PRECEDENCE, true)
  );
}

/** Drops matches inside a longer one: "access denied" in "recipient rejected: access denied". */
function outermost(matches: WordingMatch[], all: WordingMatch[]): WordingMatch[] {
  const isInside = (inner: WordingMatch, outer: WordingMatch) =>
    outer.isLiteral &&
    outer.start <= inner.start &&
    outer.end >= inner.end &&
    outer.end - outer.start > inner.end - inner.start;
  return matches.filter((inner) => !all.some((outer) => isInside(inner, outer)));
}

function firstOf(
  matches: WordingMatch[],
  precedence: readonly RefusalReason[],
  isWeak: boolean,
): SaidReason | undefined {
  for (const wanted of precedence) {
    const match = matches.find(({ reason }) => reason === wanted);
    if (match) {
      const { reason, source, wording } = match;
      return { reason, source, wording, isWeak };
    }
  }
  return undefined;
}

/**
 * Reduces a text to its words: lowercase, one line, without reply codes, addresses, IP addresses
 * and long host names, whose parts are not words (`unknown.users.example`).
 */
export function plainWords(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replaceAll("\u2019", "'")
    .replace(/https?:\/\/([^\s/<>"]{1,200})\S{0,500}/g, "$1")
    .replace(ADDRESS, " ")
    .replace(/\[?(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)\]?/g, " ")
    .replace(/(?<![\w.])[245]\d\d[- ]/g, " ")
    .replace(/(?<![\w.])#?[245]\.\d{1,3}\.\d{1,3}(?![\w.]*\w)/g, " ")
    .replace(/(?<![\w.-])(?:[a-z0-9-]{1,63}\.){2,10}[a-z]{2,24}(?![\w-])/g, keepListName)
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * An address with its brackets. Non-Latin letters count as words, because a report may not separate
 * them by spaces.
 */
const ADDRESS =
  /["'(<[]?[^\s<>@"'()[\]:;,\u0250-\uffff]{1,64}@[a-z0-9.\u00e0-\u024f-]{1,253}["')>\]]{0,2}/g;

/** Dotted words to keep: blocklists such as zen.spamhaus.org, and the error names of Exchange. */
const LIST_NAME =
  /^(?:resolver|transport|storedrv|queue)\.|spam|rbl|bl\b|abuse|barracuda|sorbs|list|psbl|proofpoint|senderscore|mailspike/;

const keepListName = (host: string) => (LIST_NAME.test(host) ? host : " ");
