import { useQuery } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { formatNumber, formatPercent } from "../../../lib/format.ts";
import { TextLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Table, type Column } from "../../../ui/table.tsx";
import { isOver, nameOf, type Broadcast, type DeliveryReport, type Listed } from "../states.ts";
import { medianOf, RATES, ratesOf, type Rates } from "./rates.ts";
import { useReportText } from "./use-report-text.ts";

/** The number of newest broadcasts for the median, and of those shown. */
const COMPARED = 20;
const SHOWN = 5;

interface Row extends Rates {
  key: string;
  name: string;
  delivered: number | null;
  /** The broadcast that the name links to; undefined for this one and the median. */
  broadcastId?: string;
}

interface ComparisonProps {
  broadcast: Broadcast;
  report: DeliveryReport;
}

/** The rates of a broadcast that is over, beside the last ones of the project and their median. */
export function Comparison({ broadcast, report }: ComparisonProps) {
  const text = useReportText();
  const { id: broadcastId, project_id: projectId } = broadcast;
  const others = useQuery({
    queryKey: ["project", projectId, "broadcasts", "newest", COMPARED],
    queryFn: ({ signal }) =>
      api.projects.broadcasts.list({ projectId, limit: COMPARED + 1 }, { signal }),
  });
  const own = { key: "own", name: text.thisOne, delivered: report.sent, ...ratesOf(report) };
  return (
    <Card title={text.comparison}>
      <Loaded query={others} lines={7}>
        {({ broadcasts }) => {
          const rows = broadcasts
            .filter(({ id, state, sent }) => id !== broadcastId && isOver(state) && sent > 0)
            .slice(0, COMPARED)
            .map(rowOf);
          if (rows.length === 0) return <p className="text-sm text-muted">{text.firstOne}</p>;
          return (
            <>
              <p className="mb-3 text-sm text-muted">{text.comparisonHint(rows.length)}</p>
              <Table
                label={text.comparison}
                rows={[own, medianRow(rows, text.median), ...rows.slice(0, SHOWN)]}
                keyOf={({ key }) => key}
                columns={columnsOf(text, projectId)}
              />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

const rowOf = (listed: Listed): Row => ({
  key: listed.id,
  name: nameOf(listed),
  delivered: listed.sent,
  broadcastId: listed.id,
  ...ratesOf(listed),
});

function medianRow(rows: readonly Row[], name: string): Row {
  const [opened, clicked, unsubscribed, bounced] = RATES.map((rate) =>
    medianOf(rows.map((row) => row[rate])),
  );
  const rates = { opened, clicked, unsubscribed, bounced } as Rates;
  return { key: "median", name, delivered: medianOf(rows.map((row) => row.delivered)), ...rates };
}

const columnsOf = (text: ReturnType<typeof useReportText>, projectId: string): Column<Row>[] => [
  {
    key: "name",
    head: <span className="sr-only">{text.comparison}</span>,
    cell: ({ name, broadcastId }) =>
      broadcastId === undefined ? (
        <strong className="font-semibold">{name}</strong>
      ) : (
        <TextLink to="/p/$projectId/broadcasts/$broadcastId" params={{ projectId, broadcastId }}>
          {name}
        </TextLink>
      ),
  },
  {
    key: "delivered",
    head: text.delivered,
    isNumber: true,
    isMinor: true,
    cell: ({ delivered }) => delivered !== null && formatNumber(Math.round(delivered)),
  },
  ...RATES.map((rate): Column<Row> => ({
    key: rate,
    head: text[rate],
    isNumber: true,
    isMinor: rate === "unsubscribed" || rate === "bounced",
    cell: ({ [rate]: percent }) => (percent === null ? "–" : formatPercent(percent)),
  })),
];
