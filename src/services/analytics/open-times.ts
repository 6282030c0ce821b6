import type { Deps } from "../../deps.ts";
import {
  selectOpenHours,
  touchedHours,
  type OpenHour,
  type Span,
} from "../email-log/reports/index.ts";
import { readableOf, requireReadable } from "./series.ts";

/** The largest number of rows that are read: one for each hour and broadcast. */
const ROWS_MAX = 20_000;

/** The first opens of broadcasts by people in a window, widened to whole hours. */
export interface OpenTimes extends Span {
  /** False if there are more rows than are read; the latest ones are. */
  isComplete: boolean;
  /** Hours with opens, oldest first. */
  hours: OpenHour[];
}

/** Returns the statement that runs along with the access check, for `readOpenTimes`. */
export const openTimesReads = ({ db }: Deps, projectId: string, window: Span) =>
  [selectOpenHours(db, projectId, touchedHours(readableOf(window)), ROWS_MAX)] as const;

/** Returns the opens of a window by hour. Throws as `requireReadable`. */
export function readOpenTimes(window: Span, hours: OpenHour[]): OpenTimes {
  requireReadable(window);
  const rows = hours.reduce((sum, { broadcasts }) => sum + broadcasts, 0);
  return {
    ...touchedHours(window),
    isComplete: rows < ROWS_MAX,
    hours: hours.toSorted((a, b) => a.at - b.at),
  };
}
