import type { UseQueryResult } from "@tanstack/react-query";
import { formatPercent } from "../../lib/format.ts";
import { SHEET } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { MailCount } from "./mail-count.tsx";
import type { Bucket, Series } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

/** Counts of a period; those of a status link to their mails in the log. */
export function NumbersCard({ series }: { series: UseQueryResult<Series> }) {
  const text = useOverviewText();
  if (series.error)
    return <ErrorWords error={series.error} onRetry={() => void series.refetch()} />;
  if (!series.data) return <Skeleton lines={3} />;
  const sum = (name: Exclude<keyof Bucket, "bucket">) =>
    series.data.series.reduce((total, bucket) => total + bucket[name], 0);
  const [sent, delivered] = [sum("sent"), sum("delivered")];
  const [failed, bounced] = [sum("failed"), sum("bounced")];
  const share = (part: number, whole: number) => formatPercent(whole && (part / whole) * 100);
  const numbers = [
    {
      label: text.delivered,
      value: delivered,
      list: { status: "sent" } as const,
      detail: text.ofSent(share(delivered, sent)),
    },
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
      label: text.failed,
      value: failed,
      list: { status: "failed" } as const,
      detail: text.ofSent(share(failed, sent)),
    },
    {
      label: text.bounced,
      value: bounced,
      list: { status: "bounced" } as const,
      detail: text.ofSent(share(bounced, sent)),
    },
  ];
  const { from, to } = series.data;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {numbers.map(({ label, value, detail, list }) => (
        <div key={label} className={`${SHEET} p-4`}>
          <dt className="text-sm text-muted">{label}</dt>
          <dd>
            <span className="block text-2xl font-semibold tabular-nums">
              <MailCount count={value} name={label} search={list && { ...list, from, to }} />
            </span>
            <span className="text-sm text-muted">{detail}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
