import { wordParam } from "../../lib/search-params.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const METRICS = ["opens", "clicks", "manual"] as const;
const MOST = 5;

/** An A/B trial of subjects; without subjects there is none. */
export interface TrialInput {
  subjects: string[];
  share: number;
  wait_hours: number;
  by: (typeof METRICS)[number];
}

interface DraftTrialProps {
  trial: TrialInput;
  onChange: (trial: TrialInput) => void;
}

/** Tries several subjects with a part of the audience; the best one goes to the rest. */
export function DraftTrial({ trial, onChange }: DraftTrialProps) {
  const text = useBroadcastsText();
  const { subjects } = trial;
  const set = (n: number, subject: string) =>
    onChange({ ...trial, subjects: subjects.map((one, at) => (at === n ? subject : one)) });
  return (
    <fieldset className="flex flex-col gap-3 sm:col-span-2">
      <legend className="mb-2 font-semibold">{text.trial}</legend>
      <p className="text-sm text-muted">{text.trialWords}</p>
      {subjects.map((subject, n) => (
        // Variants have no names but their places.
        // oxlint-disable-next-line react/no-array-index-key
        <TextField
          key={n}
          label={text.variant("ABCDE".charAt(n))}
          value={subject}
          onChange={({ target }) => set(n, target.value)}
          required
        />
      ))}
      <div className="flex flex-wrap gap-2">
        {subjects.length < MOST && (
          <Button
            onClick={() =>
              onChange({
                ...trial,
                subjects: subjects.length === 0 ? ["", ""] : [...subjects, ""],
              })
            }
          >
            {subjects.length === 0 ? text.addTrial : text.addVariant}
          </Button>
        )}
        {subjects.length > 0 && (
          <Button onClick={() => onChange({ ...trial, subjects: [] })}>{text.dropTrial}</Button>
        )}
      </div>
      {subjects.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField
            label={text.share}
            type="number"
            min={1}
            max={100}
            value={trial.share}
            onChange={({ target }) => onChange({ ...trial, share: target.valueAsNumber || 0 })}
          />
          <TextField
            label={text.waitHours}
            type="number"
            min={0.1}
            step="any"
            value={trial.wait_hours}
            onChange={({ target }) => onChange({ ...trial, wait_hours: target.valueAsNumber || 0 })}
          />
          <SelectField
            label={text.winnerBy}
            value={trial.by}
            onChange={({ target }) =>
              onChange({ ...trial, by: wordParam(target.value, METRICS) ?? trial.by })
            }
          >
            {METRICS.map((metric) => (
              <option key={metric} value={metric}>
                {text.metrics[metric]}
              </option>
            ))}
          </SelectField>
        </div>
      )}
    </fieldset>
  );
}
