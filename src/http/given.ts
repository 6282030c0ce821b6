import { z } from "zod";
import { writtenAs } from "./route/written-as.ts";
import { fault } from "./fault.ts";

/**
 * Returns the object without its null fields, because typed clients send null for an omitted field.
 */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (!Object.values(value).includes(null)) return value; // avoids a needless copy
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** Returns the schema of a nested object whose null fields also count as omitted. */
export function objectField<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.preprocess(withoutNulls, z.object(shape));
}

/**
 * The one parameter whose empty value is meaningful: it requests the first page (API reference
 * §1.4).
 */
const AFTER = "after";

/**
 * Returns a query without its empty parameters, which count as omitted. The first value of a
 * repeated parameter wins.
 */
export function withoutEmpty(query: Record<string, string | string[]>): Record<string, string> {
  const first = Object.entries(query).map(
    ([name, value]) => [name, [value].flat()[0] ?? ""] as const,
  );
  return Object.fromEntries(first.filter(([name, value]) => value !== "" || name === AFTER));
}

/**
 * Returns the schema of a list of at most `max` items. A longer list is rejected before any item is
 * validated.
 */
export function listField<Item extends z.ZodType>(item: Item, max: number) {
  const list = z.array(z.unknown()).max(max).pipe(z.array(item));
  return writtenAs(list, z.array(item).max(max));
}

/** A key that a plain object cannot hold: assigning it changes the prototype. */
export const UNKEPT_NAME = "__proto__";

/** Rejects an object with a key that would be lost. */
function requireKeptNames(value: unknown, context: z.core.$RefinementCtx): void {
  if (typeof value === "object" && value !== null && Object.hasOwn(value, UNKEPT_NAME))
    context.addIssue({ code: "custom", path: [UNKEPT_NAME], message: fault("reserved_name") });
}

/**
 * Returns the schema of an object with caller-chosen keys. On its own, zod silently drops one of
 * them (API reference §1.3).
 */
export function namedField<Named extends z.ZodType>(record: Named) {
  return writtenAs(z.unknown().superRefine(requireKeptNames).pipe(record), record);
}

/**
 * Returns the schema of an object with at most `max` entries. A larger one is rejected before any
 * entry is validated.
 */
export function recordField<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  max: number,
) {
  const sized = z
    .record(z.string(), z.unknown())
    .refine((record) => Object.keys(record).length <= max, fault("too_many", { max }));
  const record = z.record(key, value);
  const checked = z.preprocess(withoutNulls, namedField(sized)).pipe(record);
  return writtenAs(checked, record.meta({ maxProperties: max }));
}
