import { wordParam } from "../../lib/search-params.ts";
import { Card } from "../../ui/card.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { guessOutcomes, ImportStatuses } from "./import-statuses.tsx";
import { ImportTopics } from "./import-topics.tsx";
import type { Choices, ImportAnswer, Mapping } from "./list-import.ts";
import { valuesOf } from "./run-import.ts";
import { STATUSES } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

interface ImportMappingProps {
  file: string;
  answer: ImportAnswer;
  choices: Choices;
  onChoose: (choices: Choices) => void;
}

/** Maps the columns: the service guesses, and the user corrects. */
export function ImportMapping({ file, answer, choices, onChoose }: ImportMappingProps) {
  const text = useAudienceText();
  const { columns, format, needs } = answer;
  const mapping: Mapping = choices.mapping ?? answer.mapping;
  const change = (part: Partial<Mapping>) =>
    onChoose({ ...choices, mapping: { ...mapping, ...part } });
  const select = (
    label: string,
    value: string,
    onChange: (column: string) => void,
    isFixed = false,
  ) => (
    <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      {!(isFixed && value) && <option value="">{text.noColumn}</option>}
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
        {select(text.email, mapping.email ?? "", (email) => email && change({ email }), true)}
        {select(text.name, mapping.name?.[0] ?? "", (name) => change({ name: name ? [name] : [] }))}
        {select(
          text.tags,
          mapping.tags ?? "",
          (tags) => {
            const { tags: _before, ...rest } = mapping;
            onChoose({ ...choices, mapping: tags ? { ...rest, tags } : rest });
          },
          // the tags of a known export cannot be excluded
          format !== null,
        )}
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
        {select(text.statusColumn, mapping.status?.column ?? "", (column) => {
          const { status: _before, ...rest } = mapping;
          const status = { column, values: guessOutcomes(valuesOf(file, columns, column)) };
          onChoose({ ...choices, mapping: column ? { ...rest, status } : rest });
        })}
      </div>
      {mapping.status && (
        <ImportStatuses
          file={file}
          columns={columns}
          status={mapping.status}
          onChange={(status) => change({ status })}
        />
      )}
      <ImportTopics
        chosen={choices.topics ?? []}
        onChoose={(topics) => onChoose({ ...choices, topics })}
      />
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
