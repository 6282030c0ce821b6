import { useMutation, useQuery } from "@tanstack/react-query";
import { api, type Api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import type { Versioned } from "../../../api/versioned.ts";
import { asSentence } from "../../../lib/as-sentence.ts";
import { failedTestOf, TestSteps } from "../../../parts/sending-server/test-steps.tsx";
import { useStepTexts } from "../../../parts/sending-server/use-step-texts.ts";
import { SettingsForm } from "../../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../../parts/settings-edit/use-settings-edit.ts";
import { sayMessage } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { problemsOf, sayError } from "../../../ui/error-words.tsx";
import { CheckField, TextField } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { NumberField } from "../../../ui/number-field.tsx";
import { When } from "../../../ui/when.tsx";
import { mailboxQuery } from "./bounce-queries.ts";
import { useSaving } from "../use-saving.ts";
import { useSettingsText } from "../use-settings-text.ts";
import { useBouncesText } from "./use-bounces-text.ts";

type Mailbox = Api.BounceMailbox;

/** The bounce mailbox, polled over IMAP. */
export function BounceMailbox() {
  const { id: projectId } = useProject();
  const mailbox = useQuery(mailboxQuery(projectId));
  return (
    <Loaded query={mailbox} lines={5}>
      {(data) => <MailboxForm key={projectId} stored={data} />}
    </Loaded>
  );
}

const FIELDS = ["host", "user", "folder"] as const;

function MailboxForm({ stored }: { stored: Versioned<Mailbox> }) {
  const text = useBouncesText();
  const { passwordHint } = useSettingsText();
  const texts = useStepTexts();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("projects:write");
  const { value: mailbox } = stored;
  const { queryKey } = mailboxQuery(projectId);
  const edit = useSettingsEdit(stored, {
    queryKey,
    fieldsOf: ({ enabled, host, port, user, folder }) => ({
      enabled,
      host,
      port,
      user,
      folder,
      password: "",
    }),
    put: ({ enabled, password, ...rest }, options) => {
      const secret = password === "" ? {} : { password };
      const body = enabled ? { enabled, ...rest, ...secret } : { enabled };
      return api.projects.bounceMailbox.save({ projectId, body }, options);
    },
  });
  const { fields: typed, change } = edit;
  const save = useSaving(queryKey, edit.store);
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
    <SettingsForm edit={edit} save={save} offBecause={mayNot} more={testButton}>
      <CheckField
        label={text.mailboxOn}
        checked={typed.enabled}
        onChange={({ target }) => change({ enabled: target.checked })}
      />
      {typed.enabled && (
        <>
          {FIELDS.map((name) => (
            <TextField
              key={name}
              label={text.mailboxFields[name]}
              value={typed[name]}
              error={problems[name]}
              onChange={({ target }) => change({ [name]: target.value })}
              autoComplete="off"
              required
            />
          ))}
          <NumberField
            label={text.port}
            value={typed.port}
            error={problems["port"]}
            onChange={(number) => change({ port: number })}
          />
          <TextField
            label={text.password}
            hint={passwordHint}
            type="password"
            autoComplete="new-password"
            value={typed.password}
            error={problems["password"]}
            onChange={({ target }) => change({ password: target.value })}
          />
        </>
      )}
      {mailbox.enabled && (
        <p className="text-sm text-muted">
          {text.lastPolled} <When at={mailbox.last_polled_at} />
        </p>
      )}
      {mailbox.last_error && (
        <Notice tone="bad">
          {asSentence(
            sayMessage(texts, {
              code: mailbox.last_error_code ?? "",
              params: mailbox.last_error_params,
              message: mailbox.last_error,
            }),
          )}
        </Notice>
      )}
      {test.error && (
        <Notice tone="bad" role="alert">
          {failed ? text.mailboxFails : sayError(test.error)}
        </Notice>
      )}
      {test.data && (
        <Notice tone="good" role="status">
          {text.mailboxWorks(test.data.unseen)}
        </Notice>
      )}
      {steps && <TestSteps steps={steps} />}
    </SettingsForm>
  );
}
