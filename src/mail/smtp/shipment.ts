import type { SocketFactory } from "../net/socket.ts";
import type { SmtpConnectError } from "./connect-error.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import type { SessionPool } from "./session-pool.ts";
import type { SmtpSettings, SmtpTimeouts } from "./settings.ts";

/** The platform allows 6 connections at once per invocation; the database needs the rest. */
export const CONNECTIONS_MAX = 4;

/**
 * Messages in flight on a session with CHUNKING. A crash leaves each of them `unknown`, so the
 * number is small: at a round trip of 20 ms, 4 are 3.5 times as fast as DATA, and 8 would be 7
 * times as fast.
 */
export const WINDOW_MESSAGES_MAX = 4;

/**
 * Messages that a lane holds without CHUNKING: the current one, and the next, whose envelope goes
 * with it.
 */
export const HELD_MAX = 2;

/** Most messages in hand at any moment: a crash leaves those that were begun unknown. */
export const MESSAGES_IN_HAND_MAX = CONNECTIONS_MAX * Math.max(WINDOW_MESSAGES_MAX, HELD_MAX);

/** A stream of messages for one server; `Item` is a message with the caller's own data. */
export interface Shipment<Item extends OutgoingMessage> {
  settings: SmtpSettings;
  sockets: SocketFactory;
  timeouts: SmtpTimeouts;
  /** Number of parallel sessions; capped at 4. */
  maxConnections: number;
  /** Returns the number of sessions that may go on. One always may. Without it, all may. */
  connectionsNow?: (() => number) | undefined;
  /**
   * Returns the next message, undefined when none is left, or null when `interrupted` resolves
   * before there is one. The sender takes messages ahead of time, as many as fit into the windows
   * of all sessions: at most MESSAGES_IN_HAND_MAX are taken and not settled. It takes no more after
   * an error of the caller, but takes all the rest when it gives up on the server.
   */
  take: (interrupted: Promise<void>) => Item | undefined | null | Promise<Item | undefined | null>;
  /**
   * Receives the result of every taken message, exactly once. `hasBegun` is true if an earlier try
   * of it had begun to hand its content over.
   */
  settle: (item: Item, result: SendResult, hasBegun: boolean) => void | Promise<void>;
  /** Hears of every session that does not open, and of the number of those that carry on. */
  openFailed?: ((error: SmtpConnectError, others: number) => void | Promise<void>) | undefined;
  /** The time for which it tries to open a session, if it has none; it tries twice in any case. */
  patienceMs?: number | undefined;
  /**
   * Returns true once no more messages may start. Those that no session has begun then settle as
   * `not_sent`.
   */
  isOver?: (() => boolean) | undefined;
  /**
   * Pool that keeps sessions for later shipments. Without it, the shipment uses a pool of its own.
   */
  pool?: SessionPool | undefined;
}
