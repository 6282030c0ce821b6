import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Opened mails and unsubscribed recipients of a broadcast, each counted once. `clicked` counts only
 * mails whose link is not in `broadcast_links`; the number of clicked mails is the sum over both
 * tables, so each click writes to only one of them. WITHOUT ROWID.
 */
export const broadcastCounts = sqliteTable(
  "broadcast_counts",
  {
    projectId: text("project_id").notNull(),
    broadcastId: text("broadcast_id").notNull(),
    opened: integer().notNull().default(0),
    /** Mails whose first human open is recorded. */
    openedHuman: integer("opened_human").notNull().default(0),
    clicked: integer().notNull().default(0),
    clickedHuman: integer("clicked_human").notNull().default(0),
    unsubscribed: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.broadcastId] })],
);

/**
 * Clicked mails of a broadcast by link. Only the first links are tracked individually; the rest
 * share an empty URL. Deleted with the mails, because URLs may contain personal data. WITHOUT
 * ROWID.
 */
export const broadcastLinks = sqliteTable(
  "broadcast_links",
  {
    projectId: text("project_id").notNull(),
    broadcastId: text("broadcast_id").notNull(),
    url: text().notNull(),
    /** Mails whose first click was on this link, and mails whose first human click was. */
    firsts: integer().notNull().default(0),
    firstsHuman: integer("firsts_human").notNull().default(0),
    /** Mails with a click on this link, and mails with a human click on it. */
    clicked: integer().notNull().default(0),
    clickedHuman: integer("clicked_human").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.broadcastId, table.url] })],
);
