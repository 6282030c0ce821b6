import { useState, type ComponentProps } from "react";
import { TextField } from "./field.tsx";

interface NumberFieldProps extends Omit<
  ComponentProps<typeof TextField>,
  "type" | "value" | "onChange" | "onBlur" | "placeholder"
> {
  value: number;
  onChange: (value: number) => void;
  /** What 0 means, such as "No limit": the empty field shows these words instead of 0. */
  none?: string;
}

/**
 * A number input. Empty means 0, which an optional field and one with words for none show as empty.
 * What is typed stays as it is until blur: a 0 inserted before would precede the next digit.
 */
export function NumberField({ value, onChange, none, ...field }: NumberFieldProps) {
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && (Number(typed) || 0) === value;
  const shown = value === 0 && (field.isOptional || none !== undefined) ? "" : value;
  return (
    <TextField
      {...(none === undefined ? {} : { min: 0, placeholder: none })}
      {...field}
      type="number"
      value={isTyped ? typed : shown}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(target.valueAsNumber || 0);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
