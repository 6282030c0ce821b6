import type { SmtpConnectError } from "./connect-error.ts";
import type { SmtpSettings } from "./settings.ts";

/**
 * The connections that bulk mail opens. The platform allows 6 at once per invocation: single mails
 * and the database use the others.
 */
export const BULK_CONNECTIONS_MAX = 4;

/**
 * Messages in flight on a session with CHUNKING. A crash leaves each of them `unknown`, so the
 * number is small: at a round trip of 20 ms, 4 are 3.5 times as fast as DATA, and 8 would be 7
 * times as fast.
 */
export const WINDOW_MESSAGES_MAX = 4;

/** Most bulk messages in hand at any moment: a crash leaves those that were begun unknown. */
export const MESSAGES_IN_HAND_MAX = BULK_CONNECTIONS_MAX * WINDOW_MESSAGES_MAX;

/** The bounds of a pool. */
export interface PoolRules {
  /** Returns the most connections at this moment. */
  connectionsMax: () => number;
  /** Learns the refusals of sessions, with the number of those that carry on or may still open. */
  onRefusal?: (error: SmtpConnectError, settings: SmtpSettings, others: number) => void;
  /** Returns the time in milliseconds. */
  now: () => number;
  /** The longest wait of a message for a session. Bulk mail waits as long as it takes. */
  waitMs: number;
  /** The rest after which a session must answer RSET before it carries another message. */
  checkAfterMs: number;
  /** The rest after which a session ends. */
  idleMs: number;
  /** The messages after which a session ends. */
  mailsMax: number;
}

/** How a message waits. */
export interface SendOptions {
  /** True for a message that lets single ones pass while it waits for a session. */
  isBulk?: boolean;
  /** Returns true once the message may not begin any more. It is then refused while it waits. */
  isOver?: () => boolean;
}
