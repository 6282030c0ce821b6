/* The fields of the dashboard that hold a day with a time, by the clocks of a zone. */
import { describe, expect, it } from "vitest";
import { momentOf, wallClockOf } from "../../dashboard/src/lib/wall-clock.ts";

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"];

describe("a day with a time", () => {
  it("is a moment and the same time again in every zone, also while its year is being typed", () => {
    for (const zone of ZONES)
      for (const year of ["0001", "0002", "0020", "0202", "2026", "9999", "20261"]) {
        const clock = `${year}-11-24T10:00`;
        expect([zone, wallClockOf(momentOf(clock, zone), zone)]).toEqual([zone, clock]);
      }
    expect(momentOf("2026-11-24T10:00:59", "Europe/Berlin")).toBe("2026-11-24T09:00:00.000Z");
  });

  it("is some moment even at the ends of the calendar, so that no page breaks", () => {
    for (const zone of ZONES)
      for (const clock of ["0001-01-01T00:00", "275760-09-13T00:00", "275760-12-31T23:59"])
        expect(wallClockOf(momentOf(clock, zone), zone)).toMatch(/^\d{4,6}-\d\d-\d\dT\d\d:\d\d$/);
  });
});
