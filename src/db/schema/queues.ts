import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Messages that no consumer could handle, kept for an operator to replay. */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    /** A UUIDv7 of the time at which it was stored. */
    id: text().primaryKey(),
    /** The id that the queue gave it: a message that arrives twice is stored once. */
    messageId: text("message_id").notNull().unique(),
    /** The name of its own queue; "" if neither the batch nor the body names one. */
    queue: text().notNull(),
    /** The `type` of its body; "" if it has none. */
    type: text().notNull(),
    /** The body as JSON; null if it is larger than a message may be, or not JSON. */
    body: text(),
    bytes: integer().notNull(),
    failedAt: timestamp().notNull(),
    replayedAt: timestamp(),
    /** The end of the claim of a replay that is under way. */
    claimedUntil: timestamp().notNull().default(0),
  },
  (table) => [
    index("dead_letters_waiting") // /health counts them
      .on(table.id)
      .where(sql`replayed_at is null`),
  ],
);

/**
 * Answers to requests that made something with an Idempotency-Key, for a day. Sends have operations
 * of their own. WITHOUT ROWID.
 */
export const idempotentResponses = sqliteTable(
  "idempotent_responses",
  {
    /** The project, workspace or account, a colon, and the caller. */
    scope: text().notNull(),
    key: text().notNull(),
    /** Sealed with the context `request:<scope>:<key>`; a body may hold a password. */
    requestHash: text("request_hash").notNull(),
    /** The time at which the first request counts as dead if it has no answer. */
    claimedUntil: timestamp().notNull(),
    /** Sealed with the context `answer:<scope>:<key>`; null until there is one. */
    answerSealed: text("answer_sealed"),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    index("idempotent_responses_by_age").on(table.createdAt), // nightly removal
  ],
);
