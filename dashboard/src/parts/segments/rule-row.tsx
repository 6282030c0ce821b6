import { EVENT, EVENT_DATA, METADATA } from "../../../../src/services/segments/condition.ts";
import { BOX } from "../../ui/field.tsx";
import { Trash2 } from "../../ui/action-icons.tsx";
import { PREFIXES, type Rule } from "./condition-tree.ts";
import { operatorName, operatorsOf, withField, withOperator } from "./field-kinds.ts";
import { IconButton } from "./icon-button.tsx";
import { RuleValues } from "./rule-values.tsx";
import { useOperators } from "./use-operators.ts";
import type { RuleFields } from "./use-rule-fields.ts";
import { useSegmentsText } from "./use-segments-text.ts";

interface RuleRowProps {
  rule: Rule;
  /** Place among the rules of its group, from 1. */
  number: number;
  fields: RuleFields;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
}

/** One rule: a field, an operator and its values. */
export function RuleRow({ rule, number, fields, onChange, onRemove }: RuleRowProps) {
  const text = useSegmentsText();
  const operators = useOperators();
  const field = rule.field === "" ? undefined : fields.find(rule.field);
  const prefix = PREFIXES.find((one) => rule.field.startsWith(one) && !fields.isListed(rule.field));
  const key = prefix === EVENT ? text.eventName : text.key;
  return (
    <div role="group" aria-label={text.rule(number)} className="flex items-start gap-2">
      <div className="flex min-w-0 grow flex-wrap items-center gap-2">
        <select
          aria-label={text.field}
          className={`${BOX} max-w-48`}
          value={prefix ?? rule.field}
          onChange={({ target }) => onChange(withField(rule, fields.find(target.value)))}
          autoFocus={rule.field === ""}
          required
        >
          {rule.field === "" && <option value="">{text.chooseField}</option>}
          {fields.parts.map(({ part, fields: listed }) => (
            <optgroup key={part} label={text.parts[part]}>
              {listed.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
              {part === "activity" && <option value={EVENT}>{text.event}</option>}
              {part === "fields" && <option value={METADATA}>{text.otherField}</option>}
              {part === "fields" && (fields.ofRun || prefix === EVENT_DATA) && (
                <option value={EVENT_DATA}>{text.eventData}</option>
              )}
            </optgroup>
          ))}
        </select>
        {prefix !== undefined && (
          <input
            aria-label={key}
            placeholder={key}
            className={`${BOX} max-w-44`}
            value={rule.field.slice(prefix.length)}
            onChange={({ target }) => onChange({ ...rule, field: prefix + target.value })}
            pattern={prefix === EVENT ? String.raw`[\w.:\-]{1,64}` : undefined}
            required
          />
        )}
        {field && (
          <>
            <select
              aria-label={text.operator}
              className={`${BOX} max-w-44`}
              value={operatorName(rule)}
              onChange={({ target }) => {
                const chosen = operatorsOf(field, rule).find((name) => name === target.value);
                if (chosen) onChange(withOperator(rule, chosen));
              }}
            >
              {operatorsOf(field, rule).map((name) => (
                <option key={name} value={name}>
                  {operators(field.kind)[name]}
                </option>
              ))}
            </select>
            <RuleValues
              rule={rule}
              field={field}
              onChange={(values) => onChange({ ...rule, values })}
            />
          </>
        )}
      </div>
      <IconButton label={text.removeRule} onClick={onRemove} icon={Trash2} />
    </div>
  );
}
