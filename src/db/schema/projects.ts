import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Language } from "../../lib/languages.ts";
import { LOCATION_HINTS } from "../../lib/location-hint.ts";
import type { SendingLimits } from "../../lib/permits/sending-limits.ts";
import type { SeenSignature } from "../../lib/seen-signature.ts";
import { timestamp } from "./columns.ts";

/** The rules of a project for refusals and reports (services/projects/bounce-settings.ts). */
export interface BounceSettings {
  /** True if each 5xx reply to RCPT TO suppresses, whatever it says. */
  suppressOnAny5xx: boolean;
  /**
   * The reports that count: with `required` only those that prove their mail, with `recent` also
   * those about addresses that were mailed within days.
   */
  bounceProof: BounceProof;
  autoPause: AutoPauseLimits;
  /** The days with a soft bounce after which an address is suppressed; 0 for never. */
  softBounceLimit: number;
  /** The pattern of the envelope sender (mail/return-path.ts); null for the From address. */
  returnPath: string | null;
  /** The address to which mail to a return path goes if it is no report; null to refuse it. */
  forwardTo: string | null;
}

/** The limits at which a broadcast pauses itself; 0 switches a limit off. */
export interface AutoPauseLimits {
  /** Bad addresses, in percent of the outcomes of a window. */
  badAddressPct: number;
  /** Refusals for one sender-side reason, in percent of the outcomes of a window. */
  senderRefusalPct: number;
  /** Refusals for one sender-side reason in a row. */
  senderRefusalsInARow: number;
  /** Complaints, in percent of the outcomes. */
  complaintPct: number;
  /** True if a broadcast to many begins with a canary, and waits for a check of its outcomes. */
  canaryFirst: boolean;
}

/** The demands of a project on posted reports (services/bounces/ingest-rules.ts); "" for unset. */
export interface IngestRules {
  proof: IngestProof;
  /** The one topic of Amazon SNS whose messages count. */
  snsTopicArn: string;
  /** SendGrid's verification key: base64 of a SubjectPublicKeyInfo. */
  sendgridKey: string;
  /** Mailgun's signing key, sealed with the context `project:<id>:mailgun_key`. */
  mailgunKeySealed: string;
}

/** The authorisation of a posted report: the token in the URL alone, or a signature as well. */
export const INGEST_PROOFS = ["token", "signature"] as const;
type IngestProof = (typeof INGEST_PROOFS)[number];

/** The settings that differ from the defaults. */
export type StoredBounceSettings = Partial<BounceSettings> & { ingest?: Partial<IngestRules> };

export const BOUNCE_PROOFS = ["required", "recent"] as const;
type BounceProof = (typeof BOUNCE_PROOFS)[number];

/** The rules of a project for its audience (services/projects/audience-settings.ts). */
export interface AudienceSettings {
  /** True if a form makes a subscriber only after a confirmation by mail. */
  doubleOptIn: boolean;
  /** The template of that mail; null for the built-in one. */
  confirmationTemplateId: string | null;
  /** The text beside the forms of the project, which the history of consent keeps. */
  formText: string;
  language: Language;
  /** The days between two broadcasts to one subscriber; 0 for no such rule. */
  minDaysBetweenBroadcasts: number;
  /** The days for which clicks keep IP addresses. */
  clickIpDays: number;
  /** The most joins by strangers on one day (UTC). */
  joinsPerDay: number;
  /**
   * The secret of Cloudflare Turnstile, sealed with the context `project:<id>:turnstile_secret`; ""
   * while joins need no token.
   */
  turnstileSecretSealed: string;
}

export const projects = sqliteTable(
  "projects",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    createdBy: text("created_by").notNull(),
    name: text().notNull(),
    description: text().notNull(),
    fromName: text("from_name"),
    fromEmail: text("from_email"),
    smtpHost: text("smtp_host"),
    smtpPort: integer("smtp_port"),
    smtpUser: text("smtp_user"),
    /** Sealed with the context `project:<id>:smtp_password` (lib/seal.ts). */
    smtpPasswordSealed: text("smtp_password_sealed"),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    /** The limits of the SMTP server; null while the defaults apply. */
    sendingLimits: text("sending_limits", { mode: "json" }).$type<SendingLimits>(),
    /** Grows with each change of the limits. */
    sendingVersion: integer("sending_version").notNull().default(0),
    /** The server that takes over when the first cannot be used. */
    fallbackHost: text("fallback_host"),
    fallbackPort: integer("fallback_port"),
    fallbackUser: text("fallback_user"),
    /** Sealed with the context `project:<id>:fallback_password`. */
    fallbackPasswordSealed: text("fallback_password_sealed"),
    /** The settings that differ from the defaults; null for none. */
    bounceSettings: text("bounce_settings", { mode: "json" }).$type<StoredBounceSettings>(),
    /** The region in which the project's Durable Object is created; null: near its first call. */
    locationHint: text("location_hint", { enum: LOCATION_HINTS }),
    /**
     * The domain of the return path; null for none. By this domain, mail that names no project
     * finds its project.
     */
    bounceDomain: text("bounce_domain"),
    /** The settings that differ from the defaults; null for none. */
    audienceSettings: text("audience_settings", { mode: "json" }).$type<
      Partial<AudienceSettings>
    >(),
  },
  (table) => [
    index("projects_by_creator").on(table.createdBy, table.createdAt), // GET /projects
    index("projects_by_workspace").on(table.workspaceId, table.createdAt), // GET /workspaces/{id}/projects
    index("projects_by_bounce_domain")
      .on(table.bounceDomain)
      .where(sql`bounce_domain is not null`),
  ],
);

