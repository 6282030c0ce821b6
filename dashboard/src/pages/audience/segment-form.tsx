import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { segmentsQuery, type Segment } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAudienceText } from "./use-audience-text.ts";

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
  const save = useMutation({
    mutationFn: () => {
      const body = { name, where };
      return segment
        ? api.projects.segments.update({ projectId, segmentId: segment.id, body })
        : api.projects.segments.create({ projectId, body });
    },
    onSuccess: async () => {
      showToast(text.saved);
      onDone();
      await queryClient.invalidateQueries({ queryKey: segmentsQuery(projectId).queryKey });
    },
  });
  const problems = problemsOf(save.error ?? preview.error);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
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
      {save.error && <ErrorWords error={save.error} />}
      <div className="flex gap-2">
        <Button type="submit" look="primary" isBusy={save.isPending} offBecause={mayNot}>
          {shared.save}
        </Button>
        <Button isBusy={preview.isPending} onClick={() => preview.mutate()}>
          {text.count}
        </Button>
      </div>
    </form>
  );
}
