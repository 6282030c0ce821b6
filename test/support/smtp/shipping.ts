/* Helpers for tests that send many messages: numbered messages, their outcomes, and arrivals. */
import type { SocketFactory } from "../../../src/mail/net/socket.ts";
import {
  type OutgoingMessage,
  type PoolRules,
  type SendResult,
  SmtpConnectError,
  SmtpPool,
  type SmtpSettings,
  type SmtpTimeouts,
} from "../../../src/mail/smtp/index.ts";
import type { RawServer } from "./raw-client.ts";
import { messageTo, outcomesOf, settingsFor, sockets, TEST_TIMEOUTS } from "./sending.ts";

/** The messages that a caller with bulk mail keeps open. */
export const AT_ONCE = 16;

interface PoolChanges extends Partial<PoolRules> {
  maxConnections?: number;
  timeouts?: SmtpTimeouts;
  sockets?: SocketFactory;
}

/** A pool of four connections by default, without the bounds that a test does not set. */
export function openPool(changes: PoolChanges = {}): SmtpPool {
  const { maxConnections = 4, timeouts = TEST_TIMEOUTS, sockets: factory, ...rules } = changes;
  return new SmtpPool(factory ?? sockets, timeouts, {
    connectionsMax: () => maxConnections,
    now: Date.now,
    waitMs: 20_000,
    checkAfterMs: 5_000,
    idleMs: 20_000,
    mailsMax: Number.POSITIVE_INFINITY,
    ...rules,
  });
}

interface Shipping extends PoolChanges {
  settings?: SmtpSettings;
  /** A pool that stays open. Without it, the shipment has one of its own. */
  pool?: SmtpPool;
}

/**
 * Sends `count` messages as bulk mail, number n to `rn@x.test`, 16 at a time, and returns the
 * results by number, in the order of their arrival.
 */
export async function ship(
  count: number,
  port: number,
  { settings = settingsFor(port), pool, ...changes }: Shipping = {},
  makeMessage = (number: number) => messageTo(`r${number}@x.test`),
): Promise<Map<number, SendResult>> {
  const results = new Map<number, SendResult>();
  const used = pool ?? openPool(changes);
  let taken = 0;
  const sendSome = async () => {
    while (taken < count) {
      const number = (taken += 1);
      results.set(number, await sendBulk(used, settings, makeMessage(number)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  if (!pool) await used.end();
  return results;
}

/** Sends a message as bulk mail. Without a session, every recipient is `not_sent`. */
export async function sendBulk(
  pool: SmtpPool,
  smtp: SmtpSettings,
  message: OutgoingMessage,
): Promise<SendResult> {
  try {
    return (await pool.send(message, { smtp }, { isBulk: true })).result;
  } catch (error) {
    if (!(error instanceof SmtpConnectError)) throw error;
    const { phase, reply, message: text } = error;
    const why = { outcome: "not_sent" as const, phase, error: text, ...(reply ? { reply } : {}) };
    const recipients = message.envelope.to.map((address) => ({ address, ...why }));
    return { recipients, sessionUsable: false };
  }
}

/** Count of each outcome. */
export function tally(results: Map<number, SendResult>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of [...results.values()].flatMap(outcomesOf)) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Number of accepted messages for each recipient of a scripted server. */
export async function deliveries(server: RawServer): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { transactions } of (await server.log()).connections) {
    for (const { rcpt, accepted } of transactions) {
      for (const line of accepted ? rcpt : []) counts.set(line, (counts.get(line) ?? 0) + 1);
    }
  }
  return counts;
}
