import { useQuery } from "@tanstack/react-query";
import { segmentsQuery, topicsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Who gets a draft; an empty text means everybody. */
export interface Audience {
  topic_id: string;
  segment_id: string;
  where: string;
}

interface DraftAudienceProps {
  audience: Audience;
  problems: Record<string, string>;
  onChange: (part: Partial<Audience>) => void;
}

/** Chooses who gets a draft: all, those of a topic, of a segment, or of a condition of its own. */
export function DraftAudience({ audience, problems, onChange }: DraftAudienceProps) {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const topics = useQuery(topicsQuery(projectId));
  const segments = useQuery(segmentsQuery(projectId));
  return (
    <fieldset className="grid gap-4 sm:col-span-2 sm:grid-cols-3">
      <legend className="mb-2 font-semibold">{text.audience}</legend>
      <SelectField
        label={text.topic}
        hint={text.topicHint}
        value={audience.topic_id}
        onChange={({ target }) => onChange({ topic_id: target.value })}
      >
        <option value="">{text.everybody}</option>
        {topics.data?.topics.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={text.segment}
        hint={text.segmentHint}
        value={audience.segment_id}
        onChange={({ target }) => onChange({ segment_id: target.value })}
      >
        <option value="">{text.noSegment}</option>
        {segments.data?.segments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label={text.where}
        hint={text.whereHint}
        isOptional
        spellCheck={false}
        value={audience.where}
        error={problems["where"]}
        onChange={({ target }) => onChange({ where: target.value })}
      />
    </fieldset>
  );
}
