import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { given } from "../../lib/search-params.ts";
import { Address } from "../../ui/address.tsx";
import { Button, LinkButton, TextLink } from "../../ui/button.tsx";
import { chooseColumn, without } from "../../ui/choose-column.tsx";
import { CsvButton } from "../../ui/csv-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptiedPage, EmptyState } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { AudienceFilters } from "./audience-filters.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { ImportFilter } from "./import-filter.tsx";
import { NewSubscriber } from "./new-subscriber.tsx";
import { StatusBadge } from "./status-badge.tsx";
import type { Subscriber } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

const ROWS = 50;
const NOBODY: ReadonlySet<string> = new Set();
const route = getRouteApi("/in/p/$projectId/audience");

/** The subscribers of a project. */
export function AudiencePage() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const { after, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const mayNot = useMayNot("subscribers:write");
  const [isAdding, setAdding] = useState(false);
  // a selection is tied to its filters
  const under = JSON.stringify(filters);
  const [choice, setChoice] = useState({ under, chosen: NOBODY });
  const chosen = choice.under === under ? choice.chosen : NOBODY;
  const setChosen = (now: ReadonlySet<string>) => setChoice({ under, chosen: now });
  const list = useQuery({
    queryKey: ["project", projectId, "subscribers", filters, after],
    queryFn: ({ signal }) =>
      api.projects.subscribers.list(
        // an empty cursor requests the first page with a cursor for the next
        { projectId, limit: ROWS, ...filters, after: after ?? "" },
        { signal },
      ),
  });
  const rows = list.data?.subscribers ?? [];
  const isFiltered = Object.values(filters).some(Boolean);
  const go = (next?: string) => void navigate({ search: (now) => given({ ...now, after: next }) });
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <>
          <LinkButton to="/p/$projectId/audience/topics" params={{ projectId }}>
            {text.topics}
          </LinkButton>
          <LinkButton to="/p/$projectId/audience/segments" params={{ projectId }}>
            {text.segments}
          </LinkButton>
          <LinkButton to="/p/$projectId/audience/privacy" params={{ projectId }}>
            {text.privacy}
          </LinkButton>
          <Button offBecause={mayNot} onClick={() => setAdding(true)}>
            {text.add}
          </Button>
          <LinkButton look="primary" to="/p/$projectId/audience/import" params={{ projectId }}>
            {text.import}
          </LinkButton>
        </>
      }
    >
      <AudienceFilters
        filters={filters}
        onApply={(search) =>
          void navigate({ search: given({ ...search, import: filters.import }) })
        }
      />
      {filters.import && <ImportFilter importId={filters.import} />}
      {list.isPending && <Skeleton lines={8} />}
      {list.error && <ErrorWords error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && after !== undefined && (
        <EmptiedPage onFirst={() => go()} />
      )}
      {list.data && rows.length === 0 && after === undefined && (
        <EmptyState title={isFiltered ? text.noMatch : text.none}>
          {isFiltered ? text.noMatchWords : text.noneWords}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <BulkBar
            rows={rows}
            key={under}
            filters={filters}
            chosen={chosen}
            onDone={(ids) => setChoice((now) => ({ ...now, chosen: without(now.chosen, ids) }))}
          />
          <Table
            label={text.title}
            columns={[
              chooseColumn<Subscriber>({
                head: text.choice,
                labelOf: ({ email }) => text.choose(email),
                keyOf: ({ id }) => id,
                chosen,
                onChoose: setChosen,
              }),
              ...columnsOf(text, projectId),
            ]}
            rows={rows}
            keyOf={({ id }) => id}
          />
          <Pager after={after} next={list.data?.next} total={list.data?.total} onGo={go} />
          <CsvButton
            path={`projects/${projectId}/subscribers`}
            filters={filters}
            fileName="people.csv"
          />
        </>
      )}
      <Dialog isOpen={isAdding} onClose={() => setAdding(false)} title={text.add}>
        <NewSubscriber onDone={() => setAdding(false)} />
      </Dialog>
    </Page>
  );
}

const columnsOf = (
  text: ReturnType<typeof useAudienceText>,
  projectId: string,
): Column<Subscriber>[] => [
  {
    key: "email",
    head: text.email,
    cell: ({ id: subscriberId, email, name }) => (
      <>
        <TextLink to="/p/$projectId/audience/$subscriberId" params={{ projectId, subscriberId }}>
          <Address>{email}</Address>
        </TextLink>
        {name && <span className="block text-muted">{name}</span>}
      </>
    ),
  },
  { key: "status", head: text.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: "tags",
    head: text.tags,
    isMinor: true,
    cell: ({ tags }) => (
      <span className="flex flex-wrap gap-x-2">
        {tags.map((tag) => (
          <TextLink key={tag} to="/p/$projectId/audience" params={{ projectId }} search={{ tag }}>
            {tag}
          </TextLink>
        ))}
      </span>
    ),
  },
  {
    key: "since",
    head: text.since,
    isMinor: true,
    cell: ({ created_at }) => <When at={created_at} />,
  },
];
