import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import { api, type Api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { given } from "../../lib/search-params.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Address } from "../../ui/address.tsx";
import { LinkButton, TextLink } from "../../ui/button.tsx";
import { CsvButton } from "../../ui/csv-button.tsx";
import { EmptiedPage, EmptyState } from "../../ui/empty-state.tsx";
import { Search } from "../../ui/icons.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { isOfScheduled, ROWS, type LogFilters } from "./filters.ts";
import { rememberSearch } from "./last-search.ts";
import { LogFilterForm } from "./log-filter-form.tsx";
import { ScheduledList } from "./scheduled-list.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { useLogText } from "./use-log-text.ts";

type Mail = Api.LogEntry;

const route = getRouteApi("/in/p/$projectId/log");

/** A project's mails, newest first, or those that wait for their time, filtered by the URL. */
export function LogPage() {
  const text = useLogText();
  const { id: projectId } = useProject();
  const search = route.useSearch();
  const { after, ...filters } = search;
  useEffect(() => rememberSearch(projectId, search), [projectId, search]);
  const navigate = route.useNavigate();
  const go = (next?: string) => void navigate({ search: (now) => given({ ...now, after: next }) });
  const List = isOfScheduled(filters) ? ScheduledList : MailList;
  return (
    <Page title={text.title} lead={text.lead}>
      <LogFilterForm filters={filters} onApply={(next) => void navigate({ search: next })} />
      <List filters={filters} after={after} onGo={go} />
    </Page>
  );
}

interface MailListProps {
  filters: LogFilters;
  after: string | undefined;
  onGo: (after?: string) => void;
}

function MailList({ filters, after, onGo: go }: MailListProps) {
  const { id: projectId } = useProject();
  const mails = useQuery({
    queryKey: ["project", projectId, "logs", filters, after],
    queryFn: ({ signal }) =>
      api.projects.logs.list(
        // an empty cursor requests the first page with a cursor for the next
        { projectId, limit: ROWS, ...filters, after: after ?? "" },
        { signal },
      ),
  });
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <>
      {mails.isPending && <Skeleton lines={8} />}
      {mails.error && <ErrorWords error={mails.error} onRetry={() => void mails.refetch()} />}
      {mails.data?.logs.length === 0 &&
        (after !== undefined && !isFiltered && !mails.data.next ? (
          <EmptiedPage onFirst={() => go()} />
        ) : (
          <NoMails
            isFiltered={isFiltered}
            hasMore={Boolean(mails.data.next)}
            projectId={projectId}
          />
        ))}
      {mails.data && mails.data.logs.length > 0 && <Mails rows={mails.data.logs} />}
      {mails.data && (
        <>
          <Pager after={after} next={mails.data.next} total={mails.data.total} onGo={go} />
          {(mails.data.logs.length > 0 || mails.data.next) && (
            <CsvButton path={`projects/${projectId}/logs`} filters={filters} fileName="log.csv" />
          )}
        </>
      )}
    </>
  );
}

function Mails({ rows }: { rows: Mail[] }) {
  const text = useLogText();
  const { id: projectId } = useProject();
  const columns: Column<Mail>[] = [
    {
      key: "status",
      head: text.status,
      isNarrow: true,
      cell: (mail) => <StatusBadge mail={mail} />,
    },
    {
      key: "to",
      head: text.recipient,
      cell: ({ id, to_email }) => (
        <span className="block min-w-28">
          <TextLink to="/p/$projectId/log/$logId" params={{ projectId, logId: id }}>
            <Address>{to_email}</Address>
          </TextLink>
        </span>
      ),
    },
    {
      key: "subject",
      head: text.subject,
      cell: ({ subject, error }) => (
        <>
          <span className="line-clamp-2 max-w-md min-w-18 sm:line-clamp-1">
            {subject || text.noSubject}
          </span>
          {error && (
            <span className="line-clamp-2 max-w-md min-w-18 text-muted sm:line-clamp-1">
              {error}
            </span>
          )}
        </>
      ),
    },
    {
      key: "visits",
      head: text.visits,
      isMinor: true,
      cell: ({ opened_at, clicked_at }) =>
        clicked_at ? text.clicked : opened_at ? text.opened : <span className="text-muted">–</span>,
    },
    { key: "sent", head: text.time, isMinor: true, cell: ({ sent_at }) => <When at={sent_at} /> },
  ];
  return (
    <Table
      label={text.title}
      density="dense"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
    />
  );
}

interface NoMailsProps {
  isFiltered: boolean;
  hasMore: boolean;
  projectId: string;
}

function NoMails({ isFiltered, hasMore, projectId }: NoMailsProps) {
  const text = useLogText();
  const shared = useSharedText();
  if (hasMore)
    return (
      <EmptyState Icon={Search} title={text.noneHere}>
        {text.noneHereWords}
      </EmptyState>
    );
  if (!isFiltered) return <EmptyState title={text.none}>{text.noneWords}</EmptyState>;
  return (
    <EmptyState
      Icon={Search}
      title={text.noMatch}
      action={
        <LinkButton to="/p/$projectId/log" params={{ projectId }} search={{}}>
          {shared.clear}
        </LinkButton>
      }
    >
      {text.noMatchWords}
    </EmptyState>
  );
}