/** Deleted projects whose rows are still being removed, a bounded number at a time. */
export const projectPurges = sqliteTable("project_purges", {
  projectId: text("project_id").primaryKey(),
  createdAt: timestamp().notNull(),
});

export const API_KEY_TYPES = ["sk", "pk", "sdk"] as const;

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    type: text({ enum: API_KEY_TYPES }).notNull(),
    /** SHA-256 of the whole key. The service shows the key itself once and never stores it. */
    keyHash: text("key_hash").notNull().unique(),
    prefix: text().notNull(),
    rateLimitPerMinute: integer("rate_limit_per_minute"),
    createdAt: timestamp().notNull(),
    lastUsedAt: timestamp(),
    capabilities: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The user who created the key. */
    createdBy: text("created_by").notNull(),
  },
  (table) => [index("api_keys_by_project").on(table.projectId, table.createdAt)],
);

/**
 * Sizes of a project's lists, updated in the same batch as the rows they count, so that no page
 * counts a table. One row per project, WITHOUT ROWID: any update costs one written row.
 */
export const projectCounters = sqliteTable("project_counters", {
  projectId: text("project_id").primaryKey(),
  subscribersActive: integer("subscribers_active").notNull().default(0),
  subscribersPending: integer("subscribers_pending").notNull().default(0),
  subscribersUnsubscribed: integer("subscribers_unsubscribed").notNull().default(0),
  suppressionsHardBounce: integer("suppressions_hard_bounce").notNull().default(0),
  suppressionsUnsubscribed: integer("suppressions_unsubscribed").notNull().default(0),
  suppressionsManual: integer("suppressions_manual").notNull().default(0),
  /** The day (UTC, counted since 1970) of the last suppression by a report without proof … */
  unprovenDay: integer("unproven_day").notNull().default(0),
  /** … the number of such suppressions on that day … */
  unprovenCount: integer("unproven_count").notNull().default(0),
  /** … and the write that was counted last: its other statements check that it was. */
  unprovenClaim: text("unproven_claim").notNull().default(""),
  /** The same of the joins by strangers (services/limits/daily-claim.ts). */
  joinsDay: integer("joins_day").notNull().default(0),
  joinsCount: integer("joins_count").notNull().default(0),
  joinsClaim: text("joins_claim").notNull().default(""),
  /** The bytes that count against the quota of the workspace, in cloud mode alone … */
  storedBytes: integer("stored_bytes").notNull().default(0),
  /** … and the time at which they were last measured. */
  measuredAt: timestamp().notNull().default(0),
});

/** Settings for polling the bounce mailbox. */
export const bounceImap = sqliteTable("bounce_imap", {
  projectId: text("project_id").primaryKey(),
  enabled: integer({ mode: "boolean" }).notNull(),
  host: text().notNull(),
  port: integer().notNull(),
  user: text().notNull(),
  /** Sealed with the context `project:<id>:imap_password`. */
  passwordSealed: text("password_sealed").notNull(),
  folder: text().notNull(),
  lastPolledAt: timestamp(),
  /** JSON of the message that says why the last poll failed; "" if it did not. */
  lastError: text("last_error").notNull().default(""),
  /** Time of the first failed poll since the last success. */
  failingSince: timestamp(),
});

/**
 * The token of the public bounce ingest: hashed for the check, sealed for members who may read the
 * URL.
 */
export const bounceTokens = sqliteTable("bounce_tokens", {
  projectId: text("project_id").primaryKey(),
  tokenHash: text("token_hash").notNull(),
  tokenSealed: text("token_sealed").notNull(),
  rotatedAt: timestamp().notNull(),
});

export const REPORT_KINDS = ["bounce", "complaint"] as const;

/**
 * Reports of the bounce mailbox that prove nothing and did not count, one row an address, for a
 * person to decide. WITHOUT ROWID.
 */
export const unverifiedBounces = sqliteTable(
  "unverified_bounces",
  {
    projectId: text("project_id").notNull(),
    email: text().notNull(),
    kind: text({ enum: REPORT_KINDS }).notNull(),
    /** The reason as a word (API reference §11.7), and the server's own text. */
    reason: text().notNull(),
    words: text().notNull(),
    /** The newest mail to the address, if the log has one. */
    logId: text("log_id"),
    reports: integer().notNull().default(1),
    firstSeenAt: timestamp().notNull(),
    lastSeenAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.email] }),
    index("unverified_bounces_by_age").on(table.projectId, table.lastSeenAt), // newest first
  ],
);

/**
 * The DKIM signatures of the newest mail of a project that came back to its return path or bounce
 * mailbox, for the check of its sender. WITHOUT ROWID.
 */
export const senderSignatures = sqliteTable("sender_signatures", {
  projectId: text("project_id").primaryKey(),
  signatures: text({ mode: "json" }).$type<SeenSignature[]>().notNull(),
  seenAt: timestamp().notNull(),
});
