import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { jsonColumns } from "../../db/moved-columns.ts";
import { selectLogPage, startOfLog, type LogPlace } from "../email-log/index.ts";
import {
  columnsOf,
  hasProjectId,
  LOG_KIND,
  nameOf,
  tableOf,
  type Kind,
  type MovedRow,
  type MovedTable,
  type TableKind,
} from "./moved-tables.ts";

/** The number of log entries per read. */
const ENTRIES_PER_READ = 2_500;

/** Yields the rows of a kind, one page in memory at a time. */
export const readRows = (db: Database, projectId: string, kind: Kind): AsyncGenerator<MovedRow> =>
  kind === LOG_KIND ? readLog(db, projectId) : readTable(db, projectId, kind);

/** Yields each row that exists throughout once. */
async function* readTable(
  db: Database,
  projectId: string,
  kind: TableKind,
): AsyncGenerator<MovedRow> {
  const moved = tableOf(kind);
  const { table, keys, parent, rowsPerRead } = moved;
  const columns = Object.keys(columnsOf(kind));
  const json = jsonColumns(table);
  const isOwn =
    parent && !hasProjectId(kind)
      ? sql`${sql.raw(parent.column)} in (
          select id from ${sql.raw(parent.table)} where project_id = ${projectId})`
      : sql`project_id = ${projectId}`;
  const parts = partsOf(moved);
  let last: MovedRow | undefined;
  for (;;) {
    const place = keys.map((key) => sql`${last?.[key] ?? null}`);
    const follows = last ? sql`(${names(keys)}) > (${sql.join(place, sql`, `)})` : sql`true`;
    const queries = parts.map(
      ({ index, isIn }) => sql`select ${names(columns)} from ${nameOf(kind)}${index}
        where ${isOwn} and ${isIn} and ${follows}`,
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
function partsOf({ merged }: MovedTable): { index: SQL; isIn: SQL }[] {
  if (!merged) return [{ index: sql``, isIn: sql`true` }];
  const { column, values, index } = merged;
  return values.map((value) => ({
    index: sql.raw(` indexed by ${index}`),
    isIn: sql`${sql.raw(column)} = ${value}`,
  }));
}

async function* readLog(db: Database, projectId: string): AsyncGenerator<MovedRow> {
  let place: LogPlace | undefined = startOfLog();
  while (place) {
    const { rows, next } = await selectLogPage(db, projectId, place, ENTRIES_PER_READ);
    yield* rows;
    place = next;
  }
}
