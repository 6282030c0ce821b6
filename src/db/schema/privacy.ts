import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/**
 * Addresses that a project erased, as keyed hashes: nobody may mail or store them again. While an
 * erasure runs, its row also holds, sealed, the address and the subscriber that it looks for.
 * WITHOUT ROWID.
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
    /** The place up to which the erasure has come, as JSON; null when it is over. */
    position: text(),
    /** Time of the next step; null when it is over. */
    dueAt: timestamp(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.hash] }),
    index("erased_addresses_by_due")
      .on(table.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/** The progress of the job that removes the IP addresses of visits. WITHOUT ROWID. */
export const ipRetention = sqliteTable("ip_retention", {
  /**
   * `opens:<project id>:<days>`, `deliveries:<project id>:<webhook id>:<days>`, `clicks:walk`, or
   * `clicks:longest`.
   */
  scope: text().primaryKey(),
  /**
   * The time before which opens or deliveries are done, or at which the walk through the clicks
   * began.
   */
  until: timestamp().notNull(),
  /**
   * The mail or delivery up to which a walk has come; null when it is over. For the longest, its
   * days.
   */
  place: text(),
});
