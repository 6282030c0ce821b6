import { clockOf, momentOf } from "../../../lib/time-zones.ts";
import type { BroadcastRow } from "../queries.ts";

/** The easternmost zone is 14 hours ahead of UTC. */
const EARLIEST_OFFSET_MS = 14 * 3_600_000;

/** Returns true for a broadcast that is due at the same wall-clock time in every zone. */
export const goesByZones = ({ plan }: Pick<BroadcastRow, "plan">): boolean =>
  plan?.timeZone != null;

/** Returns the time at which the first zone on earth reaches a wall-clock time. */
export const firstMoment = (sendAt: number, timeZone: string): number => {
  const clock = clockOf(timeZone);
  return clock ? clock(sendAt) - EARLIEST_OFFSET_MS : sendAt;
};

/** The time of a broadcast in its own zone, and in each other zone by name. */
export interface DueTimes {
  own: number;
  others: Record<string, number>;
}

/**
 * Returns the time at which each of these zones gets a broadcast that is sent by time zone. An
 * invalid zone name gets the time of the broadcast's own zone.
 */
export function dueTimes(
  { sendAt, plan }: Pick<BroadcastRow, "sendAt" | "plan">,
  zones: readonly string[],
): DueTimes {
  const own = sendAt ?? 0; // a start by time zone requires a time
  const wall = clockOf(plan?.timeZone ?? "")?.(own);
  const others: Record<string, number> = {};
  for (const zone of zones) {
    const clock = clockOf(zone);
    if (clock && wall !== undefined) others[zone] = momentOf(clock, wall);
  }
  return { own, others };
}
