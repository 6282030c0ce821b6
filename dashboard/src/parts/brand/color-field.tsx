import { isColor } from "../../../../src/lib/colors.ts";
import { TextField } from "../../ui/field.tsx";

interface ColorFieldProps {
  label: string;
  hint: string;
  /** `#rrggbb`, or "" for none. */
  value: string;
  /** Color used without one. */
  unset: string;
  error: string | undefined;
  onChange: (color: string) => void;
}

/** A color to type or to pick. */
export function ColorField({ onChange, unset, ...field }: ColorFieldProps) {
  const { value } = field;
  return (
    <div className="flex gap-2">
      <TextField
        className="flex-1"
        maxLength={7}
        pattern="#[0-9A-Fa-f]{6}"
        onChange={({ target }) => onChange(target.value.toLowerCase())}
        isOptional
        {...field}
      />
      <input
        type="color"
        aria-hidden // the same as the field beside it, for a mouse
        tabIndex={-1}
        className="mt-6 h-9 w-12 rounded-md border border-edge bg-surface p-1"
        value={isColor(value) ? value : unset}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
