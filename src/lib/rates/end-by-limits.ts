import { DAY_MS, HOUR_MS } from "../durations.ts";
import { PART_MS, perPartOf } from "./pace-windows.ts";
import { keptMails, windowOfRate, type SendingLimits } from "./sending-limits.ts";

/** The limits of a broadcast, and its mails so far, on which the day of its warm-up depends. */
interface Progress {
  perHour: number | null;
  firstDay: number | null;
  mailed: number;
}

/**
 * Returns when the limits of a broadcast and its server allow the last of `left` mails, if they allow
 * the first at `from`, in milliseconds. Each limit gives a window its mails at once.
 */
export function endByLimits(
  left: number,
  from: number,
  { maxPerSecond, maxPerHour, maxPerDay }: SendingLimits,
  { perHour, firstDay, mailed }: Progress,
): number {
  const windowsMs = (limit: number | null, windowMs: number) =>
    limit === null ? 0 : (Math.ceil(left / limit) - 1) * windowMs;
  const shared = (limit: number | null) => limit && limit - keptMails(limit);
  const rate = maxPerSecond === null ? undefined : windowOfRate(maxPerSecond);
  const days = firstDay === null ? 0 : dayOf(mailed + left, firstDay) - dayOf(mailed + 1, firstDay);
  const waitMs = Math.max(
    0,
    windowsMs(perHour && perPartOf(perHour), PART_MS),
    windowsMs(perHour, HOUR_MS),
    windowsMs(rate?.limit ?? null, rate?.windowMs ?? 0),
    windowsMs(shared(maxPerHour), HOUR_MS),
    windowsMs(shared(maxPerDay), DAY_MS),
    days * DAY_MS,
  );
  return from + waitMs;
}

/** Returns the day of a warm-up, from 0, on which its nth mail is sent. */
export function dayOf(nth: number, firstDay: number): number {
  let day = 0;
  for (let sum = firstDay; sum < nth; sum += firstDay * 2 ** day) day += 1;
  return day;
}
