import { formatDay } from "../../../lib/format.ts";
import type { Rehearsed } from "../queries.ts";
import { useCheckText } from "./use-check-text.ts";

/** Days that are shown one by one. */
const SHOWN = 12;
const DAY_MS = 86_400_000;

interface MailDaysProps {
  days: Rehearsed["mails_by_day"];
  /** The time of the rehearsal in ms. */
  from: number;
}

/** The emails of each day after the start. */
export function MailDays({ days, from }: MailDaysProps) {
  const text = useCheckText();
  const most = Math.max(...days.map(({ mails }) => mails), 1);
  const rest = days.slice(SHOWN);
  if (days.length === 0) return <p className="text-sm text-muted">{text.noMails}</p>;
  return (
    <ol className="flex flex-col gap-2 text-sm">
      {days.slice(0, SHOWN).map(({ day, mails }) => {
        const date = formatDay(new Date(from + day * DAY_MS).toISOString());
        return (
          <li key={day} className="grid grid-cols-[6.5rem_1fr_auto] items-center gap-3">
            <span className="text-muted">{date}</span>
            <progress
              aria-label={`${date}: ${text.mailCount(mails)}`}
              value={mails}
              max={most}
              className="w-full"
            />
            <span className="tabular-nums">{text.mailCount(mails)}</span>
          </li>
        );
      })}
      {rest.length > 0 && (
        <li className="text-muted">
          {text.later(rest.reduce((sum, { mails }) => sum + mails, 0))}
        </li>
      )}
    </ol>
  );
}
