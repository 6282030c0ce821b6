/* SQL against the database of a test. */
import { env } from "cloudflare:test";

export type Row = Record<string, unknown>;

/** Runs a statement and returns its rows. */
export const allRows = async <T = Row>(sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<T>()
  ).results;

/** Runs several reads in one round trip and returns the rows of each. */
export async function rowsOfEach(reads: { sql: string; values?: unknown[] }[]): Promise<Row[][]> {
  const answers = await env.DB.batch<Row>(
    reads.map(({ sql, values = [] }) => env.DB.prepare(sql).bind(...values)),
  );
  return answers.map(({ results }) => results);
}

/** Returns every table of the database with its rows. */
export async function everyTable(): Promise<{ name: string; rows: Row[] }[]> {
  const names = await allRows<{ name: string }>(
    "select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not like 'sqlite%'",
  );
  const rows = await rowsOfEach(names.map(({ name }) => ({ sql: `select * from "${name}"` })));
  return names.map(({ name }, at) => ({ name, rows: rows[at] ?? [] }));
}

/** Inserts a row with these values by column. */
export const insertRow = (table: string, row: Row) => {
  const names = Object.keys(row);
  const marks = names.map(() => "?").join(", ");
  return allRows(
    `insert into ${table} (${names.join(", ")}) values (${marks})`,
    ...Object.values(row),
  );
};

/** Inserts an active subscriber with the address `ID@any.test`. */
export const insertSubscriber = (id: string, projectId: string) =>
  insertRow("subscribers", {
    id,
    project_id: projectId,
    email: `${id}@any.test`,
    name: "",
    status: "active",
    metadata: "{}",
    source: "",
    subscribed_at: 1,
    created_at: 1,
    updated_at: 1,
  });
