import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { segmentsQuery, topicsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { ConditionBuilder } from "../../parts/segments/condition-builder.tsx";
import { useSegmentsText } from "../../parts/segments/use-segments-text.ts";
import { TextLink } from "../../ui/button.tsx";
import { problemAt } from "../../ui/error-words.tsx";
import { CheckField } from "../../ui/field.tsx";
import { FieldGroup } from "../../ui/field-group.tsx";
import { More } from "../../ui/more.tsx";
import { AudienceCount } from "./audience-count.tsx";
import { DraftChoice } from "./draft-choice.tsx";
import type { DraftFields } from "./draft-fields.ts";
import type { StepProps } from "./use-draft-edit.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const KINDS = ["all", "topic", "segment", "rules"] as const;
type Kind = (typeof KINDS)[number];

const kindOf = ({ topic_id, segment_id, where }: DraftFields): Kind =>
  topic_id !== "" ? "topic" : segment_id !== "" ? "segment" : where !== "" ? "rules" : "all";

const EVERYONE = { topic_id: "", segment_id: "", where: "" };

/**
 * Second step of a draft: who gets it. A choice replaces the others; a draft that the API narrowed
 * in several ways shows all of them.
 */
export function PeopleStep({ edit, problems, mayNot }: StepProps) {
  const text = useBroadcastsText();
  useSegmentsText(); // loaded with the step: a later load would hide the page for a moment
  const { fields, change } = edit;
  const group = useId();
  const { id: projectId } = useProject();
  const topics = useQuery(topicsQuery(projectId));
  const segments = useQuery(segmentsQuery(projectId));
  const [picked, setPicked] = useState<Kind>();
  const kind = picked ?? kindOf(fields);
  const pick = (next: Kind) => {
    setPicked(next);
    change(EVERYONE);
  };
  const excluded = new Set(fields.exclude_segment_ids);
  const exclude = (id: string, isOut: boolean) =>
    change({
      exclude_segment_ids: isOut
        ? [...fields.exclude_segment_ids, id]
        : fields.exclude_segment_ids.filter((one) => one !== id),
    });
  return (
    <fieldset className="contents" disabled={mayNot !== undefined}>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-sm font-medium">{text.sendTo}</legend>
        {KINDS.map((one) => (
          <CheckField
            key={one}
            type="radio"
            name={group}
            label={text.kinds[one]}
            hint={text.kindHints[one]}
            checked={kind === one}
            onChange={() => pick(one)}
          />
        ))}
      </fieldset>
      {(kind === "topic" || fields.topic_id !== "") && (
        <DraftChoice
          label={text.topic}
          none={text.pleaseChoose}
          required={kind === "topic"}
          value={fields.topic_id}
          error={problems["topic_id"]}
          list={topics}
          choices={topics.data?.topics}
          onChange={(topic_id) => change({ topic_id })}
        />
      )}
      {(kind === "segment" || fields.segment_id !== "") && (
        <DraftChoice
          label={text.segment}
          none={text.pleaseChoose}
          required={kind === "segment"}
          value={fields.segment_id}
          error={problems["segment_id"]}
          list={segments}
          choices={segments.data?.segments}
          onChange={(segment_id) => change({ segment_id })}
        />
      )}
      {(kind === "rules" || fields.where !== "") && (
        <FieldGroup title={text.where}>
          <ConditionBuilder
            projectId={projectId}
            value={fields.where}
            error={problems["where"]}
            onChange={(where) => change({ where })}
          />
        </FieldGroup>
      )}
      <AudienceCount broadcastId={edit.draft.id} audience={fields} />
      <More isOpen={excluded.size > 0}>
        <FieldGroup
          title={text.exclude}
          hint={segments.data?.segments.length === 0 ? text.excludeNone : text.excludeHint}
          error={problemAt(problems, "exclude_segment_ids")}
        >
          <div className="grid max-h-48 gap-x-4 gap-y-1 overflow-y-auto sm:grid-cols-3">
            {segments.data?.segments.map(({ id, name }) => (
              <CheckField
                key={id}
                label={name}
                checked={excluded.has(id)}
                onChange={({ target }) => exclude(id, target.checked)}
              />
            ))}
          </div>
        </FieldGroup>
        <p className="text-sm">
          <TextLink to="/p/$projectId/settings/consent" params={{ projectId }}>
            {text.frequency}
          </TextLink>
        </p>
      </More>
    </fieldset>
  );
}
