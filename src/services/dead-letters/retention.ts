import { DAY_MS } from "../../lib/durations.ts";

/** The time for which a dead letter is kept, replayed or not. */
export const KEPT_MS = 14 * DAY_MS;
