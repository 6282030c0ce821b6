import { wordParam } from "../../../lib/search-params.ts";
import { BOX } from "../../../ui/field.tsx";
import { NumberField } from "../../../ui/number-field.tsx";
import { readSpan, UNITS, writeSpan } from "../words/spans.ts";
import { useEditText } from "./use-edit-text.ts";

interface SpanFieldProps {
  label: string;
  /** A span such as "3 days". */
  value: string;
  error: string | undefined;
  onChange: (span: string) => void;
}

/** A number and its unit of time. */
export function SpanField({ label, value, error, onChange }: SpanFieldProps) {
  const text = useEditText();
  const { amount, unit } = readSpan(value);
  return (
    <div className="flex items-end gap-2">
      <NumberField
        label={label}
        className="w-28"
        min={1}
        max={999_999}
        value={amount}
        error={error}
        onChange={(next) => onChange(writeSpan(next, unit))}
      />
      <select
        aria-label={text.unit}
        className={`${BOX} max-w-36`}
        value={unit}
        onChange={({ target }) =>
          onChange(writeSpan(amount, wordParam(target.value, UNITS) ?? unit))
        }
      >
        {UNITS.map((one) => (
          <option key={one} value={one}>
            {text.units[one]}
          </option>
        ))}
      </select>
    </div>
  );
}
