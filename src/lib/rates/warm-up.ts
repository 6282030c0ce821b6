import type { WarmUpDay } from "./rate-store.ts";

const DAY_MS = 86_400_000;

/**
 * How long after the start of the latest day a warm-up starts over, because providers have
 * forgotten the sender.
 */
export const FORGOTTEN_MS = 30 * DAY_MS;

/** Days after which a warm-up no longer limits anything: its limit then exceeds any list. */
const WARM_UP_DAYS = 30;

/**
 * Returns the sending day of a mail sent now. Days without mails, such as during a pause, do not
 * count. A forgotten warm-up starts over.
 */
export function dayOfMail(newest: WarmUpDay | undefined, now: number): WarmUpDay {
  if (!newest || now - newest.beganMs >= FORGOTTEN_MS) return { day: 0, beganMs: now };
  return now - newest.beganMs < DAY_MS ? newest : { day: newest.day + 1, beganMs: now };
}

/** Returns the limit of a warm-up day, which doubles each day. */
export const warmUpLimit = (firstDay: number, { day }: WarmUpDay): number | null =>
  day >= WARM_UP_DAYS ? null : firstDay * 2 ** day;
