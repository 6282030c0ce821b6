import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useProject } from "../../api/projects.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { DraftPage } from "./draft-page.tsx";
import { ReportPage } from "./report-page.tsx";
import { broadcastQuery } from "./queries.ts";
import { ScheduledPage } from "./scheduled-page.tsx";
import { isRunning, POLL_MS, readable, type Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const route = getRouteApi("/in/p/$projectId/broadcasts/$broadcastId");

/** A draft, a scheduled broadcast, or the report of one that has started. */
export function BroadcastPage() {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const { broadcastId } = route.useParams();
  const { step = "mail" } = route.useSearch();
  const broadcast = useQuery({
    ...broadcastQuery(projectId, broadcastId),
    refetchInterval: ({ state: { data } }) => (data ? nextLookIn(data.broadcast) : false),
  });
  const data = broadcast.data?.broadcast;
  return (
    <Page
      title={data?.name || (data && readable(data.subject)) || text.broadcast}
      actions={
        <LinkButton
          to="/p/$projectId/broadcasts"
          params={{ projectId }}
          search={data?.state === "draft" ? { tab: "drafts" } : {}}
        >
          {text.back}
        </LinkButton>
      }
    >
      {broadcast.isPending && <Skeleton lines={6} />}
      {broadcast.error && (
        <ErrorWords error={broadcast.error} onRetry={() => void broadcast.refetch()} />
      )}
      {data?.state === "draft" && (
        <DraftPage key={data.id} draft={data} version={broadcast.data?.version ?? ""} step={step} />
      )}
      {data?.state === "scheduled" && <ScheduledPage key={data.id} broadcast={data} />}
      {data && data.state !== "draft" && data.state !== "scheduled" && (
        <ReportPage key={data.id} broadcast={data} />
      )}
    </Page>
  );
}

const MINUTE_MS = 60_000;

/** Returns the polling interval of a broadcast; false if nothing changes on its own. */
function nextLookIn({ state, starts_at }: Broadcast): number | false {
  if (isRunning(state)) return POLL_MS;
  if (state !== "scheduled" || starts_at === null) return false;
  const left = Date.parse(starts_at) - Date.now() - MINUTE_MS;
  return left <= 0 ? POLL_MS : Math.min(left, 60 * MINUTE_MS);
}
