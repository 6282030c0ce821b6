import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";
import { hasTotal, type ListPage } from "../lib/page.ts";
import type { Database } from "./client.ts";

type Count = SQLiteRaw<{ total: number }[]>;

/**
 * Returns the count of a list for a page that names its total, else a statement that reads nothing.
 */
export function countFor(db: Database, page: ListPage<unknown>, count: Count): Count {
  return hasTotal(page) ? count : db.all<{ total: number }>(sql`select 0 as total where false`);
}

/** Returns the condition that an entry follows the key of a page, with the greatest ids first. */
export function followsId({ after }: ListPage<string>, id: SQLWrapper = sql`id`): SQL {
  return after === undefined || after === null ? sql`true` : sql`${id} < ${after}`;
}
