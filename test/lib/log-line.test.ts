import { DrizzleQueryError } from "drizzle-orm/errors";
import { describe, expect, it, vi } from "vitest";
import { errorText, logLine } from "../../src/lib/log-line.ts";

describe("the message of an error", () => {
  it("includes its causes and works for any thrown value", () => {
    const cause = new Error("UNIQUE constraint failed: users.email");
    expect(errorText(new Error("Failed query", { cause }))).toBe(
      "Failed query: UNIQUE constraint failed: users.email",
    );
    expect(errorText("text")).toBe("text");
    expect(errorText(undefined)).toBe("undefined");
  });

  it("omits a failed statement, whose parameters contain addresses", () => {
    const cause = new Error("D1_ERROR: network");
    const error = new DrizzleQueryError("select ?", ["ann@people.test"], cause);
    expect(errorText(error)).toBe("D1_ERROR: network");
    expect(errorText(new Error("settle", { cause: error }))).toBe("settle: D1_ERROR: network");
  });
});

describe("a log line", () => {
  it.each([
    ["550 5.1.1 <ann@people.test>: unknown", "550 5.1.1 <[address]>: unknown"],
    ["no such user ann.lee+x@people.test.", "no such user [address]"],
    ["/api/v1/x/ann%40people.test/y", "/api/v1/x/[address]/y"],
    ["smtp://user:ann@people.test", "smtp://user:[address]"],
    ['550 "ann lee"@people.test', "550 [address]"],
    ["jörg@bücher.example, b@c", "[address], [address]"],
    [
      "*/5 * * * * of node_modules/@scope/package @ 3",
      "*/5 * * * * of node_modules/@scope/package @ 3",
    ],
  ])("contains no email address: %s", (error, shown) => {
    const spy = vi.spyOn(console, "warn").mockReturnValue();
    logLine("warn", "failed", { error, mails: 1 });
    expect(spy.mock.calls).toEqual([
      [JSON.stringify({ level: "warn", event: "failed", error: shown, mails: 1 })],
    ]);
    spy.mockRestore();
  });
});
