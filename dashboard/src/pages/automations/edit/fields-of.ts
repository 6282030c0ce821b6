import type { Step } from "../../../../../src/lib/automation-definition.ts";
import type { Editor } from "./editor.ts";

/** Props of the fields of one type of step. */
export interface FieldsOf<Type extends Step["type"]> {
  editor: Editor;
  step: Extract<Step, { type: Type }>;
  /** Returns the problem of a field of the step, or of a part of it. */
  problemOf: (field: string) => string | undefined;
  /** Changes the step; changes of the same `field` in a row are undone together. */
  onChange: (step: Step, field?: string) => void;
}
