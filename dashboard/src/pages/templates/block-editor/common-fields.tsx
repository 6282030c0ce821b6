import { SelectField, TextField } from "../../../ui/field.tsx";
import { ALIGNMENTS, type Align } from "../blocks/model.ts";
import { safeUrl } from "../blocks/variables.ts";
import { useBlockText } from "./use-block-text.ts";

interface AlignFieldProps {
  align: Align;
  onChange: (align: Align) => void;
}

/** How a block is aligned. */
export function AlignField({ align, onChange }: AlignFieldProps) {
  const text = useBlockText();
  return (
    <SelectField
      label={text.align}
      value={align}
      onChange={(event) => {
        const chosen = ALIGNMENTS.find((one) => one === event.target.value);
        if (chosen) onChange(chosen);
      }}
    >
      {ALIGNMENTS.map((one) => (
        <option key={one} value={one}>
          {text.alignNames[one]}
        </option>
      ))}
    </SelectField>
  );
}

interface ChoiceFieldProps<T extends string> {
  label: string;
  /** Name of no choice. */
  none: string;
  names: Record<T, string>;
  choices: readonly T[];
  value: T | undefined;
  onChange: (value: T | undefined) => void;
}

/** One of a few choices, or none. */
export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>) {
  const { label, none, names, choices, value = "", onChange } = props;
  return (
    <SelectField
      label={label}
      value={value}
      onChange={({ target }) => onChange(choices.find((one) => one === target.value))}
    >
      <option value="">{none}</option>
      {choices.map((one) => (
        <option key={one} value={one}>
          {names[one]}
        </option>
      ))}
    </SelectField>
  );
}

interface UrlFieldProps {
  label: string;
  value: string;
  onChange: (url: string) => void;
}

/** The address of a link. */
export function UrlField({ label, value, onChange }: UrlFieldProps) {
  const text = useBlockText();
  return (
    <TextField
      label={label}
      hint={text.linkUrlHint}
      value={value}
      maxLength={2_000}
      error={value !== "" && safeUrl(value) === undefined ? text.badUrl : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
