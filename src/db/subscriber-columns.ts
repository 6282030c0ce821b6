/*
 * Single source of truth for a subscriber's columns. Inserts, edits, imports, exports, webhook
 * events, mails and erasures derive from it. A new column goes into the schema, this map, and the
 * API fields (http/project/subscriber-input.ts and its neighbors).
 */
import { getTableColumns, sql, type SQL } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { isoTime } from "./iso-time.ts";
import { subscribers } from "./schema/index.ts";

type SubscriberRow = typeof subscribers.$inferSelect;
type Column = keyof SubscriberRow;

/**
 * Where a column occurs:
 * - `shown`: API responses, CSV lists and webhook events, in the order of the map;
 * - `written`: input to create, edit or import a subscriber;
 * - `mailed`: template variables, whose names are a single word;
 * - `text`: free text in which an erasure replaces the address.
 *
 * A project export contains every column of the schema.
 */
type Place = "shown" | "written" | "mailed" | "text";

const PLACES = {
  id: ["shown"],
  projectId: ["shown"],
  email: ["shown", "written", "mailed"],
  name: ["shown", "written", "mailed", "text"],
  status: ["shown", "written"],
  source: ["text"],
  metadata: ["shown", "written", "mailed", "text"],
  tags: ["shown", "written"],
  subscribedAt: ["shown"],
  unsubscribedAt: ["shown"],
  createdAt: ["shown"],
  updatedAt: ["shown"],
  statusBefore: [],
  leftBy: [],
  lastOpenedAt: [],
  lastClickedAt: [],
  importId: [],
} as const satisfies Record<Column, readonly Place[]>;

type In<P extends Place> = {
  [C in Column]: P extends (typeof PLACES)[C][number] ? C : never;
}[Column];

function columnsIn<P extends Place>(place: P): readonly In<P>[] {
  const isIn = (column: Column): column is In<P> =>
    (PLACES[column] as readonly Place[]).includes(place);
  return (Object.keys(PLACES) as Column[]).filter(isIn);
}

export const SHOWN = columnsIn("shown");
export const WRITTEN = columnsIn("written");
export const VARIABLES = columnsIn("mailed");
export const TEXT_COLUMNS = columnsIn("text").map(toSnakeCase);

/** The fields of a subscriber that templates can use. */
export type MailedSubscriber = Pick<SubscriberRow, "id" | In<"mailed">>;

/** The written columns that are optional. */
export type SubscriberFields = Pick<SubscriberRow, Exclude<In<"written">, "email" | "status">>;

/** Defaults of the optional fields. */
export const NO_FIELDS: SubscriberFields = { name: "", metadata: {}, tags: [] };

export const FIELDS = Object.keys(NO_FIELDS) as readonly (keyof SubscriberFields)[];

const table = getTableColumns(subscribers);

/** Returns true for a column that holds JSON. */
export const isJson = (column: Column): boolean => table[column].dataType === "json";

/** Returns a value as its column stores it. */
export const storedValue = (column: Column, value: unknown): unknown =>
  value === null ? null : table[column].mapToDriverValue(value);

export type ColumnValues = Partial<Record<Column, SQL>>;

const entriesOf = (values: ColumnValues) => Object.entries(values) as [Column, SQL][];

/** Returns a qualified column of `row`. */
export const columnOf = (column: Column, row = "subscribers"): SQL =>
  sql.raw(`${row}.${toSnakeCase(column)}`);

/** Returns the values aliased to their columns, for a select list. */
export const selected = (values: ColumnValues): SQL =>
  list(entriesOf(values).map(([column, value]) => sql`${value} as ${nameOf(column)}`));

/** Returns the column names of the values, for an insert. */
export const namesOf = (values: ColumnValues): SQL =>
  list(entriesOf(values).map(([column]) => nameOf(column)));

const list = (parts: SQL[]) => sql.join(parts, sql`, `);
const nameOf = (column: Column) => sql.raw(toSnakeCase(column));

/** The written columns of a new subscriber. */
const GIVEN: ColumnValues = Object.fromEntries(
  WRITTEN.map((column) => {
    const none = column === "email" || column === "status" ? null : NO_FIELDS[column];
    const given = `value ->> '${column}'`;
    const literal = typeof none === "string" ? none : JSON.stringify(none);
    return [column, sql.raw(none === null ? given : `coalesce(${given}, '${literal}')`)];
  }),
);

/** Returns the values of a new subscriber, read from the JSON in `value`. */
export function newValues(projectId: string, now: number): ColumnValues {
  return {
    id: sql`value ->> 'id'`,
    projectId: sql`${projectId}`,
    ...GIVEN,
    source: sql`coalesce(value ->> 'source', '')`,
    importId: sql`value ->> 'importId'`,
    subscribedAt: sql`${now}`,
    unsubscribedAt: sql`case value ->> 'status' when 'unsubscribed' then ${now} end`,
    createdAt: sql`${now}`,
    updatedAt: sql`${now}`,
  };
}

/** Returns the shown columns of `row` with these changes applied. */
export function shownAfter(changes: ColumnValues, row?: string): SQL {
  const values = SHOWN.map((column) => [column, changes[column] ?? columnOf(column, row)] as const);
  return selected(Object.fromEntries(values));
}

/** Returns the JSON object of the shown columns of `row`, as in an API response. */
export const shownJson = (row: string): SQL => sql`json_object(${pairsOf(SHOWN, row)})`;

/** Returns the JSON object of a `MailedSubscriber`, with `more` appended. */
export const mailedJson = (row: string, more = sql``): SQL =>
  sql`json_object(${pairsOf(["id", ...VARIABLES], row)}${more})`;

function pairsOf(columns: readonly Column[], row: string): SQL {
  const formOf = (column: Column, value: SQL) =>
    column.endsWith("At") ? isoTime(value) : isJson(column) ? sql`json(${value})` : value;
  return list(
    columns.map((column) => sql`'${nameOf(column)}', ${formOf(column, columnOf(column, row))}`),
  );
}
