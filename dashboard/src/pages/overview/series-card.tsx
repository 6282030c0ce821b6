import type { UseQueryResult } from "@tanstack/react-query";
import { formatNumber } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table } from "../../ui/table.tsx";
import { formatBucket } from "./format-bucket.ts";
import type { Series } from "./queries.ts";
import { SeriesChart } from "./series-chart.tsx";
import { useOverviewText } from "./use-overview-text.ts";

interface SeriesCardProps {
  series: UseQueryResult<Series>;
  /** The period before; undefined until it is loaded. */
  before: Series | undefined;
  onRange: (from: string, to: string) => void;
}

/** The delivered mails of a period as a chart, and all of its counts as a table. */
export function SeriesCard({ series: { data }, before, onRange }: SeriesCardProps) {
  const text = useOverviewText();
  return (
    <Card title={text.chartTitle}>
      <div className="min-h-70 sm:min-h-62">
        {data ? (
          <SeriesChart series={data} before={before} onRange={onRange} />
        ) : (
          <Skeleton lines={6} />
        )}
      </div>
      <p className="mt-2 text-sm text-muted">{text.chartHint}</p>
      {data && (
        <details className="mt-2">
          <summary className="cursor-pointer text-sm">{text.chartTable}</summary>
          <SeriesTable series={data} before={before} />
        </details>
      )}
    </Card>
  );
}

function SeriesTable({ series, before }: { series: Series; before: Series | undefined }) {
  const text = useOverviewText();
  const names = ["sent", "delivered", "before", "failed", "bounced", "opened", "clicked"] as const;
  const filled = series.series
    .map((bucket, n) => ({ ...bucket, before: before?.series[n]?.delivered ?? 0 }))
    .filter((one) => one.sent + one.unsubscribed + one.before > 0);
  if (filled.length === 0) return <p className="py-2 text-sm">{text.noMails}</p>;
  return (
    <Table
      label={text.chartTable}
      rows={filled}
      keyOf={({ bucket }) => bucket}
      columns={[
        { key: "bucket", head: text.bucket, cell: ({ bucket }) => formatBucket(bucket, series) },
        ...names.map((name) => ({
          key: name,
          head: text[name],
          cell: (bucket: (typeof filled)[number]) => formatNumber(bucket[name]),
          isNumber: true,
        })),
      ]}
    />
  );
}
