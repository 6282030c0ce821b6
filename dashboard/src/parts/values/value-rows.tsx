import { Button } from "../../ui/button.tsx";
import { FieldGroup } from "../../ui/field-group.tsx";
import { TextField } from "../../ui/field.tsx";
import { useValuesText } from "./use-values-text.ts";
import { doubleName, newVariable, type Variable } from "./values.ts";

interface ValueRowsProps {
  title: string;
  hint?: string;
  error?: string | undefined;
  variables: readonly Variable[];
  offBecause?: string | undefined;
  onChange: (variables: Variable[]) => void;
}

/** Rows with the names and values of a template's variables. */
export function ValueRows({ title, hint, error, variables, ...props }: ValueRowsProps) {
  const text = useValuesText();
  const { offBecause, onChange } = props;
  const twice = doubleName(variables);
  const set = (key: number, part: Partial<Variable>) =>
    onChange(variables.map((one) => (one.key === key ? { ...one, ...part } : one)));
  return (
    <FieldGroup title={title} {...(hint === undefined ? {} : { hint })} error={error}>
      {variables.length > 0 && (
        <ul className="flex flex-col gap-3">
          {variables.map(({ key, name, text: value }, at) => (
            <li key={key} className="grid items-end gap-2 sm:grid-cols-[1fr_2fr_auto]">
              <TextField
                label={text.name(at + 1)}
                value={name}
                error={name !== "" && name === twice ? text.twice : undefined}
                spellCheck={false}
                onChange={({ target }) => set(key, { name: target.value })}
                required
              />
              <TextField
                label={text.value(at + 1)}
                value={value}
                onChange={({ target }) => set(key, { text: target.value })}
              />
              <Button
                offBecause={offBecause}
                aria-label={text.removeVariable(name)}
                onClick={() => onChange(variables.filter((one) => one.key !== key))}
              >
                {text.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button offBecause={offBecause} onClick={() => onChange([...variables, newVariable()])}>
          {text.add}
        </Button>
      </div>
    </FieldGroup>
  );
}
