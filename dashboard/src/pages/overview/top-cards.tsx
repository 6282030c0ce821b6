import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects.ts";
import { useHasFeature } from "../../api/session.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { LicenseNotice } from "../../ui/not-allowed.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { LogFilters } from "../log/filters.ts";
import { MailCount } from "./mail-count.tsx";
import { analyticsQuery } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

/** The most used templates and links of a period; requires a license in cloud mode. */
export function TopCards({ moments }: { moments: { from: string; to: string } }) {
  const text = useOverviewText();
  const { id: projectId } = useProject();
  const isLicensed = useHasFeature("analytics");
  const top = useQuery({ ...analyticsQuery(projectId, moments), enabled: isLicensed });
  return (
    <Card title={text.top}>
      <LicenseNotice feature="analytics" />
      {isLicensed && top.isPending && <Skeleton />}
      {top.error && <ErrorWords error={top.error} onRetry={() => void top.refetch()} />}
      {top.data && (
        <div className="flex flex-col gap-4">
          <Ranking
            label={text.template}
            unit={text.sends}
            rows={top.data.top_templates.map(({ template_id, name, sends }) => ({
              name,
              count: sends,
              search: { template_id, status: "sent", from: top.data.from, to: top.data.to },
            }))}
          />
          <Ranking
            label={text.link}
            unit={text.clicks}
            rows={top.data.top_clicked_links.map(({ url, clicks }) => ({
              name: url,
              count: clicks,
              search: undefined,
            }))}
          />
        </div>
      )}
    </Card>
  );
}

interface RankingProps {
  label: string;
  unit: string;
  rows: { name: string; count: number; search: LogFilters | undefined }[];
}

function Ranking({ label, unit, rows }: RankingProps) {
  const text = useOverviewText();
  return (
    <div>
      <p className="flex justify-between text-sm text-muted">
        <span>{label}</span>
        <span>{unit}</span>
      </p>
      {rows.length === 0 && <p className="text-sm">{text.nothingYet}</p>}
      <ol>
        {rows.map(({ name, count, search }) => (
          <li key={search?.template_id ?? name} className="flex justify-between gap-4 py-1 text-sm">
            <span className="truncate" title={name}>
              {name}
            </span>
            <span className="tabular-nums">
              <MailCount count={count} name={name} search={search} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
