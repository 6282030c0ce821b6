import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useHasFeature } from "../../api/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, TextLink } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { useDialogLock } from "../../ui/dialog-lock.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Webhook as WebhookIcon } from "../../ui/action-icons.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { LicenseNotice, RoleNotice, useLacks, useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSettingsText } from "./use-settings-text.ts";
import type { Webhook } from "./webhook.ts";
import { WebhookFields, type TypedWebhook } from "./webhook-form.tsx";

/** Webhook endpoints of a project. */
export function WebhooksPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const isLicensed = useHasFeature("webhooks");
  const unlicensed = useLacks("webhooks");
  const mayNot = useMayNot("webhooks:write") ?? unlicensed;
  const [isCreating, setCreating] = useState(false);
  const list = useQuery({
    queryKey: ["project", projectId, "webhooks"],
    queryFn: ({ signal }) => api.projects.webhooks.list({ projectId }, { signal }),
    enabled: isLicensed,
  });
  const create = (
    <Button look="primary" offBecause={mayNot} onClick={() => setCreating(true)}>
      {text.newWebhook}
    </Button>
  );
  return (
    <SettingsFrame
      title={text.webhooks}
      lead={text.webhooksLead}
      actions={list.data?.webhooks.length ? create : undefined}
    >
      <LicenseNotice feature="webhooks" />
      <RoleNotice capability="webhooks:write" />
      {isLicensed && (
        <Loaded query={list}>
          {({ webhooks: rows }) =>
            rows.length > 0 ? (
              <Table
                label={text.webhooks}
                columns={columnsOf(text, projectId)}
                rows={rows}
                keyOf={({ id }) => id}
              />
            ) : (
              <EmptyState Icon={WebhookIcon} title={text.noWebhooks} action={create}>
                {text.noWebhooksWords}
              </EmptyState>
            )
          }
        </Loaded>
      )}
      <Dialog isOpen={isCreating} onClose={() => setCreating(false)} title={text.newWebhook}>
        <NewWebhook onDone={() => setCreating(false)} />
      </Dialog>
    </SettingsFrame>
  );
}

const columnsOf = (
  text: ReturnType<typeof useSettingsText>,
  projectId: string,
): Column<Webhook>[] => [
  {
    key: "url",
    head: text.url,
    cell: ({ id: webhookId, url }) => (
      <TextLink
        className="break-all"
        to="/p/$projectId/settings/webhooks/$webhookId"
        params={{ projectId, webhookId }}
      >
        {url}
      </TextLink>
    ),
  },
  {
    key: "state",
    head: text.state,
    cell: ({ active }) => (
      <Badge tone={active ? "good" : "warn"}>{active ? text.active : text.paused}</Badge>
    ),
  },
  {
    key: "events",
    head: text.events,
    isMinor: true,
    cell: ({ events }) => (events.length === 0 ? text.allEvents : events.join(", ")),
  },
  {
    key: "made",
    head: text.created,
    isMinor: true,
    cell: ({ created_at }) => <When at={created_at} />,
  },
];

/** Creates a webhook and shows its signing secret, which no later response contains. */
function NewWebhook({ onDone }: { onDone: () => void }) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("webhooks:write");
  const [typed, setTyped] = useState<TypedWebhook>({ url: "", events: [] });
  const create = useMutation({
    mutationFn: () => api.projects.webhooks.create({ projectId, body: typed }),
    // not awaited, so that the secret is shown at once
    onSuccess: () =>
      void queryClient.invalidateQueries({ queryKey: ["project", projectId, "webhooks"] }),
  });
  useDialogLock(create.isSuccess);
  if (create.data)
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="warn">{text.secretOnce}</Notice>
        <CodeBlock label={text.secret} code={create.data.secret} />
        <Button look="primary" onClick={onDone}>
          {text.keyStored}
        </Button>
      </div>
    );
  return (
    <Form of={create} onSubmit={() => create.mutate()} action={text.newWebhook} offBecause={mayNot}>
      <WebhookFields
        typed={typed}
        error={create.error}
        onChange={(part) => setTyped((now) => ({ ...now, ...part }))}
      />
    </Form>
  );
}
