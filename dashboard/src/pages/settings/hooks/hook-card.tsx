import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { queryClient } from "../../../api/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { problemsOf, say } from "../../../ui/error-words.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import { useSaving } from "../use-saving.ts";
import { hookQuery, type Hook, type Service } from "./hook.ts";
import { HookTemplates } from "./hook-templates.tsx";
import { useHooksText } from "./use-hooks-text.ts";

interface HookCardProps {
  service: Service;
  title: string;
}

/** What to paste where, for one service. */
export function HookCard({ service, title }: HookCardProps) {
  const text = useHooksText();
  const { id: projectId, name } = useProject();
  const query = hookQuery(projectId, service);
  const hook = useQuery(query);
  const [isAsking, setAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: (signal: AbortSignal) =>
      api.projects.authHooks.rotate({ projectId, service }, { signal }),
    onSuccess: async () => {
      setAsking(false);
      showToast(text.rotated);
      await queryClient.invalidateQueries({ queryKey: query.queryKey });
    },
  });
  return (
    <Card title={title} actions={<Button onClick={() => setAsking(true)}>{text.rotate}</Button>}>
      <Loaded query={hook} lines={6}>
        {(data) => (
          <div className="flex flex-col gap-4">
            <ol className="flex max-w-2xl list-decimal flex-col gap-1 pl-5">
              {text.steps[service].map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <CodeBlock label={text.url} code={data.url} />
            <Secret service={service} hook={data} />
            <LastCall hook={data} />
            {service === "supabase" && <HookTemplates hook={data} />}
          </div>
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={rotate.mutate}
        title={text.rotateTitle}
        action={text.rotate}
        name={name}
        isBusy={rotate.isPending}
        error={rotate.error}
      >
        {text.rotateWords(title, service !== "stripe")}
      </ConfirmDialog>
    </Card>
  );
}

function Secret({ service, hook }: { service: Service; hook: Hook }) {
  const text = useHooksText();
  const { id: projectId } = useProject();
  const [typed, setTyped] = useState("");
  const save = useSaving(hookQuery(projectId, service).queryKey, async () => {
    await api.projects.authHooks.save({ projectId, service, body: { secret: typed } });
    setTyped("");
  });
  return (
    <Form of={save} onSubmit={() => save.mutate(undefined)} action={text.saveSecret} look="plain">
      <TextField
        label={text.secret}
        hint={hook.has_secret ? text.secretSaved : text.secretHint}
        type="password"
        autoComplete="off"
        value={typed}
        error={problemsOf(save.error)["secret"]}
        onChange={({ target }) => setTyped(target.value)}
      />
    </Form>
  );
}

function LastCall({ hook: { last_called_at, last_error } }: { hook: Hook }) {
  const text = useHooksText();
  return (
    <>
      <p className="text-sm">
        <span className="text-muted">{text.lastCall}:</span> <When at={last_called_at} />
        {last_called_at !== null && ` (${last_error ? text.failed : text.worked})`}
      </p>
      {last_error && <Notice tone="bad">{say(last_error)}</Notice>}
    </>
  );
}
