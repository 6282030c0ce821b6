import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { formatNumber } from "../../lib/format.ts";
import { wordParam } from "../../lib/search-params.ts";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { REASONS } from "./reasons.ts";
import { useSuppressionsText } from "./use-suppressions-text.ts";

/** Maximum addresses per call (API reference §4.2). */
const MOST = 10_000;

/** Adds addresses to the list, and reports the invalid ones. */
export function AddSuppressions({ onDone }: { onDone: () => void }) {
  const text = useSuppressionsText();
  const { id: projectId } = useProject();
  const [typed, setTyped] = useState("");
  const [source, setSource] = useState("");
  const [reason, setReason] = useState<(typeof REASONS)[number]>("manual");
  const emails = typed.split(/[\s,;]+/).filter(Boolean);
  const add = useMutation({
    mutationFn: (_sent: string) =>
      api.projects.suppressions.add({ projectId, body: { emails, reason, source } }),
    onSuccess: ({ added, skipped, rejected }, sent) => {
      showToast(text.added(added, skipped - rejected.length));
      void queryClient.invalidateQueries({ queryKey: ["project", projectId, "suppressions"] });
      if (typed !== sent) return; // the user is already typing more
      if (rejected.length === 0) onDone();
      else setTyped(rejected.map(({ email }) => email).join("\n"));
    },
  });
  return (
    <Form of={add} onSubmit={() => emails.length > 0 && add.mutate(typed)} action={text.add} isWide>
      {add.data && add.data.rejected.length > 0 && (
        <Notice tone="warn" role="alert">
          {text.rejected} {add.data.rejected.map(({ email }) => email).join(", ")}
        </Notice>
      )}
      <TextArea
        label={text.addresses}
        hint={text.addressesHint(formatNumber(MOST))}
        rows={6}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        required
        autoFocus
      />
      <SelectField
        label={text.reason}
        value={reason}
        onChange={({ target }) => setReason(wordParam(target.value, REASONS) ?? "manual")}
      >
        {REASONS.map((one) => (
          <option key={one} value={one}>
            {text.reasons[one]}
          </option>
        ))}
      </SelectField>
      <TextField
        label={text.source}
        hint={text.sourceHint}
        isOptional
        value={source}
        onChange={({ target }) => setSource(target.value)}
      />
    </Form>
  );
}
