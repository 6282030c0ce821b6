import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { useMe } from "../../../api/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorWords, problemsOf } from "../../../ui/error-words.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { SampleFields } from "../preview/sample.ts";
import { useTemplatesText } from "../use-templates-text.ts";

interface TestDialogProps {
  projectId: string;
  templateId: string;
  /** Source of the mail's data. */
  sample: SampleFields;
  onClose: () => void;
}

/** Sends the saved template to a few addresses, and shows the outcome of each mail. */
export function TestDialog({ projectId, templateId, sample, onClose }: TestDialogProps) {
  const text = useTemplatesText();
  const { user } = useMe();
  const [to, setTo] = useState(user.email);
  const send = useMutation({
    mutationFn: () =>
      api.projects.templates.test({
        projectId,
        templateId,
        body: {
          to: to.split(/[\s,;]+/).filter((one) => one !== ""),
          ...sample,
        },
      }),
  });
  return (
    <Dialog isOpen onClose={onClose} title={text.sendTest}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <TextField
          label={text.testTo}
          hint={Object.keys(sample).length === 0 ? text.testHint : text.testHintSample}
          value={to}
          onChange={(event) => setTo(event.target.value)}
          error={problemsOf(send.error)["to"]}
          required
          autoFocus
        />
        {send.error && <ErrorWords error={send.error} />}
        {send.data?.results.map((result) => (
          <Notice key={result.to} tone={result.status === "sent" ? "good" : "bad"} role="status">
            <p>
              {result.to}: {text.testStatus[result.status]}
            </p>
            {result.error !== null && <p className="mt-1">{result.error}</p>}
          </Notice>
        ))}
        <Button type="submit" look="primary" isBusy={send.isPending}>
          {text.sendTest}
        </Button>
      </form>
    </Dialog>
  );
}
