import { useQueries } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { classes } from "../../lib/class-names.ts";
import { locale } from "../../lib/format.ts";
import { given } from "../../lib/search-params.ts";
import { useNow } from "../../lib/use-now.ts";
import { readersZone, wallClockOf } from "../../lib/wall-clock.ts";
import { addMonths, weekdays, weeksOf } from "../../parts/date-field/calendar.ts";
import { ChevronLeft, ChevronRight } from "../../ui/action-icons.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { NewBroadcast } from "./new-broadcast.tsx";
import { isFixed, nameOf, type Listed } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** The number of broadcasts that one call lists. */
const MOST = 200;
const route = getRouteApi("/in/p/$projectId/broadcasts");

/** A month with what was sent and what is scheduled, in the time zone of the reader. */
export default function CalendarPage({ tabs }: { tabs: ReactNode }) {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const navigate = route.useNavigate();
  const today = wallClockOf(new Date(useNow()).toISOString(), readersZone()).slice(0, 10);
  const thisMonth = today.slice(0, 7);
  const { month = thisMonth } = route.useSearch();
  const lists = useQueries({
    queries: [{}, { state: "scheduled" as const }].map((query) => ({
      queryKey: ["project", projectId, "broadcasts", "list", "calendar", query],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.projects.broadcasts.list({ projectId, limit: MOST, after: "", ...query }, { signal }),
    })),
  });
  const failed = lists.find(({ error }) => error);
  const rows = lists.flatMap(({ data }) => data?.broadcasts ?? []);
  const isPart = lists.some(({ data }) => Boolean(data?.next));
  const go = (to: string) =>
    void navigate({ search: given({ tab: "calendar" as const, month: to }), replace: true });
  const turn = (months: number) => go(addMonths(`${month}-01`, months).slice(0, 7));
  const title = named({ month: "long", year: "numeric" }, `${month}-01`);
  return (
    <Page title={text.title} lead={text.lead} actions={<NewBroadcast />}>
      {tabs}
      <div className="flex flex-wrap items-center gap-2">
        <h2 aria-live="polite" className="me-auto text-lg font-semibold">
          {title}
        </h2>
        <Button
          offBecause={month === thisMonth ? text.isThisMonth : undefined}
          onClick={() => go(thisMonth)}
        >
          {text.thisMonth}
        </Button>
        <Button aria-label={text.earlierMonth} onClick={() => turn(-1)}>
          <ChevronLeft aria-hidden className="size-4" />
        </Button>
        <Button aria-label={text.laterMonth} onClick={() => turn(1)}>
          <ChevronRight aria-hidden className="size-4" />
        </Button>
      </div>
      {failed?.error && <ErrorWords error={failed.error} onRetry={() => void failed.refetch()} />}
      {lists.some(({ isPending }) => isPending) ? (
        <Skeleton lines={8} />
      ) : (
        <Month label={title} month={month} today={today} rows={rows} />
      )}
      {isPart && <p className="text-sm text-muted">{text.onlyNewest(MOST)}</p>}
    </Page>
  );
}

interface MonthProps {
  label: string;
  month: string;
  today: string;
  rows: readonly Listed[];
}

/** The days of a month; a narrow screen lists those with broadcasts. */
function Month({ label, month, today, rows }: MonthProps) {
  const text = useBroadcastsText();
  const byDay = Map.groupBy(
    rows
      .flatMap((row) => {
        const at = row.starts_at ?? row.send_at;
        return at === null ? [] : { row, at: wallClockOf(at, readersZone()) };
      })
      .toSorted((one, other) => one.at.localeCompare(other.at)),
    ({ at }) => at.slice(0, 10),
  );
  const weeks = weeksOf(`${month}-01`, locale()).filter((week) =>
    week.some((day) => day.startsWith(month)),
  );
  const isEmpty = !weeks.flat().some((day) => day.startsWith(month) && byDay.has(day));
  return (
    <>
      {isEmpty && <p className="text-muted">{text.emptyMonth}</p>}
      <div>
        <div
          aria-hidden
          className="hidden grid-cols-7 border-b border-edge pb-1 text-xs text-muted sm:grid"
        >
          {weekdays(locale()).map((day) => (
            <span key={day} className="px-2">
              {named({ weekday: "short" }, day)}
            </span>
          ))}
        </div>
        <ol aria-label={label} className="grid sm:grid-cols-7">
          {weeks.flat().map((day) => (
            <li
              key={day}
              className={classes(
                "min-w-0 flex-col gap-1 border-b border-line py-2 sm:flex sm:min-h-28 sm:border-e sm:px-1.5 sm:nth-[7n]:border-e-0",
                byDay.has(day) && day.startsWith(month) ? "flex" : "hidden",
                !day.startsWith(month) && "sm:bg-sunken",
              )}
            >
              <Day day={day} isToday={day === today} />
              {byDay.get(day)?.map(({ row, at }) => (
                <Send key={row.id} row={row} clock={at.slice(11)} />
              ))}
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}

const Day = ({ day, isToday }: { day: string; isToday: boolean }) => (
  <time
    dateTime={day}
    aria-current={isToday ? "date" : undefined}
    className="self-start rounded-full px-1.5 text-xs text-muted aria-[current=date]:bg-accent aria-[current=date]:font-semibold aria-[current=date]:text-on-accent"
  >
    <span className="sm:sr-only">{named({ dateStyle: "full" }, day)}</span>
    <span aria-hidden className="hidden sm:inline">
      {Number(day.slice(8))}
    </span>
  </time>
);

/** A broadcast of a day: its time, state and name. One that has not begun has a dashed border. */
function Send({ row, clock }: { row: Listed; clock: string }) {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  return (
    <Link
      to="/p/$projectId/broadcasts/$broadcastId"
      params={{ projectId, broadcastId: row.id }}
      className={classes(
        "block rounded-md border px-2 py-1 text-xs hover:border-ink",
        isFixed(row.state) ? "border-line bg-surface" : "border-dashed border-edge",
      )}
    >
      <span className="block text-muted">
        {clock} · {text.states[row.state]}
      </span>
      <span className="line-clamp-2 font-medium">{nameOf(row)}</span>
    </Link>
  );
}

const named = (format: Intl.DateTimeFormatOptions, day: string) =>
  new Intl.DateTimeFormat(locale(), { ...format, timeZone: "UTC" }).format(new Date(day));
