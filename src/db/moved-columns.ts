import { getTableColumns } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** Returns the columns of a table that move with a project, all but its own, and those with JSON. */
export function movedColumns(table: SQLiteTable): { columns: string[]; json: string[] } {
  const moved = Object.entries(getTableColumns(table)).filter(([key]) => key !== "projectId");
  const json = moved.filter(([, { dataType }]) => dataType === "json");
  const namesOf = (columns: typeof moved) => columns.map(([key]) => toSnakeCase(key));
  return { columns: namesOf(moved), json: namesOf(json) };
}
