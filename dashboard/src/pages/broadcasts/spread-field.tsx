import { formatNumber } from "../../lib/format.ts";
import { SelectField } from "../../ui/field.tsx";
import type { DraftEdit } from "./use-draft-edit.ts";
import { useAudienceCount } from "./use-audience-count.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const HOURS = [2, 4, 8, 12, 24, 48];

/** Selects over how many hours a draft is sent: each choice is a maximum per hour. */
export function SpreadField({ edit: { draft, fields, change } }: { edit: DraftEdit }) {
  const text = useBroadcastsText();
  const { data } = useAudienceCount(draft.id, fields);
  const total = data?.total ?? 0;
  const choices = HOURS.map((hours) => ({ hours, rate: Math.ceil(total / hours) }));
  const isKnown = fields.per_hour === 0 || choices.some(({ rate }) => rate === fields.per_hour);
  return (
    <SelectField
      label={text.speed}
      className="max-w-md"
      value={fields.per_hour}
      onChange={({ target }) => change({ per_hour: Number(target.value) })}
    >
      <option value={0}>{text.fast}</option>
      {!isKnown && (
        <option value={fields.per_hour}>{text.ownRate(formatNumber(fields.per_hour))}</option>
      )}
      {choices
        .filter(({ rate }, at) => rate > 1 && choices[at - 1]?.rate !== rate)
        .map(({ hours, rate }) => (
          <option key={hours} value={rate}>
            {text.spread(hours, formatNumber(rate))}
          </option>
        ))}
    </SelectField>
  );
}
