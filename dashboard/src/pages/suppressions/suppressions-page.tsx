import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { given } from "../../lib/search-params.ts";
import { Address } from "../../ui/address.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { CsvButton } from "../../ui/csv-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptiedPage, EmptyState } from "../../ui/empty-state.tsx";
import { Ban, Search } from "../../ui/icons.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { AddSuppressions } from "./add-suppressions.tsx";
import type { Suppression } from "./reasons.ts";
import { RemoveSuppression } from "./remove-suppression.tsx";
import { SuppressionFilter } from "./suppression-filter.tsx";
import { useSuppressionsText } from "./use-suppressions-text.ts";

const ROWS = 50;
const route = getRouteApi("/in/p/$projectId/suppressions");

/** The suppression list. */
export function SuppressionsPage() {
  const text = useSuppressionsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const { after, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const [isAdding, setAdding] = useState(false);
  const mayNot = useMayNot("suppressions:write");
  const list = useQuery({
    queryKey: ["project", projectId, "suppressions", search, after],
    queryFn: ({ signal }) =>
      api.projects.suppressions.list(
        // an empty cursor requests the first page with a cursor for the next
        { projectId, limit: ROWS, ...search, after: after ?? "" },
        { signal },
      ),
  });
  const add = (
    <Button look="primary" offBecause={mayNot} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  const isFiltered = Boolean(search.email ?? search.reason);
  const rows = list.data?.suppressions ?? [];
  const go = (next?: string) => void navigate({ search: (now) => given({ ...now, after: next }) });
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <>
          <LinkButton to="/p/$projectId/suppressions/unverified" params={{ projectId }}>
            {text.unverified}
          </LinkButton>
          {(rows.length > 0 || isFiltered) && add}
        </>
      }
    >
      <SuppressionFilter
        search={search}
        onApply={(next) => void navigate({ search: given(next) })}
      />
      {list.isPending && <Skeleton lines={8} />}
      {list.error && <ErrorWords error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && after !== undefined && (
        <EmptiedPage onFirst={() => go()} />
      )}
      {list.data && rows.length === 0 && after === undefined && (
        <EmptyState
          Icon={isFiltered ? Search : Ban}
          title={isFiltered ? text.noMatch : text.none}
          action={
            isFiltered ? (
              <LinkButton to="/p/$projectId/suppressions" params={{ projectId }} search={{}}>
                {shared.clear}
              </LinkButton>
            ) : (
              add
            )
          }
        >
          {isFiltered ? text.noMatchWords : text.noneWords}
        </EmptyState>
      )}
      {rows.length > 0 && <Rows rows={rows} />}
      {list.data && rows.length > 0 && (
        <>
          <Pager after={after} next={list.data.next} total={list.data.total} onGo={go} />
          <CsvButton
            path={`projects/${projectId}/suppressions`}
            filters={search}
            fileName="suppressions.csv"
          />
        </>
      )}
      <Dialog isOpen={isAdding} onClose={() => setAdding(false)} title={text.add}>
        <AddSuppressions onDone={() => setAdding(false)} />
      </Dialog>
    </Page>
  );
}

function Rows({ rows }: { rows: Suppression[] }) {
  const text = useSuppressionsText();
  const [removing, setRemoving] = useState<Suppression>();
  const mayNot = useMayNot("suppressions:write");
  const columns: Column<Suppression>[] = [
    { key: "email", head: text.email, cell: ({ email }) => <Address>{email}</Address> },
    { key: "reason", head: text.reason, cell: ({ reason }) => text.reasons[reason] },
    { key: "source", head: text.source, isMinor: true, cell: ({ source }) => source },
    {
      key: "since",
      head: text.since,
      isMinor: true,
      cell: ({ created_at }) => <When at={created_at} />,
    },
    {
      key: "seen",
      head: text.lastSeen,
      isMinor: true,
      cell: ({ created_at, last_seen_at }) =>
        last_seen_at === created_at ? text.neverSeen : <When at={last_seen_at} />,
    },
    {
      key: "remove",
      head: <span className="sr-only">{text.remove}</span>,
      cell: (row) => (
        <Button
          look="quiet"
          offBecause={mayNot}
          aria-label={`${text.remove}: ${row.email}`}
          onClick={() => setRemoving(row)}
        >
          {text.remove}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table
        label={text.title}
        density="dense"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
      />
      {removing && (
        <RemoveSuppression suppression={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}
