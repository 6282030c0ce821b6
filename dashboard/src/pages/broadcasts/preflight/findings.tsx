import { asSentence } from "../../../lib/as-sentence.ts";
import { formatDayTime, formatNumber, formatTime } from "../../../lib/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import type { Found } from "./found.ts";
import type { Broadcast } from "../states.ts";
import { ProblemPlace } from "./problem-place.tsx";
import { isAboutLinks, LinkList } from "./link-list.tsx";
import { sayDetail } from "./say-detail.ts";
import { useDetails } from "./use-details.ts";
import { usePreflightText } from "./use-preflight-text.ts";

const TONES = { stop: "bad", warning: "warn", hint: "neutral" } as const;

type Problem = Found["problems"][number];

interface FindingsProps {
  draft: Broadcast;
  found: Found;
}

/** The recipient calculation, and the problems with links to where each is fixed. */
export function Findings({ draft, found: { recipients, problems: all } }: FindingsProps) {
  const text = usePreflightText();
  const details = useDetails();
  const problems = all.filter(({ code }) => code !== "no_text_part"); // the service makes one
  const sayProblem = (problem: Problem) => {
    const { time, subject } = problem.params ?? {};
    if (problem.code !== "similar_broadcast" || typeof time !== "string")
      return sayDetail(details, problem);
    const isToday = new Date(time).toDateString() === new Date().toDateString();
    const when = isToday ? text.today(formatTime(time)) : text.onDay(formatDayTime(time));
    const say = Date.parse(time) <= Date.now() ? text.sentBefore : text.sentSoon;
    return say(when, String(subject));
  };
  const placeOf = ({ code, fix_in, broadcast_id }: Problem) =>
    `${fix_in} ${broadcast_id} ${code === "identical_variants"}`;
  const isFirstOfPlace = (problem: Problem) =>
    problems.find((one) => placeOf(one) === placeOf(problem)) === problem;
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-5" aria-label={text.arithmetic}>
        <Term name={text.active} value={formatNumber(recipients.active)} />
        <Term name={text.minusSuppressed} value={`− ${formatNumber(recipients.suppressed)}`} />
        <Term name={text.minusConsent} value={`− ${formatNumber(recipients.without_consent)}`} />
        <Term name={text.minusSoon} value={`− ${formatNumber(recipients.too_soon)}`} />
        <Term name={text.total} value={`= ${formatNumber(recipients.total)}`} />
      </dl>
      {problems.length === 0 && <p>{text.noProblems}</p>}
      <ul className="grid grid-cols-[auto_1fr] items-baseline gap-2">
        {problems.map((problem) => (
          <li key={`${problem.code} ${problem.message}`} className="contents">
            <span>
              <Badge tone={TONES[problem.grade]}>{text.grades[problem.grade]}</Badge>
            </span>
            <div className="flex min-w-0 flex-1 flex-wrap gap-x-2">
              {isAboutLinks(problem) ? (
                <LinkList problem={problem} />
              ) : (
                <span>{asSentence(sayProblem(problem))}</span>
              )}
              {isFirstOfPlace(problem) && <ProblemPlace problem={problem} draft={draft} />}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

const Term = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="text-xl font-semibold tabular-nums">{value}</dd>
  </div>
);
