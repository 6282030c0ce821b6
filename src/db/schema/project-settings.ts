/*
 * The settings that a project's row holds as JSON, with their defaults. The row has only those that
 * were changed, so a new setting needs no migration.
 */
import type { Brand } from "../../lib/brand.ts";
import type { Language } from "../../lib/languages.ts";
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
import type { Utm } from "../../lib/utm.ts";

export const BOUNCE_PROOFS = ["required", "recent"] as const;
type BounceProof = (typeof BOUNCE_PROOFS)[number];

/** Rules of a project for rejections and bounce reports (services/projects/bounce-settings.ts). */
export const BOUNCE_DEFAULTS = {
  /** True if any 5xx reply to RCPT TO suppresses the address. */
  suppressOnAny5xx: false,
  /**
   * Which reports count: `required` accepts only those that prove their mail, `recent` also those
   * about addresses mailed in the last few days.
   */
  bounceProof: "recent" as BounceProof,
  /** Thresholds at which a broadcast pauses itself; 0 disables a threshold. */
  autoPause: {
    /** Invalid addresses, in percent of the outcomes in a window. */
    badAddressPct: 5,
    /** Rejections for the same sender-side reason, in percent of the outcomes in a window. */
    senderRefusalPct: 10,
    /** Consecutive rejections for the same sender-side reason. */
    senderRefusalsInARow: 20,
    /** Complaints, in percent of all outcomes. */
    complaintPct: 0.3,
    /** True if a large broadcast starts with a canary and waits until its outcomes are checked. */
    canaryFirst: true,
  },
  /** Days with a soft bounce after which an address is suppressed; 0 for never. */
  softBounceLimit: 5,
  /** Pattern of the envelope sender (mail/return-path.ts); null to use the From address. */
  returnPath: null as string | null,
  /** Where to forward mail to a return path that is not a report; null to reject it. */
  forwardTo: null as string | null,
};
export type BounceSettings = typeof BOUNCE_DEFAULTS;
export type AutoPauseLimits = BounceSettings["autoPause"];

/** What authorizes a posted report: only the token in the URL, or also a signature. */
export const INGEST_PROOFS = ["token", "signature"] as const;
type IngestProof = (typeof INGEST_PROOFS)[number];

/** Providers whose signing keys the projects store sealed. */
export const SIGNING_PROVIDERS = [
  "mailgun",
  "resend",
  "postal",
  "zeptomail",
  "lettermint",
] as const;
export type SigningProvider = (typeof SIGNING_PROVIDERS)[number];

/**
 * Requirements of a project for posted reports (services/bounces/ingest-rules.ts); "" for unset.
 */
export const INGEST_DEFAULTS = {
  proof: "token" as IngestProof,
  /** The only Amazon SNS topic whose messages are accepted. */
  snsTopicArn: "",
  /** SendGrid's verification key: base64 of a SubjectPublicKeyInfo. */
  sendgridKey: "",
  /** Signing keys, sealed with the context `project:<id>:<provider>_key`. */
  mailgunKeySealed: "",
  resendKeySealed: "",
  postalKeySealed: "",
  zeptomailKeySealed: "",
  lettermintKeySealed: "",
};
export type IngestRules = typeof INGEST_DEFAULTS;

export type StoredBounceSettings = Partial<BounceSettings> & { ingest?: Partial<IngestRules> };

/** Audience settings of a project (services/projects/audience-settings.ts). */
export const AUDIENCE_DEFAULTS = {
  /** True if a form signup must be confirmed by email. */
  doubleOptIn: false,
  /** Template of the confirmation email; null for the built-in one. */
  confirmationTemplateId: null as string | null,
  /** Text shown with the project's forms, recorded in the consent history. */
  formText: "",
  language: "en" as Language,
  /** Minimum days between two broadcasts to one subscriber; 0 for no minimum. */
  minDaysBetweenBroadcasts: 0,
  /** Days to keep the IP addresses of clicks. */
  clickIpDays: 30,
  /** Maximum public signups per day (UTC). */
  joinsPerDay: 5_000,
  /**
   * Secret of Cloudflare Turnstile, sealed with the context `project:<id>:turnstile_secret`; "" if
   * signups need no token.
   */
  turnstileSecretSealed: "",
  /** Site key of the same widget, for the pages of the project's forms. */
  turnstileSiteKey: "",
  /** When automations may mail somebody. */
  automations: {
    /** From a time of day up to another, in a named zone or that of the recipient; null for none. */
    quietHours: null as { from: string; to: string; zone: string } | null,
    /** Maximum mails of all automations to one subscriber in seven days; 0 for no maximum. */
    maxPerWeek: 0,
  },
};
export type AudienceSettings = typeof AUDIENCE_DEFAULTS;

/** Settings of a project for its mail (services/projects/mail-settings.ts). */
export const MAIL_DEFAULTS = {
  /** What `from` of a mail may be besides the From address: addresses, and domains as `@acme.example`. */
  senders: [] as string[],
  /** Headers of every mail, names with values; lists, because a change of one replaces it. */
  sendHeaders: [] as [string, string][],
  broadcastHeaders: [] as [string, string][],
  tracking: {} as TrackingSwitches,
  utm: {} as Utm,
  brand: {} as Brand,
};
export type MailSettings = typeof MAIL_DEFAULTS;
