import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Language } from "../../lib/languages.ts";
import { LOCATION_HINTS } from "../../lib/location-hint.ts";
import type { SendingLimits } from "../../lib/permits/sending-limits.ts";
import type { SeenSignature } from "../../lib/seen-signature.ts";
import { timestamp } from "./columns.ts";

/** Rules of a project for rejections and bounce reports (services/projects/bounce-settings.ts). */
export interface BounceSettings {
  /** True if any 5xx reply to RCPT TO suppresses the address. */
  suppressOnAny5xx: boolean;
  /**
   * Which reports count: `required` accepts only those that prove their mail, `recent` also those
   * about addresses mailed in the last few days.
   */
  bounceProof: BounceProof;
  autoPause: AutoPauseLimits;
  /** Days with a soft bounce after which an address is suppressed; 0 for never. */
  softBounceLimit: number;
  /** Pattern of the envelope sender (mail/return-path.ts); null to use the From address. */
  returnPath: string | null;
  /** Where to forward mail to a return path that is not a report; null to reject it. */
  forwardTo: string | null;
}

/** Thresholds at which a broadcast pauses itself; 0 disables a threshold. */
export interface AutoPauseLimits {
  /** Invalid addresses, in percent of the outcomes in a window. */
  badAddressPct: number;
  /** Rejections for the same sender-side reason, in percent of the outcomes in a window. */
  senderRefusalPct: number;
  /** Consecutive rejections for the same sender-side reason. */
  senderRefusalsInARow: number;
  /** Complaints, in percent of all outcomes. */
  complaintPct: number;
  /** True if a large broadcast starts with a canary and waits until its outcomes are checked. */
  canaryFirst: boolean;
}

/**
 * Requirements of a project for posted reports (services/bounces/ingest-rules.ts); "" for unset.
 */
export interface IngestRules {
  proof: IngestProof;
  /** The only Amazon SNS topic whose messages are accepted. */
  snsTopicArn: string;
  /** SendGrid's verification key: base64 of a SubjectPublicKeyInfo. */
  sendgridKey: string;
  /** Mailgun's signing key, sealed with the context `project:<id>:mailgun_key`. */
  mailgunKeySealed: string;
}

/** What authorizes a posted report: only the token in the URL, or also a signature. */
export const INGEST_PROOFS = ["token", "signature"] as const;
type IngestProof = (typeof INGEST_PROOFS)[number];

/** Only the settings that differ from the defaults. */
export type StoredBounceSettings = Partial<BounceSettings> & { ingest?: Partial<IngestRules> };

export const BOUNCE_PROOFS = ["required", "recent"] as const;
type BounceProof = (typeof BOUNCE_PROOFS)[number];

