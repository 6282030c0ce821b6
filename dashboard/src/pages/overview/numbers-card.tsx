import type { UseQueryResult } from "@tanstack/react-query";
import { formatPercent } from "../../lib/format.ts";
import { SHEET } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { MailCount } from "./mail-count.tsx";
import type { Bucket, Series } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

type Count = Exclude<keyof Bucket, "bucket">;

interface NumbersCardProps {
  series: UseQueryResult<Series>;
  /** The period before; undefined until it is loaded. */
  before: Series | undefined;
}

/**
 * Counts of a period and their change against the period before; those of a status link to their
 * mails in the log.
 */
export function NumbersCard({ series, before }: NumbersCardProps) {
  const text = useOverviewText();
  if (series.error)
    return <ErrorWords error={series.error} onRetry={() => void series.refetch()} />;
  if (!series.data) return <Skeleton lines={3} />;
  const { from, to, series: buckets } = series.data;
  const sum = (name: Count) => sumOf(buckets, name);
  const [sent, delivered] = [sum("sent"), sum("delivered")];
  const [failed, bounced] = [sum("failed"), sum("bounced")];
  const share = (part: number, whole: number) => formatPercent(whole && (part / whole) * 100);
  const numbers = [
    {
      label: text.delivered,
      value: delivered,
      change: changeOf(buckets, before, "delivered"),
      list: { status: "sent" } as const,
      detail: text.ofSent(share(delivered, sent)),
    },
    {
      label: text.opened,
      value: sum("opened"),
      change: changeOf(buckets, before, "opened"),
      detail: text.withBots(share(sum("opened"), delivered)),
    },
    {
      label: text.clicked,
      value: sum("clicked"),
      change: changeOf(buckets, before, "clicked"),
      detail: text.withBots(share(sum("clicked"), delivered)),
    },
    {
      label: text.failed,
      value: failed,
      change: changeOf(buckets, before, "failed"),
      isBad: true,
      list: { status: "failed" } as const,
      detail: text.ofSent(share(failed, sent)),
    },
    {
      label: text.bounced,
      value: bounced,
      change: changeOf(buckets, before, "bounced"),
      isBad: true,
      list: { status: "bounced" } as const,
      detail: text.ofSent(share(bounced, sent)),
    },
  ];
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
        {numbers.map(({ label, value, change, isBad = false, detail, list }) => (
          <div
            key={label}
            className={`${SHEET} grid grid-cols-[1fr_auto] content-start gap-x-2 p-4`}
          >
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="order-1 col-span-2">
              <span className="block text-2xl font-semibold tabular-nums">
                <MailCount count={value} name={label} search={list && { ...list, from, to }} />
              </span>
              <span className="text-sm text-muted">{detail}</span>
            </dd>
            {change !== undefined && <Change percent={change} isBad={isBad} />}
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted">{text.rateHint}</p>
    </div>
  );
}

const sumOf = (buckets: readonly Bucket[], name: Count) =>
  buckets.reduce((total, bucket) => total + bucket[name], 0);

/**
 * Returns the change of a count against the period before, in percent. The last bucket is not over,
 * so it counts in neither period. Undefined without a count before.
 */
function changeOf(now: readonly Bucket[], before: Series | undefined, name: Count) {
  const former = sumOf(before?.series.slice(0, -1) ?? [], name);
  return former === 0 ? undefined : (sumOf(now.slice(0, -1), name) / former - 1) * 100;
}

/** A change in percent. `isBad` if more is worse. */
function Change({ percent, isBad }: { percent: number; isBad: boolean }) {
  const text = useOverviewText();
  const shown = Math.round(percent);
  const look = shown === 0 ? "text-muted" : shown > 0 === isBad ? "text-bad" : "text-good";
  return (
    <dd className={`text-sm ${look}`} title={text.againstBefore}>
      {shown > 0 ? "+" : shown < 0 && "−"}
      {formatPercent(Math.abs(shown))}
      <span className="sr-only"> {text.againstBefore}</span>
    </dd>
  );
}
