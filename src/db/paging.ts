import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";
import { hasTotal, type ListPage } from "../lib/page.ts";
import type { Database } from "./client.ts";

type Count = SQLiteRaw<{ total: number }[]>;

/**
 * Returns the count of a list if the page includes a total, otherwise a statement that reads no
 * rows.
 */
export function countFor(db: Database, page: ListPage<unknown>, count: Count): Count {
  return hasTotal(page) ? count : db.all<{ total: number }>(sql`select 0 as total where false`);
}

/** Returns the keyset condition of the next page, ordered by descending id. */
export function followsId({ after }: ListPage<string>, id: SQLWrapper = sql`id`): SQL {
  return after === undefined || after === null ? sql`true` : sql`${id} < ${after}`;
}
