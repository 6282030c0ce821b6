import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { given } from "../../lib/search-params.ts";
import { Address } from "../../ui/address.tsx";
import { LINK, TextLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { ROWS, type LogFilters } from "./filters.ts";
import { ScheduledForm } from "./scheduled-form.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { useLogText } from "./use-log-text.ts";

type Scheduled = Api.Scheduled;

interface ScheduledListProps {
  filters: LogFilters;
  after: string | undefined;
  onGo: (after?: string) => void;
}

/** The emails and batches that wait for their time, the next one first. */
export function ScheduledList({ filters: { from, to }, after, onGo }: ScheduledListProps) {
  const text = useLogText();
  const { id: projectId } = useProject();
  const [opened, setOpened] = useState<string>();
  const list = useQuery({
    queryKey: ["project", projectId, "logs", "scheduled", from, to, after],
    queryFn: ({ signal }) =>
      api.projects.scheduled.list(
        { projectId, limit: ROWS, ...given({ from, to }), after: after ?? "" },
        { signal },
      ),
  });
  const columns: Column<Scheduled>[] = [
    {
      key: "status",
      head: text.status,
      isNarrow: true,
      cell: () => <StatusBadge mail={{ status: "scheduled" }} />,
    },
    {
      key: "to",
      head: text.recipient,
      cell: ({ id, to_email, recipients }) => (
        <span className="block min-w-28">
          {to_email === null ? (
            <button type="button" className={`text-left ${LINK}`} onClick={() => setOpened(id)}>
              {text.batchOf(recipients)}
            </button>
          ) : (
            <TextLink to="/p/$projectId/log/$logId" params={{ projectId, logId: id }}>
              <Address>{to_email}</Address>
            </TextLink>
          )}
        </span>
      ),
    },
    {
      key: "subject",
      head: text.subject,
      cell: ({ subject }) => (
        <span className="line-clamp-2 max-w-md min-w-18 sm:line-clamp-1">
          {subject || text.noSubject}
        </span>
      ),
    },
    {
      key: "due",
      head: text.sendAt,
      isMinor: true,
      cell: ({ scheduled_at }) => <When at={scheduled_at} />,
    },
  ];
  return (
    <Loaded query={list} lines={8}>
      {({ scheduled, next, total }) => {
        const batch = scheduled.find(({ id }) => id === opened);
        return (
          <>
            {scheduled.length === 0 ? (
              <EmptyState title={text.nothingWaits}>{text.nothingWaitsWords}</EmptyState>
            ) : (
              <Table
                label={text.scheduled}
                columns={columns}
                rows={scheduled}
                keyOf={({ id }) => id}
              />
            )}
            <Pager after={after} next={next} total={total} onGo={onGo} />
            {batch && (
              <Dialog isOpen onClose={() => setOpened(undefined)} title={batch.subject}>
                <ScheduledForm
                  key={batch.scheduled_at}
                  {...batch}
                  projectId={projectId}
                  onMoved={() =>
                    queryClient.invalidateQueries({ queryKey: ["project", projectId, "logs"] })
                  }
                  onCanceled={async () => setOpened(undefined)}
                />
              </Dialog>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
