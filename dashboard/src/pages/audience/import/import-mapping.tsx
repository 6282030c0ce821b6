import { useState } from "react";
import type * as Api from "../../../../../client/src/types.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { FieldGroup } from "../../../ui/field-group.tsx";
import { ColumnRow } from "./column-row.tsx";
import { ImportConsent } from "./import-consent.tsx";
import { mappingOf, newFields, withColumn, type FileColumn } from "./import-columns.ts";
import { ImportStatuses } from "./import-statuses.tsx";
import { ImportTopics } from "./import-topics.tsx";
import type { ImportAnswer, ImportBody } from "./list-import.ts";
import { guessOutcomes, wordsOf } from "./status-words.ts";
import { TagsField, tagsOf, type TypedTags } from "../tags-field.tsx";
import { useImportText } from "./use-import-text.ts";

/** What is imported, and how. */
export interface ImportPlan {
  body: Omit<ImportBody, "file">;
  columns: readonly FileColumn[];
  /** The fields to create. */
  fields: ReturnType<typeof newFields>;
}

interface ImportMappingProps {
  look: { answer: ImportAnswer; fields: readonly Api.Field[]; columns: readonly FileColumn[] };
  onContinue: (plan: ImportPlan) => void;
}

/** Says what the columns of a file hold, whether its people agreed, and their tags and topics. */
export function ImportMapping({ look, onContinue }: ImportMappingProps) {
  const text = useImportText();
  const { answer, fields } = look;
  const [columns, setColumns] = useState(look.columns);
  const [agreed, setAgreed] = useState<"active" | "pending">();
  const [meanings, setMeanings] = useState<Record<string, ReturnType<typeof guessOutcomes>>>({});
  const [tags, setTags] = useState<TypedTags>({ tags: [], typed: "" });
  const [topics, setTopics] = useState<string[]>();
  const status = columns.find(({ use }) => use === "status");
  const words = status ? wordsOf(status.values) : [];
  const meaning = (status && meanings[status.name]) ?? guessOutcomes(words);
  const saysWho =
    status !== undefined || (answer.format !== null && !answer.needs.includes("status"));
  const missing = !columns.some(({ use }) => use === "email")
    ? text.emailFirst
    : saysWho || agreed
      ? undefined
      : text.consentFirst;
  const onSubmit = () =>
    onContinue({
      columns,
      fields: newFields(columns, fields),
      body: {
        mapping: mappingOf(columns, meaning),
        tags: tagsOf(tags),
        ...(agreed && !saysWho && { status: agreed }),
        ...(topics && { topics }),
      },
    });
  return (
    <Card title={text.columns}>
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          {answer.format ? text.recognised(answer.format) : text.unknownFile}
        </p>
        <ul className="flex flex-col divide-y divide-line">
          {columns.map((column) => (
            <ColumnRow
              key={column.place}
              column={column}
              fields={fields}
              onChange={(changed) => setColumns((now) => withColumn(now, changed))}
            />
          ))}
        </ul>
        <FieldGroup title={text.consentQuestion} hint={saysWho ? text.fileSays : text.consentHint}>
          {status && (
            <ImportStatuses
              words={words}
              meanings={meaning}
              onChange={(given) => setMeanings({ ...meanings, [status.name]: given })}
            />
          )}
          {!saysWho && <ImportConsent agreed={agreed} onChoose={setAgreed} />}
        </FieldGroup>
        <FieldGroup title={text.forEveryone} hint={text.forEveryoneHint}>
          <TagsField label={text.tags} value={tags} onChange={setTags} />
          <ImportTopics chosen={topics} onChoose={setTopics} />
        </FieldGroup>
        <div>
          <Button look="primary" offBecause={missing} onClick={onSubmit}>
            {text.useGuess}
          </Button>
          {missing && (
            <p aria-hidden className="mt-2 text-sm text-muted">
              {missing}
            </p>
          )}
        </div>
      </div>
    </Card>
  );
}
