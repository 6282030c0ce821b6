import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { selectLogPage, startOfLog, type LogPlace } from "../email-log/index.ts";
import type { MovedRow, TableKind } from "./kinds.ts";
import { rowsOfProject, tableOf, TABLES, type TableSpec } from "./moved-tables.ts";

/** The number of log entries per read. */
const ENTRIES_PER_READ = 2_500;

/**
 * Yields the rows of a table for which `only` holds, one page in memory at a time. Each row that
 * exists throughout is yielded once.
 */
export async function* readTable(
  db: Database,
  projectId: string,
  kind: TableKind,
  only: SQL = sql`true`,
): AsyncGenerator<MovedRow> {
  const spec = TABLES[kind];
  const { columns, json = [], keys, rowsPerRead } = spec;
  const parts = partsOf(spec);
  let last: MovedRow | undefined;
  for (;;) {
    const place = keys.map((key) => sql`${last?.[key] ?? null}`);
    const follows = last ? sql`(${names(keys)}) > (${sql.join(place, sql`, `)})` : sql`true`;
    const queries = parts.map(
      ({ index, isIn }) => sql`select ${names(columns)} from ${tableOf(kind)}${index}
        where ${rowsOfProject(spec, projectId)} and ${isIn} and ${only} and ${follows}`,
    );
    // SQLite merges the parts, each in the order of its index, and stops at the limit.
    const rows = await db.all<MovedRow>(
      sql`${sql.join(queries, sql` union all `)} order by ${names(keys)} limit ${rowsPerRead}`,
    );
    for (const row of rows) {
      for (const name of json) row[name] = JSON.parse(String(row[name]));
      yield row;
    }
    last = rows.at(-1);
    if (rows.length < rowsPerRead) return;
  }
}

const names = (list: readonly string[]) => sql.raw(list.map((name) => `"${name}"`).join());

/**
 * Returns the parts of a table, each with its condition, from which a page takes the first rows.
 */
function partsOf({ merged }: TableSpec): { index: SQL; isIn: SQL }[] {
  if (!merged) return [{ index: sql``, isIn: sql`true` }];
  const { column, values, index } = merged;
  return values.map((value) => ({
    index: sql.raw(` indexed by ${index}`),
    isIn: sql`${sql.raw(column)} = ${value}`,
  }));
}

/** Yields the entries of the email log, one page in memory at a time. */
export async function* readLog(db: Database, projectId: string): AsyncGenerator<MovedRow> {
  let place: LogPlace | undefined = startOfLog();
  while (place) {
    const { rows, next } = await selectLogPage(db, projectId, place, ENTRIES_PER_READ);
    yield* rows;
    place = next;
  }
}
