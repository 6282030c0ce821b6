import { getTableColumns } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * Returns the columns of a table that a project export contains (all but the project id), and which
 * of them hold JSON.
 */
export function movedColumns(table: SQLiteTable): { columns: string[]; json: string[] } {
  const moved = Object.entries(getTableColumns(table)).filter(([key]) => key !== "projectId");
  const json = moved.filter(([, { dataType }]) => dataType === "json");
  const namesOf = (columns: typeof moved) => columns.map(([key]) => toSnakeCase(key));
  return { columns: namesOf(moved), json: namesOf(json) };
}
