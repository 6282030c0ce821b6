import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { keepWithin } from "../../api/keep-within.ts";
import { asSentence } from "../../lib/as-sentence.ts";
import { formatDuration, formatNear, formatNumber, formatPercent } from "../../lib/format.ts";
import { useNow } from "../../lib/use-now.ts";
import { sayMessage } from "../../text/messages.ts";
import { Card, SHEET } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Controls } from "./controls.tsx";
import { Recipients } from "./recipients.tsx";
import { ArchiveCard } from "./report/archive-card.tsx";
import { Comparison } from "./report/comparison.tsx";
import { shareOf } from "./report/rates.ts";
import { SentMail } from "./report/sent-mail.tsx";
import { useReportText } from "./report/use-report-text.ts";
import { StateBadge } from "./state-badge.tsx";
import { isOver, OUTCOMES, POLL_MS, type Broadcast, type DeliveryReport } from "./states.ts";
import { TrialCard } from "./trial/trial-card.tsx";
import { useBroadcastsText } from "./use-broadcasts-text.ts";
import { useReasonTexts } from "./use-reason-texts.ts";
import { useIsChanging } from "./use-is-changing.ts";
import { Visits } from "./visits.tsx";
import { WaitingLine } from "./waiting-line.tsx";

const route = getRouteApi("/in/p/$projectId/broadcasts/$broadcastId");

/** Counts every recipient in exactly one outcome. Each count links to its list. */
export function ReportPage({ broadcast }: { broadcast: Broadcast }) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId, state, reasons } = broadcast;
  const texts = useReasonTexts();
  const isChanging = useIsChanging(broadcast);
  const queryKey = ["project", projectId, "broadcasts", broadcastId, "report", state];
  const report = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.projects.broadcasts.report({ projectId, broadcastId }, { signal }),
    refetchInterval: isChanging ? POLL_MS : false,
    placeholderData: keepWithin(queryKey),
  });
  return (
    <>
      <div>
        <StateBadge state={state} />
      </div>
      {reasons?.map((reason) => (
        <Notice key={reason.code} tone="bad" role="alert">
          {asSentence(sayMessage(texts, reason))}
        </Notice>
      ))}
      <WaitingLine broadcast={broadcast} />
      <Controls broadcast={broadcast} report={report.data} />
      <Card title={text.report}>
        {report.isPending && <Skeleton lines={4} />}
        {report.error && <ErrorWords error={report.error} onRetry={() => void report.refetch()} />}
        {report.data && <Numbers report={report.data} broadcast={broadcast} />}
      </Card>
      {broadcast.ab && <TrialCard broadcast={broadcast} />}
      {report.data && <Visits report={report.data} />}
      {report.data && isOver(state) && <Comparison broadcast={broadcast} report={report.data} />}
      <ArchiveCard broadcast={broadcast} />
      {report.data && <SentMail broadcast={broadcast} report={report.data} />}
      {!report.isPending && (
        <div id="recipients">
          <Recipients broadcast={broadcast} isChanging={isChanging} />
        </div>
      )}
    </>
  );
}

/** A rate per minute is meaningful only after at least a minute of sending. */
const MINUTE_MS = 60_000;

/** Returns the duration of a finished broadcast. */
const durationOf = ({ starts_at, finished_at }: Broadcast): number | undefined =>
  starts_at === null || finished_at === null
    ? undefined
    : Date.parse(finished_at) - Date.parse(starts_at);

function Numbers({ report, broadcast }: { report: DeliveryReport; broadcast: Broadcast }) {
  const text = useBroadcastsText();
  const words = useReportText();
  const now = useNow();
  const { id: broadcastId, project_id: projectId } = broadcast;
  const { outcome } = route.useSearch();
  const settled = report.total - report.waiting - report.skipped;
  const took = durationOf(broadcast);
  const { waiting_until: next, estimated_end_at: end } = report;
  const saysRate = next === null && (took === undefined || took >= MINUTE_MS);
  const rate = saysRate ? report.rate_per_minute : null;
  return (
    <>
      <progress
        className="w-full"
        aria-label={text.progress}
        max={Math.max(report.total, 1)}
        value={settled}
      />
      <p className="mt-1 mb-4 text-sm text-muted" role="status">
        {settled === report.total && settled > 1
          ? words.allSettled(formatNumber(settled))
          : text.settled(formatNumber(settled), formatNumber(report.total))}
        {took !== undefined && settled > 0 && ` ${text.took(formatDuration(took))}`}
        {rate !== null && ` · ${text.rate(formatNumber(Math.round(rate)))}`}
        {next && ` · ${words.waitsForLimit(formatNear(next, now))}`}
        {end && ` · ${text.ends(formatNear(end, now))}`}
      </p>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-7" aria-label={text.report}>
        {OUTCOMES.map((name) => (
          <li key={name}>
            <Link
              to="/p/$projectId/broadcasts/$broadcastId"
              params={{ projectId, broadcastId }}
              search={outcome === name ? {} : { outcome: name }}
              resetScroll={false}
              hash="recipients"
              title={name === "skipped" ? text.skippedHint : undefined}
              aria-current={outcome === name ? "true" : undefined}
              className={`${SHEET} block h-full p-3 hover:border-edge aria-[current=true]:border-accent`}
            >
              <span className="block text-sm text-muted lg:text-xs">{text.outcomes[name]}</span>
              <span className="block text-2xl font-semibold tabular-nums">
                {formatNumber(report[name])}
              </span>
              {report[name] > 0 && (
                <span className="block text-xs text-muted">
                  {words.ofRecipients(formatPercent(shareOf(report[name], report.total) ?? 0))}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
