import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

export const CONSENT_STATES = ["subscribed", "unsubscribed"] as const;

/** The steps of a consent: `requested` asks for a confirmation, and `confirmed` is its answer. */
export const CONSENT_ACTIONS = ["subscribed", "unsubscribed", "requested", "confirmed"] as const;

/**
 * The way by which a consent came: a member or an API key of the project, an import, a form, the
 * preference page, the one-click header, the unsubscribe link, or the link of a confirmation.
 */
export const CONSENT_WAYS = [
  "member",
  "api",
  "import",
  "join",
  "waitlist",
  "page",
  "one_click",
  "link",
  "confirmation",
] as const;

/** The streams of mail of a project, to which its subscribers consent one by one. WITHOUT ROWID. */
export const topics = sqliteTable(
  "topics",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    description: text().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [uniqueIndex("topics_by_name").on(table.projectId, table.name)],
);

/**
 * The consent of subscribers by topic. No row is no consent. A topic that is gone leaves its rows
 * to `topic_purges`. WITHOUT ROWID.
 */
export const topicConsents = sqliteTable(
  "topic_consents",
  {
    topicId: text("topic_id").notNull(),
    subscriberId: text("subscriber_id").notNull(),
    state: text({ enum: CONSENT_STATES }).notNull(),
    since: timestamp().notNull(),
    by: text({ enum: CONSENT_WAYS }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.topicId, table.subscriberId] })],
);

/** Deleted topics whose consents are still being removed, a bounded number at a time. */
export const topicPurges = sqliteTable("topic_purges", {
  topicId: text("topic_id").primaryKey(),
  createdAt: timestamp().notNull(),
});

/**
 * The history of consent: what was agreed to, when, by what, and the proof of it. Its ids are in
 * the order of time. WITHOUT ROWID.
 */
export const consentEvents = sqliteTable(
  "consent_events",
  {
    projectId: text("project_id").notNull(),
    subscriberId: text("subscriber_id").notNull(),
    id: text().notNull(),
    /** Null for the whole list. */
    topicId: text("topic_id"),
    /** The name of the topic at that time. */
    topicName: text("topic_name"),
    action: text({ enum: CONSENT_ACTIONS }).notNull(),
    by: text({ enum: CONSENT_WAYS }).notNull(),
    at: timestamp().notNull(),
    /** "" if the request did not come from the person's own client. */
    ipAddress: text("ip_address").notNull(),
    userAgent: text("user_agent").notNull(),
    /** The text beside the form, as the settings had them; "" without any. */
    formText: text("form_text").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.subscriberId, table.id] }),
    // Requests of forms to confirm the subscription, the oldest first (expire-requests.ts).
    index("consent_events_requested")
      .on(table.id)
      .where(
        sql`action = 'requested' and topic_id is null and "by" in ('join', 'waitlist', 'page')`,
      ),
  ],
);
