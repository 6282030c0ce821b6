import {
  EVENT,
  EVENT_DATA,
  FIELDS,
  isTerm,
  METADATA,
  type Condition,
  type Term,
} from "./condition.ts";

/** Returns the one-line text of a condition, the inverse of `parseText`. */
export function formatCondition(condition: Condition): string {
  if (isTerm(condition)) return formatTerm(condition);
  if ("not" in condition) return `not ${formatPart(condition.not)}`;
  if ("or" in condition) return condition.or.map(formatPart).join(" or ");
  return condition.and.map(formatPart).join(" and ");
}

const formatPart = (part: Condition) =>
  isTerm(part) || "not" in part ? formatCondition(part) : `(${formatCondition(part)})`;

function formatTerm({ field, op, values }: Term): string {
  if (field.startsWith(EVENT)) return formatCount({ field, op, values });
  const name = formatField(field);
  const texts = values.map(formatValue).join(",");
  switch (op) {
    case "is":
    case "within":
      return `${name}:${texts}`;
    case "begins":
      return `${name}:${texts}*`;
    case "ends":
      return `${name}:*${texts}`;
    case "contains":
      return `${name}:*${texts}*`;
    case "exists":
      return `${name}:*`;
    default:
      return `${name}${op}${texts}`;
  }
}

function formatCount({ field, op, values }: Term): string {
  if (op === "exists") return field;
  const [count, span] = op === "within" ? ["", values[0]] : [`${op}${values[0]}`, values[1]];
  return `${field}${count}${span === undefined ? "" : ` in ${span}`}`;
}

const PLAIN_KEY = /^[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$-]*$/u;
const PLAIN_VALUE = /^(?![<>=]|!=)[^\s(),"*]+$/;

function formatField(field: string): string {
  if (field.startsWith(EVENT_DATA)) {
    const name = field.slice(EVENT_DATA.length);
    return EVENT_DATA + (PLAIN_KEY.test(name) ? name : quote(name));
  }
  if (!field.startsWith(METADATA)) return field;
  const key = field.slice(METADATA.length);
  if (!PLAIN_KEY.test(key)) return METADATA + quote(key);
  const known = key.toLowerCase();
  return FIELDS.has(known) || RESERVED.has(known) ? METADATA + key : key;
}

/** Names that would be parsed as something other than a field. */
const RESERVED = new Set(["and", "or", "not", "metadata", "event"]);

const formatValue = (value: string) => (PLAIN_VALUE.test(value) ? value : quote(value));

const quote = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
