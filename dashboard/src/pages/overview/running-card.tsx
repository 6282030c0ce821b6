import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import { TextLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { nameOf } from "../broadcasts/states.ts";
import { isRunning, reportQuery, newestBroadcastsQuery } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

/** The running broadcasts with their progress; renders nothing if there are none. */
export function RunningCard() {
  const text = useOverviewText();
  const { id: projectId } = useProject();
  const { data } = useQuery(newestBroadcastsQuery(projectId));
  const running = data?.broadcasts.filter(isRunning) ?? [];
  if (running.length === 0) return null;
  return (
    <Card title={text.running}>
      <ul className="flex flex-col gap-3">
        {running.map((broadcast) => (
          <li key={broadcast.id}>
            <TextLink
              to="/p/$projectId/broadcasts/$broadcastId"
              params={{ projectId, broadcastId: broadcast.id }}
            >
              {nameOf(broadcast)}
            </TextLink>
            <Progress projectId={projectId} broadcastId={broadcast.id} label={nameOf(broadcast)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface ProgressProps {
  projectId: string;
  broadcastId: string;
  label: string;
}

function Progress({ projectId, broadcastId, label }: ProgressProps) {
  const text = useOverviewText();
  const { data: report } = useQuery(reportQuery(projectId, broadcastId));
  if (!report) return null;
  const done = report.total - report.waiting;
  return (
    <>
      <progress value={done} max={report.total} aria-label={label} className="w-full" />
      <p className="text-sm text-muted">
        {text.progress(formatNumber(done), formatNumber(report.total))}
        {report.rate_per_minute !== null &&
          `, ${text.rate(formatNumber(Math.round(report.rate_per_minute)))}`}
      </p>
    </>
  );
}
