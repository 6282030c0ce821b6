import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useProject } from "../../api/projects.ts";
import { classes } from "../../lib/class-names.ts";
import { formatNumber, locale } from "../../lib/format.ts";
import { useNow } from "../../lib/use-now.ts";
import { readersZone } from "../../lib/wall-clock.ts";
import { weekdays } from "../../parts/date-field/calendar.ts";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { foldOpens } from "./fold-opens.ts";
import { openTimesQuery } from "./queries.ts";
import { momentsOf } from "./range.ts";
import { useOverviewText } from "./use-overview-text.ts";

/** Whole weeks, so that each weekday occurs equally often. */
const DAYS = 28;
/** With fewer opens, the best hour says nothing. */
const LEAST_OPENS = 50;
const HOUR_MS = 3_600_000;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** The shades of the cells; none is for no opens. */
const SHADES = [
  "bg-sunken",
  "bg-accent/20",
  "bg-accent/40",
  "bg-accent/60",
  "bg-accent/80",
  "bg-accent",
];

/** When people opened the broadcasts of the last four weeks, by weekday and hour. */
export function OpenTimesCard() {
  const text = useOverviewText();
  const { id: projectId } = useProject();
  const times = useQuery(openTimesQuery(projectId, momentsOf({ days: DAYS }, useNow())));
  return (
    <Card title={text.openTimes}>
      <Loaded query={times} lines={8}>
        {({ series }) =>
          series.reduce((sum, { opens }) => sum + opens, 0) < LEAST_OPENS ? (
            <p className="text-sm">{text.fewOpens(formatNumber(LEAST_OPENS))}</p>
          ) : (
            <HeatMap table={foldOpens(series, readersZone())} />
          )
        }
      </Loaded>
    </Card>
  );
}

/** Opens by weekday, from Sunday, and hour. */
function HeatMap({ table }: { table: number[][] }) {
  const text = useOverviewText();
  const days = weekdays(locale()).map((day) => ({ day, n: new Date(day).getUTCDay() }));
  const cells = days.flatMap(({ day, n }) =>
    HOURS.map((hour) => ({ day, hour, opens: table[n]?.[hour] ?? 0 })),
  );
  const best = cells.reduce((most, cell) => (cell.opens > most.opens ? cell : most));
  const [at, setAt] = useState(cells.indexOf(best));
  const [shown, setShown] = useState<number>();
  const cellShown = shown === undefined ? undefined : cells[shown];
  const nameOf = (day: string, weekday: "long" | "short") =>
    formatUtc({ weekday }, Date.parse(day));
  const say = ({ day, hour, opens }: typeof best) =>
    text.opensAt(opens, nameOf(day, "long"), hourSpan(hour));
  return (
    <>
      <p className="mb-3">{text.mostOpens(nameOf(best.day, "long"), hourSpan(best.hour))}</p>
      <div role="region" aria-label={text.openTimes} className="relative overflow-x-auto">
        <table
          role="grid"
          onKeyDown={(event) => {
            const next = nextCell(event.key, at);
            if (next === undefined) return;
            event.preventDefault();
            event.currentTarget.querySelectorAll<HTMLElement>("tbody td")[next]?.focus();
          }}
          className="w-full min-w-170 table-fixed border-separate border-spacing-0.5 text-xs"
        >
          <caption className="sr-only">{text.openTimesCaption(readersZone())}</caption>
          <thead>
            <tr className="text-muted">
              <td className="w-10" />
              {HOURS.map((hour) => (
                <th key={hour} scope="col" className="text-left font-normal whitespace-nowrap">
                  <span className={classes(hour % 3 > 0 && "sr-only")}>{hourName(hour)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day }, row) => (
              <tr key={day}>
                <th scope="row" className="text-left font-normal text-muted">
                  <abbr title={nameOf(day, "long")} className="no-underline">
                    {nameOf(day, "short")}
                  </abbr>
                </th>
                {cells.slice(row * HOURS.length, (row + 1) * HOURS.length).map((cell, hour) => {
                  const n = row * HOURS.length + hour;
                  return (
                    <td
                      key={cell.hour}
                      tabIndex={n === at ? 0 : -1}
                      onFocus={() => {
                        setAt(n);
                        setShown(n);
                      }}
                      onBlur={() => setShown(undefined)}
                      onPointerEnter={() => setShown(n)}
                      onPointerLeave={() => setShown(undefined)}
                      className={classes("h-6 rounded-sm", shadeOf(cell.opens, best.opens))}
                    >
                      <span className="sr-only">{formatNumber(cell.opens)}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-3 text-sm text-muted">
        {cellShown ? say(cellShown) : text.openTimesHint(readersZone())}
      </p>
    </>
  );
}

/** Returns the cell to which a key leads from another one. */
function nextCell(key: string, at: number): number | undefined {
  const start = at - (at % HOURS.length);
  switch (key) {
    case "ArrowLeft":
      return Math.max(start, at - 1);
    case "ArrowRight":
      return Math.min(start + HOURS.length - 1, at + 1);
    case "ArrowUp":
      return Math.max(at % HOURS.length, at - HOURS.length);
    case "ArrowDown":
      return Math.min((at % HOURS.length) + HOURS.length * 6, at + HOURS.length);
    case "Home":
      return start;
    case "End":
      return start + HOURS.length - 1;
    default:
      return undefined;
  }
}

const shadeOf = (opens: number, most: number) =>
  SHADES[Math.ceil((opens / most) * (SHADES.length - 1))];

/** Formats an hour of the day as the language does: 9 AM. */
const hourName = (hour: number) => formatUtc({ hour: "numeric" }, hour * HOUR_MS);

/** Formats an hour of the day with its end: 9:00 AM–10:00 AM. */
const hourSpan = (hour: number) =>
  [hour, hour + 1]
    .map((at) => formatUtc({ hour: "numeric", minute: "2-digit" }, at * HOUR_MS))
    .join("–");

const formatUtc = (options: Intl.DateTimeFormatOptions, at: number) =>
  new Intl.DateTimeFormat(locale(), { ...options, timeZone: "UTC" }).format(at);
