import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { useAudienceText } from "./use-audience-text.ts";

const SHOWN = 20;

/** The latest events of a person; nothing without any. */
export function PersonEvents({ subscriberId }: { subscriberId: string }) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const events = useQuery({
    queryKey: ["project", projectId, "subscribers", "events", subscriberId],
    queryFn: ({ signal }) =>
      api.projects.subscribers.events.list({ projectId, subscriberId, limit: SHOWN }, { signal }),
  });
  if (events.data?.events.length === 0) return null;
  return (
    <Card title={text.events}>
      <Loaded query={events} lines={3}>
        {({ events: rows }) => (
          <Table
            label={text.events}
            rows={rows.map((event, n) => ({ ...event, n }))}
            keyOf={({ n }) => String(n)}
            columns={[
              { key: "name", head: text.event, cell: ({ name }) => name },
              {
                key: "data",
                head: text.eventData,
                cell: ({ data }) => (
                  <code className="text-sm wrap-anywhere">{JSON.stringify(data)}</code>
                ),
              },
              {
                key: "at",
                head: text.time,
                isMinor: true,
                cell: ({ occurred_at }) => <When at={occurred_at} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
