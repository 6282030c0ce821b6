import { Button } from "../../ui/button.tsx";
import { problemAt } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { FieldGroup } from "../../ui/field-group.tsx";
import type { DraftPartProps } from "./draft-fields.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { doubleName, newVariable, type Variable } from "./variables.ts";

/** Values of the template's variables for this broadcast. */
export function DraftVariables({
  fields: { variables },
  problems,
  mayNot,
  onChange,
}: DraftPartProps) {
  const text = useBroadcastsText();
  const twice = doubleName(variables);
  const set = (key: number, part: Partial<Variable>) =>
    onChange({ variables: variables.map((one) => (one.key === key ? { ...one, ...part } : one)) });
  return (
    <FieldGroup
      title={text.variables}
      hint={text.variablesHint}
      error={problemAt(problems, "variables")}
    >
      {variables.length > 0 && (
        <ul className="flex flex-col gap-3">
          {variables.map(({ key, name, text: value }, at) => (
            <li key={key} className="grid items-end gap-2 sm:grid-cols-[1fr_2fr_auto]">
              <TextField
                label={text.variableName(at + 1)}
                value={name}
                error={name !== "" && name === twice ? text.variableTwice : undefined}
                spellCheck={false}
                onChange={({ target }) => set(key, { name: target.value })}
                required
              />
              <TextField
                label={text.variableValue(at + 1)}
                value={value}
                onChange={({ target }) => set(key, { text: target.value })}
              />
              <Button
                offBecause={mayNot}
                aria-label={text.removeVariable(name)}
                onClick={() => onChange({ variables: variables.filter((one) => one.key !== key) })}
              >
                {text.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button
          offBecause={mayNot}
          onClick={() => onChange({ variables: [...variables, newVariable()] })}
        >
          {text.addVariable}
        </Button>
      </div>
    </FieldGroup>
  );
}
