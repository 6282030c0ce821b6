import {
  BYTES_OF_MAIL,
  CONNECTIONS_OF_SPEED,
  DOLLARS_OF_MILLION_MAILS,
  MAILS_A_SECOND,
} from "../../lib/cost-of-mail.ts";
import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import {
  keptConnections,
  keptMails,
  type SendingLimits,
} from "../../lib/permits/sending-limits.ts";

/** The facts that decide how long a broadcast takes. */
export const PACES = [
  "speed",
  "max_per_second",
  "max_per_hour",
  "max_per_day",
  "per_hour",
  "warm_up",
  "time_zones",
] as const;

/** The mails that the server took in the last hour and day. */
export interface RecentUse {
  lastHour: number;
  lastDay: number;
}

/** The choices of a broadcast that stretch it. */
export interface Spread {
  perHour: number | null;
  warmUpFirstDay: number | null;
  isByTimeZone: boolean;
}

/** The expected course of a broadcast. */
export interface Estimate {
  mails: number;
  seconds: number;
  pace: (typeof PACES)[number];
  dollars: number;
  /** The room in the database that its log takes. */
  bytes: number;
}

/** The clocks of the world are up to 26 hours apart: UTC−12 to UTC+14. */
const ZONES_SECONDS = 26 * 3_600;

/** Estimates the time and the cost of mails; the slowest pace decides. */
export function estimate(
  mails: number,
  limits: SendingLimits,
  use: RecentUse,
  { perHour, warmUpFirstDay, isByTimeZone }: Spread,
): Estimate {
  const { maxPerSecond, maxPerHour, maxPerDay, maxConnections } = limits;
  const connections = Math.min(
    CONNECTIONS_OF_SPEED,
    maxConnections - keptConnections(maxConnections),
  );
  const speed = (MAILS_A_SECOND * connections) / CONNECTIONS_OF_SPEED;
  const paces: Record<Estimate["pace"], number> = {
    speed: mails / speed,
    max_per_second: maxPerSecond === null ? 0 : mails / maxPerSecond,
    max_per_hour: windowsFor(mails, maxPerHour, use.lastHour) * (HOUR_MS / 1_000),
    max_per_day: windowsFor(mails, maxPerDay, use.lastDay) * (DAY_MS / 1_000),
    per_hour: perHour === null ? 0 : (mails / perHour) * (HOUR_MS / 1_000),
    warm_up: warmUpFirstDay === null ? 0 : warmUpDays(mails, warmUpFirstDay) * (DAY_MS / 1_000),
    time_zones: isByTimeZone && mails > 0 ? ZONES_SECONDS : 0,
  };
  const pace = PACES.reduce((slowest, one) => (paces[one] > paces[slowest] ? one : slowest));
  return {
    mails,
    seconds: Math.ceil(paces[pace]),
    pace,
    dollars: Math.ceil((mails * DOLLARS_OF_MILLION_MAILS * 100) / 1_000_000) / 100,
    bytes: mails * BYTES_OF_MAIL,
  };
}

/** Returns the mails of a window that broadcasts may still use; null without a limit. */
export function freeInWindow(limit: number | null, used: number): number | null {
  return limit === null ? null : Math.max(0, limit - keptMails(limit) - used);
}

/** Returns the windows that must pass before the last mail leaves. */
function windowsFor(mails: number, limit: number | null, used: number): number {
  if (limit === null) return 0;
  const waiting = mails - (freeInWindow(limit, used) ?? mails);
  return Math.max(0, Math.ceil(waiting / (limit - keptMails(limit))));
}

/**
 * Returns the days before the one on which the last mail leaves, while each doubles the one before.
 */
function warmUpDays(mails: number, firstDay: number): number {
  let days = 0;
  for (let sum = firstDay; sum < mails; sum += firstDay * 2 ** days) days += 1;
  return days;
}
