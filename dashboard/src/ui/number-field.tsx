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
 * A field for a number. An empty one means 0, but shows it only when it is left: a 0 that comes
 * while somebody types would stay before the next digit.
 */
export function NumberField({ value, onChange, ...field }: NumberFieldProps) {
  const [isEmpty, setEmpty] = useState(false);
  return (
    <TextField
      {...field}
      type="number"
      value={isEmpty && value === 0 ? "" : value}
      onChange={({ target }) => {
        setEmpty(target.value === "");
        onChange(target.valueAsNumber || 0);
      }}
      onBlur={() => setEmpty(false)}
    />
  );
}
