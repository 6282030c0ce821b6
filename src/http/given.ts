import { z } from "zod";
import type { HttpContext } from "./http-env.ts";

/** The object without its fields that are null: those count as left out, as typed clients write them. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (!Object.values(value).includes(null)) return value; // no copy of what is fine
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** An object within a body, of which null fields count as left out, too. */
export function objectField<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.preprocess(withoutNulls, z.object(shape));
}

/** Returns the parameters of a query that are not empty: an empty one counts as left out. */
export function givenQuery(c: HttpContext): Record<string, string> {
  return withoutEmpty(c.req.query());
}

/** Returns what is left of a query without its empty parameters; of a repeated one, the first value. */
export function withoutEmpty(query: Record<string, string | string[]>): Record<string, string> {
  const first = Object.entries(query).map(
    ([name, value]) => [name, [value].flat()[0] ?? ""] as const,
  );
  return Object.fromEntries(first.filter(([, value]) => value !== ""));
}

/** A list of at most `max` entries; a longer one is refused before any of them is looked at. */
export function listField<Item extends z.ZodType>(item: Item, max: number, tooMany: string) {
  return z.array(z.unknown()).max(max, tooMany).pipe(z.array(item));
}

/** An object of at most `max` names and values; a larger one is refused before they are looked at. */
export function recordField<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  max: number,
  tooMany: string,
) {
  const sized = z
    .record(z.string(), z.unknown())
    .refine((record) => Object.keys(record).length <= max, tooMany);
  return z.preprocess(withoutNulls, sized).pipe(z.record(key, value));
}
