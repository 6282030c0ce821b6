import { DAY_MS } from "../../lib/durations.ts";
import type { Pace } from "../../lib/permits/permit-messages.ts";
import type { BroadcastRow } from "./queries.ts";

/**
 * The number of days after which a warm-up no longer limits anything: by then, its limit exceeds
 * any list.
 */
const WARM_UP_DAYS = 30;

/** Returns the limits of a broadcast at a time. Undefined for a broadcast without a pace. */
export function paceOf(broadcast: BroadcastRow, now: number): Pace | undefined {
  const { id: broadcastId, perHour, plan, createdAt } = broadcast;
  const perDay = warmUpLimit(plan?.warmUpFirstDay ?? null, now - createdAt);
  return perHour === null && perDay === null ? undefined : { broadcastId, perHour, perDay };
}

/** Returns the number of mails on a day of a warm-up. It doubles on each day after the first. */
function warmUpLimit(firstDay: number | null, sinceStartMs: number): number | null {
  const day = Math.max(0, Math.floor(sinceStartMs / DAY_MS));
  return firstDay === null || day >= WARM_UP_DAYS ? null : firstDay * 2 ** day;
}
