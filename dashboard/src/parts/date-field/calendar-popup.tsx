import { Popover } from "@base-ui/react/popover";
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { locale } from "../../lib/format.ts";
import { readersZone, wallClockOf } from "../../lib/wall-clock.ts";
import { ChevronLeft, ChevronRight } from "../../ui/action-icons.tsx";
import { BOX } from "../../ui/field.tsx";
import { addDays, addMonths, weekdays, weeksOf } from "./calendar.ts";
import { useDateText } from "./use-date-text.ts";

interface CalendarPopupProps {
  anchor: RefObject<HTMLInputElement | null>;
  value: string;
  hasTime: boolean;
  onChange: (value: string) => void;
  onClose: () => void;
}

const USUAL_TIME = "09:00";
const DAY = /^\d{4}-\d\d-\d\d/;

/** Days that a key moves by. */
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
/** Months that a key moves by. */
const LEAPS: Record<string, number> = { PageUp: -1, PageDown: 1 };

const ROUND = "grid size-8 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink";

/** A month to choose a day from, with the time below. Arrow keys move by days and weeks. */
export default function CalendarPopup(props: CalendarPopupProps) {
  const { anchor, value, hasTime, onChange, onClose } = props;
  const text = useDateText();
  const today = wallClockOf(new Date().toISOString(), readersZone()).slice(0, 10);
  const chosen = DAY.exec(value)?.[0];
  const [current, setCurrent] = useState(chosen ?? today);
  const grid = useRef<HTMLTableElement>(null);
  const time = value.split("T")[1] ?? USUAL_TIME;
  const named = (format: Intl.DateTimeFormatOptions, day: string) =>
    new Intl.DateTimeFormat(locale(), { ...format, timeZone: "UTC" }).format(new Date(day));

  const hasMoved = useRef(false);
  useEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }, [current]);

  const onKeyDown = (event: KeyboardEvent) => {
    const days = STEPS[event.key];
    const months = LEAPS[event.key];
    if (days === undefined && months === undefined) return;
    event.preventDefault();
    hasMoved.current = true;
    setCurrent(days === undefined ? addMonths(current, months ?? 0) : addDays(current, days));
  };
  const turn = (months: number) => {
    hasMoved.current = false; // the focus stays on the button
    setCurrent(addMonths(current, months));
  };
  const choose = (day: string) => {
    onChange(hasTime ? `${day}T${time}` : day);
    setCurrent(day);
    if (!hasTime) onClose();
  };

  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="start" sideOffset={4} className="z-50">
          <Popover.Popup
            aria-label={text.choose}
            initialFocus={() => grid.current?.querySelector<HTMLElement>("[tabindex='0']")}
            finalFocus={anchor}
            className="pops rounded-lg border border-line bg-surface p-3 shadow-float outline-none"
          >
            <div className="mb-2 flex items-center justify-between">
              <button
                type="button"
                aria-label={text.earlier}
                onClick={() => turn(-1)}
                className={ROUND}
              >
                <ChevronLeft aria-hidden className="size-4" />
              </button>
              <span aria-live="polite" className="text-sm font-semibold">
                {named({ month: "long", year: "numeric" }, current)}
              </span>
              <button
                type="button"
                aria-label={text.later}
                onClick={() => turn(1)}
                className={ROUND}
              >
                <ChevronRight aria-hidden className="size-4" />
              </button>
            </div>
            <table ref={grid} role="grid" aria-label={text.choose} onKeyDown={onKeyDown}>
              <thead>
                <tr>
                  {weekdays(locale()).map((day) => (
                    <th key={day} scope="col" className="size-8 text-xs font-medium text-muted">
                      <abbr title={named({ weekday: "long" }, day)} className="no-underline">
                        {named({ weekday: "narrow" }, day)}
                      </abbr>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {weeksOf(current, locale()).map((week) => (
                  <tr key={week[0]}>
                    {week.map((day) => (
                      <td key={day} role="gridcell" aria-selected={day === chosen}>
                        <button
                          type="button"
                          tabIndex={day === current ? 0 : -1}
                          aria-label={named({ dateStyle: "full" }, day)}
                          aria-current={day === today ? "date" : undefined}
                          data-other={day.slice(0, 7) !== current.slice(0, 7)}
                          data-chosen={day === chosen}
                          onClick={() => choose(day)}
                          className="grid size-8 place-items-center rounded-md text-sm hover:bg-sunken aria-[current=date]:font-semibold aria-[current=date]:text-accent data-[chosen=true]:bg-accent data-[chosen=true]:text-on-accent data-[other=true]:text-muted"
                        >
                          {Number(day.slice(8))}
                        </button>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            {hasTime && (
              <label className="mt-3 flex items-center gap-3 text-sm font-medium whitespace-nowrap">
                {text.time}
                <input
                  type="time"
                  value={time}
                  onChange={({ target }) =>
                    target.value && onChange(`${chosen ?? current}T${target.value}`)
                  }
                  className={BOX}
                />
              </label>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
