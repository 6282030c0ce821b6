import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { IMAGE_TYPES } from "../../lib/read-image.ts";
import { timestamp } from "./columns.ts";

/**
 * The image library of a project. The bytes are in R2, under a key made of the project, the hash
 * and the type. A row counts them until they are removed, so R2 has no bytes without a row.
 */
export const images = sqliteTable(
  "images",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    /** SHA-256 of the bytes, in hexadecimal. */
    sha256: text().notNull(),
    type: text({ enum: IMAGE_TYPES }).notNull(),
    name: text().notNull(),
    /** Text for readers who do not see the image. */
    alt: text().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    bytes: integer().notNull(),
    createdAt: timestamp().notNull(),
    /**
     * Null while the library shows the image. Otherwise when it was deleted, or when an upload
     * began that has not ended; 0 if its bytes are being removed, after which nothing restores it.
     */
    deletedAt: timestamp(),
  },
  (table) => [
    uniqueIndex("images_by_hash").on(table.projectId, table.sha256),
    index("images_by_project").on(table.projectId, table.id), // order of the library
    index("images_deleted")
      .on(table.deletedAt)
      .where(sql`deleted_at is not null`), // the nightly removal
  ],
);