/** Audience settings of a project (services/projects/audience-settings.ts). */
export interface AudienceSettings {
  /** True if a form signup must be confirmed by email. */
  doubleOptIn: boolean;
  /** Template of the confirmation email; null for the built-in one. */
  confirmationTemplateId: string | null;
  /** Text shown with the project's forms, recorded in the consent history. */
  formText: string;
  language: Language;
  /** Minimum days between two broadcasts to one subscriber; 0 for no minimum. */
  minDaysBetweenBroadcasts: number;
  /** Days to keep the IP addresses of clicks. */
  clickIpDays: number;
  /** Maximum public signups per day (UTC). */
  joinsPerDay: number;
  /**
   * Secret of Cloudflare Turnstile, sealed with the context `project:<id>:turnstile_secret`; "" if
   * signups need no token.
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
    /** Limits of the SMTP server; null for the defaults. */
    sendingLimits: text("sending_limits", { mode: "json" }).$type<SendingLimits>(),
    /** Increases with each change of the limits. */
    sendingVersion: integer("sending_version").notNull().default(0),
    /** The fallback server, used when the first one is unavailable. */
    fallbackHost: text("fallback_host"),
    fallbackPort: integer("fallback_port"),
    fallbackUser: text("fallback_user"),
    /** Sealed with the context `project:<id>:fallback_password`. */
    fallbackPasswordSealed: text("fallback_password_sealed"),
    /** Only the settings that differ from the defaults; null if none do. */
    bounceSettings: text("bounce_settings", { mode: "json" }).$type<StoredBounceSettings>(),
    /** Region hint for the project's Durable Object; null places it near its first caller. */
    locationHint: text("location_hint", { enum: LOCATION_HINTS }),
    /** Domain of the return path, if set. It routes incoming mail that names no project. */
    bounceDomain: text("bounce_domain"),
    /** Only the settings that differ from the defaults; null if none do. */
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

/** Deleted projects whose rows are still being removed in bounded batches. */
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
    /** SHA-256 of the whole key. The key itself is shown once and never stored. */
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
 * counts table rows. One row per project, WITHOUT ROWID: any update costs one written row.
 */
export const projectCounters = sqliteTable("project_counters", {
  projectId: text("project_id").primaryKey(),
  subscribersActive: integer("subscribers_active").notNull().default(0),
  subscribersPending: integer("subscribers_pending").notNull().default(0),
  subscribersUnsubscribed: integer("subscribers_unsubscribed").notNull().default(0),
  suppressionsHardBounce: integer("suppressions_hard_bounce").notNull().default(0),
  suppressionsUnsubscribed: integer("suppressions_unsubscribed").notNull().default(0),
  suppressionsManual: integer("suppressions_manual").notNull().default(0),
  /** Day (UTC, days since 1970-01-01) of the last suppression by an unproven report, … */
  unprovenDay: integer("unproven_day").notNull().default(0),
  /** … the number of these suppressions on that day, … */
  unprovenCount: integer("unproven_count").notNull().default(0),
  /** … and the token of the last counted write, whose other statements check it. */
  unprovenClaim: text("unproven_claim").notNull().default(""),
  /** The same counters for public signups (services/limits/daily-claim.ts). */
  joinsDay: integer("joins_day").notNull().default(0),
  joinsCount: integer("joins_count").notNull().default(0),
  joinsClaim: text("joins_claim").notNull().default(""),
  /** Bytes that count toward the workspace's quota (cloud mode only) … */
  storedBytes: integer("stored_bytes").notNull().default(0),
  /** … and when they were last measured. */
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
  /** Error message of the last poll, as JSON; "" if the poll succeeded. */
  lastError: text("last_error").notNull().default(""),
  /** Time of the first failed poll since the last successful one. */
  failingSince: timestamp(),
});

/**
 * Token of the public bounce ingest: a hash to verify requests, and sealed for members who may read
 * the URL.
 */
export const bounceTokens = sqliteTable("bounce_tokens", {
  projectId: text("project_id").primaryKey(),
  tokenHash: text("token_hash").notNull(),
  tokenSealed: text("token_sealed").notNull(),
  rotatedAt: timestamp().notNull(),
});

export const REPORT_KINDS = ["bounce", "complaint"] as const;

/**
 * Unproven reports from the bounce mailbox that did not count, one row per address, for manual
 * review. WITHOUT ROWID.
 */
export const unverifiedBounces = sqliteTable(
  "unverified_bounces",
  {
    projectId: text("project_id").notNull(),
    email: text().notNull(),
    kind: text({ enum: REPORT_KINDS }).notNull(),
    /** Reason code (API reference §11.7), and the text of the server. */
    reason: text().notNull(),
    words: text().notNull(),
    /** The newest mail to the address, if the log contains one. */
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
 * DKIM signatures of a project's newest mail that came back to its return path or bounce mailbox,
 * used by the sender check. WITHOUT ROWID.
 */
export const senderSignatures = sqliteTable("sender_signatures", {
  projectId: text("project_id").primaryKey(),
  signatures: text({ mode: "json" }).$type<SeenSignature[]>().notNull(),
  seenAt: timestamp().notNull(),
});
