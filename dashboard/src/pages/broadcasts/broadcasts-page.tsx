import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { formatNumber, formatPercent } from "../../lib/format.ts";
import { given } from "../../lib/search-params.ts";
import { TextLink } from "../../ui/button.tsx";
import { EmptiedPage, EmptyState } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { MailThumb } from "../templates/preview/mail-thumb.tsx";
import { NewBroadcast } from "./new-broadcast.tsx";
import { shareOf } from "./report/rates.ts";
import { StateBadge } from "./state-badge.tsx";
import { isFixed, isRunning, POLL_MS, readable, type Listed, type TABS } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const ROWS = 25;
const STATE_OF = { drafts: "draft", scheduled: "scheduled" } as const;
const route = getRouteApi("/in/p/$projectId/broadcasts");

const CalendarPage = lazy(() => import("./calendar-page.tsx"));

/** A project's broadcasts as lists by state, or as a calendar. */
export function BroadcastsPage() {
  const { tab } = route.useSearch();
  return tab === "calendar" ? <CalendarPage tabs={<Tabs tab={tab} />} /> : <ListPage tab={tab} />;
}

/** The broadcasts that have begun, or those that have not. */
function ListPage({ tab }: { tab: keyof typeof STATE_OF | undefined }) {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  const query = given({
    state: tab && STATE_OF[tab],
    after: after ?? "",
    include: tab === undefined ? ("opens_by_hour" as const) : undefined,
  });
  const list = useQuery({
    queryKey: ["project", projectId, "broadcasts", "list", query],
    queryFn: ({ signal }) =>
      api.projects.broadcasts.list({ projectId, limit: ROWS, ...query }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.broadcasts.some((one) => isRunning(one.state)) ? POLL_MS : false,
  });
  const create = <NewBroadcast />;
  const rows = list.data?.broadcasts ?? [];
  const go = (next?: string) => void navigate({ search: (now) => given({ ...now, after: next }) });
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={rows.length > 0 || after !== undefined ? create : undefined}
    >
      <Tabs tab={tab} />
      {list.isPending && <Skeleton lines={6} />}
      {list.error && <ErrorWords error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && after !== undefined && (
        <EmptiedPage onFirst={() => go()} />
      )}
      {list.data && rows.length === 0 && after === undefined && (
        <EmptyState title={tab === undefined ? text.none : text.noDrafts} action={create}>
          {tab === undefined ? text.noneWords : text.noDraftsWords}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table
          label={text.title}
          density="roomy"
          columns={columnsOf(text, projectId, tab === undefined)}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
      {(!list.data || rows.length > 0) && (
        <Pager
          after={after}
          next={list.error ? null : list.data?.next}
          total={list.data?.total}
          onGo={go}
        />
      )}
    </Page>
  );
}

function Tabs({ tab }: { tab: (typeof TABS)[number] | undefined }) {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const look = (isCurrent: boolean) => ({
    "aria-current": isCurrent ? ("page" as const) : undefined,
  });
  const to = "/p/$projectId/broadcasts" as const;
  return (
    <nav aria-label={text.title} className="tabs">
      <Link
        to={to}
        params={{ projectId }}
        search={{}}
        activeOptions={{ exact: true, includeSearch: true }}
        {...look(tab === undefined)}
      >
        {text.begun}
      </Link>
      <Link
        to={to}
        params={{ projectId }}
        search={{ tab: "scheduled" }}
        {...look(tab === "scheduled")}
      >
        {text.scheduled}
      </Link>
      <Link to={to} params={{ projectId }} search={{ tab: "drafts" }} {...look(tab === "drafts")}>
        {text.drafts}
      </Link>
      <Link
        to={to}
        params={{ projectId }}
        search={{ tab: "calendar" }}
        {...look(tab === "calendar")}
      >
        {text.calendar}
      </Link>
    </nav>
  );
}

const columnsOf = (
  text: ReturnType<typeof useBroadcastsText>,
  projectId: string,
  hasBegun: boolean,
): Column<Listed>[] => [
  {
    key: "name",
    head: text.name,
    cell: ({ id: broadcastId, name, subject, state, starts_at, created_at }) => {
      const shown = name || readable(subject) || text.noSubject;
      return (
        <span className="flex items-center gap-4">
          <MailThumb
            path={`/projects/${projectId}/broadcasts/${broadcastId}`}
            version={isFixed(state) ? (starts_at ?? undefined) : undefined}
            title={shown}
            className="aspect-4/5 w-12 shrink-0 rounded border border-line sm:w-20"
          />
          <span className="min-w-0">
            <Link
              to="/p/$projectId/broadcasts/$broadcastId"
              params={{ projectId, broadcastId }}
              className="text-base font-semibold underline decoration-line underline-offset-4 hover:decoration-ink"
            >
              {shown}
            </Link>
            <span className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
              <StateBadge state={state} />
              <When at={starts_at ?? created_at} />
            </span>
          </span>
        </span>
      );
    },
  },
  ...(hasBegun ? [...numbersOf(text, projectId), opensOf(text)] : []),
];

/** Counts of begun broadcasts, each with a link to its recipients; visits also as a rate. */
const numbersOf = (
  text: ReturnType<typeof useBroadcastsText>,
  projectId: string,
): Column<Listed>[] =>
  (
    [
      ["sent", text.outcomes.sent, { outcome: "sent" }],
      ["opened_human", text.opened, { visit: "opened_human" }],
      ["clicked_human", text.clicked, { visit: "clicked_human" }],
    ] as const
  ).map(([key, head, search]) => ({
    key,
    head,
    isNumber: true,
    isMinor: key === "sent",
    cell: ({ id: broadcastId, sent, [key]: count }) => {
      const percent = key === "sent" ? null : shareOf(count, sent);
      return (
        <>
          {count === 0 ? (
            <span className="text-lg font-semibold">{formatNumber(0)}</span>
          ) : (
            <TextLink
              to="/p/$projectId/broadcasts/$broadcastId"
              params={{ projectId, broadcastId }}
              search={search}
              className="text-lg font-semibold"
              aria-label={text.countOf(formatNumber(count), head)}
            >
              {formatNumber(count)}
            </TextLink>
          )}
          {percent !== null && (
            <span className="block text-xs text-muted">{formatPercent(percent)}</span>
          )}
        </>
      );
    },
  }));

/** The opens of a broadcast in its first hours, as a line. */
const opensOf = (text: ReturnType<typeof useBroadcastsText>): Column<Listed> => ({
  key: "opens",
  head: text.firstHours,
  isMinor: true,
  cell: ({ opens_by_hour: counts = [] }) => {
    const opens = counts.reduce((sum, count) => sum + count, 0);
    return opens > 0 && <Sparkline counts={counts} label={text.opensIn(opens)} />;
  },
});
