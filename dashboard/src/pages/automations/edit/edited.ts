import type { Definition } from "../../../../../src/lib/automation-definition.ts";
import type * as Api from "../../../../../client/src/types.ts";

/** What the editor changes: the name of an automation and its definition. */
export interface Edited extends Definition {
  name: string;
}

/**
 * Returns a definition with its name. The service has checked it; the types of the client are wider.
 */
export const definitionOf = (
  made: Pick<Api.Automation, "name" | "trigger" | "steps" | "reentry"> & {
    goal?: Api.AutomationGoal;
  },
): Edited => made as Edited;

/** Returns what can be edited of an automation. */
export const editedOf = ({ name, trigger, steps, goal, reentry }: Api.Automation): Edited =>
  definitionOf({ name, trigger, steps, ...(goal ? { goal } : {}), reentry });

export const isSame = (one: Edited, other: Edited): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
