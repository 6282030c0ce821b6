import type { SocketFactory } from "../net/connection.ts";
import type { OutgoingMessage, SendResult } from "./message.ts";
import type { SessionPool } from "./session-pool.ts";
import type { SmtpSettings, SmtpTimeouts } from "./settings.ts";

/** The platform allows 6 connections at once in an invocation; the rest is for the database. */
export const CONNECTIONS_MAX = 4;

/**
 * Messages in flight on a session with CHUNKING. Each of them is `unknown` after a crash, so the
 * number is small: 4 are 3.5 times as fast as DATA at a round trip of 20 ms, 8 would be 7 times.
 */
export const WINDOW_MESSAGES_MAX = 4;

/** Without CHUNKING a lane holds the message it sends, and the next, whose envelope goes with it. */
export const HELD_MAX = 2;

/** Most messages taken and not settled at any moment: what a crash may leave unknown. */
export const MESSAGES_IN_HAND_MAX = CONNECTIONS_MAX * Math.max(WINDOW_MESSAGES_MAX, HELD_MAX);

/** A stream of messages for one server; `Item` is a message with whatever the caller keeps with it. */
export interface Shipment<Item extends OutgoingMessage> {
  settings: SmtpSettings;
  sockets: SocketFactory;
  timeouts: SmtpTimeouts;
  /** Sessions side by side; 4 at most, whatever is asked for. */
  maxConnections: number;
  /**
   * Gives the next message, undefined when there are no more. Messages are asked for ahead of time,
   * as many as fit into the windows of all sessions: at most MESSAGES_IN_HAND_MAX are taken and not
   * settled. After a fault of the caller none is asked for; when the server is given up the rest is.
   */
  take: () => Item | undefined | Promise<Item | undefined>;
  /** Gets the result of every message taken, exactly once. */
  settle: (item: Item, result: SendResult) => void | Promise<void>;
  /** Where sessions come from and go to, for the shipments after this. Without: it has its own. */
  pool?: SessionPool | undefined;
}
