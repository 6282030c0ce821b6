import type { Api } from "../../api/client.ts";

/** How a value of the metadata is shown and typed. */
export type FieldShape = Pick<Api.Field, "key" | "label" | "type" | "choices">;
export type FieldType = Api.Field["type"];

export const FIELD_TYPES = [
  "text",
  "number",
  "date",
  "boolean",
  "choice",
  "list",
  "url",
] as const satisfies readonly FieldType[];

const DAY = /^\d{4}-\d\d-\d\d(?:$|[T ])/;
const URL = /^https?:\/\/\S+$/i;

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** Returns the type of a value without a field; undefined if no input can hold it. */
export function typeOf(value: unknown): FieldType | undefined {
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return "number";
  if (typeof value === "string") return DAY.test(value) ? "date" : URL.test(value) ? "url" : "text";
  if (value === null) return "text";
  return Array.isArray(value) && value.every(isPlain) ? "list" : undefined;
}

/** Returns the text of a value in an input; values inside others follow their names. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (isPlain(value)) return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${textOf(inner)}`)
    .join(", ");
}

/** Returns the entries of a list that is typed with commas. */
export const entriesOf = (text: string): string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

/** Returns true if an input of the type can show a text. */
export function fits(type: FieldType, text: string): boolean {
  if (text === "") return true;
  if (type === "number") return Number.isFinite(Number(text));
  if (type === "date") return DAY.test(text);
  return type !== "boolean" || text === "true" || text === "false";
}

/** Returns the value of a typed text; undefined for none. */
export function valueOf(type: FieldType, text: string): unknown {
  if (text.trim() === "") return undefined;
  if (type === "list") return entriesOf(text);
  if (type === "number" && fits(type, text)) return Number(text);
  return type === "boolean" && fits(type, text) ? text === "true" : text;
}

/**
 * Returns the metadata with the typed texts. A text that was not edited keeps its value, and an
 * emptied one removes it.
 */
export function withTyped(
  metadata: Record<string, unknown>,
  shapes: readonly FieldShape[],
  texts: Record<string, string>,
): Record<string, unknown> {
  const changed = new Map(Object.entries(metadata));
  for (const { key, type } of shapes) {
    const text = texts[key];
    if (text === undefined || text === textOf(metadata[key])) continue;
    const value = valueOf(type, text);
    if (value === undefined) changed.delete(key);
    else changed.set(key, value);
  }
  return Object.fromEntries(changed);
}
