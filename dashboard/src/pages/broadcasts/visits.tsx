import { getRouteApi, Link } from "@tanstack/react-router";
import { formatNumber, formatPercent } from "../../lib/format.ts";
import { Address } from "../../ui/address.tsx";
import { Card } from "../../ui/card.tsx";
import { Table } from "../../ui/table.tsx";
import { Funnel } from "./report/funnel.tsx";
import { shareOf } from "./report/rates.ts";
import { useReportText } from "./report/use-report-text.ts";
import { REACTIONS, type DeliveryReport } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const route = getRouteApi("/in/p/$projectId/broadcasts/$broadcastId");

/** Filter of the recipients behind a count. */
type Shown = Partial<Pick<ReturnType<typeof route.useSearch>, "visit" | "link" | "reaction">>;

/** From recipient to click, who left or complained, and the links of a broadcast. */
export function Visits({ report }: { report: DeliveryReport }) {
  const text = useBroadcastsText();
  const words = useReportText();
  const { links, sent } = report;
  return (
    <Card title={text.visits}>
      <Funnel
        report={report}
        show={(visit, words) => (
          <Count
            count={report[visit]}
            {...(words === undefined ? { name: text.visitNames[visit] } : { words })}
            list={{ visit }}
          />
        )}
      />
      <p className="mt-4 text-sm">
        {REACTIONS.map((reaction) => (
          <span key={reaction} className="me-6 inline-block">
            {text[reaction]}:{" "}
            <span className="font-semibold tabular-nums">
              <Count count={report[reaction]} name={text[reaction]} list={{ reaction }} />
            </span>{" "}
            <span className="text-muted">
              {words.ofDelivered(formatPercent(shareOf(report[reaction], sent) ?? 0))}
            </span>
          </span>
        ))}
      </p>
      <p className="mt-3 text-sm text-muted">{words.rateHint}</p>
      {links.length > 0 && (
        <div className="mt-4">
          <Table
            label={text.links}
            rows={links}
            keyOf={({ url }) => url}
            columns={[
              {
                key: "url",
                head: text.link,
                cell: ({ url }) => (url ? <Address>{url}</Address> : text.otherLinks),
              },
              {
                key: "clicked",
                head: text.clicked,
                isNumber: true,
                cell: ({ url, clicked, clicked_human }) => (
                  <>
                    <Count
                      count={clicked_human}
                      name={url}
                      list={url ? { visit: "clicked_human", link: url } : undefined}
                    />
                    <span className="block text-muted">
                      <Count
                        count={clicked}
                        words={words.clicksOf(clicked, formatNumber(clicked - clicked_human))}
                        list={url ? { link: url } : undefined}
                      />
                    </span>
                  </>
                ),
              },
            ]}
          />
        </div>
      )}
    </Card>
  );
}

interface CountProps {
  count: number;
  /** Filter of the list; undefined for a count without one. */
  list: Shown | undefined;
  /** Accessible label of the count. */
  name?: string;
  /** What is shown instead of the number. */
  words?: string;
}

/** A count that links to its recipients, and back to all of them. */
function Count({ count, list, name, words = formatNumber(count) }: CountProps) {
  const text = useBroadcastsText();
  const params = route.useParams();
  const { visit, link, reaction } = route.useSearch();
  if (count === 0 || !list) return words;
  const isShown = visit === list.visit && link === list.link && reaction === list.reaction;
  return (
    <Link
      to="/p/$projectId/broadcasts/$broadcastId"
      params={params}
      search={isShown ? {} : list}
      resetScroll={false}
      hash="recipients"
      aria-current={isShown ? "true" : undefined}
      aria-label={name && text.countOf(formatNumber(count), name)}
      className="underline decoration-line underline-offset-4 hover:decoration-ink aria-[current=true]:text-accent"
    >
      {words}
    </Link>
  );
}
