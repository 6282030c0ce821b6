import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

export const TOPIC_VISIBILITIES = ["public", "private"] as const;

export const CONSENT_STATES = ["subscribed", "unsubscribed"] as const;

/** Steps of a consent: `requested` asks for a confirmation, `confirmed` answers it. */
export const CONSENT_ACTIONS = ["subscribed", "unsubscribed", "requested", "confirmed"] as const;

/**
 * How consent was given or withdrawn: by a member or an API key of the project, an import, a form,
 * the preference page, the one-click header, the unsubscribe link, or the confirmation link.
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
  "provider",
  "automation",
] as const;

/** Topics of a project, to which subscribers consent individually. WITHOUT ROWID. */
export const topics = sqliteTable(
  "topics",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    description: text().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    /** True if new subscribers get the topic unless their call names topics. */
    isDefault: integer("is_default", { mode: "boolean" }).notNull().default(false),
    /** True if anybody may read its broadcasts in the project's archive. */
    publicArchive: integer({ mode: "boolean" }).notNull().default(false),
    /** A private topic can be joined only through members and secret keys. */
    visibility: text({ enum: TOPIC_VISIBILITIES }).notNull().default("public"),
  },
  (table) => [uniqueIndex("topics_by_name").on(table.projectId, table.name)],
);

/**
 * Consents of subscribers by topic; a missing row means no consent. `topic_purges` cleans up the
 * rows of a deleted topic. WITHOUT ROWID.
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

/** Deleted topics whose consents are still being removed in bounded batches. */
export const topicPurges = sqliteTable("topic_purges", {
  topicId: text("topic_id").primaryKey(),
  createdAt: timestamp().notNull(),
});

/**
 * Consent history: what was agreed to, when, how, and the evidence. Ids are chronological. WITHOUT
 * ROWID.
 */
export const consentEvents = sqliteTable(
  "consent_events",
  {
    projectId: text("project_id").notNull(),
    subscriberId: text("subscriber_id").notNull(),
    id: text().notNull(),
    /** Null for the whole list. */
    topicId: text("topic_id"),
    /** Name of the topic at the time. */
    topicName: text("topic_name"),
    action: text({ enum: CONSENT_ACTIONS }).notNull(),
    by: text({ enum: CONSENT_WAYS }).notNull(),
    at: timestamp().notNull(),
    /** "" if the request did not come from the person's own client. */
    ipAddress: text("ip_address").notNull(),
    userAgent: text("user_agent").notNull(),
    /** Text shown with the form, as configured at the time; "" if none. */
    formText: text("form_text").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.subscriberId, table.id] }),
    // Confirmation requests from forms, oldest first (expire-requests.ts).
    index("consent_events_requested")
      .on(table.id)
      .where(
        sql`action = 'requested' and topic_id is null and "by" in ('join', 'waitlist', 'page')`,
      ),
  ],
);
