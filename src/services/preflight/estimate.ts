import {
  BYTES_OF_MAIL,
  CONNECTIONS_OF_SPEED,
  DOLLARS_OF_MILLION_MAILS,
  MAILS_A_SECOND,
} from "../../lib/cost-of-mail.ts";
import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import { dayOf } from "../../lib/rates/end-by-limits.ts";
import { keptMails, type SendingLimits } from "../../lib/rates/sending-limits.ts";

/** The factors that limit the speed of a broadcast. */
export const PACES = [
  "speed",
  "max_per_second",
  "max_per_hour",
  "max_per_day",
  "per_hour",
  "warm_up",
  "time_zones",
] as const;

/** The number of mails that the server accepted in the last hour and day. */
export interface RecentUse {
  lastHour: number;
  lastDay: number;
}

/** The settings of a broadcast that extend its duration. */
export interface Spread {
  perHour: number | null;
  warmUpFirstDay: number | null;
  isByTimeZone: boolean;
}

/** The expected duration and cost of a broadcast. */
export interface Estimate {
  mails: number;
  seconds: number;
  pace: (typeof PACES)[number];
  costUsd: number;
  /** The database space that its log takes. */
  logBytes: number;
}

/** Local times range over 26 hours: UTC−12 to UTC+14. */
const ZONES_SECONDS = 26 * 3_600;

/** Estimates the duration and cost of mails; the slowest factor decides. */
export function estimate(
  mails: number,
  limits: SendingLimits,
  use: RecentUse,
  { perHour, warmUpFirstDay, isByTimeZone }: Spread,
): Estimate {
  const { maxPerSecond, maxPerHour, maxPerDay, maxConnections } = limits;
  const connections = Math.min(CONNECTIONS_OF_SPEED, maxConnections);
  const speed = (MAILS_A_SECOND * connections) / CONNECTIONS_OF_SPEED;
  const paces: Record<Estimate["pace"], number> = {
    speed: mails / speed,
    max_per_second: maxPerSecond === null ? 0 : mails / maxPerSecond,
    max_per_hour: windowsFor(mails, maxPerHour, use.lastHour) * (HOUR_MS / 1_000),
    max_per_day: windowsFor(mails, maxPerDay, use.lastDay) * (DAY_MS / 1_000),
    per_hour: perHour === null ? 0 : (mails / perHour) * (HOUR_MS / 1_000),
    warm_up: warmUpFirstDay === null ? 0 : dayOf(mails, warmUpFirstDay) * (DAY_MS / 1_000),
    time_zones: isByTimeZone && mails > 0 ? ZONES_SECONDS : 0,
  };
  const pace = PACES.reduce((slowest, one) => (paces[one] > paces[slowest] ? one : slowest));
  return {
    mails,
    seconds: Math.ceil(paces[pace]),
    pace,
    costUsd: Math.ceil((mails * DOLLARS_OF_MILLION_MAILS * 100) / 1_000_000) / 100,
    logBytes: mails * BYTES_OF_MAIL,
  };
}

/** Returns the number of mails that broadcasts may still send in a window; null without a limit. */
export function freeInWindow(limit: number | null, used: number): number | null {
  return limit === null ? null : Math.max(0, limit - keptMails(limit) - used);
}

/** Returns the number of windows before the last mail is sent. */
function windowsFor(mails: number, limit: number | null, used: number): number {
  if (limit === null) return 0;
  const waiting = mails - (freeInWindow(limit, used) ?? mails);
  return Math.max(0, Math.ceil(waiting / (limit - keptMails(limit))));
}
