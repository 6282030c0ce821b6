import { wordParam } from "../../lib/search-params.ts";
import { Card } from "../../ui/card.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Choices, ImportAnswer, Mapping } from "./list-import.ts";
import { STATUSES } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

interface ImportMappingProps {
  answer: ImportAnswer;
  choices: Choices;
  onChoose: (choices: Choices) => void;
}

/** Which column is what: guessed by the service, corrected by the person. */
export function ImportMapping({ answer, choices, onChoose }: ImportMappingProps) {
  const text = useAudienceText();
  const { columns, format, needs } = answer;
  const mapping: Mapping = { ...answer.mapping, ...choices.mapping };
  const change = (part: Partial<Mapping>) =>
    onChoose({ ...choices, mapping: { ...mapping, ...part } });
  const select = (label: string, value: string, onChange: (column: string) => void) => (
    <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{text.noColumn}</option>
      {columns.map((column) => (
        <option key={column} value={column}>
          {column}
        </option>
      ))}
    </SelectField>
  );
  return (
    <Card title={text.columns}>
      <p className="mb-3 text-muted">{format ? text.recognised(format) : text.unknownFile}</p>
      {needs.includes("suppressions:write") && <Notice tone="warn">{text.needsRole}</Notice>}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {select(text.email, mapping.email ?? "", (email) => email && change({ email }))}
        {select(text.name, mapping.name?.[0] ?? "", (name) => change({ name: name ? [name] : [] }))}
        {select(text.tags, mapping.tags ?? "", (tags) => tags && change({ tags }))}
        <SelectField
          label={text.statusOfRows}
          hint={needs.includes("status") ? text.statusNeeded : undefined}
          value={choices.status ?? ""}
          onChange={({ target }) => {
            const { status: _before, ...rest } = choices;
            const status = wordParam(target.value, STATUSES);
            onChoose(status ? { ...rest, status } : rest);
          }}
        >
          <option value="">{text.asFileSays}</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {text.statuses[status]}
            </option>
          ))}
        </SelectField>
      </div>
      {choices.mapping === undefined && needs.includes("mapping") && mapping.email && (
        <button
          type="button"
          className="mt-3 text-sm text-accent underline"
          onClick={() => change({})}
        >
          {text.useGuess}
        </button>
      )}
    </Card>
  );
}
