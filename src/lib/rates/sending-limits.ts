/** Limits of one SMTP server, as configured by its project. Null: no limit. */
export interface SendingLimits {
  maxConnections: number;
  /** Mails per second. A rate below 1 means one mail per `1 / maxPerSecond` seconds. */
  maxPerSecond: number | null;
  maxPerHour: number | null;
  maxPerDay: number | null;
  /** Mails per minute to the recipients of one domain. */
  maxPerDomainPerMinute: number | null;
}

/**
 * The most connections of a project: the platform allows an object six, and it needs one for queues
 * and lookups.
 */
export const CONNECTIONS_MAX = 5;

/** Limits of a project that has set none. */
export const DEFAULT_LIMITS: SendingLimits = {
  maxConnections: CONNECTIONS_MAX,
  maxPerSecond: null,
  maxPerHour: null,
  maxPerDay: null,
  maxPerDomainPerMinute: null,
};

/** Share of the hourly and daily mails reserved for single sends. */
const PART_KEPT = 1 / 10;

/** Returns the mails reserved for single sends. */
export function keptMails(limit: number): number {
  return Math.floor(limit * PART_KEPT);
}

/** Converts a rate per second into a window: `limit` mails in any `windowMs` milliseconds. */
export function windowOfRate(perSecond: number): { limit: number; windowMs: number } {
  if (perSecond >= 1) return { limit: Math.floor(perSecond), windowMs: 1_000 };
  return { limit: 1, windowMs: Math.ceil(1_000 / perSecond) };
}
