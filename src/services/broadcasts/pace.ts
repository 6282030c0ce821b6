import type { Pace } from "../../lib/rates/rate-types.ts";
import type { BroadcastRow } from "./queries.ts";

/** Returns the limits of a broadcast; undefined for one without a pace. */
export function paceOf({ id: broadcastId, perHour, plan }: BroadcastRow): Pace | undefined {
  const firstDay = plan?.warmUpFirstDay ?? null;
  if (perHour === null && firstDay === null) return undefined;
  return { broadcastId, perHour, firstDay };
}
