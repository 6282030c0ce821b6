import type * as Api from "../../../../../client/src/types.ts";

export type FieldType = Api.Field["type"];

const YES = ["true", "yes", "ja"];
const NO = ["false", "no", "nein"];
const MOST_CHOICES = 12;
/** Rows per distinct value from which the values of a column are taken as choices. */
const ROWS_PER_CHOICE = 5;

/** Reads a value in the form that conditions compare; undefined if it is no such value. */
type Read = (text: string) => string | undefined;

/**
 * Guesses the type of a column from all its values. What could be read in two ways, such as 1.234 or
 * 3/4/2021 alone, is text.
 */
export function guessType(cells: readonly string[]): FieldType {
  const values = cells.filter((cell) => cell !== "");
  if (values.length === 0) return "text";
  const distinct = new Set(values);
  if (values.every((value) => /^https?:\/\//i.test(value))) return "url";
  if (distinct.size > 1 && values.every(readBoolean)) return "boolean";
  if (numberReader(values)) return "number";
  if (dateReader(values)) return "date";
  const isRepeated = values.length >= distinct.size * ROWS_PER_CHOICE;
  return isRepeated && distinct.size <= MOST_CHOICES ? "choice" : "text";
}

/** Returns the function that writes the values of a column so that conditions can compare them. */
export function writerOf(type: FieldType, cells: readonly string[]): (text: string) => string {
  const values = cells.filter((cell) => cell !== "");
  const readers: Partial<Record<FieldType, Read | undefined>> = {
    number: numberReader(values),
    date: dateReader(values),
    boolean: readBoolean,
  };
  return (text) => readers[type]?.(text) ?? text;
}

function readBoolean(text: string): string | undefined {
  const word = text.toLowerCase();
  if (YES.includes(word)) return "true";
  return NO.includes(word) ? "false" : undefined;
}

const UNITS = /\s|['\u2019€$£]|EUR|USD|GBP|CHF/g;
const WITH_COMMA = /^-?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
const WITH_POINT = /^-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;
/** Numbers of this form, such as postal codes, are names. */
const LEADING_ZERO = /^-?0\d/;

/** Returns the reader of the only notation that all numbers of a column have. */
function numberReader(values: readonly string[]): Read | undefined {
  const texts = values.map((value) => value.replaceAll(UNITS, ""));
  if (texts.some((text) => LEADING_ZERO.test(text))) return undefined;
  const isPlain = texts.every((text) => /^-?\d+$/.test(text));
  const hasComma = texts.every((text) => WITH_COMMA.test(text));
  const hasPoint = texts.every((text) => WITH_POINT.test(text));
  if (!isPlain && hasComma === hasPoint) return undefined;
  return (text) => {
    const bare = text.replaceAll(UNITS, "");
    if (!(hasComma ? WITH_COMMA : WITH_POINT).test(bare)) return undefined;
    return hasComma ? bare.replaceAll(".", "").replace(",", ".") : bare.replaceAll(",", "");
  };
}

const ISO = /^\d{4}-\d\d-\d\d(?:[T ].*)?$/;
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Returns the reader of the only notation that all dates of a column have. */
function dateReader(values: readonly string[]): Read | undefined {
  if (values.every((value) => ISO.test(value))) return (text) => text;
  if (values.every((value) => DOTTED.test(value)))
    return (text) => isoDay(DOTTED.exec(text), [3, 2, 1]);
  const parts = values.map((value) => SLASHED.exec(value));
  if (!parts.every((part) => part !== null)) return undefined;
  const isDayFirst = parts.some((part) => Number(part[1]) > 12);
  if (isDayFirst === parts.some((part) => Number(part[2]) > 12)) return undefined;
  return (text) => isoDay(SLASHED.exec(text), isDayFirst ? [3, 2, 1] : [3, 1, 2]);
}

function isoDay(part: RegExpExecArray | null, order: readonly number[]): string | undefined {
  return part ? order.map((n) => (part[n] ?? "").padStart(2, "0")).join("-") : undefined;
}
