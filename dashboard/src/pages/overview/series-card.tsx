import type { UseQueryResult } from "@tanstack/react-query";
import { Component, lazy, Suspense, type ReactNode } from "react";
import { formatNumber } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table } from "../../ui/table.tsx";
import { formatBucket } from "./format-bucket.ts";
import type { Series } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

const Chart = lazy(() => import("./series-chart.tsx"));

interface SeriesCardProps {
  series: UseQueryResult<Series>;
  onRange: (from: string, to: string) => void;
}

/** The mails of a period as a chart, with an accessible table. */
export function SeriesCard({ series: { data }, onRange }: SeriesCardProps) {
  const text = useOverviewText();
  return (
    <Card title={text.chartTitle}>
      <div className="h-80 sm:h-64">
        {data && (
          <ChartBoundary fault={<Notice tone="warn">{text.chartFault}</Notice>}>
            <Suspense fallback={<Skeleton lines={6} />}>
              <Chart series={data} onRange={onRange} />
            </Suspense>
          </ChartBoundary>
        )}
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

/** Error boundary: shows a fallback if the chart cannot be drawn. */
class ChartBoundary extends Component<{ fault: ReactNode; children: ReactNode }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? this.props.fault : this.props.children;
  }
}
