import { getRouteApi, Link } from "@tanstack/react-router";
import { formatNumber } from "../../lib/format.ts";
import { Address } from "../../ui/address.tsx";
import { Card } from "../../ui/card.tsx";
import { Table } from "../../ui/table.tsx";
import { REACTIONS, type DeliveryReport } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const route = getRouteApi("/in/p/$projectId/broadcasts/$broadcastId");

/** Filter of the recipients behind a count. */
type Shown = Partial<Pick<ReturnType<typeof route.useSearch>, "visit" | "link" | "reaction">>;

/** Opens, clicks and complaints of a broadcast, by people and by programs, and its links. */
export function Visits({ report }: { report: DeliveryReport }) {
  const text = useBroadcastsText();
  const { links } = report;
  const visits = [
    [text.opened, "opened_human", "opened"],
    [text.clicked, "clicked_human", "clicked"],
  ] as const;
  return (
    <Card title={text.visits}>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {visits.map(([name, byPeople, byAll]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="text-2xl font-semibold tabular-nums">
              <Count
                count={report[byPeople]}
                name={text.visitNames[byPeople]}
                list={{ visit: byPeople }}
              />
            </dd>
            <dd className="text-sm text-muted">
              <Count count={report[byAll]} words={text.withPrograms} list={{ visit: byAll }} />
            </dd>
          </div>
        ))}
        {REACTIONS.map((reaction) => (
          <div key={reaction}>
            <dt className="text-sm text-muted">{text[reaction]}</dt>
            <dd className="text-2xl font-semibold tabular-nums">
              <Count count={report[reaction]} name={text[reaction]} list={{ reaction }} />
            </dd>
          </div>
        ))}
      </dl>
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
                        words={text.withPrograms}
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
  /** Formats the count as text. */
  words?: (count: string) => string;
}

/** A count that links to its recipients, and back to all of them. */
function Count({ count, list, name, words = (number) => number }: CountProps) {
  const text = useBroadcastsText();
  const params = route.useParams();
  const { visit, link, reaction } = route.useSearch();
  const number = formatNumber(count);
  if (count === 0 || !list) return words(number);
  const isShown = visit === list.visit && link === list.link && reaction === list.reaction;
  return (
    <Link
      to="/p/$projectId/broadcasts/$broadcastId"
      params={params}
      search={isShown ? {} : list}
      resetScroll={false}
      aria-current={isShown ? "true" : undefined}
      aria-label={name && text.countOf(number, name)}
      className="underline decoration-line underline-offset-4 hover:decoration-ink aria-[current=true]:text-accent"
    >
      {words(number)}
    </Link>
  );
}
