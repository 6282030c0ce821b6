import { useId, useState } from "react";
import { formatNumber } from "../../lib/format.ts";
import { knowsZone, readersZone, wallClockOf } from "../../lib/wall-clock.ts";
import { problemAt } from "../../ui/error-words.tsx";
import { DateField } from "../../parts/date-field/date-field.tsx";
import { CheckField, SelectField } from "../../ui/field.tsx";
import { More } from "../../ui/more.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import type { DraftFields } from "./draft-fields.ts";
import type { StepProps } from "./use-draft-edit.ts";
import { SpreadField } from "./spread-field.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Days of a warm-up shown in the form. */
const DAYS = [0, 1, 2, 3, 4];

const KINDS = ["now", "at", "zones"] as const;
type Kind = (typeof KINDS)[number];

const kindOf = ({ send_at, time_zone }: DraftFields): Kind =>
  time_zone !== "" ? "zones" : send_at !== "" ? "at" : "now";

/** Returns 10 o'clock of the next day in the reader's zone, in the format of the input. */
const tomorrow = () =>
  `${wallClockOf(new Date(Date.now() + 86_400_000).toISOString(), readersZone()).slice(0, 10)}T10:00`;

/** Third step of a draft: when it is sent, and how fast. */
export function TimeStep({ edit, problems, mayNot }: StepProps) {
  const text = useBroadcastsText();
  const { fields, change } = edit;
  const { send_at, time_zone, max_delay_minutes, per_hour, first_day } = fields;
  const group = useId();
  const [typed, setTyped] = useState(send_at);
  const kind = kindOf(fields);
  const pick = (next: Kind) =>
    change({
      send_at: next === "now" ? "" : send_at || typed || tomorrow(),
      time_zone: next === "zones" ? time_zone || readersZone() : "",
    });
  const isByZones = kind === "zones";
  const hint =
    !isByZones || knowsZone(time_zone)
      ? text.sendAtHint(isByZones ? time_zone : readersZone())
      : text.unknownZone(time_zone, readersZone());
  return (
    <fieldset className="contents" disabled={mayNot !== undefined}>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-sm font-medium">{text.when}</legend>
        {KINDS.map((one) => (
          <CheckField
            key={one}
            type="radio"
            name={group}
            label={text.times[one]}
            hint={text.timeHints[one]}
            checked={kind === one}
            onChange={() => pick(one)}
          />
        ))}
      </fieldset>
      {kind !== "now" && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <DateField
            label={text.sendAt}
            hint={isByZones && knowsZone(time_zone) ? undefined : hint}
            type="datetime-local"
            value={send_at}
            error={problems["send_at"]}
            onChange={(clock) => {
              setTyped(clock);
              change({ send_at: clock });
            }}
            required
          />
          {isByZones && (
            <SelectField
              label={text.timeZone}
              value={time_zone}
              error={problems["time_zone"]}
              onChange={({ target }) => change({ time_zone: target.value })}
            >
              {zonesWith(time_zone).map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </SelectField>
          )}
        </div>
      )}
      <SpreadField edit={edit} />
      <More isOpen={max_delay_minutes > 0 || first_day > 0}>
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <NumberField
            label={text.maxDelay}
            hint={text.maxDelayHint}
            isOptional
            min={0}
            max={43_200}
            value={max_delay_minutes}
            error={problems["max_delay_minutes"]}
            onChange={(number) => change({ max_delay_minutes: number })}
          />
          <NumberField
            label={text.perHour}
            hint={text.perHourHint}
            isOptional
            min={0}
            value={per_hour}
            error={problems["per_hour"]}
            onChange={(number) => change({ per_hour: number })}
          />
          <NumberField
            label={text.warmUp}
            hint={text.warmUpHint}
            isOptional
            min={0}
            value={first_day}
            error={problemAt(problems, "warm_up")}
            onChange={(number) => change({ first_day: number })}
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
      </More>
    </fieldset>
  );
}

/** Returns the time zones that this browser knows, plus that of the draft. */
const zonesWith = (zone: string): string[] =>
  [...new Set([zone, readersZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])].toSorted();
