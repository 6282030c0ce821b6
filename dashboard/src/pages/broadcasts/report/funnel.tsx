import type { ReactNode } from "react";
import { formatNumber, formatPercent } from "../../../lib/format.ts";
import type { DeliveryReport } from "../states.ts";
import { shareOf } from "./rates.ts";
import { useReportText } from "./use-report-text.ts";

type Visit = "opened" | "opened_human" | "clicked" | "clicked_human";

interface FunnelProps {
  report: DeliveryReport;
  /** Shows a count of visits, or words for it. */
  show: (visit: Visit, words?: string) => ReactNode;
}

/** How many of the recipients got the email, opened it and clicked, and the visits of programs. */
export function Funnel({ report, show }: FunnelProps) {
  const text = useReportText();
  const { total, sent, opened, opened_human, clicked, clicked_human } = report;
  const percent = (part: number, whole: number) => formatPercent(shareOf(part, whole) ?? 0);
  const bots = (all: number, people: number) => formatNumber(all - people);
  const steps = [
    { name: text.recipients, part: total, count: formatNumber(total) },
    {
      name: text.delivered,
      part: sent,
      count: formatNumber(sent),
      rate: text.ofRecipients(percent(sent, total)),
    },
    {
      name: text.opened,
      part: opened_human,
      count: show("opened_human"),
      rate: text.ofDelivered(percent(opened_human, sent)),
      all: show("opened", text.opensOf(opened, bots(opened, opened_human))),
    },
    {
      name: text.clicked,
      part: clicked_human,
      count: show("clicked_human"),
      rate: text.ofDelivered(percent(clicked_human, sent)),
      all: show("clicked", text.clicksOf(clicked, bots(clicked, clicked_human))),
    },
  ];
  return (
    <dl className="flex flex-col gap-3">
      {steps.map(({ name, part, count, rate, all }) => (
        <div
          key={name}
          className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 text-sm sm:grid-cols-[7rem_1fr_20rem]"
        >
          <dt>{name}</dt>
          <dd className="text-right sm:order-1 sm:text-left">
            <span className="font-semibold tabular-nums">{count}</span>{" "}
            <span className="text-muted">{rate}</span>
            {all && <span className="block text-xs text-muted">{all}</span>}
          </dd>
          <dd aria-hidden className="col-span-2 sm:col-span-1">
            <svg className="block h-4 w-full rounded bg-sunken">
              <rect width={`${shareOf(part, total) ?? 0}%`} height="100%" className="fill-accent" />
            </svg>
          </dd>
        </div>
      ))}
    </dl>
  );
}
