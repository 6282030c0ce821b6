import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { given } from "../../lib/search-params.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { chooseColumn, without } from "../../ui/choose-column.tsx";
import { CsvButton } from "../../ui/csv-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptiedPage, EmptyState } from "../../ui/empty-state.tsx";
import { Search, Users } from "../../ui/icons.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Pager, Table } from "../../ui/table.tsx";
import { useAudienceColumns } from "./audience-columns.tsx";
import { AudienceFilters } from "./audience-filters.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { ImportFilter } from "./import-filter.tsx";
import { NewSubscriber } from "./new-subscriber.tsx";
import type { Filters, Subscriber } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

const ROWS = 50;
const NOBODY: ReadonlySet<string> = new Set();
const route = getRouteApi("/in/p/$projectId/audience");

/** Returns true if the service can sort such a list by email (API reference §12.1). */
const canSortByEmail = ({
  search,
  status,
  tag,
  import: importId,
}: { [K in keyof Filters]?: Filters[K] | undefined }) =>
  search !== undefined || (!status && !tag && !importId);

/** The subscribers of a project. */
export function AudiencePage() {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const { after, sort, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const mayNot = useMayNot("subscribers:write");
  const [isAdding, setAdding] = useState(false);
  // a selection is tied to its filters
  const under = JSON.stringify(filters);
  const [choice, setChoice] = useState({ under, chosen: NOBODY });
  const chosen = choice.under === under ? choice.chosen : NOBODY;
  const setChosen = (now: ReadonlySet<string>) => setChoice({ under, chosen: now });
  const keyOf = (page: string | undefined) => [
    "project",
    projectId,
    "subscribers",
    filters,
    sort,
    page,
  ];
  const list = useQuery({
    queryKey: keyOf(after),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.projects.subscribers.list(
        // an empty cursor requests the first page with a cursor for the next
        { projectId, limit: ROWS, ...filters, ...given({ sort }), after: after ?? "" },
        { signal },
      ),
  });
  const rows = list.data?.subscribers ?? [];
  const { columns, columnChoice } = useAudienceColumns({
    sort,
    onSort: (next) => void navigate({ search: given({ ...filters, sort: next }) }),
    canSortByEmail: canSortByEmail(filters),
  });
  // only the first page has the total
  const total =
    list.data?.total ?? queryClient.getQueryData<typeof list.data>(keyOf(undefined))?.total;
  const isFiltered = Object.values(filters).some(Boolean);
  const go = (next?: string) => void navigate({ search: (now) => given({ ...now, after: next }) });
  const importing = (
    <LinkButton look="primary" to="/p/$projectId/audience/import" params={{ projectId }}>
      {text.import}
    </LinkButton>
  );
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <>
          <Button offBecause={mayNot} onClick={() => setAdding(true)}>
            {text.add}
          </Button>
          {(rows.length > 0 || isFiltered) && importing}
        </>
      }
    >
      <AudienceFilters
        filters={filters}
        onApply={(applied) => {
          const search = { ...applied, import: filters.import };
          const kept = !sort?.endsWith("email") || canSortByEmail(search) ? sort : undefined;
          // each letter of a search is no page of its own
          const replace = search.search !== filters.search;
          void navigate({ search: given({ ...search, sort: kept }), replace });
        }}
      />
      {filters.import && <ImportFilter importId={filters.import} />}
      {list.isPending && <Skeleton lines={8} />}
      {list.error && <ErrorWords error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && after !== undefined && (
        <EmptiedPage onFirst={() => go()} />
      )}
      {list.data && rows.length === 0 && after === undefined && (
        <EmptyState
          Icon={isFiltered ? Search : Users}
          title={isFiltered ? text.noMatch : text.none}
          action={
            isFiltered ? (
              <LinkButton to="/p/$projectId/audience" params={{ projectId }} search={{}}>
                {shared.clear}
              </LinkButton>
            ) : (
              importing
            )
          }
        >
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
            total={total}
            onDone={(ids) => setChoice((now) => ({ ...now, chosen: without(now.chosen, ids) }))}
          >
            {columnChoice}
          </BulkBar>
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
              ...columns,
            ]}
            rows={rows}
            keyOf={({ id }) => id}
          />
          <Pager after={after} next={list.error ? null : list.data?.next} onGo={go} />
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
