import { z } from "zod";
import { invalidField } from "../../../errors.ts";
import { faultOf } from "../../../messages/faults.ts";
import { OUTCOMES } from "../../../services/subscribers/index.ts";
import { recordField, UNKEPT_NAME } from "../../given.ts";
import { oneOf, plainName, type ListFormat } from "./list-format.ts";
import { fault } from "../../fault.ts";

const MAX_COLUMNS = 500;
const MAX_VALUES = 1_000;

const columnField = z.string().min(1).max(1_000);
const keyField = z
  .string()
  .min(1)
  .max(200)
  .refine((key) => key !== UNKEPT_NAME, fault("reserved_name"));

/** Mapping of an unknown file, or overrides of a known format. */
export const mappingField = z.object({
  email: columnField.optional(),
  /** Columns to join into the name, separated by spaces. */
  name: z.array(columnField).max(10).optional(),
  tags: columnField.optional(),
  /** Ids or names of topics, separated by commas or semicolons. */
  topics: columnField.optional(),
  status: z
    .object({
      column: columnField,
      /** Outcome by cell text, ignoring case. A row with any other text is rejected. */
      values: recordField(z.string(), z.enum(OUTCOMES), MAX_VALUES),
    })
    .optional(),
  /** Metadata keys by column; if omitted, every remaining column becomes metadata. */
  metadata: recordField(columnField, keyField, MAX_COLUMNS).optional(),
});
export type Mapping = z.output<typeof mappingField>;

/** A format, with the user's metadata keys, if any. */
export interface MappedFormat {
  format: ListFormat;
  keys: ReadonlyMap<string, string> | undefined;
}

/**
 * Applies a mapping to a format. Throws 400 if the header lacks a mapped column, or if there is no
 * address column.
 */
export function applyMapping(
  known: ListFormat | undefined,
  mapping: Mapping,
  header: readonly string[],
): MappedFormat {
  const columns = new Set(header.map(plainName));
  const columnOf = (name: string) => {
    const plain = plainName(name);
    if (!columns.has(plain)) throw invalidField("mapping", faultOf("unknown_column", { name }));
    return plain;
  };
  const email = mapping.email === undefined ? known?.email : columnOf(mapping.email);
  if (email === undefined) throw invalidField("mapping.email", faultOf("required"));
  const { name, tags, topics, status, metadata } = mapping;
  const base: ListFormat = known ?? {
    name: "",
    has: [],
    email,
    drops: [],
    says: () => "kept",
    tellsWhoLeft: () => false,
  };
  const keys =
    metadata && new Map(Object.entries(metadata).map(([column, key]) => [columnOf(column), key]));
  const format: ListFormat = {
    ...base,
    email,
    ...(name && { names: name.map(columnOf) }),
    ...(tags !== undefined && { tags: columnOf(tags) }),
    ...(topics !== undefined && { topics: columnOf(topics) }),
    ...(status && byStatus(columnOf(status.column), status.values, base)),
  };
  return { format, keys };
}

function byStatus(
  column: string,
  values: Record<string, (typeof OUTCOMES)[number]>,
  { drops = [] }: ListFormat,
): Pick<ListFormat, "says" | "tellsWhoLeft" | "tells" | "drops"> {
  const meanings = Object.fromEntries(
    Object.entries(values).map(([text, outcome]) => [text.trim().toLowerCase(), outcome]),
  );
  return {
    says: (cell) => oneOf(cell(column), meanings),
    tellsWhoLeft: () => true,
    tells: [column],
    drops: [...drops, column],
  };
}
