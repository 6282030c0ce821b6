import { SelectField } from "../../../ui/field.tsx";
import { OUTCOMES, type StatusMeanings } from "./status-words.ts";
import { useImportText } from "./use-import-text.ts";

interface ImportStatusesProps {
  /** The texts in the status column. */
  words: readonly string[];
  meanings: StatusMeanings;
  onChange: (meanings: StatusMeanings) => void;
}

/** Assigns a meaning to each text in the status column. */
export function ImportStatuses({ words, meanings, onChange }: ImportStatusesProps) {
  const text = useImportText();
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{text.statusValues}</legend>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {words.map((word) => (
          <SelectField
            key={word}
            label={word || text.noValue}
            value={meanings[word] ?? ""}
            onChange={({ target }) => {
              const { [word]: _before, ...rest } = meanings;
              const outcome = OUTCOMES.find((one) => one === target.value);
              onChange(outcome ? { ...rest, [word]: outcome } : rest);
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
