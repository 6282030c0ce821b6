import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Client } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords, problemsOf } from "../../ui/error-words.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { useSettingsText } from "./use-settings-text.ts";

type Mailbox = Awaited<ReturnType<Client["projects"]["bounceMailbox"]["get"]>>;

/** The mailbox that bounces come back to, read over IMAP. */
export function BounceMailbox() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const mailbox = useQuery({
    queryKey: ["project", projectId, "bounce-mailbox"],
    queryFn: ({ signal }) => api.projects.bounceMailbox.get({ projectId }, { signal }),
  });
  return (
    <Card title={text.mailbox}>
      <p className="mb-3 text-sm text-muted">{text.mailboxWords}</p>
      {mailbox.isPending && <Skeleton lines={5} />}
      {mailbox.error && <ErrorWords error={mailbox.error} onRetry={() => void mailbox.refetch()} />}
      {mailbox.data && <MailboxForm key={projectId} mailbox={mailbox.data} />}
    </Card>
  );
}

const FIELDS = ["host", "user", "folder"] as const;

function MailboxForm({ mailbox }: { mailbox: Mailbox }) {
  const text = useSettingsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const [typed, setTyped] = useState(mailbox);
  const [password, setPassword] = useState("");
  const save = useMutation({
    mutationFn: () => {
      const { enabled, host, port, user, folder } = typed;
      const secret = password === "" ? {} : { password };
      const body = enabled ? { enabled, host, port, user, folder, ...secret } : { enabled };
      return api.projects.bounceMailbox.save({ projectId, body });
    },
    onSuccess: async () => {
      setPassword("");
      showToast(text.saved);
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "bounce-mailbox"] });
    },
  });
  const test = useMutation({ mutationFn: () => api.projects.bounceMailbox.test({ projectId }) });
  const problems = problemsOf(save.error);
  return (
    <form
      className="flex max-w-xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <CheckField
        label={text.mailboxOn}
        checked={typed.enabled}
        onChange={({ target }) => setTyped({ ...typed, enabled: target.checked })}
      />
      {typed.enabled && (
        <>
          {FIELDS.map((name) => (
            <TextField
              key={name}
              label={text.mailboxFields[name]}
              value={typed[name]}
              error={problems[name]}
              onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
              autoComplete="off"
              required
            />
          ))}
          <TextField
            label={text.port}
            type="number"
            value={typed.port}
            error={problems["port"]}
            onChange={({ target }) => setTyped({ ...typed, port: target.valueAsNumber || 0 })}
          />
          <TextField
            label={text.password}
            hint={text.passwordHint}
            type="password"
            autoComplete="new-password"
            value={password}
            error={problems["password"]}
            onChange={({ target }) => setPassword(target.value)}
          />
        </>
      )}
      {mailbox.enabled && (
        <p className="text-sm text-muted">
          {text.lastPolled} <When at={mailbox.last_polled_at} />
        </p>
      )}
      {mailbox.last_error && <Notice tone="bad">{mailbox.last_error}</Notice>}
      {save.error && <ErrorWords error={save.error} />}
      {test.error && <ErrorWords error={test.error} />}
      {test.data && <Notice tone="good">{text.mailboxWorks(test.data.unseen)}</Notice>}
      <div className="flex gap-2">
        <Button type="submit" look="primary" isBusy={save.isPending} offBecause={mayNot}>
          {shared.save}
        </Button>
        {mailbox.enabled && (
          <Button isBusy={test.isPending} offBecause={mayNot} onClick={() => test.mutate()}>
            {text.testMailbox}
          </Button>
        )}
      </div>
    </form>
  );
}
