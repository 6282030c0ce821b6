import { formatNumber } from "../../lib/format.ts";
import { knowsZone, readersZone } from "../../lib/wall-clock.ts";
import { problemAt } from "../../ui/error-words.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { FieldGroup } from "../../ui/field-group.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import type { DraftPartProps } from "./draft-fields.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Days of a warm-up shown in the form. */
const DAYS = [0, 1, 2, 3, 4];

/** Start time, time zone, maximum delay and pace of a draft. */
export function DraftPace({ fields, problems, onChange }: DraftPartProps) {
  const text = useBroadcastsText();
  const { send_at, time_zone, max_delay_minutes, per_hour, first_day } = fields;
  const isByZones = time_zone !== "";
  const sendAtByZones = knowsZone(time_zone)
    ? text.sendAtByZones
    : text.unknownZone(time_zone, readersZone());
  return (
    <FieldGroup title={text.pace}>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        <TextField
          label={text.sendAt}
          hint={isByZones ? sendAtByZones : text.sendAtHint(readersZone())}
          isOptional={!isByZones}
          type="datetime-local"
          value={send_at}
          error={problems["send_at"]}
          onChange={({ target }) => onChange({ send_at: target.value })}
          required={isByZones}
        />
        <NumberField
          label={text.maxDelay}
          hint={text.maxDelayHint}
          min={0}
          max={43_200}
          value={max_delay_minutes}
          error={problems["max_delay_minutes"]}
          onChange={(number) => onChange({ max_delay_minutes: number })}
        />
        <CheckField
          label={text.byZones}
          hint={text.byZonesHint}
          checked={isByZones}
          onChange={({ target }) => onChange({ time_zone: target.checked ? readersZone() : "" })}
        />
        {isByZones && (
          <SelectField
            label={text.timeZone}
            hint={text.timeZoneHint}
            value={time_zone}
            error={problems["time_zone"]}
            onChange={({ target }) => onChange({ time_zone: target.value })}
          >
            {zonesWith(time_zone).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </SelectField>
        )}
      </div>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        <NumberField
          label={text.perHour}
          hint={text.perHourHint}
          min={0}
          value={per_hour}
          error={problems["per_hour"]}
          onChange={(number) => onChange({ per_hour: number })}
        />
        <NumberField
          label={text.warmUp}
          hint={text.warmUpHint}
          min={0}
          value={first_day}
          error={problemAt(problems, "warm_up")}
          onChange={(number) => onChange({ first_day: number })}
        />
      </div>
      {first_day > 0 && (
        <p className="text-sm text-muted" role="status">
          {DAYS.map((day) => text.warmUpDay(day + 1, formatNumber(first_day * 2 ** day))).join(
            " · ",
          )}{" "}
          …
        </p>
      )}
    </FieldGroup>
  );
}

/** Returns the time zones that this browser knows, plus that of the draft. */
const zonesWith = (zone: string): string[] =>
  [...new Set([zone, readersZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])].toSorted();
