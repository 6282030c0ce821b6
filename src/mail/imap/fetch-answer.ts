import type { DataParts } from "./response.ts";

/** One FETCH response: its UID and its body (empty for NIL), each if present. */
export interface FetchAnswer {
  uid: number | undefined;
  body: Uint8Array | undefined;
}

type Token =
  | { kind: "open" | "close" }
  | { kind: "atom"; text: string }
  | { kind: "string"; bytes: Uint8Array };

const FETCH_START = /^\d{1,10} FETCH \(/i;
/**
 * A parenthesis, a quoted string, or a run of anything else (RFC 3501 section 9). An unclosed quote
 * extends to the end: searching for its end again after every other quote would be quadratic.
 */
const TEXT_TOKEN = /[()]|"(?:[^"\\]|\\.?)*(?:"|$)|[^()"\s]+/g;
const ESCAPED = /\\(["\\])/g;
const BODY_ITEM = /^BODY\[\]/i;
const UID_DIGITS = /^\d{1,10}$/;

const encoder = new TextEncoder();

/** Parses `12 FETCH (UID 7 BODY[]<0> {…} …)` (RFC 3501 section 7.4.2); undefined for other data. */
export function parseFetchAnswer(parts: DataParts): FetchAnswer | undefined {
  const [first, ...rest] = parts;
  const start = typeof first === "string" ? FETCH_START.exec(first) : undefined;
  if (typeof first !== "string" || !start) return undefined;
  const tokens = [first.slice(start[0].length), ...rest].flatMap(tokenize);
  const answer: FetchAnswer = { uid: undefined, body: undefined };
  for (const [name, value] of readItems(tokens)) {
    if (name.toUpperCase() === "UID") answer.uid = toUid(value);
    if (BODY_ITEM.test(name)) answer.body = toBody(value);
  }
  return answer;
}

/** Reads name-value pairs; skips lists of any depth. */
function readItems(tokens: Token[]): [string, Token][] {
  const items: [string, Token][] = [];
  let depth = 0;
  let name: string | undefined;
  for (const token of tokens) {
    if (token.kind === "open") depth += 1;
    if (token.kind === "close") depth -= 1;
    if (depth > 0) continue;
    if (name === undefined) {
      name = token.kind === "atom" ? token.text : undefined;
    } else {
      items.push([name, token]);
      name = undefined;
    }
  }
  return items;
}

function tokenize(part: string | Uint8Array): Token[] {
  if (typeof part !== "string") return [{ kind: "string", bytes: part }];
  return (part.match(TEXT_TOKEN) ?? []).map(toToken);
}

function toToken(text: string): Token {
  if (text === "(") return { kind: "open" };
  if (text === ")") return { kind: "close" };
  if (!text.startsWith('"')) return { kind: "atom", text };
  const unquoted = text.slice(1, -1).replaceAll(ESCAPED, "$1");
  return { kind: "string", bytes: encoder.encode(unquoted) };
}

function toUid(value: Token): number | undefined {
  return value.kind === "atom" && UID_DIGITS.test(value.text) ? Number(value.text) : undefined;
}

function toBody(value: Token): Uint8Array | undefined {
  if (value.kind === "string") return value.bytes;
  return value.kind === "atom" && value.text.toUpperCase() === "NIL" ? new Uint8Array() : undefined;
}
