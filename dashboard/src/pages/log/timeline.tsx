import { classes } from "../../lib/class-names.ts";
import { formatExact, formatPrecise } from "../../lib/format.ts";
import type { MailTimeline } from "./mail-timeline.ts";
import { eventsOf } from "./timeline-events.ts";
import { useLogText } from "./use-log-text.ts";

const DOTS = { good: "bg-good", bad: "bg-bad", neutral: "bg-edge" } as const;

/** The events of a mail in chronological order, with the servers' replies. */
export function Timeline({ mail }: { mail: MailTimeline }) {
  const text = useLogText();
  return (
    <ol className="flex flex-col gap-4">
      {eventsOf(mail, text).map(({ key, at, words, detail, tone }) => (
        <li key={key} className="flex gap-3">
          <span
            aria-hidden
            className={classes("mt-1.5 size-2.5 shrink-0 rounded-full", DOTS[tone])}
          />
          <div className="min-w-0">
            <p>
              <span className="font-medium">{words}</span>{" "}
              {at !== null && (
                <time dateTime={at} title={formatPrecise(at)} className="text-sm text-muted">
                  {formatExact(at)}
                </time>
              )}
            </p>
            {detail && <p className="text-sm break-words text-muted">{detail}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
