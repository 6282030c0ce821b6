import { useState } from "react";
import { useValuesText } from "../../../parts/values/use-values-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import type { Variable } from "../preview/use-audience.ts";
import { useTemplatesText } from "../use-templates-text.ts";

interface InsertVariableProps {
  variables: Variable[];
  onInsert: (expression: string) => void;
}

/** Inserts a variable of the audience, with a text for people who lack it. */
export function InsertVariable({ variables, onInsert }: InsertVariableProps) {
  const text = useValuesText();
  const { shareOfPeople, variableNames } = useTemplatesText();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(variables[0]?.name ?? "");
  const [fallback, setFallback] = useState("");
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text.insertVariable}</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={text.insertVariable}>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation(); // the editor may be in a form
            onInsert(expressionOf(name, fallback.trim()));
            setOpen(false);
          }}
        >
          <SelectField
            label={text.variable}
            value={name}
            onChange={({ target }) => setName(target.value)}
            autoFocus
          >
            {variables.map(({ name: one, label = variableNames[one] ?? keyOf(one), share }) => (
              <option key={one} value={one}>
                {share ? `${label} (${shareOfPeople(share.have, share.of)})` : label}
              </option>
            ))}
          </SelectField>
          <TextField
            label={text.fallback}
            hint={text.fallbackHint}
            isOptional
            value={fallback}
            maxLength={200}
            onChange={({ target }) => setFallback(target.value.replaceAll(/[{}]/g, ""))}
          />
          <Button type="submit" look="primary">
            {text.insert}
          </Button>
        </form>
      </Dialog>
    </>
  );
}

/** Returns the key of a subscriber's metadata that a variable prints. */
const keyOf = (name: string) => name.replace(/^metadata\./, "");

const expressionOf = (name: string, fallback: string) =>
  fallback === "" ? `{{${name}}}` : `{{#if ${name}}}{{${name}}}{{else}}${fallback}{{/if}}`;
