import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../../api/projects.ts";
import { wordParam } from "../../../lib/search-params.ts";
import { Button } from "../../../ui/button.tsx";
import { problemAt } from "../../../ui/error-words.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { FieldGroup } from "../../../ui/field-group.tsx";
import { NumberField } from "../../../ui/number-field.tsx";
import { DraftChoice } from "../draft-choice.tsx";
import type { DraftPartProps, Trial, Variant } from "../draft-fields.ts";
import { templatesQuery } from "../../templates/queries.ts";
import { LETTERS } from "../states.ts";
import { useTrialText } from "./use-trial-text.ts";

const METRICS = ["opens", "clicks", "manual"] as const;
const NEW: Variant = { subject: "", from_name: "", template_id: "" };

/** A/B test: part of the audience gets several variants; the rest gets the best one. */
export function DraftTrial({ fields: { trial }, problems, mayNot, onChange }: DraftPartProps) {
  const text = useTrialText();
  const { variants } = trial;
  const set = (part: Partial<Trial>) => onChange({ trial: { ...trial, ...part } });
  const setVariants = (next: Variant[]) => set({ variants: next });
  return (
    <FieldGroup
      title={text.trial}
      hint={text.trialWords}
      error={problems["ab"] ?? problemAt(problems, "ab.variants")}
    >
      {variants.map((variant, n) => {
        const letter = LETTERS[n] ?? "";
        return (
          <VariantFields
            key={letter}
            letter={letter}
            mayNot={mayNot}
            variant={variant}
            onChange={(part) =>
              setVariants(variants.map((one, at) => (at === n ? { ...one, ...part } : one)))
            }
            onRemove={
              variants.length > 2
                ? () => setVariants(variants.filter((_, at) => at !== n))
                : undefined
            }
          />
        );
      })}
      <div className="flex flex-wrap gap-2">
        {variants.length < LETTERS.length && (
          <Button
            offBecause={mayNot}
            onClick={() => setVariants(variants.length === 0 ? [NEW, NEW] : [...variants, NEW])}
          >
            {variants.length === 0 ? text.addTrial : text.addVariant}
          </Button>
        )}
        {variants.length > 0 && (
          <Button offBecause={mayNot} onClick={() => setVariants([])}>
            {text.dropTrial}
          </Button>
        )}
      </div>
      {variants.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-3">
          <NumberField
            label={text.share}
            min={1}
            max={100}
            value={trial.share}
            error={problems["ab.share"]}
            onChange={(number) => set({ share: number })}
          />
          <NumberField
            label={text.waitHours}
            min={0.1}
            max={720}
            step="any"
            value={trial.wait_hours}
            error={problems["ab.wait_hours"]}
            onChange={(number) => set({ wait_hours: number })}
          />
          <SelectField
            label={text.winnerBy}
            value={trial.by}
            error={problems["ab.by"]}
            onChange={({ target }) => set({ by: wordParam(target.value, METRICS) ?? trial.by })}
          >
            {METRICS.map((metric) => (
              <option key={metric} value={metric}>
                {text.metrics[metric]}
              </option>
            ))}
          </SelectField>
        </div>
      )}
    </FieldGroup>
  );
}

interface VariantFieldsProps {
  letter: string;
  mayNot: string | undefined;
  variant: Variant;
  onChange: (part: Partial<Variant>) => void;
  onRemove: (() => void) | undefined;
}

function VariantFields({ letter, mayNot, variant, onChange, onRemove }: VariantFieldsProps) {
  const text = useTrialText();
  const { id: projectId } = useProject();
  const templates = useQuery(templatesQuery(projectId));
  return (
    <div className="grid items-end gap-4 sm:grid-cols-[2fr_1fr_1fr_auto]">
      <TextField
        label={text.variant(letter)}
        value={variant.subject}
        placeholder={text.asBroadcast}
        onChange={({ target }) => onChange({ subject: target.value })}
      />
      <TextField
        label={text.variantFrom(letter)}
        value={variant.from_name}
        placeholder={text.asBroadcast}
        onChange={({ target }) => onChange({ from_name: target.value })}
      />
      <DraftChoice
        label={text.variantTemplate(letter)}
        none={text.asBroadcast}
        value={variant.template_id}
        list={templates}
        choices={templates.data}
        onChange={(template_id) => onChange({ template_id })}
      />
      {onRemove && (
        <Button offBecause={mayNot} aria-label={text.removeVariant(letter)} onClick={onRemove}>
          {text.remove}
        </Button>
      )}
    </div>
  );
}
