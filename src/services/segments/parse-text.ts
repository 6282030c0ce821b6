import { refusal } from "../../errors.ts";
import { conditionFault } from "../../messages/conditions.ts";
import type { Message } from "../../messages/message.ts";
import {
  EVENT,
  EVENT_DATA,
  FIELDS,
  joined,
  METADATA,
  METADATA_OPERATORS,
  WRITTEN,
  type Comparison,
  type Condition,
  type Limits,
  type Operator,
  type Term,
} from "./condition.ts";
import { makeTerm } from "./make-term.ts";
import { spanMs } from "./times.ts";

/** A text, its limits and the current position. */
interface Reader {
  text: string;
  at: number;
  terms: number;
  most: Limits;
}

/**
 * Parses a condition from its one-line text, for example `tag:vip and opened:90d and not
 * country:DE`. Throws 400 with the 1-based character position of the error.
 */
export function parseText(text: string, most = WRITTEN): Condition {
  const reader = { text, at: 0, terms: 0, most };
  if (text.length > most.characters)
    fail(reader, conditionFault("condition_too_long", { max: most.characters }), 0);
  const condition = readOr(reader, 0);
  if (reader.at < text.length) fail(reader, conditionFault("end_expected"));
  return condition;
}

function fail({ text, at }: Reader, fault: Message, place = at): never {
  const position = Array.from(text.slice(0, place)).length + 1;
  throw refusal("invalid_condition", {
    reason: conditionFault("at_character", { position, fault }),
  });
}

/**
 * Returns the text that a sticky pattern matches here, and moves past it and the surrounding white
 * space.
 */
function take(reader: Reader, pattern: RegExp): string | undefined {
  skipSpace(reader);
  const found = takeHere(reader, pattern);
  if (found !== undefined) skipSpace(reader);
  return found;
}

/** Returns the text that a sticky pattern matches here, and moves past it. */
function takeHere(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const [found] = pattern.exec(reader.text) ?? [];
  if (found === undefined) return undefined;
  reader.at += found.length;
  return found;
}

function skipSpace(reader: Reader): void {
  takeHere(reader, /\s+/y);
}

function readOr(reader: Reader, level: number): Condition {
  const parts = [readAnd(reader, level)];
  while (take(reader, /or(?=[\s()]|$)/iy)) parts.push(readAnd(reader, level));
  return joined("or", parts);
}

function readAnd(reader: Reader, level: number): Condition {
  const parts = [readNot(reader, level)];
  while (take(reader, /and(?=[\s()]|$)/iy)) parts.push(readNot(reader, level));
  return joined("and", parts);
}

function readNot(reader: Reader, level: number): Condition {
  skipSpace(reader);
  const start = reader.at;
  const isNot = take(reader, /not(?=[\s()]|$)/iy) !== undefined;
  const opens = !isNot && take(reader, /\(/y) !== undefined;
  if (!isNot && !opens) return readTerm(reader);
  const { levels } = reader.most;
  if (level >= levels) fail(reader, conditionFault("too_many_brackets", { max: levels }), start);
  if (isNot) return { not: readNot(reader, level + 1) };
  const inner = readOr(reader, level + 1);
  if (!take(reader, /\)/y)) fail(reader, conditionFault("bracket_expected"));
  return inner;
}

const OPERATOR = /[:=]|!=|[<>]=?/y;

function readTerm(reader: Reader): Condition {
  const start = reader.at;
  const { terms } = reader.most;
  if (reader.terms >= terms) fail(reader, conditionFault("too_many_comparisons", { max: terms }));
  reader.terms += 1;
  const field = readField(reader);
  if (field === EVENT) return readEvent(reader, start);
  const operator = take(reader, OPERATOR);
  if (operator === undefined)
    fail(reader, conditionFault("operator_expected", { field: shown(field) }));
  const valueAt = reader.at;
  const { op, values } = readValues(reader, operator, field);
  const made = makeTerm(field, op, values);
  if (!made.ok) fail(reader, made.fault, FIELDS.has(field) ? valueAt : start);
  return operator === "!=" ? { not: made.term } : made.term;
}

const NAME = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$-]*/uy;

/** Reads a field: a name of FIELDS in any case, or a metadata field. */
function readField(reader: Reader): string {
  const quoted = readQuoted(reader);
  if (quoted !== undefined) return METADATA + quoted;
  const name = takeHere(reader, NAME);
  if (name === undefined)
    fail(
      reader,
      conditionFault(reader.at < reader.text.length ? "field_expected" : "condition_expected"),
    );
  const known = name.toLowerCase();
  if (known === "metadata" && takeHere(reader, /\./y)) {
    return METADATA + readKey(reader);
  }
  if (known === "event") return takeHere(reader, /\./y) ? EVENT_DATA + readKey(reader) : EVENT;
  return FIELDS.has(known) ? known : METADATA + name;
}

