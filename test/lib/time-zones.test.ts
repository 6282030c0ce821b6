import { describe, expect, it } from "vitest";
import { clockOf, momentOf } from "../../src/lib/time-zones.ts";

/** Returns the moment at which a zone shows a wall clock, as text. */
function show(zone: string, wall: string) {
  const clock = clockOf(zone);
  if (!clock) throw new Error(`no zone ${zone}`);
  return new Date(momentOf(clock, Date.parse(`${wall}:00Z`))).toISOString().slice(0, 16);
}

describe("the moment of a wall clock", () => {
  it.each([
    ["Europe/Berlin", "2027-07-01T09:00", "2027-07-01T07:00"],
    ["Europe/Berlin", "2027-03-28T01:59", "2027-03-28T00:59"],
    ["Europe/Berlin", "2027-03-28T09:00", "2027-03-28T07:00"],
    ["Asia/Kathmandu", "2027-01-01T09:00", "2027-01-01T03:15"],
    ["Pacific/Kiritimati", "2027-01-01T09:00", "2026-12-31T19:00"],
    ["Etc/GMT+12", "2027-01-01T09:00", "2027-01-01T21:00"],
  ])("of %s at %s is %s UTC", (zone, wall, moment) => {
    expect(show(zone, wall)).toBe(moment);
  });

  it("is the first of two in fall, and is after the change for one that spring skips", () => {
    expect(show("Europe/Berlin", "2027-10-31T02:30")).toBe("2027-10-31T00:30");
    expect(show("America/New_York", "2027-11-07T01:30")).toBe("2027-11-07T05:30");
    expect(show("Europe/Berlin", "2027-03-28T02:30")).toBe("2027-03-28T01:30");
  });

  it("does not exist for an unknown zone", () => {
    for (const zone of ["", "Mars/Olympus", "Europe/Berlin ", "x".repeat(65)])
      expect(clockOf(zone)).toBeUndefined();
  });
});
