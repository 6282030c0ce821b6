import { SelectField } from "../../ui/field.tsx";
import { ordered, stateOf, SWITCHES, type Switches } from "./switches.ts";
import { useTrackingText } from "./use-tracking-text.ts";

interface TrackingSelectsProps {
  value: Switches;
  onChange: (value: Switches) => void;
  disabled?: boolean;
}

/** Whether opens and clicks are counted, or as the project does. */
export function TrackingSelects({ value, onChange, disabled }: TrackingSelectsProps) {
  const text = useTrackingText();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {SWITCHES.map((name) => (
        <SelectField
          key={name}
          label={text.counted[name]}
          value={String(value[name] ?? "")}
          disabled={disabled}
          onChange={({ target }) => {
            const { [name]: _, ...rest } = value;
            const isOn = target.value === "true";
            onChange(ordered(target.value === "" ? rest : { ...rest, [name]: isOn }));
          }}
        >
          <option value="">{stateOf(text, undefined)}</option>
          <option value="true">{text.on}</option>
          <option value="false">{text.off}</option>
        </SelectField>
      ))}
    </div>
  );
}
