import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects.ts";
import { formatNumber, formatPercent } from "../../lib/format.ts";
import { TextLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Table } from "../../ui/table.tsx";
import { shareOf } from "../broadcasts/report/rates.ts";
import { isOver, nameOf } from "../broadcasts/states.ts";
import { newestBroadcastsQuery } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

const BEST = 5;
const RATES = ["opened_human", "clicked_human"] as const;

/** The broadcasts of a period with the largest shares of clicks, then of opens. */
export function BestCard({ moments: { from, to } }: { moments: { from: string; to: string } }) {
  const text = useOverviewText();
  const { id: projectId } = useProject();
  const newest = useQuery(newestBroadcastsQuery(projectId));
  return (
    <Card title={text.best}>
      <Loaded query={newest}>
        {({ broadcasts }) => {
          const rows = broadcasts
            .filter(({ state, sent }) => isOver(state) && sent > 0)
            .filter(({ starts_at: at }) => at !== null && at >= from && at < to)
            .map((one) => ({
              ...one,
              opened_human: shareOf(one.opened_human, one.sent) ?? 0,
              clicked_human: shareOf(one.clicked_human, one.sent) ?? 0,
            }))
            .toSorted(
              (a, b) => b.clicked_human - a.clicked_human || b.opened_human - a.opened_human,
            );
          if (rows.length === 0) return <p className="text-sm">{text.nothingYet}</p>;
          return (
            <Table
              label={text.best}
              rows={rows.slice(0, BEST)}
              keyOf={({ id }) => id}
              columns={[
                {
                  key: "name",
                  head: text.broadcast,
                  cell: (one) => (
                    <TextLink
                      to="/p/$projectId/broadcasts/$broadcastId"
                      params={{ projectId, broadcastId: one.id }}
                    >
                      {nameOf(one)}
                    </TextLink>
                  ),
                },
                {
                  key: "sent",
                  head: text.delivered,
                  isNumber: true,
                  isMinor: true,
                  cell: ({ sent }) => formatNumber(sent),
                },
                ...RATES.map((name) => ({
                  key: name,
                  head: name === "opened_human" ? text.opened : text.clicked,
                  isNumber: true,
                  cell: (one: (typeof rows)[number]) => formatPercent(one[name]),
                })),
              ]}
            />
          );
        }}
      </Loaded>
    </Card>
  );
}
