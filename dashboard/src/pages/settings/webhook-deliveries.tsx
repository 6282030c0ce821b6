import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Client } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { formatPrecise } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptiedPage } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { RowButton } from "../../ui/row-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { useSettingsText } from "./use-settings-text.ts";

type Delivery = Awaited<
  ReturnType<Client["projects"]["webhooks"]["deliveries"]["list"]>
>["deliveries"][number];

const ROWS = 20;
/** Age up to which a pending delivery is expected to start at once. */
const FRESH_MS = 30_000;
const TONES = { pending: "neutral", inflight: "accent", delivered: "good", failed: "bad" } as const;
const route = getRouteApi("/in/p/$projectId/settings/webhooks/$webhookId");

/** Returns true if a delivery is likely to change within seconds. */
const isOnItsWay = ({ status, created_at }: Delivery) =>
  status === "inflight" || (status === "pending" && Date.now() - Date.parse(created_at) < FRESH_MS);

/** Deliveries to an endpoint with its responses, newest first. */
export function WebhookDeliveries({ webhookId }: { webhookId: string }) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  const [shown, setShown] = useState<string>();
  const key = ["project", projectId, "webhooks", webhookId, "deliveries"];
  const list = useQuery({
    queryKey: [...key, after],
    queryFn: ({ signal }) =>
      api.projects.webhooks.deliveries.list(
        // an empty cursor requests the first page with a cursor for the next
        { projectId, webhookId, limit: ROWS, after: after ?? "" },
        { signal },
      ),
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isOnItsWay) ? 3_000 : false),
  });
  const replay = async (deliveryId: string) => {
    await api.projects.webhooks.deliveries.replay({ projectId, webhookId, deliveryId });
    showToast(text.replayed);
    await queryClient.invalidateQueries({ queryKey: key });
  };
  const go = (next?: string) =>
    void navigate({ search: next === undefined ? {} : { after: next } });
  const mayNot = useMayNot("webhooks:write");
  const columns: Column<Delivery>[] = [
    { key: "event", head: text.event, cell: ({ event_type }) => <code>{event_type}</code> },
    {
      key: "status",
      head: text.state,
      cell: ({ status, last_status_code, last_error }) => (
        <>
          <Badge tone={TONES[status]}>{text.deliveryStates[status]}</Badge>{" "}
          <span className="text-muted">{last_error ?? last_status_code}</span>
        </>
      ),
    },
    {
      key: "attempts",
      head: text.attempts,
      isNumber: true,
      isMinor: true,
      cell: ({ attempts }) => attempts,
    },
    {
      key: "at",
      head: text.created,
      isMinor: true,
      cell: ({ created_at }) => <When at={created_at} />,
    },
    {
      key: "acts",
      head: <span className="sr-only">{text.look}</span>,
      cell: ({ id, event_type, created_at }) => (
        <div className="flex flex-wrap gap-1">
          <Button
            look="quiet"
            aria-label={`${text.look}: ${event_type}, ${formatPrecise(created_at)}`}
            onClick={() => setShown(id)}
          >
            {text.look}
          </Button>
          <RowButton
            label={`${text.replay}: ${event_type}, ${formatPrecise(created_at)}`}
            offBecause={mayNot}
            work={() => replay(id)}
          >
            {text.replay}
          </RowButton>
        </div>
      ),
    },
  ];
  return (
    <Card title={text.deliveries}>
      {list.isPending && <Skeleton lines={4} />}
      {list.error && <ErrorWords error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.deliveries.length === 0 &&
        (after === undefined ? (
          <p className="text-muted">{text.noDeliveries}</p>
        ) : (
          <EmptiedPage onFirst={() => go()} />
        ))}
      {list.data && list.data.deliveries.length > 0 && (
        <Table
          label={text.deliveries}
          columns={columns}
          rows={list.data.deliveries}
          keyOf={({ id }) => id}
        />
      )}
      <Pager after={after} next={list.error ? null : list.data?.next} onGo={go} />
      <Dialog
        isOpen={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={text.delivery}
        isWide
      >
        <OneDelivery webhookId={webhookId} deliveryId={shown ?? ""} />
      </Dialog>
    </Card>
  );
}

interface OneDeliveryProps {
  webhookId: string;
  deliveryId: string;
}

function OneDelivery({ webhookId, deliveryId }: OneDeliveryProps) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const one = useQuery({
    queryKey: ["project", projectId, "webhooks", webhookId, "delivery", deliveryId],
    queryFn: ({ signal }) =>
      api.projects.webhooks.deliveries.get({ projectId, webhookId, deliveryId }, { signal }),
  });
  if (one.error) return <ErrorWords error={one.error} onRetry={() => void one.refetch()} />;
  if (!one.data) return <Skeleton lines={6} />;
  const { payload, answer } = one.data;
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock label={text.payload} code={JSON.stringify(payload, null, 2)} />
      {answer && <CodeBlock label={text.answer} code={answer.body} />}
    </div>
  );
}
