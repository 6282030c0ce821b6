import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { versioned, type Versioned } from "../../api/versioned.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { LicenseNotice, RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSettingsText } from "./use-settings-text.ts";
import { WebhookDeliveries } from "./webhook-deliveries.tsx";
import { knownEvents, WebhookFields } from "./webhook-form.tsx";
import type { Webhook } from "./webhook.ts";

const route = getRouteApi("/in/p/$projectId/settings/webhooks/$webhookId");

const webhookQuery = (projectId: string, webhookId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "webhooks", webhookId],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.webhooks.get({ projectId, webhookId }, { signal, onResponse }),
      ),
  });

/** An endpoint: its settings, secret, test, and deliveries. */
export function WebhookPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const { webhookId } = route.useParams();
  const webhook = useQuery(webhookQuery(projectId, webhookId));
  return (
    <SettingsFrame title={text.webhook} lead={webhook.data?.value.url}>
      <LicenseNotice feature="webhooks" />
      <RoleNotice capability="webhooks:write" />
      <Loaded query={webhook} lines={6}>
        {(data) => (
          <>
            <Settings key={webhookId} stored={data} />
            <WebhookDeliveries webhookId={webhookId} />
          </>
        )}
      </Loaded>
    </SettingsFrame>
  );
}

function Settings({ stored }: { stored: Versioned<Webhook> }) {
  const text = useSettingsText();
  const { value: webhook } = stored;
  const { id: projectId } = useProject();
  const { id: webhookId, active } = webhook;
  const mayNot = useMayNot("webhooks:write");
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: ["project", projectId, "webhooks"] });
  const edit = useSettingsEdit(stored, {
    queryKey: webhookQuery(projectId, webhookId).queryKey,
    fieldsOf: ({ url, events }) => ({ url, events: knownEvents(events) }),
    put: (body, options) => api.projects.webhooks.update({ projectId, webhookId, body }, options),
  });
  const onSuccess = async () => {
    showToast(text.saved);
    await refresh();
  };
  const save = useMutation({ mutationFn: edit.store, onSuccess });
  const turn = useMutation({
    mutationFn: () =>
      api.projects.webhooks.update({ projectId, webhookId, body: { active: !active } }),
    onSuccess,
  });
  const test = useMutation({
    mutationFn: () => api.projects.webhooks.test({ projectId, webhookId }),
    onSuccess: async () => {
      showToast(text.testSent);
      await refresh();
    },
  });
  return (
    <Card
      title={text.endpoint}
      actions={
        <span className="flex flex-wrap gap-2">
          <Button isBusy={test.isPending} offBecause={mayNot} onClick={() => test.mutate()}>
            {text.testWebhook}
          </Button>
          <Button offBecause={mayNot} isBusy={turn.isPending} onClick={() => turn.mutate()}>
            {active ? text.pause : text.resume}
          </Button>
          <Removal webhook={webhook} />
        </span>
      }
    >
      {test.error && <ErrorWords error={test.error} />}
      {turn.error && <ErrorWords error={turn.error} />}
      <SettingsForm edit={edit} save={save} offBecause={mayNot}>
        <WebhookFields typed={edit.fields} error={save.error} onChange={edit.change} />
      </SettingsForm>
    </Card>
  );
}

function Removal({ webhook: { id: webhookId, url } }: { webhook: Webhook }) {
  const text = useSettingsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const mayNot = useMayNot("webhooks:write");
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: (signal: AbortSignal) =>
      api.projects.webhooks.delete({ projectId, webhookId }, { signal }),
    onSuccess: async () => {
      if (isHere())
        await navigate({
          to: "/p/$projectId/settings/webhooks",
          params: { projectId },
          ignoreBlocker: true,
        });
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "webhooks"] });
    },
  });
  return (
    <>
      <Button look="danger" offBecause={mayNot} onClick={() => setAsking(true)}>
        {shared.delete}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={remove.mutate}
        title={text.removeWebhook(url)}
        action={shared.delete}
        name={url}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {text.removeWebhookWords}
      </ConfirmDialog>
    </>
  );
}
