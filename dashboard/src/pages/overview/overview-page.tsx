import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useProject } from "../../api/projects.ts";
import { classes } from "../../lib/class-names.ts";
import { formatExact } from "../../lib/format.ts";
import { useNow } from "../../lib/use-now.ts";
import { Page } from "../../ui/page.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Checklist } from "./checklist.tsx";
import { BestCard } from "./best-card.tsx";
import { GrowthCard } from "./growth-card.tsx";
import { HealthCard } from "./health-card.tsx";
import { NumbersCard } from "./numbers-card.tsx";
import { OpenTimesCard } from "./open-times-card.tsx";
import { RunningCard } from "./running-card.tsx";
import { SeriesCard } from "./series-card.tsx";
import { TopCards } from "./top-cards.tsx";
import { chosenDays, momentsOf, RANGE_DAYS, type RangeSearch } from "./range.ts";
import { beforeQuery, newestBroadcastsQuery, seriesQuery, statsQuery } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

const route = getRouteApi("/in/p/$projectId/");

export function OverviewPage() {
  const text = useOverviewText();
  const { id: projectId, name } = useProject();
  const navigate = useNavigate();
  const search = route.useSearch();
  const moments = momentsOf(search, useNow());
  const stats = useQuery(statsQuery(projectId));
  const series = useQuery(seriesQuery(projectId, moments));
  const former = useQuery(beforeQuery(projectId, series.data));
  const before = former.data?.to === series.data?.from ? former.data : undefined;
  const newest = useQuery(newestBroadcastsQuery(projectId));
  const choose = (range: RangeSearch) =>
    void navigate({ to: "/p/$projectId", params: { projectId }, search: range });
  return (
    <Page
      shape="panels"
      title={text.title}
      lead={name}
      actions={<RangeChoice search={search} onChoose={choose} />}
    >
      {stats.isPending || newest.isPending ? (
        <Skeleton lines={12} /> // the layout depends on these two queries, and must not shift
      ) : (
        <>
          {stats.data?.opened === 0 && <Checklist stats={stats.data} />}
          <RunningCard />
          <div
            // shows the previous period until the new one is loaded
            aria-busy={series.isPlaceholderData}
            className={classes("flex flex-col gap-5", series.isPlaceholderData && "opacity-50")}
          >
            <NumbersCard series={series} before={before} />
            <SeriesCard
              series={series}
              before={before}
              onRange={(from, to) => choose({ from, to })}
            />
            <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
              <GrowthCard moments={moments} />
              <BestCard moments={moments} />
              <HealthCard series={series.data} />
              <TopCards moments={moments} />
            </div>
          </div>
          <OpenTimesCard />
        </>
      )}
    </Page>
  );
}

function RangeChoice({
  search,
  onChoose,
}: {
  search: RangeSearch;
  onChoose: (range: RangeSearch) => void;
}) {
  const text = useOverviewText();
  const chosen = chosenDays(search);
  return (
    <div className="flex flex-wrap items-center gap-3">
      {search.from !== undefined && search.to !== undefined && (
        <span className="text-sm text-muted">
          {text.ownRange(formatExact(search.from), formatExact(search.to))}
        </span>
      )}
      <Segments
        label={text.range}
        choices={RANGE_DAYS.map((days) => [days, text.days[days]] as const)}
        chosen={chosen}
        onChoose={(days) => onChoose({ days })}
      />
    </div>
  );
}
