import { ValueRows } from "../../parts/values/value-rows.tsx";
import { problemAt } from "../../ui/error-words.tsx";
import type { DraftPartProps } from "./draft-fields.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Values of the template's variables for this broadcast. */
export function DraftVariables({ fields, problems, mayNot, onChange }: DraftPartProps) {
  const text = useBroadcastsText();
  return (
    <ValueRows
      title={text.variables}
      hint={text.variablesHint}
      error={problemAt(problems, "variables")}
      variables={fields.variables}
      offBecause={mayNot}
      onChange={(variables) => onChange({ variables })}
    />
  );
}
