import { consumeIpLimit, type IpCounters } from "../../services/limits/index.ts";
import type { Visitor } from "../../services/tracking/index.ts";

/** Counts a visit by its client address, and tells whether it may change anything. */
export type VisitCap = (visitor: Pick<Visitor, "deps" | "clientIp">) => boolean;

/**
 * Makes the cap on the visits of one server (API reference §4.1). It has its own counters: visitors
 * come from more addresses than callers of the API, and would push those out.
 */
export function createVisitCap(): VisitCap {
  const counters: IpCounters = new Map();
  return (visitor) => consumeIpLimit(visitor, counters, ["visits"])?.allowed ?? true;
}
