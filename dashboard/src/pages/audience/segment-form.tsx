import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { segmentsQuery, type Segment } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useAudienceText } from "./use-audience-text.ts";
import { useSavingRow } from "./use-saving-row.ts";

/** Conditions to begin with. */
const EXAMPLES = [
  "tag:vip and opened:90d",
  "not mailed:7d",
  "created:30d and not clicked",
  "country:DE or country:AT",
];

interface SegmentFormProps {
  segment: Segment | undefined;
  onDone: () => void;
}

/** A condition as one line, with the number of people it fits and ten of them. */
export function SegmentForm({ segment, onDone }: SegmentFormProps) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const [name, setName] = useState(segment?.name ?? "");
  const [where, setWhere] = useState(segment?.where ?? "");
  const preview = useMutation({
    mutationFn: () => api.projects.segments.preview({ projectId, body: { where } }),
  });
  const body = { name, where };
  const save = useSavingRow(
    segmentsQuery(projectId).queryKey,
    () =>
      segment
        ? api.projects.segments.update({ projectId, segmentId: segment.id, body })
        : api.projects.segments.create({ projectId, body }),
    onDone,
  );
  const problems = problemsOf(save.error ?? preview.error);
  return (
    <Form
      of={save}
      onSubmit={() => save.mutate()}
      action={shared.save}
      offBecause={mayNot}
      more={
        <Button isBusy={preview.isPending} onClick={() => preview.mutate()}>
          {text.count}
        </Button>
      }
    >
      <TextField
        label={text.name}
        value={name}
        error={problems["name"]}
        onChange={({ target }) => setName(target.value)}
        required
        autoFocus
      />
      <TextField
        label={text.where}
        hint={text.whereHint}
        value={where}
        error={problems["where"]}
        onChange={({ target }) => setWhere(target.value)}
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
            onClick={() => setWhere(example)}
          >
            <code>{example}</code>
          </button>
        ))}
      </p>
      {preview.data && (
        <Notice role="status">
          <p>{text.fits(preview.data.count)}</p>
          <ul className="mt-1">
            {preview.data.sample.map(({ id, email }) => (
              <li key={id}>{email}</li>
            ))}
          </ul>
        </Notice>
      )}
      {preview.error && <ErrorWords error={preview.error} />}
    </Form>
  );
}
