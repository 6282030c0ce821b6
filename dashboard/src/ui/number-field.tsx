import { useState, type ComponentProps } from "react";
import { TextField } from "./field.tsx";

interface NumberFieldProps extends Omit<
  ComponentProps<typeof TextField>,
  "type" | "value" | "onChange" | "onBlur"
> {
  value: number;
  onChange: (value: number) => void;
}

/**
 * A number input. Empty means 0, which an optional field shows as empty and another one only on
 * blur: a 0 inserted while typing would precede the next digit.
 */
export function NumberField({ value, onChange, ...field }: NumberFieldProps) {
  const [isEmpty, setEmpty] = useState(false);
  return (
    <TextField
      {...field}
      type="number"
      value={value === 0 && (isEmpty || field.isOptional) ? "" : value}
      onChange={({ target }) => {
        setEmpty(target.value === "");
        onChange(target.valueAsNumber || 0);
      }}
      onBlur={() => setEmpty(false)}
    />
  );
}
