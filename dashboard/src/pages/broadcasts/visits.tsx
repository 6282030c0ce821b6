import { formatNumber } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { Table } from "../../ui/table.tsx";
import type { Ledger } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Opens, clicks and complaints of a broadcast, by people and by programs, and its links. */
export function Visits({ ledger }: { ledger: Ledger }) {
  const text = useBroadcastsText();
  const { opened, opened_human, clicked, clicked_human, unsubscribed, complained, links } = ledger;
  const numbers = [
    [text.opened, opened_human, text.withPrograms(formatNumber(opened))],
    [text.clicked, clicked_human, text.withPrograms(formatNumber(clicked))],
    [text.unsubscribed, unsubscribed, ""],
    [text.complained, complained, ""],
  ] as const;
  return (
    <Card title={text.visits}>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {numbers.map(([name, count, note]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{formatNumber(count)}</dd>
            {note && <dd className="text-sm text-muted">{note}</dd>}
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
                cell: ({ url }) => <span className="break-all">{url || text.otherLinks}</span>,
              },
              {
                key: "clicked",
                head: text.clicked,
                isNumber: true,
                cell: (link) => formatNumber(link.clicked_human),
              },
            ]}
          />
        </div>
      )}
    </Card>
  );
}
