/* The order of an automation's steps: what the engine, the rehearsal, the API and the dashboard share. */
import type { BranchStep, Definition, Step } from "./automation-definition.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./durations.ts";

/** A way of a branch by its index, or its `else`. */
export type Way = number | "else";

/** A step with its place in the definition. */
export interface PlacedStep {
  step: Step;
  /** Its path in the definition, such as `steps.2.ways.0.steps.1`. */
  path: string;
  /** The branches around it, the outermost first; empty at the top. */
  parents: { branch: BranchStep; way: Way }[];
  /** The step after it, out of the branches around it where they end; undefined for the last. */
  next: Step | undefined;
}

type Steps = Pick<Definition, "steps">;

/** Returns all steps, each branch before the steps of its ways, in the order of the definition. */
export function allSteps({ steps }: Steps): PlacedStep[] {
  return placedSteps(steps, "steps", [], undefined);
}

function placedSteps(
  steps: readonly Step[],
  path: string,
  parents: PlacedStep["parents"],
  after: Step | undefined,
): PlacedStep[] {
  return steps.flatMap((step, index) => {
    const placed = { step, path: `${path}.${index}`, parents, next: steps[index + 1] ?? after };
    if (step.type !== "branch") return [placed];
    const inWays = waysOf(step).flatMap((way) => {
      const place = way === "else" ? "else" : `ways.${way}.steps`;
      const around = [...parents, { branch: step, way }];
      return placedSteps(stepsOfWay(step, way), `${placed.path}.${place}`, around, placed.next);
    });
    return [placed, ...inWays];
  });
}

/** Returns the ways of a branch in the order in which they are tried. */
export const waysOf = ({ ways }: BranchStep): Way[] => [...ways.keys(), "else"];

/** Returns the steps of a way, which may be none: the branch's next step then follows. */
export const stepsOfWay = (branch: BranchStep, way: Way): Step[] =>
  way === "else" ? branch.else : (branch.ways[way]?.steps ?? []);

const placed = (definition: Steps, id: string) =>
  allSteps(definition).find(({ step }) => step.id === id);

/** Returns the step with an id, at any depth; undefined if the definition has none. */
export const stepNamed = (definition: Steps, id: string): Step | undefined =>
  placed(definition, id)?.step;

export const firstStep = ({ steps }: Steps): Step | undefined => steps[0];

/**
 * Returns the step after one: of a branch, the step that follows it, and of the last step of a way,
 * the step that follows the branch. Returns undefined for the last step of all, and for an id that
 * the definition does not have.
 */
export const nextStep = (definition: Steps, id: string): Step | undefined =>
  placed(definition, id)?.next;

const UNIT_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };
const SPAN = /^(\d{1,6}) (minute|hour|day|week)s?$/;

/** Parses a span of 1 minute to 365 days, such as "3 days", to milliseconds. */
export function parseSpan(text: string): number | undefined {
  const [, amount, unit] = SPAN.exec(text) ?? [];
  const ms = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return ms >= MINUTE_MS && ms <= 365 * DAY_MS ? ms : undefined;
}
