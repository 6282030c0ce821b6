import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useOverviewText } from "./use-overview-text.ts";

const NUMBERS = ["sent", "failed", "bounced", "opened", "clicked"] as const;

export function OverviewPage() {
  const text = useOverviewText();
  const { id: projectId, name } = useProject();
  const stats = useQuery({
    queryKey: ["project", projectId, "stats"],
    queryFn: ({ signal }) => api.projects.stats({ projectId }, { signal }),
  });
  return (
    <Page title={text.title} lead={name}>
      <Card title={text.numbers}>
        {stats.isPending && <Skeleton lines={2} />}
        {stats.error && <ErrorWords error={stats.error} onRetry={() => void stats.refetch()} />}
        {stats.data && (
          <dl className="grid grid-cols-2 gap-4 sm:grid-cols-5">
            {NUMBERS.map((name) => (
              <div key={name}>
                <dt className="text-sm text-muted">{text[name]}</dt>
                <dd className="text-2xl font-semibold tabular-nums">
                  {formatNumber(stats.data[name])}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Card>
    </Page>
  );
}
