import { consumeIpLimit, type IpCounters } from "../../services/limits/index.ts";
import type { Visitor } from "../../services/tracking/index.ts";

/** Counts a visit by its client address. Returns false if it may not change anything. */
export type VisitCap = (visitor: Pick<Visitor, "deps" | "clientIp">) => boolean;

/**
 * Creates the cap on visits of one server (API reference §4.1). It has its own counters, because
 * visitors have more addresses than API callers do and would evict theirs.
 */
export function createVisitCap(): VisitCap {
  const counters: IpCounters = new Map();
  return (visitor) => consumeIpLimit(visitor, counters, ["visits"])?.allowed ?? true;
}
