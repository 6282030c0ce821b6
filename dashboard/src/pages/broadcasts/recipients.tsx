import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, type Api } from "../../api/client.ts";
import { keepWithin } from "../../api/keep-within.ts";
import { given } from "../../lib/search-params.ts";
import { useTyped } from "../../lib/use-typed.ts";
import { Address } from "../../ui/address.tsx";
import { TextLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CsvButton } from "../../ui/csv-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { SearchForm } from "../../ui/search-form.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import type { Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

type Recipient = Api.BroadcastRecipient;

const ROWS = 50;
/** The list is larger than the report, so it is polled less often. */
const LIST_POLL_MS = 5_000;
const route = getRouteApi("/in/p/$projectId/broadcasts/$broadcastId");

interface RecipientsProps {
  broadcast: Broadcast;
  /** True while the counts, and so the list, still change. */
  isChanging: boolean;
}

/** The recipients behind a count in the report, each with their mail. */
export function Recipients({ broadcast, isChanging }: RecipientsProps) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId, state } = broadcast;
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useTyped(filters.search ?? "");
  const at = ["project", projectId, "broadcasts", broadcastId];
  const queryKey = [...at, "recipients", filters, state];
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api.projects.broadcasts.recipients(
        { projectId, broadcastId, limit: ROWS, ...filters },
        { signal },
      ),
    refetchInterval: isChanging ? LIST_POLL_MS : false,
    placeholderData: keepWithin(queryKey),
  });
  const rows = list.data?.recipients ?? [];
  const { outcome, visit, link, reaction } = filters;
  const number = [
    ...(outcome ? [text.outcomes[outcome]] : []),
    ...(visit ? [text.visitNames[visit]] : []),
    ...(reaction ? [text[reaction]] : []),
  ].join(", ");
  const find = (search: string | undefined) =>
    void navigate({
      search: given({ outcome, visit, link, reaction, search }),
      resetScroll: false,
    });
  return (
    <Card
      title={number ? text.recipientsOf(number) : text.recipients}
      actions={
        <CsvButton
          path={`projects/${projectId}/broadcasts/${broadcastId}/recipients`}
          filters={filters}
          fileName={["recipients", outcome, visit, reaction].filter(Boolean).join("-") + ".csv"}
        />
      }
    >
      {outcome === "skipped" && <p className="mb-3 text-sm text-muted">{text.skippedListed}</p>}
      {link && (
        <p className="mb-3 text-sm break-all">
          {text.link}: {link}
        </p>
      )}
      <div className="mb-3">
        <SearchForm
          onSearch={() => find(typed.trim() === "" ? undefined : typed.trim())}
          onClear={() => {
            setTyped("");
            find(undefined);
          }}
        >
          <TextField
            label={text.findRecipient}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </SearchForm>
      </div>
      {list.isPending && <Skeleton lines={6} />}
      {list.error && <ErrorWords error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && (
        <EmptyState title={text.nobody}>
          {list.data.next ? text.nobodyHere : text.nobodyWords}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table
          label={text.recipients}
          columns={columnsOf(text, projectId)}
          rows={rows}
          keyOf={({ subscriber_id }) => subscriber_id}
        />
      )}
      <div className="mt-3">
        <Pager
          after={filters.after}
          next={list.error ? null : list.data?.next}
          onGo={(after) =>
            void navigate({ search: (now) => given({ ...now, after }), resetScroll: false })
          }
        />
      </div>
    </Card>
  );
}

const columnsOf = (
  text: ReturnType<typeof useBroadcastsText>,
  projectId: string,
): Column<Recipient>[] => [
  {
    key: "email",
    head: text.recipient,
    cell: ({ email, log_id: logId }) =>
      logId === null ? (
        <Address>{email}</Address>
      ) : (
        <TextLink to="/p/$projectId/log/$logId" params={{ projectId, logId }}>
          <Address>{email}</Address>
        </TextLink>
      ),
  },
  {
    key: "outcome",
    head: text.outcome,
    cell: ({ outcome, error }) => (
      <>
        <span className="block">{text.outcomes[outcome]}</span>
        {error && <span className="block text-muted">{error}</span>}
      </>
    ),
  },
  {
    key: "seen",
    head: text.visits,
    isMinor: true,
    cell: ({ opened_at, clicked_at }) =>
      clicked_at ? text.clicked : opened_at ? text.opened : <span className="text-muted">–</span>,
  },
  {
    key: "at",
    head: text.time,
    isMinor: true,
    cell: ({ sent_at }) => sent_at && <When at={sent_at} />,
  },
];
