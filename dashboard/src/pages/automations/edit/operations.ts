import type { Step } from "../../../../../src/lib/automation-definition.ts";
import { stepsOfWay, waysOf, type Way } from "../../../../../src/lib/automation-steps.ts";

/** A list of steps: a way of a branch, or undefined for the steps of the automation. */
export type Place = { branchId: string; way: Way } | undefined;

/** Where a step is put: before the step with this index. */
export interface Spot {
  place: Place;
  index: number;
}

const isSame = (one: Place, other: Place) =>
  one?.branchId === other?.branchId && one?.way === other?.way;

/** Changes each list of steps, the inner ones first. */
function mapLists(
  steps: readonly Step[],
  change: (list: Step[], place: Place) => Step[],
  place?: Place,
): Step[] {
  const list = steps.map((step): Step => {
    if (step.type !== "branch") return step;
    const changed = (way: Way) =>
      mapLists(stepsOfWay(step, way), change, { branchId: step.id, way });
    return {
      ...step,
      ways: step.ways.map(({ where }, way) => ({ where, steps: changed(way) })),
      else: changed("else"),
    };
  });
  return change(list, place);
}

export const insertStep = (steps: readonly Step[], spot: Spot, step: Step): Step[] =>
  mapLists(steps, (list, place) =>
    isSame(place, spot.place) ? list.toSpliced(spot.index, 0, step) : list,
  );

export const removeStep = (steps: readonly Step[], id: string): Step[] =>
  mapLists(steps, (list) => list.filter((step) => step.id !== id));

/** Replaces a step by its id. A branch keeps the steps that are given. */
export const replaceStep = (steps: readonly Step[], next: Step): Step[] =>
  mapLists(steps, (list) => list.map((step) => (step.id === next.id ? next : step)));

/** Returns all spots in the order in which the page shows them. */
function spotsOf(steps: readonly Step[], place?: Place): Spot[] {
  const after = steps.flatMap((step, index) => [
    ...(step.type === "branch"
      ? waysOf(step).flatMap((way) => spotsOf(stepsOfWay(step, way), { branchId: step.id, way }))
      : []),
    { place, index: index + 1 },
  ]);
  return [{ place, index: 0 }, ...after];
}

/** Returns the spot of a step. */
export function spotOf(steps: readonly Step[], id: string, place?: Place): Spot | undefined {
  for (const [index, step] of steps.entries()) {
    if (step.id === id) return { place, index };
    if (step.type !== "branch") continue;
    for (const way of waysOf(step)) {
      const found = spotOf(stepsOfWay(step, way), id, { branchId: step.id, way });
      if (found) return found;
    }
  }
  return undefined;
}

/**
 * Moves a step to the next spot that the page shows, also into a branch and out of it. Returns
 * undefined at the end.
 */
export function moveStep(steps: readonly Step[], step: Step, by: 1 | -1): Step[] | undefined {
  const from = spotOf(steps, step.id);
  if (!from) return undefined;
  const rest = removeStep(steps, step.id);
  const spots = spotsOf(rest);
  const at = spots.findIndex(
    ({ place, index }) => index === from.index && isSame(place, from.place),
  );
  const to = spots[at + by];
  return to && insertStep(rest, to, step);
}

/** Ids are random, so that edits of two people never give two steps the same one. */
export const newId = (type: Step["type"]): string => `${type}-${crypto.randomUUID().slice(0, 8)}`;

/** Returns a copy of a step with ids of its own. */
export function copyOf(step: Step): Step {
  const id = newId(step.type);
  if (step.type !== "branch") return { ...step, id };
  return {
    ...step,
    id,
    ways: step.ways.map(({ where, steps }) => ({ where, steps: steps.map(copyOf) })),
    else: step.else.map(copyOf),
  };
}
