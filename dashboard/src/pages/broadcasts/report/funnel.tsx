import { formatNumber, formatPercent } from "../../../lib/format.ts";
import { Card } from "../../../ui/card.tsx";
import type { DeliveryReport } from "../states.ts";
import { shareOf } from "./rates.ts";
import { useReportText } from "./use-report-text.ts";

/** How many of the recipients got the email, opened it and clicked. Visits are those of people. */
export function Funnel({ report }: { report: DeliveryReport }) {
  const text = useReportText();
  const { total, sent, opened_human: opened, clicked_human: clicked } = report;
  const percent = (part: number, whole: number) => formatPercent(shareOf(part, whole) ?? 0);
  const steps = [
    { name: text.recipients, count: total, rate: "" },
    { name: text.delivered, count: sent, rate: text.ofRecipients(percent(sent, total)) },
    { name: text.opened, count: opened, rate: text.ofDelivered(percent(opened, sent)) },
    { name: text.clicked, count: clicked, rate: text.ofDelivered(percent(clicked, sent)) },
  ];
  return (
    <Card title={text.funnel}>
      <dl className="flex flex-col gap-3">
        {steps.map(({ name, count, rate }) => (
          <div
            key={name}
            className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 text-sm sm:grid-cols-[7rem_1fr_13rem]"
          >
            <dt>{name}</dt>
            <dd className="text-right sm:order-1 sm:text-left">
              <span className="font-semibold tabular-nums">{formatNumber(count)}</span>{" "}
              <span className="text-muted">{rate}</span>
            </dd>
            <dd aria-hidden className="col-span-2 sm:col-span-1">
              <svg className="block h-4 w-full rounded bg-sunken">
                <rect
                  width={`${shareOf(count, total) ?? 0}%`}
                  height="100%"
                  className="fill-accent"
                />
              </svg>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
