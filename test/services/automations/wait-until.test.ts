import { expect, it } from "vitest";
import { endOfWait } from "../../../src/services/automations/wait-until.ts";

const after = (zone: string, at: string, time: string, weekday?: "sunday" | "friday") => {
  const until = { time, zone: "recipient", ...(weekday && { weekday }) };
  return new Date(endOfWait({ id: "w", type: "wait", until }, zone, Date.parse(at))).toISOString();
};

it("waits for the next time of day of a zone, never for the moment itself", () => {
  expect(after("UTC", "2026-11-02T07:59:59.999Z", "08:00")).toBe("2026-11-02T08:00:00.000Z");
  expect(after("UTC", "2026-11-02T08:00:00.000Z", "08:00")).toBe("2026-11-03T08:00:00.000Z");
  expect(after("Asia/Tokyo", "2026-11-02T22:00:00Z", "08:00")).toBe("2026-11-02T23:00:00.000Z");
});

it("waits for the weekday as the zone counts it, a whole week if need be", () => {
  const friday = "2026-11-06T12:00:00Z";
  expect(after("UTC", friday, "12:00", "friday")).toBe("2026-11-13T12:00:00.000Z");
  expect(after("Pacific/Auckland", friday, "01:30", "friday")).toBe("2026-11-12T12:30:00.000Z");
});

it("waits for a time that daylight saving skips as if it did not", () => {
  const saturday = "2026-03-28T12:00:00Z";
  expect(after("Europe/Berlin", saturday, "02:30", "sunday")).toBe("2026-03-29T01:30:00.000Z");
});
