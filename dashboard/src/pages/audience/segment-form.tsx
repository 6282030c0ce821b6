import { segmentQuery, segmentsQuery, type Segment } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { NOT_STORED, type Versioned } from "../../api/versioned.ts";
import { ConditionBuilder } from "../../parts/segments/condition-builder.tsx";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useSavingRow } from "./use-saving-row.ts";

interface SegmentFormProps {
  /** Undefined for a new segment. */
  stored: Versioned<Segment | undefined> | undefined;
  onDone: () => void;
}

/** A name and the rules of a segment, with the people who match them. */
export function SegmentForm({ stored = NOT_STORED, onDone }: SegmentFormProps) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const edit = useSettingsEdit<Segment | undefined, { name: string; where: string }>(stored, {
    queryKey: segmentQuery(projectId, stored.value?.id ?? "new").queryKey,
    fieldsOf: (segment) => ({ name: segment?.name ?? "", where: segment?.where ?? "" }),
    put: (body, options, segment) =>
      segment
        ? api.projects.segments.update({ projectId, segmentId: segment.id, body }, options)
        : api.projects.segments.create({ projectId, body }),
  });
  const { name, where } = edit.fields;
  const save = useSavingRow(segmentsQuery(projectId).queryKey, edit.store, onDone);
  return (
    <SettingsForm
      edit={edit}
      save={save}
      offBecause={mayNot ?? (where === "" ? text.ruleFirst : undefined)}
      layout="flex flex-col gap-4"
    >
      <TextField
        label={text.name}
        value={name}
        error={problemsOf(save.error)["name"]}
        onChange={({ target }) => edit.change({ name: target.value })}
        required
        autoFocus
      />
      <ConditionBuilder
        projectId={projectId}
        value={where}
        onChange={(next) => edit.change({ where: next })}
        isCounted
      />
    </SettingsForm>
  );
}
