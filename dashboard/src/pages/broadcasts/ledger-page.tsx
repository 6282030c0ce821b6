import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { keepWithin } from "../../api/keep-within.ts";
import { formatDuration, formatExact, formatNumber } from "../../lib/format.ts";
import { translated } from "../../text/translated.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Controls } from "./controls.tsx";
import { Duplicate } from "./duplicate.tsx";
import { germanReason } from "./german-reasons.ts";
import { Recipients } from "./recipients.tsx";
import { StateBadge } from "./state-badge.tsx";
import { OUTCOMES, POLL_MS, readable, type Broadcast, type Ledger } from "./states.ts";
import { TrialCard } from "./trial-card.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { useIsChanging } from "./use-is-changing.ts";
import { Visits } from "./visits.tsx";
import { WaitingLine } from "./waiting-line.tsx";

const route = getRouteApi("/in/p/$projectId/broadcasts/$broadcastId");

/** Shows everybody in exactly one number. Each number leads to its list. */
export function LedgerPage({ broadcast }: { broadcast: Broadcast }) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId, state, error } = broadcast;
  const isChanging = useIsChanging(broadcast);
  const queryKey = ["project", projectId, "broadcasts", broadcastId, "ledger", state];
  const ledger = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.projects.broadcasts.ledger({ projectId, broadcastId }, { signal }),
    refetchInterval: isChanging ? POLL_MS : false,
    placeholderData: keepWithin(queryKey),
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <StateBadge state={state} />
        <span className="flex-1 text-muted">{readable(broadcast.subject)}</span>
        <Duplicate broadcast={broadcast} />
      </div>
      {error && (
        <Notice tone="bad" role="alert">
          {translated(error, germanReason)}
        </Notice>
      )}
      <WaitingLine broadcast={broadcast} />
      <Controls broadcast={broadcast} ledger={ledger.data} />
      <Card title={text.ledger}>
        {ledger.isPending && <Skeleton lines={4} />}
        {ledger.error && <ErrorWords error={ledger.error} onRetry={() => void ledger.refetch()} />}
        {ledger.data && <Numbers ledger={ledger.data} broadcast={broadcast} />}
      </Card>
      {broadcast.ab && <TrialCard broadcast={broadcast} />}
      {ledger.data && <Visits ledger={ledger.data} />}
      <Recipients broadcast={broadcast} isChanging={isChanging} />
    </>
  );
}

/** A rate says something when mail went out for at least as long as it counts. */
const MINUTE_MS = 60_000;

/** Returns how long a broadcast took that is over. */
const durationOf = ({ starts_at, finished_at }: Broadcast): number | undefined =>
  starts_at === null || finished_at === null
    ? undefined
    : Date.parse(finished_at) - Date.parse(starts_at);

function Numbers({ ledger, broadcast }: { ledger: Ledger; broadcast: Broadcast }) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId } = broadcast;
  const { outcome } = route.useSearch();
  const settled = ledger.total - ledger.waiting - ledger.skipped;
  const took = durationOf(broadcast);
  const rate = took === undefined || took >= MINUTE_MS ? ledger.rate_per_minute : null;
  return (
    <>
      <progress
        className="w-full"
        aria-label={text.progress}
        max={Math.max(ledger.total, 1)}
        value={settled}
      />
      <p className="mt-1 mb-4 text-sm text-muted" role="status">
        {text.settled(formatNumber(settled), formatNumber(ledger.total))}
        {took !== undefined && settled > 0 && ` ${text.took(formatDuration(took))}`}
        {rate !== null && ` · ${text.rate(formatNumber(Math.round(rate)))}`}
        {ledger.estimated_end_at && ` · ${text.ends(formatExact(ledger.estimated_end_at))}`}
      </p>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-7" aria-label={text.ledger}>
        {OUTCOMES.map((name) => (
          <li key={name}>
            <Link
              to="/p/$projectId/broadcasts/$broadcastId"
              params={{ projectId, broadcastId }}
              search={outcome === name ? {} : { outcome: name }}
              resetScroll={false}
              title={name === "skipped" ? text.skippedHint : undefined}
              aria-current={outcome === name ? "true" : undefined}
              className="block h-full rounded-lg border border-line px-2 py-3 hover:border-edge aria-[current=true]:border-accent"
            >
              <span className="block text-sm text-muted lg:text-xs">{text.outcomes[name]}</span>
              <span className="block text-2xl font-semibold tabular-nums">
                {formatNumber(ledger[name])}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
