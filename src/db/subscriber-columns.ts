/*
 * The one map of a subscriber's columns, from which inserts, edits, imports, exports, webhook
 * events, mails and erasures are made. A new column stands in the schema, here, and in the fields of
 * the API (http/project/subscriber-input.ts and its neighbors).
 */
import { getTableColumns, sql, type SQL } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { isoTime } from "./iso-time.ts";
import { subscribers } from "./schema/index.ts";

type SubscriberRow = typeof subscribers.$inferSelect;
type Column = keyof SubscriberRow;

/**
 * The places in which a column occurs:
 * - `shown`: answers, lists as CSV and webhook events, in the order of the map;
 * - `written`: what callers give when they create, edit or import a subscriber;
 * - `mailed`: variables of templates, whose names are one word;
 * - `text`: free text, in which an erasure replaces the address.
 *
 * A project export has every column of the schema.
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

/** The parts of a subscriber that a mail shows. */
export type MailedSubscriber = Pick<SubscriberRow, "id" | In<"mailed">>;

/** The written columns that a caller may leave out. */
export type SubscriberFields = Pick<SubscriberRow, Exclude<In<"written">, "email" | "status">>;

/** The fields of a subscriber for whom nobody gave any. */
export const NO_FIELDS: SubscriberFields = { name: "", metadata: {}, tags: [] };

export const FIELDS = Object.keys(NO_FIELDS) as readonly (keyof SubscriberFields)[];

const table = getTableColumns(subscribers);

/** Returns true for a column that holds JSON. */
export const isJson = (column: Column): boolean => table[column].dataType === "json";

/** Returns a value as its column stores it. */
export const storedValue = (column: Column, value: unknown): unknown =>
  value === null ? null : table[column].mapToDriverValue(value);

/** Expressions by the columns of which they are values. */
export type ColumnValues = Partial<Record<Column, SQL>>;

const entriesOf = (values: ColumnValues) => Object.entries(values) as [Column, SQL][];

/** Returns the name of a column of `row`. */
export const columnOf = (column: Column, row = "subscribers"): SQL =>
  sql.raw(`${row}.${toSnakeCase(column)}`);

/** Returns the values with the names of their columns, as a query selects them. */
export const selected = (values: ColumnValues): SQL =>
  list(entriesOf(values).map(([column, value]) => sql`${value} as ${nameOf(column)}`));

/** Returns the names of the columns of the values, as an insert lists them. */
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

/** Returns the values of a new subscriber, whose JSON is `value`. */
export function newValues(projectId: string, now: number): ColumnValues {
  return {
    id: sql`value ->> 'id'`,
    projectId: sql`${projectId}`,
    ...GIVEN,
    source: sql`coalesce(value ->> 'source', '')`,
    subscribedAt: sql`${now}`,
    unsubscribedAt: sql`case value ->> 'status' when 'unsubscribed' then ${now} end`,
    createdAt: sql`${now}`,
    updatedAt: sql`${now}`,
  };
}

/** Returns the shown columns of `row` as they are once some of them have these values. */
export function shownAfter(changes: ColumnValues, row?: string): SQL {
  const values = SHOWN.map((column) => [column, changes[column] ?? columnOf(column, row)] as const);
  return selected(Object.fromEntries(values));
}

/** Returns the JSON object of the shown columns of `row`, as an answer has it. */
export const shownJson = (row: string): SQL => sql`json_object(${pairsOf(SHOWN, row)})`;

/** Returns the JSON object of a `MailedSubscriber`, followed by `more`. */
export const mailedJson = (row: string, more = sql``): SQL =>
  sql`json_object(${pairsOf(["id", ...VARIABLES], row)}${more})`;

function pairsOf(columns: readonly Column[], row: string): SQL {
  const formOf = (column: Column, value: SQL) =>
    column.endsWith("At") ? isoTime(value) : isJson(column) ? sql`json(${value})` : value;
  return list(
    columns.map((column) => sql`'${nameOf(column)}', ${formOf(column, columnOf(column, row))}`),
  );
}
