import type { UseQueryResult } from "@tanstack/react-query";
import { formatNumber, formatPercent } from "../../lib/format.ts";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { Bucket, Series } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

/** The four numbers of a time: accepted, opened, clicked, and what did not arrive. */
export function NumbersCard({ series }: { series: UseQueryResult<Series> }) {
  const text = useOverviewText();
  if (series.error)
    return <ErrorWords error={series.error} onRetry={() => void series.refetch()} />;
  if (!series.data) return <Skeleton lines={3} />;
  const sum = (name: Exclude<keyof Bucket, "bucket">) =>
    series.data.series.reduce((total, bucket) => total + bucket[name], 0);
  const [sent, delivered] = [sum("sent"), sum("delivered")];
  const missed = sum("failed") + sum("bounced");
  const share = (part: number, whole: number) => formatPercent(whole && (part / whole) * 100);
  const numbers = [
    { label: text.delivered, value: delivered, detail: text.ofSent(share(delivered, sent)) },
    {
      label: text.opened,
      value: sum("opened"),
      detail: text.ofDelivered(share(sum("opened"), delivered)),
    },
    {
      label: text.clicked,
      value: sum("clicked"),
      detail: text.ofDelivered(share(sum("clicked"), delivered)),
    },
    {
      label: `${text.failed}, ${text.bounced}`,
      value: missed,
      detail: text.ofSent(share(missed, sent)),
    },
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {numbers.map(({ label, value, detail }) => (
        <div key={label} className="rounded-lg border border-line bg-surface p-4">
          <dt className="text-sm text-muted">{label}</dt>
          <dd>
            <span className="block text-2xl font-semibold tabular-nums">{formatNumber(value)}</span>
            <span className="text-sm text-muted">{detail}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
