import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Table } from "../../ui/table.tsx";
import { growthQuery, type Growth } from "./queries.ts";
import { formatBucket } from "./format-bucket.ts";
import { useOverviewText } from "./use-overview-text.ts";

const CHANGES = ["joined", "unsubscribed", "suppressed"] as const;

const sumOf = ({ series }: Growth, name: (typeof CHANGES)[number]) =>
  series.reduce((sum, bucket) => sum + bucket[name], 0);

const signed = (count: number, sign: string) => (count > 0 ? sign : "") + formatNumber(count);

/** How many joined and left the audience in a period, as bars and as an accessible table. */
export function GrowthCard({ moments }: { moments: { from: string; to: string } }) {
  const text = useOverviewText();
  const { id: projectId } = useProject();
  const growth = useQuery(growthQuery(projectId, moments));
  return (
    <Card title={text.growth}>
      <Loaded query={growth} lines={6}>
        {(data) => (
          <>
            <dl className="mb-3 flex flex-wrap gap-x-6 gap-y-2">
              {CHANGES.map((name) => (
                <div key={name}>
                  <dt className="text-sm text-muted">{text.changes[name]}</dt>
                  <dd className="text-xl font-semibold tabular-nums">
                    {signed(sumOf(data, name), name === "joined" ? "+" : "−")}
                  </dd>
                </div>
              ))}
            </dl>
            {!data.is_complete && <p className="mb-3 text-sm text-muted">{text.growthPart}</p>}
            <Bars growth={data} />
            <Details growth={data} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

const WIDTH = 600;
const HEIGHT = 120;

/** Joined people above a line, and lost ones below. */
function Bars({ growth: { series } }: { growth: Growth }) {
  const gained = Math.max(...series.map(({ joined }) => joined), 0);
  const lost = Math.max(...series.map((one) => one.unsubscribed + one.suppressed), 0);
  const unit = HEIGHT / Math.max(gained + lost, 1);
  const step = WIDTH / Math.max(series.length, 1);
  const line = gained * unit;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-32 w-full"
    >
      {series.map(({ bucket, joined, unsubscribed, suppressed }, at) => {
        const place = { x: at * step + step * 0.1, width: step * 0.8 };
        return (
          <g key={bucket}>
            <rect
              {...place}
              y={line - joined * unit}
              height={joined * unit}
              className="fill-good"
            />
            <rect {...place} y={line} height={unsubscribed * unit} className="fill-warn" />
            <rect
              {...place}
              y={line + unsubscribed * unit}
              height={suppressed * unit}
              className="fill-bad"
            />
          </g>
        );
      })}
      <line x1={0} x2={WIDTH} y1={line} y2={line} className="stroke-edge" />
    </svg>
  );
}

function Details({ growth }: { growth: Growth }) {
  const text = useOverviewText();
  const filled = growth.series.filter((one) => CHANGES.some((name) => one[name] > 0));
  if (filled.length === 0) return <p className="mt-2 text-sm">{text.nothingYet}</p>;
  return (
    <details className="mt-2">
      <summary className="cursor-pointer text-sm">{text.growthTable}</summary>
      <Table
        label={text.growthTable}
        rows={filled}
        keyOf={({ bucket }) => bucket}
        columns={[
          { key: "bucket", head: text.bucket, cell: ({ bucket }) => formatBucket(bucket, growth) },
          ...CHANGES.map((name) => ({
            key: name,
            head: text.changes[name],
            isNumber: true,
            cell: (one: Growth["series"][number]) => formatNumber(one[name]),
          })),
        ]}
      />
    </details>
  );
}
