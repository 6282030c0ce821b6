import { useQuery } from "@tanstack/react-query";
import { segmentsQuery, topicsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { problemAt } from "../../ui/error-words.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { FieldGroup } from "../../ui/field-group.tsx";
import { DraftChoice } from "./draft-choice.tsx";
import type { AudienceField, DraftPartProps } from "./draft-fields.ts";
import { PLACE_IDS } from "./draft-places.ts";
import { SegmentCount } from "./segment-count.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Selects the audience of a draft: everyone, a topic, a segment, or a custom condition. */
export function DraftAudience({
  fields,
  problems,
  onChange,
}: Omit<DraftPartProps<AudienceField>, "mayNot">) {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const topics = useQuery(topicsQuery(projectId));
  const segments = useQuery(segmentsQuery(projectId));
  const chosen = segments.data?.segments.find(({ id }) => id === fields.segment_id);
  const excluded = new Set(fields.exclude_segment_ids);
  const exclude = (id: string, isOut: boolean) =>
    onChange({
      exclude_segment_ids: isOut
        ? [...fields.exclude_segment_ids, id]
        : fields.exclude_segment_ids.filter((one) => one !== id),
    });
  return (
    <div id={PLACE_IDS.audience} className="sm:col-span-2">
      <FieldGroup title={text.audience}>
        <div className="grid gap-4 sm:grid-cols-3">
          <DraftChoice
            label={text.topic}
            hint={text.topicHint}
            none={text.everybody}
            value={fields.topic_id}
            error={problems["topic_id"]}
            list={topics}
            choices={topics.data?.topics}
            onChange={(topic_id) => onChange({ topic_id })}
          />
          <DraftChoice
            label={text.segment}
            hint={
              <>
                {text.segmentHint} {chosen && <SegmentCount where={chosen.where} />}
              </>
            }
            none={text.noSegment}
            value={fields.segment_id}
            error={problems["segment_id"]}
            list={segments}
            choices={segments.data?.segments}
            onChange={(segment_id) => onChange({ segment_id })}
          />
          <TextField
            label={text.where}
            hint={text.whereHint}
            isOptional
            spellCheck={false}
            value={fields.where}
            error={problems["where"]}
            onChange={({ target }) => onChange({ where: target.value })}
          />
        </div>
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
      </FieldGroup>
    </div>
  );
}
