import type { Step } from "../../../../../src/lib/automation-definition.ts";
import { allSteps } from "../../../../../src/lib/automation-steps.ts";
import type { Edited } from "./edited.ts";
import { insertStep, removeStep, replaceStep, spotOf, type Spot } from "./operations.ts";

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A step without the steps in its ways. */
const own = (step: Step): Step =>
  step.type === "branch"
    ? { ...step, ways: step.ways.map(({ where }) => ({ where, steps: [] })), else: [] }
    : step;

/** The ids of all steps with their places. */
const orderOf = (steps: readonly Step[]) =>
  allSteps({ steps: [...steps] }).map(({ step, path }) => [path, step.id]);

const byId = (steps: readonly Step[]) =>
  new Map(allSteps({ steps: [...steps] }).map(({ step }) => [step.id, step]));

/**
 * Merges two edits of the same automation. Where both changed the same thing, mine stays; a step
 * that either of them added or changed is kept.
 */
export function merge(base: Edited, mine: Edited, theirs: Edited): Edited {
  const part = <T>(was: T, my: T, their: T): T => (same(was, my) ? their : my);
  const goal = part(base.goal, mine.goal, theirs.goal);
  return {
    name: part(base.name, mine.name, theirs.name),
    trigger: part(base.trigger, mine.trigger, theirs.trigger),
    steps: mergeSteps(base.steps, mine.steps, theirs.steps),
    ...(goal ? { goal } : {}),
    reentry: part(base.reentry, mine.reentry, theirs.reentry),
  };
}

function mergeSteps(base: Step[], mine: Step[], theirs: Step[]): Step[] {
  const was = byId(base);
  const my = byId(mine);
  const isChanged = (step: Step) => {
    const former = was.get(step.id);
    return !former || !same(own(former), own(step));
  };
  const isOrderMine = !same(orderOf(base), orderOf(mine));
  const [order, other] = isOrderMine ? [mine, theirs] : [theirs, mine];
  let merged = order;
  for (const step of byId(other).values()) {
    if (!isChanged(step)) continue;
    const there = byId(merged).get(step.id);
    const winner = my.get(step.id);
    if (there && isOrderMine && winner && isChanged(winner)) continue;
    merged = there
      ? replaceStep(merged, withStepsOf(step, there))
      : insertStep(merged, nearest(merged, other, step.id), withoutKnown(step, merged));
  }
  return merged;
}

/** A step with the steps in the ways of another state of it. */
function withStepsOf(step: Step, there: Step): Step {
  if (step.type !== "branch" || there.type !== "branch") return step;
  const ways = step.ways.map((way, index) => ({
    ...way,
    steps: there.ways[index]?.steps ?? way.steps,
  }));
  return { ...step, ways, else: there.else };
}

/** The spot that a step has in another order; at the end if its branch is gone. */
function nearest(steps: Step[], other: Step[], id: string): Spot {
  const spot = spotOf(other, id);
  const isThere =
    spot?.place === undefined || byId(steps).get(spot.place.branchId)?.type === "branch";
  return spot && isThere ? spot : { place: undefined, index: steps.length };
}

/** A step without those steps in its ways that are elsewhere already: an id occurs once. */
function withoutKnown(step: Step, steps: Step[]): Step {
  const known = byId(steps);
  const inside = allSteps({ steps: [step] }).filter((one) => known.has(one.step.id));
  const [left = step] = inside.reduce<Step[]>((all, one) => removeStep(all, one.step.id), [step]);
  return left;
}
