import { describe, expect, it } from "vitest";
import type { BranchStep, Step } from "../../src/lib/automation-definition.ts";
import {
  allSteps,
  firstStep,
  nextStep,
  parseSpan,
  stepNamed,
  stepsOfWay,
  waysOf,
} from "../../src/lib/automation-steps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/lib/durations.ts";

const end = (id: string): Step => ({ id, type: "end" });
const inner: BranchStep = {
  id: "inner",
  type: "branch",
  ways: [{ where: "tag:a", steps: [end("a1"), end("a2")] }],
  else: [end("a3")],
};
const outer: BranchStep = {
  id: "outer",
  type: "branch",
  ways: [
    { where: "tag:b", steps: [end("b1"), inner] },
    { where: "tag:c", steps: [] },
  ],
  else: [end("d1")],
};
const definition = { steps: [end("first"), outer, end("last")] };

describe("the steps of an automation", () => {
  it("are listed in the order of the definition, with their paths and parents", () => {
    expect(allSteps(definition).map(({ step, path }) => [step.id, path])).toEqual([
      ["first", "steps.0"],
      ["outer", "steps.1"],
      ["b1", "steps.1.ways.0.steps.0"],
      ["inner", "steps.1.ways.0.steps.1"],
      ["a1", "steps.1.ways.0.steps.1.ways.0.steps.0"],
      ["a2", "steps.1.ways.0.steps.1.ways.0.steps.1"],
      ["a3", "steps.1.ways.0.steps.1.else.0"],
      ["d1", "steps.1.else.0"],
      ["last", "steps.2"],
    ]);
    const parents = allSteps(definition).find(({ step }) => step.id === "a3")?.parents;
    expect(parents).toEqual([
      { branch: outer, way: 0 },
      { branch: inner, way: "else" },
    ]);
  });

  it("are found at any depth, and a name of Object's prototype is none", () => {
    expect(stepNamed(definition, "a2")).toBe(inner.ways[0]?.steps[1]);
    expect(stepNamed(definition, "constructor")).toBeUndefined();
    expect(firstStep(definition)?.id).toBe("first");
    expect(firstStep({ steps: [] })).toBeUndefined();
  });

  it("go on after the branch whose way ends", () => {
    const next = (id: string) => nextStep(definition, id)?.id;
    expect(["first", "outer", "b1", "inner", "a1", "a2", "a3", "d1", "last"].map(next)).toEqual([
      "outer",
      "last",
      "inner",
      "last",
      "a2",
      "last",
      "last",
      "last",
      undefined,
    ]);
    expect(next("none")).toBeUndefined();
  });

  it("of a way may be none", () => {
    expect(waysOf(outer)).toEqual([0, 1, "else"]);
    expect(waysOf(outer).map((way) => stepsOfWay(outer, way).map(({ id }) => id))).toEqual([
      ["b1", "inner"],
      [],
      ["d1"],
    ]);
    expect(stepsOfWay(outer, 2)).toEqual([]);
  });
});

describe("a span", () => {
  it("is 1 minute to 365 days", () => {
    expect(parseSpan("1 minute")).toBe(MINUTE_MS);
    expect(parseSpan("90 minutes")).toBe(90 * MINUTE_MS);
    expect(parseSpan("1 hours")).toBe(HOUR_MS);
    expect(parseSpan("2 weeks")).toBe(14 * DAY_MS);
    expect(parseSpan("365 days")).toBe(365 * DAY_MS);
    const refused = ["", "3", "0 days", "366 days", "53 weeks", "1.5 days", "-1 day", "3  days"];
    for (const text of [...refused, "3 months", "1 day\n", "9999999 minutes", "1 constructor"])
      expect(parseSpan(text), text).toBeUndefined();
  });
});
