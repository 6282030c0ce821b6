import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { FieldGroup } from "../../ui/field-group.tsx";
import { entriesOf, fits, type FieldShape } from "./field-values.ts";
import { useFieldsText } from "./use-fields-text.ts";

interface FieldInputProps {
  field: FieldShape;
  /** The text of the value (`textOf`). */
  value: string;
  onChange: (value: string) => void;
}

/** An input for a value of a field. A value that does not fit the type stays editable as text. */
export function FieldInput({ field, value, onChange }: FieldInputProps) {
  const text = useFieldsText();
  const { label, type, choices } = field;
  if (!fits(type, value))
    return (
      <TextField
        label={label}
        value={value}
        error={text.misfits[type]}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  if (type === "boolean" || type === "choice")
    return <ChoiceInput field={field} value={value} onChange={onChange} />;
  if (type === "list" && choices.length > 0)
    return <ListInput field={field} value={value} onChange={onChange} />;
  return (
    <TextField
      label={label}
      {...(type === "list" ? { hint: text.listHint } : {})}
      type={type === "list" ? "text" : type}
      {...(type === "number" ? { step: "any" } : {})}
      value={type === "date" ? value.slice(0, 10) : value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** Yes or no, or one of the choices of the field. A value that is no choice is kept. */
function ChoiceInput({ field: { label, type, choices }, value, onChange }: FieldInputProps) {
  const text = useFieldsText();
  const known =
    type === "boolean"
      ? [
          ["true", text.yes],
          ["false", text.no],
        ]
      : choices.map((choice) => [choice, choice]);
  const isKnown = value === "" || known.some(([choice]) => choice === value);
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{text.notSet}</option>
      {[...known, ...(isKnown ? [] : [[value, value]])].map(([choice, name]) => (
        <option key={choice} value={choice}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** The choices of a list, and entries that are no choice. */
function ListInput({ field: { label, choices }, value, onChange }: FieldInputProps) {
  const chosen = entriesOf(value);
  const all = [...new Set([...choices, ...chosen])];
  return (
    <FieldGroup title={label}>
      {all.map((entry) => (
        <CheckField
          key={entry}
          label={entry}
          checked={chosen.includes(entry)}
          onChange={({ target }) =>
            onChange(
              all
                .filter((one) => (one === entry ? target.checked : chosen.includes(one)))
                .join(", "),
            )
          }
        />
      ))}
    </FieldGroup>
  );
}
