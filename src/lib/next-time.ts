import { WEEKDAYS, type Until } from "./automation-definition.ts";
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from "./durations.ts";
import { momentOf, type Clock } from "./time-zones.ts";

/** Returns the first moment after another at which a clock shows a time, on a weekday if any. */
export function nextTime({ weekday, time }: Omit<Until, "zone">, clock: Clock, after: number) {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const first = floorTo(clock(after), DAY_MS) + hours * HOUR_MS + minutes * MINUTE_MS;
  const days = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((day) => first + day * DAY_MS);
  const fitting = days.filter((wall) => weekday === undefined || weekdayOf(wall) === weekday);
  const moments = fitting.map((wall) => momentOf(clock, wall));
  return Math.min(...moments.filter((at) => at > after));
}

const weekdayOf = (wall: number) => WEEKDAYS[(new Date(wall).getUTCDay() + 6) % 7];
