import type { WarmUpDay } from "./permit-store.ts";

const DAY_MS = 86_400_000;

/** The time after the start of its newest day after which providers have forgotten a sender. */
export const FORGOTTEN_MS = 30 * DAY_MS;

/**
 * The number of days after which a warm-up no longer limits anything: by then, its limit exceeds
 * any list.
 */
const WARM_UP_DAYS = 30;

/**
 * Returns the day of sending to which a mail belongs that goes now. Days without
 * mails, as in a pause, are no days of a warm-up. A warm-up that providers have forgotten begins
 * anew.
 */
export function dayOfMail(newest: WarmUpDay | undefined, now: number): WarmUpDay {
  if (!newest || now - newest.beganMs >= FORGOTTEN_MS) return { day: 0, beganMs: now };
  return now - newest.beganMs < DAY_MS ? newest : { day: newest.day + 1, beganMs: now };
}

/** Returns the number of mails on a day of a warm-up. It doubles on each day after the first. */
export const warmUpLimit = (firstDay: number, { day }: WarmUpDay): number | null =>
  day >= WARM_UP_DAYS ? null : firstDay * 2 ** day;
