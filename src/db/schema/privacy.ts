import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/**
 * Erased addresses of a project, as keyed hashes: the project can no longer mail or store them.
 * While an erasure runs, its row also holds, sealed, the address and the subscriber that it
 * searches for. WITHOUT ROWID.
 */
export const erasedAddresses = sqliteTable(
  "erased_addresses",
  {
    projectId: text("project_id").notNull(),
    /** HMAC of the address (services/suppressions/erased.ts). */
    hash: text().notNull(),
    erasedAt: timestamp().notNull(),
    /** The address and its subscriber, sealed with the context `erasure:<project id>:<hash>`. */
    workSealed: text("work_sealed"),
    /** Cursor of the erasure, as JSON; null once it is done. */
    position: text(),
    /** When the next step is due; null once the erasure is done. */
    dueAt: timestamp(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.hash] }),
    index("erased_addresses_by_due")
      .on(table.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/** Progress of the scan that removes the IP addresses of opens and clicks. WITHOUT ROWID. */
export const ipRetention = sqliteTable("ip_retention", {
  /** `visits`. */
  scope: text().primaryKey(),
  /** The start of the scan. */
  until: timestamp().notNull(),
  /** The last mail that the scan has reached; null once it is over. */
  place: text(),
});
