import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Messages that no consumer could handle, kept for an operator to replay. */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    /** A UUIDv7 of the time at which it was stored. */
    id: text().primaryKey(),
    /** Id from the queue, so that a redelivered message is stored once. */
    messageId: text("message_id").notNull().unique(),
    /** The queue it came from; "" if neither batch nor body names one. */
    queue: text().notNull(),
    /** `type` of the body; "" if it has none. */
    type: text().notNull(),
    /** Body as JSON; null if it exceeds the size limit of a message or is not JSON. */
    body: text(),
    bytes: integer().notNull(),
    failedAt: timestamp().notNull(),
    replayedAt: timestamp(),
    /** Expiry of the claim of a replay in progress. */
    claimedUntil: timestamp().notNull().default(0),
  },
  (table) => [
    index("dead_letters_waiting") // /health counts them
      .on(table.id)
      .where(sql`replayed_at is null`),
  ],
);

/**
 * Responses to creating requests with an Idempotency-Key, kept for a day. Sends have operations
 * instead. WITHOUT ROWID.
 */
export const idempotentResponses = sqliteTable(
  "idempotent_responses",
  {
    /** The project, workspace or account, a colon, and the caller. */
    scope: text().notNull(),
    key: text().notNull(),
    /** Sealed with the context `request:<scope>:<key>`, because a body may contain a password. */
    requestHash: text("request_hash").notNull(),
    /** When an unanswered first request counts as dead. */
    claimedUntil: timestamp().notNull(),
    /** Sealed with the context `answer:<scope>:<key>`; null until the request is answered. */
    answerSealed: text("answer_sealed"),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    index("idempotent_responses_by_age").on(table.createdAt), // nightly cleanup
  ],
);
