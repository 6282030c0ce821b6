import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { given, wordParam } from "../../lib/search-params.ts";
import { Button, LinkButton, TextLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { NewSubscriber } from "./new-subscriber.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { STATUSES, type Subscriber } from "./statuses.ts";
import { useAudienceText } from "./use-audience-text.ts";

const ROWS = 50;
const route = getRouteApi("/in/p/$projectId/audience");

/** The people of a project. */
export function AudiencePage() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayNot = useMayNot("subscribers:write");
  const [isAdding, setAdding] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const list = useQuery({
    queryKey: ["project", projectId, "subscribers", filters],
    queryFn: ({ signal }) =>
      api.projects.subscribers.list({ projectId, limit: ROWS, ...filters }, { signal }),
  });
  const rows = list.data?.subscribers ?? [];
  const isFiltered = Boolean(filters.search ?? filters.status);
  const add = (
    <Button offBecause={mayNot} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
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
          {add}
          <LinkButton look="primary" to="/p/$projectId/audience/import" params={{ projectId }}>
            {text.import}
          </LinkButton>
        </>
      }
    >
      <Filters key={`${filters.search}/${filters.status}`} />
      {list.isPending && <Skeleton lines={8} />}
      {list.error && <ErrorWords error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && (
        <EmptyState title={isFiltered ? text.noMatch : text.none}>
          {isFiltered ? text.noMatchWords : text.noneWords}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <BulkBar chosen={chosen} onDone={() => setChosen(new Set())} />
          <Table
            label={text.title}
            columns={columnsOf(text, projectId, chosen, setChosen)}
            rows={rows}
            keyOf={({ id }) => id}
          />
          <Pager
            after={filters.after}
            next={list.data?.next}
            total={list.data?.total}
            onGo={(after) => void navigate({ search: (now) => given({ ...now, after }) })}
          />
        </>
      )}
      <Dialog isOpen={isAdding} onClose={() => setAdding(false)} title={text.add}>
        <NewSubscriber onDone={() => setAdding(false)} />
      </Dialog>
    </Page>
  );
}

function Filters() {
  const text = useAudienceText();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(filters.search ?? "");
  const apply = (status = filters.status) => {
    const search = typed.trim() === "" ? undefined : typed.trim();
    void navigate({ search: given({ status, search }) });
  };
  return (
    <form
      role="search"
      className="grid items-end gap-3 sm:grid-cols-[2fr_1fr_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextField
        label={text.find}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        placeholder="ann"
      />
      <SelectField
        label={text.status}
        value={filters.status ?? ""}
        onChange={({ target }) => {
          const search = typed.trim() === "" ? undefined : typed.trim();
          void navigate({ search: given({ search, status: wordParam(target.value, STATUSES) }) });
        }}
      >
        <option value="">{text.any}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {text.statuses[status]}
          </option>
        ))}
      </SelectField>
      <div className="flex gap-2">
        <Button type="submit">{text.search}</Button>
        <Button onClick={() => void navigate({ search: {} })}>{text.clear}</Button>
      </div>
    </form>
  );
}

function columnsOf(
  text: ReturnType<typeof useAudienceText>,
  projectId: string,
  chosen: ReadonlySet<string>,
  choose: (chosen: ReadonlySet<string>) => void,
): Column<Subscriber>[] {
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  return [
    {
      key: "choose",
      head: <span className="sr-only">{text.choice}</span>,
      cell: ({ id, email }) => (
        <input
          type="checkbox"
          className="size-4 accent-accent"
          aria-label={text.choose(email)}
          checked={chosen.has(id)}
          onChange={() => toggle(id)}
        />
      ),
    },
    {
      key: "email",
      head: text.email,
      cell: ({ id: subscriberId, email, name }) => (
        <>
          <TextLink to="/p/$projectId/audience/$subscriberId" params={{ projectId, subscriberId }}>
            {email}
          </TextLink>
          {name && <span className="block text-muted">{name}</span>}
        </>
      ),
    },
    { key: "status", head: text.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: "since",
      head: text.since,
      isMinor: true,
      cell: ({ created_at }) => <When at={created_at} />,
    },
  ];
}
