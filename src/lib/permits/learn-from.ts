import { learnConnections, learnRate } from "./learned-limits.ts";
import type { Sign } from "./permit-messages.ts";
import type { PermitFacts } from "./permit-store.ts";

/**
 * Updates the learned limits. `others` are the connections of other workers when the server refused
 * another one. Refusing the only connection reveals no limit.
 */
export function learnFrom(
  { limits, connections, perMinute }: PermitFacts,
  { about, why, open }: Sign,
  { others, lastMinute }: { others: number; lastMinute: number },
  now: number,
): Partial<PermitFacts> {
  if (about === "rate") return { perMinute: learnRate(perMinute, lastMinute, why, now) };
  const all = open === undefined ? undefined : open + others;
  if (all === 0) return {};
  const bounds = { most: limits.maxConnections, open: all };
  return { connections: learnConnections(connections, bounds, why, now) };
}
