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
