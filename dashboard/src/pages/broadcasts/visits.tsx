import { getRouteApi, Link } from "@tanstack/react-router";
import { formatNumber, formatPercent } from "../../lib/format.ts";
import { Address } from "../../ui/address.tsx";
import { Card } from "../../ui/card.tsx";
import { Table } from "../../ui/table.tsx";
import { shareOf } from "./report/rates.ts";
import { useReportText } from "./report/use-report-text.ts";
import { REACTIONS, type DeliveryReport } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const route = getRouteApi("/in/p/$projectId/broadcasts/$broadcastId");

/** Filter of the recipients behind a count. */
type Shown = Partial<Pick<ReturnType<typeof route.useSearch>, "visit" | "link" | "reaction">>;

/** Opens, clicks and complaints of a broadcast, by people and by programs, and its links. */
export function Visits({ report }: { report: DeliveryReport }) {
  const text = useBroadcastsText();
  const words = useReportText();
  const { links } = report;
  const visits = [
    [text.opened, "opened_human", "opened", words.opensOf],
    [text.clicked, "clicked_human", "clicked", words.clicksOf],
  ] as const;
  const Rate = ({ of }: { of: number }) => (
    <dd className="text-sm">{words.ofDelivered(formatPercent(shareOf(of, report.sent) ?? 0))}</dd>
  );
  return (
    <Card title={text.visits}>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {visits.map(([name, byPeople, byAll, say]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="text-2xl font-semibold tabular-nums">
              <Count
                count={report[byPeople]}
                name={text.visitNames[byPeople]}
                list={{ visit: byPeople }}
              />
            </dd>
            <Rate of={report[byPeople]} />
            <dd className="text-sm text-muted">
              <Count
                count={report[byAll]}
                words={say(report[byAll], formatNumber(report[byAll] - report[byPeople]))}
                list={{ visit: byAll }}
              />
            </dd>
          </div>
        ))}
        {REACTIONS.map((reaction) => (
          <div key={reaction}>
            <dt className="text-sm text-muted">{text[reaction]}</dt>
            <dd className="text-2xl font-semibold tabular-nums">
              <Count count={report[reaction]} name={text[reaction]} list={{ reaction }} />
            </dd>
            <Rate of={report[reaction]} />
          </div>
        ))}
      </dl>
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