function readKey(reader: Reader): string {
  const key = readQuoted(reader) ?? takeHere(reader, NAME);
  return key ?? fail(reader, conditionFault("metadata_name_expected"));
}

/** Reads the rest of a term on events: `:purchased`, `:purchased in 30d` or `:purchased>2 in 30d`. */
function readEvent(reader: Reader, start: number): Condition {
  const operator = take(reader, /[:=]|!=/y);
  if (operator === undefined) fail(reader, conditionFault("operator_expected", { field: "event" }));
  const name = takeHere(reader, /[\w.:-]+/y);
  if (name === undefined) fail(reader, conditionFault("event_name_expected"));
  const compared = take(reader, /[<>]=?/y) as Comparison | undefined; // the pattern has no others
  const count = compared && readValue(reader, compared);
  const span = take(reader, /in(?=\s)/iy) && readValue(reader, "in");
  const op = compared ?? (span === undefined ? "exists" : "within");
  const values = [count, span].filter((value) => value !== undefined);
  const made = makeTerm(EVENT + name, op, values);
  if (!made.ok) fail(reader, made.fault, start);
  return operator === "!=" ? { not: made.term } : made.term;
}

const shown = (field: string) =>
  field.startsWith(METADATA) ? field.slice(METADATA.length) : field;

/** Reads a double-quoted text in which a backslash escapes a quote or a backslash. */
function readQuoted(reader: Reader): string | undefined {
  const start = reader.at;
  if (!takeHere(reader, /"/y)) return undefined;
  const inner = takeHere(reader, /(?:[^"\\]|\\["\\])*/y) ?? "";
  if (!takeHere(reader, /"/y)) {
    if (reader.text[reader.at] === "\\") fail(reader, conditionFault("quote_expected"));
    fail(reader, conditionFault("quote_not_closed"), start);
  }
  return inner.replaceAll(/\\(.)/gs, "$1");
}

const BARE = /[^\s(),"*]+/y;

type Read = Pick<Term, "op" | "values">;

function readValues(reader: Reader, operator: string, field: string): Read {
  if (operator === "<" || operator === "<=" || operator === ">" || operator === ">=")
    return { op: operator, values: [readValue(reader, operator)] };
  const starsBefore = takeHere(reader, /\*/y) !== undefined;
  const isEnd = starsBefore && /^(?:[\s()]|$)/.test(reader.text.slice(reader.at, reader.at + 1));
  if (isEnd) return { op: "exists", values: [] };
  if (!starsBefore) refuseOperator(reader, field);
  const first = readValue(reader, operator);
  const starsAfter = takeHere(reader, /\*/y) !== undefined;
  const pattern = patternOf(starsBefore, starsAfter);
  if (pattern) return { op: pattern, values: [first] };
  const values = [first];
  while (take(reader, /,/y)) {
    refuseOperator(reader, field);
    values.push(readValue(reader, ","));
  }
  return { op: isSpan(field, values) ? "within" : "is", values };
}

const SECOND_OPERATOR = /[<>]=?|!?=/y;

/** Rejects a second operator, as in `age:>5`, which would otherwise become part of the value. */
function refuseOperator(reader: Reader, field: string): void {
  const start = reader.at;
  const operator = takeHere(reader, SECOND_OPERATOR);
  if (operator === undefined) return;
  skipSpace(reader);
  const value = takeHere(reader, BARE) ?? "…";
  const isMeant = [...(FIELDS.get(field) ?? METADATA_OPERATORS), "=", "!="].includes(operator);
  const meant = `${shown(field)}${operator}${value}`;
  const fault = isMeant
    ? conditionFault("operator_not_first", { meant, operator })
    : conditionFault("operator_not_quoted", { operator });
  fail(reader, fault, start);
}

function patternOf(before: boolean, after: boolean): Operator | undefined {
  if (before) return after ? "contains" : "ends";
  return after ? "begins" : undefined;
}

/** Returns true if the values are read as a span. `makeTerm` reports an invalid one. */
const isSpan = (field: string, values: string[]) =>
  FIELDS.get(field)?.includes("within") === true &&
  (spanMs(values.join().toLowerCase()) !== undefined || !FIELDS.get(field)?.includes("<"));

function readValue(reader: Reader, after: string): string {
  const value = readQuoted(reader) ?? takeHere(reader, BARE);
  if (value !== undefined) return value;
  if (reader.text[reader.at] === "*") fail(reader, conditionFault("misplaced_star"));
  fail(reader, conditionFault("value_missing", { operator: after }));
}
