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
  onRange: (from: string, to: string) => void;
}

/** The mails of a period as a chart, with an accessible table. */
export function SeriesCard({ series: { data }, onRange }: SeriesCardProps) {
  const text = useOverviewText();
  return (
    <Card title={text.chartTitle}>
      <div className="min-h-70 sm:min-h-62">
        {data ? <SeriesChart series={data} onRange={onRange} /> : <Skeleton lines={6} />}
      </div>
      <p className="mt-2 text-sm text-muted">{text.chartHint}</p>
      {data && (
        <details className="mt-2">
          <summary className="cursor-pointer text-sm">{text.chartTable}</summary>
          <SeriesTable series={data} />
        </details>
      )}
    </Card>
  );
}

function SeriesTable({ series }: { series: Series }) {
  const text = useOverviewText();
  const names = ["sent", "delivered", "failed", "bounced", "opened", "clicked"] as const;
  const filled = series.series.filter(({ sent, unsubscribed }) => sent + unsubscribed > 0);
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
          cell: (bucket: Series["series"][number]) => formatNumber(bucket[name]),
          isNumber: true,
        })),
      ]}
    />
  );
}
