import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, TextLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { LicenceNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSettingsText } from "./use-settings-text.ts";
import type { Webhook } from "./webhook.ts";
import { WebhookForm, type WebhookEvents } from "./webhook-form.tsx";

/** The endpoints that hear what happens in a project. */
export function WebhooksPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("webhooks:write");
  const [isCreating, setCreating] = useState(false);
  const list = useQuery({
    queryKey: ["project", projectId, "webhooks"],
    queryFn: ({ signal }) => api.projects.webhooks.list({ projectId }, { signal }),
  });
  const create = (
    <Button look="primary" offBecause={mayNot} onClick={() => setCreating(true)}>
      {text.newWebhook}
    </Button>
  );
  const rows = list.data?.webhooks ?? [];
  return (
    <SettingsFrame title={text.webhooks} lead={text.webhooksLead} actions={create}>
      <LicenceNotice feature="webhooks" />
      {list.isPending && <Skeleton lines={4} />}
      {list.error && <ErrorWords error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && (
        <EmptyState title={text.noWebhooks}>{text.noWebhooksWords}</EmptyState>
      )}
      {rows.length > 0 && (
        <Table
          label={text.webhooks}
          columns={columnsOf(text, projectId)}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
      <Dialog isOpen={isCreating} onClose={() => setCreating(false)} title={text.newWebhook}>
        <NewWebhook />
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

function NewWebhook() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (body: { url: string; events: WebhookEvents }) =>
      api.projects.webhooks.create({ projectId, body }),
    onSuccess: async ({ id: webhookId }) => {
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "webhooks"] });
      await navigate({
        to: "/p/$projectId/settings/webhooks/$webhookId",
        params: { projectId, webhookId },
      });
    },
  });
  return (
    <WebhookForm
      url=""
      events={[]}
      action={text.newWebhook}
      isBusy={create.isPending}
      error={create.error}
      onSubmit={create.mutate}
    />
  );
}
