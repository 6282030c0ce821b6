import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Client } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { failedTestOf, TestSteps } from "../../parts/sending-server/test-steps.tsx";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { When } from "../../ui/when.tsx";
import { useSaving } from "./use-saving.ts";
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
      <Loaded query={mailbox} lines={5}>
        {(data) => <MailboxForm key={projectId} mailbox={data} />}
      </Loaded>
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
  const save = useSaving(["project", projectId, "bounce-mailbox"], async () => {
    const { enabled, host, port, user, folder } = typed;
    const secret = password === "" ? {} : { password };
    const body = enabled ? { enabled, host, port, user, folder, ...secret } : { enabled };
    await api.projects.bounceMailbox.save({ projectId, body });
    setPassword("");
  });
  const test = useMutation({ mutationFn: () => api.projects.bounceMailbox.test({ projectId }) });
  const problems = problemsOf(save.error);
  const failed = failedTestOf(test.error);
  const steps = test.data?.steps ?? failed?.steps;
  const testButton = mailbox.enabled && (
    <Button isBusy={test.isPending} offBecause={mayNot} onClick={() => test.mutate()}>
      {text.testMailbox}
    </Button>
  );
  return (
    <Form
      of={save}
      onSubmit={() => save.mutate()}
      action={shared.save}
      offBecause={mayNot}
      more={testButton}
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
      {test.error && (
        <Notice tone="bad" role="alert">
          {failed ? `${text.mailboxFails} ${test.error.message}` : test.error.message}
        </Notice>
      )}
      {test.data && (
        <Notice tone="good" role="status">
          {text.mailboxWorks(test.data.unseen)}
        </Notice>
      )}
      {steps && <TestSteps steps={steps} />}
    </Form>
  );
}
