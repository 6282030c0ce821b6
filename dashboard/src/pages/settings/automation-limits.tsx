import { readersZone } from "../../lib/wall-clock.ts";
import { problemAt } from "../../ui/error-words.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import type { AudienceSettings } from "./audience-settings.ts";
import { useSettingsText } from "./use-settings-text.ts";

type Limits = AudienceSettings["automations"];

interface AutomationLimitsProps {
  value: Limits;
  problems: Record<string, string>;
  onChange: (value: Limits) => void;
}

/** When automations mail nobody, and how many of their emails a person gets in a week. */
export function AutomationLimits({ value, problems, onChange }: AutomationLimitsProps) {
  const text = useSettingsText();
  const { quiet_hours: quiet, max_per_week } = value;
  const set = (part: Partial<NonNullable<Limits["quiet_hours"]>>) =>
    quiet && onChange({ ...value, quiet_hours: { ...quiet, ...part } });
  return (
    <>
      <CheckField
        label={text.quietHours}
        hint={text.quietHoursHint}
        checked={quiet !== null}
        onChange={({ target }) =>
          onChange({
            ...value,
            quiet_hours: target.checked ? { from: "22:00", to: "08:00", zone: "recipient" } : null,
          })
        }
      />
      {quiet && (
        <div className="grid items-start gap-4 sm:grid-cols-3">
          {(["from", "to"] as const).map((end) => (
            <TextField
              key={end}
              label={text.quietEnds[end]}
              type="time"
              value={quiet[end]}
              error={problemAt(problems, `automations.quiet_hours.${end}`)}
              onChange={({ target }) => set({ [end]: target.value })}
              required
            />
          ))}
          <SelectField
            label={text.quietZone}
            value={quiet.zone}
            onChange={({ target }) => set({ zone: target.value })}
          >
            {[...new Set(["recipient", readersZone(), quiet.zone])].map((zone) => (
              <option key={zone} value={zone}>
                {zone === "recipient" ? text.theirZone : zone}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      <NumberField
        label={text.maxPerWeek}
        hint={text.maxPerWeekHint}
        max={100}
        none={text.noLimit}
        value={max_per_week}
        error={problemAt(problems, "automations.max_per_week")}
        onChange={(number) => onChange({ ...value, max_per_week: number })}
      />
    </>
  );
}
