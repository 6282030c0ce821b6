import type { ReactNode } from "react";
import type { Step } from "../../../../../src/lib/automation-definition.ts";
import type { AutomationEdit } from "./use-automation-edit.ts";
import type { Spot } from "./operations.ts";

/** What the list of steps shows and changes. */
export interface Editor {
  projectId: string;
  edit: AutomationEdit;
  steps: readonly Step[];
  /** The id of the open card: a step, "trigger", or a way such as "branch-1/0". */
  openId: string | undefined;
  open: (id: string | undefined) => void;
  /** Opens the editor of a step's email. */
  openEmail: (id: string) => void;
  /** Why the user may not edit. */
  mayNot: string | undefined;
  /** Problems of the service by path, such as `steps.0.subject`. */
  problems: Record<string, string>;
  /** Live numbers of a step, if the automation has run. */
  numbersOf: ((step: Step) => ReactNode) | undefined;
  add: (spot: Spot, type: Step["type"]) => void;
  replace: (step: Step, field?: string) => void;
  move: (step: Step, by: 1 | -1) => void;
  duplicate: (step: Step) => void;
  remove: (step: Step) => void;
}
