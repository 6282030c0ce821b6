import { escapePattern } from "../../../lib/escape-pattern.ts";
import type { RefusalReason } from "../reasons.ts";

/**
 * Wordings of one server or provider by reason, in lowercase, separated by ` | `. A `*` between
 * words matches at most 60 characters of one sentence, and a trailing one the rest of a word. The
 * compared text contains no addresses, IP addresses or reply codes (`plainWords`).
 */
export interface SourceWordings {
  source: string;
  wordings: Partial<Record<RefusalReason, string>>;
}

/** A reason given by any of the subjects followed by any of the phrases. */
export interface Grammar {
  source: string;
  reason: RefusalReason;
  subjects: string;
  phrases: string;
}

/** A wording found in a text: its meaning, its source, and its position. */
export interface WordingMatch {
  reason: RefusalReason;
  source: string;
  wording: string;
  start: number;
  end: number;
  /**
   * True for a run of words without a gap, which takes precedence over a shorter wording inside it.
   */
  isLiteral: boolean;
}

/** Finds the wordings of a table in a text. */
export type Finder = (words: string) => WordingMatch[];

interface Entry {
  parts: readonly string[];
  isPrefix: boolean;
  reason: RefusalReason;
  source: string;
  wording: string;
}

/** Maximum number of characters that a `*` matches. */
const GAP = 60;
const WORD = /[a-z0-9]+/g;

/**
 * Compiles a table for search. Each wording is indexed by its longest word, so a text is only
 * compared with the wordings that share a word with it.
 */
export function findWordings(table: readonly SourceWordings[]): Finder {
  const byWord = new Map<string, Entry[]>();
  const others: Entry[] = [];
  for (const entry of table.flatMap(entriesOf)) {
    const key = keyOf(entry);
    if (key === undefined) others.push(entry);
    else byWord.set(key, [...(byWord.get(key) ?? []), entry]);
  }
  return (words) => {
    const present = new Set(words.match(WORD));
    const entries = [...present].flatMap((word) => byWord.get(word) ?? []);
    return [...entries, ...others].flatMap((entry) => matchEntry(words, entry) ?? []);
  };
}

/** Compiles a grammar for search: its first subject followed by a phrase within 60 characters. */
export function findGrammar({ source, reason, subjects, phrases }: Grammar): Finder {
  const anySubject = splitList(subjects).map(escapePattern).join("|");
  const anyPhrase = splitList(phrases).map(escapePattern).join("|");
  const pattern = new RegExp(
    `(?<![a-z0-9-])(?:${anySubject})(?:e?s)?(?![a-z0-9])(?:(?![.;!?] ).){0,${GAP}}?` +
      `(?<![a-z0-9])(${anyPhrase})(?![a-z0-9])`,
  );
  return (words) => {
    const match = pattern.exec(words);
    if (!match) return [];
    const [wording, phrase = ""] = match;
    const end = match.index + wording.length;
    return [{ reason, source, wording, start: end - phrase.length, end, isLiteral: false }];
  };
}

const splitList = (list: string) => list.trim().split(/\s*\|\s*/);

function entriesOf({ source, wordings }: SourceWordings): Entry[] {
  return Object.entries(wordings).flatMap(([reason, list]) =>
    splitList(list).map((wording) => {
      const isPrefix = wording.endsWith("*");
      const parts = (isPrefix ? wording.slice(0, -1) : wording).split(" * ");
      return { parts, isPrefix, reason: reason as RefusalReason, source, wording };
    }),
  );
}

/** Returns the longest whole word of a wording; undefined if it has none in ASCII. */
function keyOf({ parts, isPrefix }: Entry): string | undefined {
  const words = parts.join(" ").match(WORD) ?? [];
  const whole = isPrefix ? words.slice(0, -1) : words;
  const isAscii = parts.every((part) => /^[ -~]*$/.test(part));
  return isAscii ? whole.toSorted((a, b) => b.length - a.length)[0] : undefined;
}

function matchEntry(words: string, { parts, isPrefix, ...said }: Entry): WordingMatch | undefined {
  const [first = "", ...rest] = parts;
  for (let start = words.indexOf(first); start !== -1; start = words.indexOf(first, start + 1)) {
    const end = endOfRest(words, start + first.length, rest);
    if (end === undefined || isInsideWord(words, start)) continue;
    if (!isPrefix && isInsideWord(words, end)) continue;
    return { ...said, start, end, isLiteral: rest.length === 0 };
  }
  return undefined;
}

/** Finds the parts after a `*` in order; returns the end of the last one. */
function endOfRest(words: string, from: number, rest: readonly string[]): number | undefined {
  let end = from;
  for (const part of rest) {
    const at = words.slice(end, end + GAP + part.length).indexOf(part);
    if (at === -1 || /[.;!?] /.test(words.slice(end, end + at))) return undefined;
    end += at + part.length;
  }
  return end;
}

/** Returns true between two ASCII letters or digits. */
const isInsideWord = (words: string, at: number) =>
  /^[a-z0-9]{2}$/.test(words.slice(at - 1, at + 1));
