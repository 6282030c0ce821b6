import { useMemo } from "react";
import { SelectField } from "../../ui/field.tsx";
import type { Mapping } from "./list-import.ts";
import { valuesOf } from "./run-import.ts";
import { useAudienceText } from "./use-audience-text.ts";

type StatusMapping = NonNullable<Mapping["status"]>;
type Meanings = NonNullable<StatusMapping["values"]>;

const OUTCOMES = [
  "active",
  "pending",
  "unsubscribed",
  "opted_out",
  "bounced",
  "complained",
  "blocked",
  "ignored",
] as const;

/** Names that other services use for the outcomes. */
const WORDS: Record<string, (typeof OUTCOMES)[number]> = {
  active: "active",
  subscribed: "active",
  confirmed: "active",
  enabled: "active",
  pending: "pending",
  unconfirmed: "pending",
  unsubscribed: "unsubscribed",
  bounced: "bounced",
  cleaned: "bounced",
  complained: "complained",
  spam: "complained",
  blocked: "blocked",
  blocklisted: "blocked",
};

/** Guesses the meaning of status texts; rows with an unknown text are rejected. */
export const guessOutcomes = (values: readonly string[]): Meanings =>
  Object.fromEntries(
    values.flatMap((value) => {
      const outcome = WORDS[value];
      return outcome ? [[value, outcome]] : [];
    }),
  );

interface ImportStatusesProps {
  file: string;
  columns: readonly string[];
  status: StatusMapping;
  onChange: (status: StatusMapping) => void;
}

/** Assigns a meaning to each text in the status column. */
export function ImportStatuses({ file, columns, status, onChange }: ImportStatusesProps) {
  const text = useAudienceText();
  const { column, values: meanings = {} } = status;
  const values = useMemo(() => valuesOf(file, columns, column), [file, columns, column]);
  return (
    <fieldset className="mt-4">
      <legend className="mb-2 text-sm font-medium">{text.statusValues}</legend>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {values.map((value) => (
          <SelectField
            key={value}
            label={value || text.noValue}
            value={meanings[value] ?? ""}
            onChange={({ target }) => {
              const { [value]: _before, ...rest } = meanings;
              const outcome = OUTCOMES.find((one) => one === target.value);
              onChange({ ...status, values: outcome ? { ...rest, [value]: outcome } : rest });
            }}
          >
            <option value="">{text.rejectRows}</option>
            {OUTCOMES.map((outcome) => (
              <option key={outcome} value={outcome}>
                {text.rowOutcomes[outcome]}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
    </fieldset>
  );
}
