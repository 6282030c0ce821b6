import { clockOf, momentOf } from "../../../lib/time-zones.ts";
import type { BroadcastRow } from "../queries.ts";

/** The easternmost zone is 14 hours ahead of UTC. */
const EARLIEST_OFFSET_MS = 14 * 3_600_000;

/**
 * The wall-clock time at which a broadcast is due in every zone, and its time in the broadcast's
 * own zone.
 */
interface Wall {
  wall: number;
  ownAt: number;
}

/** Returns the wall-clock time of a broadcast sent by time zone; undefined for any other. */
function wallOf({ sendAt, plan }: Pick<BroadcastRow, "sendAt" | "plan">): Wall | undefined {
  const clock = clockOf(plan?.timeZone ?? "");
  if (sendAt === null || !clock) return undefined;
  return { wall: clock(sendAt), ownAt: sendAt };
}

export const goesByZones = (broadcast: Pick<BroadcastRow, "sendAt" | "plan">): boolean =>
  wallOf(broadcast) !== undefined;

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
 * Returns the time at which each of these zones gets a broadcast. An invalid zone name gets the
 * time of the broadcast's own zone.
 */
export function dueTimes(
  broadcast: Pick<BroadcastRow, "sendAt" | "plan">,
  zones: readonly string[],
): DueTimes {
  const meant = wallOf(broadcast);
  if (!meant) throw new Error("the broadcast does not go by time zones");
  const others: Record<string, number> = {};
  for (const zone of zones) {
    const clock = clockOf(zone);
    if (clock) others[zone] = momentOf(clock, meant.wall);
  }
  return { own: meant.ownAt, others };
}
