import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { LicenceNotice, RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSettingsText } from "./use-settings-text.ts";
import { WebhookDeliveries } from "./webhook-deliveries.tsx";
import { WebhookForm, type WebhookEvents } from "./webhook-form.tsx";
import type { Webhook } from "./webhook.ts";

const route = getRouteApi("/in/p/$projectId/settings/webhooks/$webhookId");

/** One endpoint: its settings, its secret, a test, and its deliveries. */
export function WebhookPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const { webhookId } = route.useParams();
  const webhook = useQuery({
    queryKey: ["project", projectId, "webhooks", webhookId],
    queryFn: ({ signal }) => api.projects.webhooks.get({ projectId, webhookId }, { signal }),
  });
  return (
    <SettingsFrame title={text.webhook} lead={webhook.data?.url}>
      <LicenceNotice feature="webhooks" />
      <RoleNotice capability="webhooks:write" />
      <Loaded query={webhook} lines={6}>
        {(data) => (
          <>
            <Settings key={webhookId} webhook={data} />
            <WebhookDeliveries webhookId={webhookId} />
          </>
        )}
      </Loaded>
    </SettingsFrame>
  );
}

function Settings({ webhook }: { webhook: Webhook }) {
  const text = useSettingsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const { id: webhookId, active } = webhook;
  const mayNot = useMayNot("webhooks:write");
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: ["project", projectId, "webhooks"] });
  const save = useMutation({
    mutationFn: (body: { active?: boolean; url?: string; events?: WebhookEvents }) =>
      api.projects.webhooks.update({ projectId, webhookId, body }),
    onSuccess: async () => {
      showToast(text.saved);
      await refresh();
    },
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
          <Button offBecause={mayNot} onClick={() => save.mutate({ active: !active })}>
            {active ? text.pause : text.resume}
          </Button>
          <Removal webhook={webhook} />
        </span>
      }
    >
      {test.error && <ErrorWords error={test.error} />}
      <WebhookForm
        url={webhook.url}
        events={webhook.events}
        action={shared.save}
        of={save}
        onSubmit={save.mutate}
      />
    </Card>
  );
}

function Removal({ webhook: { id: webhookId, url } }: { webhook: Webhook }) {
  const text = useSettingsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const mayNot = useMayNot("webhooks:write");
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.projects.webhooks.delete({ projectId, webhookId }),
    onSuccess: async () => {
      await navigate({ to: "/p/$projectId/settings/webhooks", params: { projectId } });
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
        onConfirm={() => remove.mutate()}
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
