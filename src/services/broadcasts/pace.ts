import { DAY_MS } from "../../lib/durations.ts";
import type { Pace } from "../../lib/permits/permit-messages.ts";
import type { BroadcastRow } from "./queries.ts";

/** The days after which a warm-up limits nothing any more: its limit is beyond any list by then. */
const WARM_UP_DAYS = 30;

/** Returns the limits of a broadcast at a time; undefined for one without a pace. */
export function paceOf(broadcast: BroadcastRow, now: number): Pace | undefined {
  const { id: broadcastId, perHour, plan, createdAt } = broadcast;
  const perDay = warmUpLimit(plan?.warmUpFirstDay ?? null, now - createdAt);
  return perHour === null && perDay === null ? undefined : { broadcastId, perHour, perDay };
}

/** Returns the mails of a day of a warm-up, which each day after the first doubles. */
function warmUpLimit(firstDay: number | null, sinceStartMs: number): number | null {
  const day = Math.max(0, Math.floor(sinceStartMs / DAY_MS));
  return firstDay === null || day >= WARM_UP_DAYS ? null : firstDay * 2 ** day;
}
