/* How the editor of an automation changes its steps, and merges the edits of two people. */
import { describe, expect, it } from "vitest";
import { gapsOf } from "../../dashboard/src/pages/automations/edit/gaps.ts";
import { merge } from "../../dashboard/src/pages/automations/edit/merge.ts";
import {
  copyOf,
  insertStep,
  moveStep,
  removeStep,
  replaceStep,
} from "../../dashboard/src/pages/automations/edit/operations.ts";
import type { Edited } from "../../dashboard/src/pages/automations/edit/edited.ts";
import type { BranchStep, Step } from "../../src/lib/automation-definition.ts";
import { allSteps, stepNamed } from "../../src/lib/automation-steps.ts";

const wait = (id: string, days = 1): Step => ({ id, type: "wait", for: `${days} days` });
const branch = (id: string, way: Step[], rest: Step[]): BranchStep => ({
  id,
  type: "branch",
  ways: [{ where: "tag:vip", steps: way }],
  else: rest,
});

/** The ids with their places. */
const shape = (steps: Step[]): string =>
  steps
    .map((step) =>
      step.type === "branch"
        ? `${step.id}(${step.ways.map((way) => shape(way.steps)).join("|")}|${shape(step.else)})`
        : step.id,
    )
    .join(" ");

const STEPS = [wait("a"), branch("b", [wait("c")], [wait("d")]), wait("e")];
const named = (id: string) => stepNamed({ steps: STEPS }, id) ?? wait("?");

describe("the steps of an automation", () => {
  it("move through all places that the page shows, into branches and out of them", () => {
    let steps: Step[] | undefined = STEPS;
    const down: string[] = [];
    while (steps) {
      down.push(shape(steps));
      steps = moveStep(steps, named("a"), 1);
    }
    expect(down).toEqual([
      "a b(c|d) e",
      "b(a c|d) e",
      "b(c a|d) e",
      "b(c|a d) e",
      "b(c|d a) e",
      "b(c|d) a e",
      "b(c|d) e a",
    ]);
    let back: Step[] | undefined = moveStep(STEPS, named("e"), -1);
    const up: string[] = [];
    while (back) {
      up.push(shape(back));
      back = moveStep(back, named("e"), -1);
    }
    expect(up.at(0)).toBe("a b(c|d e)");
    expect(up.at(-1)).toBe("e a b(c|d)");
  });

  it("move with their branch, and never into themselves", () => {
    expect(shape(moveStep(STEPS, named("b"), 1) ?? [])).toBe("a e b(c|d)");
    expect(moveStep([named("b")], named("b"), 1)).toBeUndefined();
  });

  it("are added, replaced, removed and copied at any depth", () => {
    const place = { branchId: "b", way: "else" } as const;
    const added = insertStep(STEPS, { place, index: 1 }, wait("f"));
    expect(shape(added)).toBe("a b(c|d f) e");
    expect(stepNamed({ steps: replaceStep(added, wait("f", 9)) }, "f")).toEqual(wait("f", 9));
    expect(shape(removeStep(added, "d"))).toBe("a b(c|f) e");
    const ids = allSteps({ steps: [...STEPS, copyOf(named("b"))] }).map(({ step }) => step.id);
    expect(new Set(ids).size).toBe(8);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9_-]{1,40}$/);
  });
});

describe("two edits of an automation", () => {
  const base: Edited = {
    name: "News",
    trigger: { type: "joined" },
    steps: STEPS,
    reentry: "never",
  };
  const edited = (change: Partial<Edited>): Edited => ({ ...base, ...change });

  it("are merged where they change different things", () => {
    const mine = edited({ name: "Mine", steps: replaceStep(STEPS, wait("c", 5)) });
    const theirs = edited({
      goal: { event: "purchased" },
      steps: insertStep(removeStep(STEPS, "e"), { place: undefined, index: 0 }, wait("new")),
    });
    const merged = merge(base, mine, theirs);
    expect(merged).toMatchObject({ name: "Mine", goal: { event: "purchased" } });
    expect(shape(merged.steps)).toBe("new a b(c|d)");
    expect(stepNamed(merged, "c")).toEqual(wait("c", 5));
  });

  it("keep mine where both changed the same, and every step that either added or changed", () => {
    const place = { branchId: "b", way: 0 } as const;
    const mine = edited({
      steps: removeStep(
        replaceStep(insertStep(STEPS, { place, index: 0 }, wait("m")), wait("a", 7)),
        "d",
      ),
    });
    const theirs = edited({
      steps: replaceStep(
        replaceStep(insertStep(STEPS, { place, index: 1 }, wait("t")), wait("a", 8)),
        wait("d", 9),
      ),
    });
    const merged = merge(base, mine, theirs);
    expect(shape(merged.steps)).toBe("a b(m t c|d) e");
    expect(stepNamed(merged, "a")).toEqual(wait("a", 7));
    expect(stepNamed(merged, "d")).toEqual(wait("d", 9));
  });

  it("keep the condition of one and the steps of the other in the same branch", () => {
    const b = named("b") as BranchStep;
    const other = { ...b, ways: b.ways.map((way) => ({ ...way, where: "tag:new" })) };
    const mine = edited({ steps: replaceStep(STEPS, other) });
    const theirs = edited({ steps: moveStep(STEPS, named("e"), -1) ?? [] });
    for (const merged of [merge(base, mine, theirs), merge(base, theirs, mine)]) {
      expect(shape(merged.steps)).toBe("a b(c|d e)");
      expect(stepNamed(merged, "b")).toMatchObject({ ways: [{ where: "tag:new" }] });
    }
  });

  it("keep a step that one changed in a branch that the other deleted", () => {
    const mine = edited({ steps: replaceStep(STEPS, wait("c", 5)) });
    const theirs = edited({ steps: removeStep(STEPS, "b") });
    for (const merged of [merge(base, mine, theirs), merge(base, theirs, mine)]) {
      expect(stepNamed(merged, "c")).toEqual(wait("c", 5));
      const ids = allSteps(merged).map(({ step }) => step.id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

it("an automation with an empty field is not saved yet", () => {
  const steps: Step[] = [{ id: "w", type: "wait", event: { name: "", within: "1 day" } }];
  const trigger = { type: "tag_added", tag: "" } as const;
  const goal = { event: "" };
  expect(gapsOf({ name: " ", trigger, steps, goal, reentry: "never" })).toEqual([
    "name",
    "trigger.tag",
    "steps.0.event.name",
    "goal.event",
  ]);
});
