import { getTableColumns } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/** Returns the columns of a table that a project export contains, by name: all but the project id. */
export function movedColumns(table: SQLiteTable): Record<string, SQLiteColumn> {
  const moved = Object.entries(getTableColumns(table)).filter(([key]) => key !== "projectId");
  return Object.fromEntries(moved.map(([key, column]) => [toSnakeCase(key), column]));
}

/** Returns the names of those that hold JSON. */
export const jsonColumns = (table: SQLiteTable): string[] =>
  Object.entries(movedColumns(table)).flatMap(([name, { dataType }]) =>
    dataType === "json" ? [name] : [],
  );
