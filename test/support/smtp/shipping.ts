/* Helpers for tests that send many messages: numbered messages, their outcomes, and arrivals. */
import {
  type OutgoingMessage,
  type SendResult,
  sendOverConnections,
  type Shipment,
} from "../../../src/mail/smtp/index.ts";
import type { RawServer } from "./raw-client.ts";
import { messageTo, outcomesOf, settingsFor, sockets, TEST_TIMEOUTS } from "./sending.ts";

/** A message of a shipment, numbered from 1. */
export interface Numbered extends OutgoingMessage {
  number: number;
}

/**
 * Ships `count` messages, number n to `rn@x.test`, and returns the results by number; a second
 * settle of a message fails.
 */
export async function ship(
  count: number,
  port: number,
  changes: Partial<Shipment<Numbered>> = {},
  makeMessage = (number: number) => messageTo(`r${number}@x.test`),
): Promise<Map<number, SendResult>> {
  const results = new Map<number, SendResult>();
  let taken = 0;
  await sendOverConnections<Numbered>({
    settings: settingsFor(port),
    sockets,
    timeouts: TEST_TIMEOUTS,
    maxConnections: 4,
    take: () => {
      if (taken === count) return undefined;
      taken += 1;
      return { number: taken, ...makeMessage(taken) };
    },
    settle: ({ number }, result) => {
      if (results.has(number)) throw new Error(`message ${number} was settled twice`);
      results.set(number, result);
    },
    ...changes,
  });
  return results;
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
