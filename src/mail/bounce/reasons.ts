/**
 * Consequence of a rejection for the address:
 * - `bad_address`: mail to it can never arrive, so the service suppresses it;
 * - `not_address`: a permanent failure caused by the sender, a policy, the content, a full mailbox
 *   or the system;
 * - `temporary`: a later attempt may succeed.
 */
export type RefusalClass = "bad_address" | "not_address" | "temporary";

/** Every rejection reason, with its class. A 4xx reply is always temporary. */
const CLASSES = {
  /** The mailbox does not exist, or its owner moved away. */
  user_unknown: "bad_address",
  /** The mailbox does not exist, or its owner has moved. */
  mailbox_disabled: "bad_address",
  /** The domain does not exist in DNS. */
  host_unknown: "bad_address",
  /** The domain accepts no mail: no MX, a null MX (RFC 7505), or a host that says so (RFC 7504). */
  no_mx: "bad_address",
  mailbox_full: "not_address",
  /** The envelope sender is rejected: unknown, forbidden, or its domain is. */
  sender_rejected: "not_address",
  /** A blocklist, or the reputation of the sending host or domain. */
  blocked: "not_address",
  /** A rule of the recipient or its system. */
  policy: "not_address",
  /** SPF, DKIM, DMARC, reverse DNS or the HELO name. */
  authentication: "not_address",
  /** Spam, a virus, or content that the system does not accept. */
  content: "not_address",
  too_large: "not_address",
  relaying_denied: "not_address",
  /** The receiving system is broken or misconfigured. */
  system: "not_address",
  /** No reason is given. */
  unknown: "not_address",
  rate_limited: "temporary",
  greylisted: "temporary",
  /** DNS or the connection failed. */
  network: "temporary",
  /** The sending system gave up after days of temporary failures. */
  expired: "temporary",
} as const satisfies Record<string, RefusalClass>;

/** Rejection reason, as in the log, webhooks and the dashboard. */
export type RefusalReason = keyof typeof CLASSES;

export const classOf = (reason: RefusalReason): RefusalClass => CLASSES[reason];

/** Reasons specific to the mailbox or its domain rather than the sender or the network. */
const OF_MAILBOX: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  "mailbox_full",
  "user_unknown",
  "mailbox_disabled",
  "host_unknown",
  "no_mx",
  "expired",
]);

/**
 * Returns true if a temporary rejection with this reason is a soft bounce of its address (API
 * reference §14.5). Other temporary rejections affect many recipients alike.
 */
export const isSoftBounce = (reason: RefusalReason) => OF_MAILBOX.has(reason);

/** Reasons that affect every recipient alike, because they are about the sender or the mail. */
const SENDER_SIDE: ReadonlySet<string> = new Set<RefusalReason>([
  "sender_rejected",
  "blocked",
  "authentication",
  "policy",
  "content",
  "relaying_denied",
  "too_large",
]);

export const isSenderSide = (reason: string | null) => reason !== null && SENDER_SIDE.has(reason);

/** Every reason, in the order of the table. */
export const REFUSAL_REASONS = Object.keys(CLASSES) as [RefusalReason, ...RefusalReason[]];
