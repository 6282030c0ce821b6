/* The heat map of opens: hours of UTC as weekdays and hours of a time zone. */
import { describe, expect, it } from "vitest";
import { foldOpens } from "../../dashboard/src/pages/overview/fold-opens.ts";

/** The cells with opens: weekday from Sunday, hour, opens. */
const cellsOf = (zone: string, ...buckets: string[]) =>
  foldOpens(
    buckets.map((bucket) => ({ bucket, opens: 2 })),
    zone,
  ).flatMap((row, day) =>
    row.flatMap((opens, hour) => (opens > 0 ? [[day, hour, opens] as const] : [])),
  );

describe("the opens of an hour", () => {
  it("count on the weekday and hour of the time zone", () => {
    expect(cellsOf("UTC", "2026-11-24T00:00:00Z")).toEqual([[2, 0, 2]]);
    expect(cellsOf("America/New_York", "2026-11-24T00:00:00Z")).toEqual([[1, 19, 2]]);
    expect(cellsOf("Asia/Tokyo", "2026-11-28T15:00:00Z")).toEqual([[0, 0, 2]]);
    expect(cellsOf("Asia/Kolkata", "2026-11-24T04:00:00Z")).toEqual([[2, 9, 2]]); // 9:30
  });

  it("keep their hour of the day when the clocks change within the period", () => {
    const summer = "2026-10-20T07:00:00Z";
    const winter = "2026-10-27T08:00:00Z";
    expect(cellsOf("Europe/Berlin", summer, winter)).toEqual([[2, 9, 4]]);
  });
});
