import { clockOf, momentOf } from "../../../lib/time-zones.ts";
import type { BroadcastRow } from "../queries.ts";

/** The earliest zone is 14 hours ahead of UTC. */
const EARLIEST_OFFSET_MS = 14 * 3_600_000;

/** The wall clock that a broadcast means in every zone, and the moment of it in its own zone. */
interface Wall {
  wall: number;
  ownAt: number;
}

/** Returns the wall clock of a broadcast that goes by time zones; undefined for any other. */
function wallOf({ sendAt, plan }: Pick<BroadcastRow, "sendAt" | "plan">): Wall | undefined {
  const clock = clockOf(plan?.timeZone ?? "");
  if (sendAt === null || !clock) return undefined;
  return { wall: clock(sendAt), ownAt: sendAt };
}

export const goesByZones = (broadcast: Pick<BroadcastRow, "sendAt" | "plan">): boolean =>
  wallOf(broadcast) !== undefined;

/** Returns the moment at which the first zone on earth reaches a wall clock. */
export const firstMoment = (sendAt: number, timeZone: string): number => {
  const clock = clockOf(timeZone);
  return clock ? clock(sendAt) - EARLIEST_OFFSET_MS : sendAt;
};

/** The time of a broadcast in its own zone, and by the name of each other zone. */
export interface DueTimes {
  own: number;
  others: Record<string, number>;
}

/**
 * Returns the time at which each of these zones gets a broadcast. A name that is no zone gets it
 * with the broadcast's own zone.
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
