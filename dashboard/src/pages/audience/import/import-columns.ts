import type * as Api from "../../../../../client/src/types.ts";
import { keyOf } from "../../../../../src/lib/metadata-key.ts";
import { guessType, writerOf, type FieldType } from "./column-values.ts";
import type { ImportAnswer, Mapping } from "./list-import.ts";
import { areStatuses, wordsOf, type StatusMeanings } from "./status-words.ts";

/** What a column of a file holds. Columns of first and last names are fields, too. */
export const USES = [
  "email",
  "first_name",
  "last_name",
  "name",
  "tags",
  "topics",
  "status",
  "field",
  "skip",
] as const;
export type Use = (typeof USES)[number];

/** A column of a file with its use, and the field that it fills, if any. */
export interface FileColumn {
  name: string;
  place: number;
  values: readonly string[];
  use: Use;
  key: string;
  label: string;
  type: FieldType;
}

const isKept = ({ use }: FileColumn) =>
  use === "field" || use === "first_name" || use === "last_name";

/** The keys of fields for the parts of a name, on which templates can count. */
const PART_KEYS: Partial<Record<Use, string>> = {
  first_name: "first_name",
  last_name: "last_name",
};

const partOf = (key: string | undefined): Use | undefined =>
  USES.find((use) => use === key && use in PART_KEYS);

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Guesses the uses of the columns from the proposal of the service and the fields of the project. */
export function guessColumns(
  { columns, format, mapping }: ImportAnswer,
  valuesAt: (place: number) => string[],
  fields: readonly Api.Field[],
): FileColumn[] {
  const [only, other] = mapping.name;
  const parts: readonly Use[] =
    only !== undefined && other === undefined
      ? [partOf(mapping.metadata[only]) ?? "name"]
      : ["first_name", "last_name"];
  return columns.map((name, place): FileColumn => {
    const values = valuesAt(place);
    const key = mapping.metadata[name] ?? keyOf(name, place);
    const known = fields.find((one) => one.key === key || plain(one.label) === plain(name));
    const isStatus = format === null && areStatuses(wordsOf(values));
    const guessed: Use =
      name === mapping.email
        ? "email"
        : name === mapping.tags
          ? "tags"
          : (parts[mapping.name.indexOf(name)] ??
            (isStatus ? "status" : name in mapping.metadata ? "field" : "skip"));
    return {
      name,
      place,
      values,
      use: guessed,
      key: known?.key ?? PART_KEYS[guessed] ?? key,
      label: known?.label ?? (name || key),
      type: known?.type ?? guessType(values),
    };
  });
}

/** Gives a column a use; one of the parts of a name also gives it the key of that part. */
export const withUse = (column: FileColumn, use: Use): FileColumn => ({
  ...column,
  use,
  key: PART_KEYS[use] ?? column.key,
});

/**
 * Changes a column. Another one with the same use becomes a field, unless many may have it, and one
 * with the same key gets another key.
 */
export function withColumn(columns: readonly FileColumn[], changed: FileColumn): FileColumn[] {
  const isShared = changed.use === "field" || changed.use === "skip";
  return columns.map((one) => {
    if (one.place === changed.place) return changed;
    const key = isKept(changed) && one.key === changed.key ? `${one.key}_2` : one.key;
    return { ...one, key, use: !isShared && one.use === changed.use ? "field" : one.use };
  });
}

/** Returns the mapping of the columns, as the API takes it. */
export function mappingOf(columns: readonly FileColumn[], status: StatusMeanings): Mapping {
  const nameOf = (use: Use) => columns.find((one) => one.use === use)?.name;
  const [email, tags, topics, column] = (["email", "tags", "topics", "status"] as const).map(
    nameOf,
  );
  const name = (["first_name", "last_name", "name"] as const).flatMap((use) => nameOf(use) ?? []);
  const kept = columns.filter(isKept).map((one) => [one.name, one.key] as const);
  return {
    name,
    metadata: Object.fromEntries(kept),
    ...(email !== undefined && { email }),
    ...(tags !== undefined && { tags }),
    ...(topics !== undefined && { topics }),
    ...(column !== undefined && { status: { column, values: status } }),
  };
}

/** Returns the fields that the project does not have yet, as the API takes them. */
export const newFields = (columns: readonly FileColumn[], fields: readonly Api.Field[]) =>
  columns
    .filter((one) => isKept(one) && !fields.some(({ key }) => key === one.key))
    .map(({ key, label, type, values }) => ({
      key,
      label,
      type,
      choices: type === "choice" ? [...new Set(values)].filter((value) => value !== "") : [],
    }));

/** Returns the functions that rewrite the cells of a row for the types of their fields, by place. */
export const writersOf = (columns: readonly FileColumn[]) =>
  new Map(columns.filter(isKept).map(({ place, type, values }) => [place, writerOf(type, values)]));
