import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "../../ui/icons.tsx";
import type { ReactNode } from "react";
import { useProject } from "../../api/projects.ts";
import { formatNumber, formatPercent } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { TextLink } from "../../ui/button.tsx";
import { healthQuery, sendingQuery, type Series } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

const LOOKS = {
  info: { Icon: Info, look: "text-muted" },
  good: { Icon: CircleCheck, look: "text-good" },
  warn: { Icon: TriangleAlert, look: "text-warn" },
  bad: { Icon: CircleAlert, look: "text-bad" },
};

/** Server, rejections and storage: the state of each, with a link to its remedy. */
export function HealthCard({ series }: { series: Series | undefined }) {
  const text = useOverviewText();
  const { id: projectId, smtp_host } = useProject();
  const { data: health } = useQuery(healthQuery);
  const { data: sending } = useQuery(sendingQuery(projectId));
  const refusals = (["failed", "bounced"] as const).map((status) => ({
    status,
    count: series?.series.reduce((sum, bucket) => sum + bucket[status], 0) ?? 0,
  }));
  const refused = refusals.reduce((sum, { count }) => sum + count, 0);
  const learned = sending?.learned.per_minute ?? sending?.learned.connections;
  const level = health?.storage.level;
  const used = health?.storage.used_pct;
  return (
    <Card title={text.health}>
      <ul className="flex flex-col gap-2 text-sm">
        {smtp_host === null ? (
          <Line tone="bad">
            {text.serverMissing}{" "}
            <TextLink to="/p/$projectId/start" params={{ projectId }}>
              {text.setServer}
            </TextLink>
          </Line>
        ) : (
          <Line tone="good">{text.serverSet(smtp_host)}</Line>
        )}
        {learned && <Line tone="warn">{text.serverWaits(learned.why)}</Line>}
        {series && (
          <Line tone={refused > 0 ? "warn" : "good"}>
            {refused > 0 ? text.refusals(refused) : text.noRefusals}{" "}
            {refusals.map(
              ({ status, count }) =>
                count > 0 && (
                  <TextLink
                    key={status}
                    to="/p/$projectId/log"
                    params={{ projectId }}
                    search={{ status, from: series.from, to: series.to }}
                    className="mr-2"
                  >
                    {text[status]}: {formatNumber(count)}
                  </TextLink>
                ),
            )}
          </Line>
        )}
        {health && (
          <Line tone={used == null ? "info" : level === "ok" ? "good" : "warn"}>
            {used == null ? text.storageUnknown : text.storage(formatPercent(used))}
          </Line>
        )}
        {health !== undefined && health.dead_letters > 0 && (
          <Line tone="bad">{text.deadLetters(health.dead_letters)}</Line>
        )}
      </ul>
    </Card>
  );
}

function Line({ tone, children }: { tone: keyof typeof LOOKS; children: ReactNode }) {
  const { Icon, look } = LOOKS[tone];
  return (
    <li className="flex gap-2">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${look}`} />
      <span>{children}</span>
    </li>
  );
}
