import { useState } from "react";
import { MOST_EVENTS } from "../../../../src/services/segments/condition.ts";
import { BOX } from "../../ui/field.tsx";
import { Plus } from "../../ui/action-icons.tsx";
import { X } from "../../ui/icons.tsx";
import type { RuleField } from "./field-kinds.ts";
import type { Rule } from "./condition-tree.ts";
import { IconButton } from "./icon-button.tsx";
import { useSegmentsText } from "./use-segments-text.ts";

interface RuleValuesProps {
  rule: Rule;
  field: RuleField;
  onChange: (values: string[]) => void;
}

/** The values of a rule: none, a span, one, or any of several. */
export function RuleValues({ rule: { op, values }, field, onChange }: RuleValuesProps) {
  const text = useSegmentsText();
  const [isAdding, setAdding] = useState(false);
  if (op === "exists") return null;
  if (op === "within")
    return <Span value={values[0] ?? ""} onChange={(span) => onChange([span])} />;
  if (field.kind === "event") return <EventCount values={values} onChange={onChange} />;
  const shown: (string | undefined)[] =
    isAdding || values.length === 0 ? [...values, undefined] : values;
  const put = (index: number, value: string) => {
    setAdding(false);
    onChange(shown.map((one = "", n) => (n === index ? value : one)).filter(Boolean));
  };
  return (
    <>
      {shown.map((value, index) => (
        <span key={index} className="flex min-w-0 flex-wrap items-center gap-2">
          {index > 0 && <span className="text-sm text-muted">{text.orValue}</span>}
          <Value field={field} value={value} onChange={(next) => put(index, next)} />
          {index > 0 && (
            <IconButton label={text.removeValue} onClick={() => put(index, "")} icon={X} />
          )}
        </span>
      ))}
      {op === "is" && values.length > 0 && !isAdding && (
        <IconButton label={text.addValue} onClick={() => setAdding(true)} icon={Plus} />
      )}
    </>
  );
}

interface ValueProps {
  field: RuleField;
  /** Undefined for a value that is not given yet. */
  value: string | undefined;
  onChange: (value: string) => void;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

function Value({ field: { kind, choices }, value = "", onChange }: ValueProps) {
  const text = useSegmentsText();
  const look = `${BOX} max-w-48 min-w-0`;
  const chosen = choices.find((choice) => choice.value === value || choice.id === value);
  if (choices.length > 0)
    return (
      <select
        aria-label={text.value}
        className={look}
        value={chosen?.value ?? value}
        onChange={({ target }) => onChange(target.value)}
        required
      >
        <option value="">{text.choose}</option>
        {value !== "" && !chosen && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    );
  const isDate = (kind === "date" || kind === "activity") && (value === "" || DAY.test(value));
  return (
    <input
      aria-label={text.value}
      className={look}
      type={isDate ? "date" : "text"}
      inputMode={kind === "number" ? "decimal" : undefined}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      required
    />
  );
}

/** How often an event happened, with the span if the rule has one. */
function EventCount({
  values: [count = "", span],
  onChange,
}: Pick<RuleValuesProps, "onChange"> & Pick<Rule, "values">) {
  const text = useSegmentsText();
  return (
    <>
      <input
        aria-label={text.times}
        className={`${BOX} max-w-20`}
        type="number"
        min={0}
        max={MOST_EVENTS}
        value={count}
        onChange={({ target }) => onChange([target.value, span].filter((one) => one !== undefined))}
        required
      />
      <span className="text-sm text-muted">
        {span === undefined ? text.times : text.timesInTheLast}
      </span>
      {span !== undefined && <Span value={span} onChange={(next) => onChange([count, next])} />}
    </>
  );
}

const UNITS = ["h", "d", "w"] as const;

/** A span such as `30d`. */
function Span({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const text = useSegmentsText();
  const [, amount = "", unit = "d"] = /^(\d*)([hdw])$/.exec(value) ?? [];
  return (
    <span className="flex gap-2">
      <input
        aria-label={text.amount}
        className={`${BOX} max-w-20`}
        type="number"
        min={1}
        max={9_999}
        value={amount}
        onChange={({ target }) => onChange(`${target.value}${unit}`)}
        required
      />
      <select
        aria-label={text.unit}
        className={`${BOX} max-w-28`}
        value={unit}
        onChange={({ target }) => onChange(`${amount}${target.value}`)}
      >
        {UNITS.map((one) => (
          <option key={one} value={one}>
            {text.units[one]}
          </option>
        ))}
      </select>
    </span>
  );
}
