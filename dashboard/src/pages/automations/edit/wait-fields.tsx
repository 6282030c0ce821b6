import { WEEKDAYS, type WaitStep } from "../../../../../src/lib/automation-definition.ts";
import { wordParam } from "../../../lib/search-params.ts";
import { readersZone } from "../../../lib/wall-clock.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useWordsText } from "../words/use-words-text.ts";
import { SpanField } from "./span-field.tsx";
import type { FieldsOf } from "./fields-of.ts";
import { useEditText } from "./use-edit-text.ts";

const KINDS = ["for", "until", "event"] as const;
type Kind = (typeof KINDS)[number];

const kindOf = (step: WaitStep): Kind =>
  "for" in step ? "for" : "until" in step ? "until" : "event";

/** How long a step waits: for a time, until a time of day, or for an event. */
export function WaitFields({ step, problemOf, onChange }: FieldsOf<"wait">) {
  const text = useEditText();
  const { id, type } = step;
  const choose = (kind: Kind) => {
    if (kind === kindOf(step)) return;
    if (kind === "for") onChange({ id, type, for: "1 day" });
    else if (kind === "until") onChange({ id, type, until: { time: "09:00", zone: "recipient" } });
    else onChange({ id, type, event: { name: "", within: "3 days" } });
  };
  return (
    <>
      <div>
        <Segments
          label={text.waitKind}
          choices={KINDS.map((kind) => [kind, text.waitKinds[kind]] as const)}
          chosen={kindOf(step)}
          onChoose={choose}
        />
      </div>
      {"for" in step && (
        <SpanField
          label={text.waitFor}
          value={step.for}
          error={problemOf("for")}
          onChange={(span) => onChange({ ...step, for: span }, "for")}
        />
      )}
      {"until" in step && <UntilFields step={step} onChange={onChange} problemOf={problemOf} />}
      {"event" in step && (
        <>
          <TextField
            label={text.event}
            hint={text.eventHint}
            value={step.event.name}
            error={problemOf("event.name")}
            spellCheck={false}
            onChange={({ target }) =>
              onChange({ ...step, event: { ...step.event, name: target.value } }, "event")
            }
          />
          <SpanField
            label={text.atMost}
            value={step.event.within}
            error={problemOf("event.within")}
            onChange={(within) => onChange({ ...step, event: { ...step.event, within } }, "within")}
          />
        </>
      )}
    </>
  );
}

interface UntilFieldsProps extends Pick<FieldsOf<"wait">, "onChange" | "problemOf"> {
  step: Extract<WaitStep, { until: unknown }>;
}

function UntilFields({ step, onChange, problemOf }: UntilFieldsProps) {
  const text = useEditText();
  const { weekdays } = useWordsText();
  const { weekday, ...rest } = step.until;
  const zones = [...new Set(["recipient", readersZone(), rest.zone])];
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <SelectField
        label={text.weekday}
        value={weekday ?? ""}
        onChange={({ target }) => {
          const chosen = wordParam(target.value, WEEKDAYS);
          onChange({ ...step, until: chosen ? { ...rest, weekday: chosen } : rest });
        }}
      >
        <option value="">{text.anyDay}</option>
        {WEEKDAYS.map((day) => (
          <option key={day} value={day}>
            {weekdays[day]}
          </option>
        ))}
      </SelectField>
      <TextField
        label={text.time}
        type="time"
        value={rest.time}
        error={problemOf("until.time")}
        onChange={({ target }) =>
          onChange({ ...step, until: { ...step.until, time: target.value } }, "time")
        }
      />
      <SelectField
        label={text.zone}
        value={rest.zone}
        error={problemOf("until.zone")}
        onChange={({ target }) =>
          onChange({ ...step, until: { ...step.until, zone: target.value } })
        }
      >
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone === "recipient" ? text.theirZone : zone}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
