/** The limits of one SMTP server, as its project has set them. Null: no limit. */
export interface SendingLimits {
  maxConnections: number;
  /** Mails a second. A rate below 1 is one mail in `1 / maxPerSecond` seconds. */
  maxPerSecond: number | null;
  maxPerHour: number | null;
  maxPerDay: number | null;
  /** Mails a minute to the recipients of one domain. */
  maxPerDomainPerMinute: number | null;
}

/** The limits of a project that has set none. */
export const DEFAULT_LIMITS: SendingLimits = {
  maxConnections: 6,
  maxPerSecond: null,
  maxPerHour: null,
  maxPerDay: null,
  maxPerDomainPerMinute: null,
};

/** The connections that broadcasts leave to single sends. */
const CONNECTIONS_KEPT = 2;

/** The part of an hour's and a day's mails that broadcasts leave to single sends. */
const PART_KEPT = 1 / 10;

/**
 * Returns the connections that broadcasts leave to single sends: two, or fewer if two would leave
 * none to a broadcast.
 */
export function keptConnections(connections: number): number {
  return Math.max(0, Math.min(CONNECTIONS_KEPT, connections - 1));
}

/** Returns the mails that broadcasts leave to single sends. */
export function keptMails(limit: number): number {
  return Math.floor(limit * PART_KEPT);
}

/** Returns the window of a rate by the second: `limit` mails in any `windowMs` milliseconds. */
export function windowOfRate(perSecond: number): { limit: number; windowMs: number } {
  if (perSecond >= 1) return { limit: Math.floor(perSecond), windowMs: 1_000 };
  return { limit: 1, windowMs: Math.ceil(1_000 / perSecond) };
}

/** Returns true if a rate is limited, and not the connections alone. */
export function limitsRate(limits: SendingLimits): boolean {
  const { maxPerSecond, maxPerHour, maxPerDay, maxPerDomainPerMinute } = limits;
  return [maxPerSecond, maxPerHour, maxPerDay, maxPerDomainPerMinute].some((max) => max !== null);
}
