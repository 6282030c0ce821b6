import { useMutation } from "@tanstack/react-query";
import { segmentQuery, segmentsQuery, type Segment } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { NOT_STORED, type Versioned } from "../../api/versioned.ts";
import "../../parts/segments/conditions.de.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useSavingRow } from "./use-saving-row.ts";

/** Example conditions. */
const EXAMPLES = [
  "tag:vip and opened:90d",
  "not mailed:7d",
  "created:30d and not clicked",
  "country:DE or country:AT",
];

interface SegmentFormProps {
  /** Undefined for a new segment. */
  stored: Versioned<Segment | undefined> | undefined;
  onDone: () => void;
}

/** A condition as one line, with its number of matches and ten examples. */
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
  const preview = useMutation({
    mutationFn: (asked: string) =>
      api.projects.segments.preview({ projectId, body: { where: asked } }),
  });
  const counted = preview.variables === where ? preview : undefined; // a count is valid only for its own condition
  const save = useSavingRow(segmentsQuery(projectId).queryKey, edit.store, onDone);
  const problems = problemsOf(save.error ?? counted?.error ?? null);
  return (
    <SettingsForm
      edit={edit}
      save={save}
      offBecause={mayNot}
      more={
        <Button isBusy={preview.isPending} onClick={() => preview.mutate(where)}>
          {text.count}
        </Button>
      }
    >
      <TextField
        label={text.name}
        value={name}
        error={problems["name"]}
        onChange={({ target }) => edit.change({ name: target.value })}
        required
        autoFocus
      />
      <TextField
        label={text.where}
        hint={text.whereHint}
        value={where}
        error={problems["where"]}
        onChange={({ target }) => edit.change({ where: target.value })}
        spellCheck={false}
        required
      />
      <p className="flex flex-wrap gap-2 text-sm">
        {text.examples}
        {EXAMPLES.map((example) => (
          <button
            key={example}
            type="button"
            className="rounded bg-sunken px-2 py-0.5 hover:bg-accent-soft"
            onClick={() => edit.change({ where: example })}
          >
            <code>{example}</code>
          </button>
        ))}
      </p>
      {counted?.data && (
        <Notice role="status">
          <p>{text.fits(counted.data.count, counted.data.more)}</p>
          <ul className="mt-1">
            {counted.data.sample.map(({ id, email }) => (
              <li key={id}>{email}</li>
            ))}
          </ul>
        </Notice>
      )}
      {counted?.error && <ErrorWords error={counted.error} />}
    </SettingsForm>
  );
}
