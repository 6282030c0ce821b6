import { asSentence } from "../../../lib/as-sentence.ts";
import { useContent } from "../../../parts/templates/use-content.ts";
import { sayMessage } from "../../../text/messages.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import type { Problem } from "../queries.ts";
import { useTemplatesText } from "../use-templates-text.ts";

/** Problems that need nobody: the service makes a missing text part. */
const SETTLED = new Set(["no_text_part"]);

interface ProblemListProps {
  problems: readonly Problem[] | undefined;
  /** Returns where a problem is, in words; undefined for the whole email. */
  placeOf: (problem: Problem) => string | undefined;
  /** Returns a function that goes to the position of a problem; undefined if there is none. */
  wayTo: (problem: Problem) => (() => void) | undefined;
}

/** Problems that the service found in the template, each with a link to its position. */
export function ProblemList({ problems: all, placeOf, wayTo }: ProblemListProps) {
  const text = useTemplatesText();
  const content = useContent();
  if (!all) return null;
  const problems = all.filter(({ code }) => !SETTLED.has(code));
  return (
    <section aria-label={text.problems} className="flex flex-col gap-2">
      <h2 className="font-semibold">{text.problems}</h2>
      {problems.length === 0 && <p className="text-sm text-muted">{text.noProblems}</p>}
      <ul className="flex flex-col gap-2">
        {problems.map((problem, index) => {
          const { severity } = problem;
          const place = placeOf(problem);
          const go = wayTo(problem);
          return (
            // the same problem can occur twice at one position
            <li key={index} className="flex flex-wrap items-baseline gap-2 text-sm">
              <Badge tone={severity === "error" ? "bad" : "warn"}>
                {text.severities[severity]}
              </Badge>
              <span className="min-w-0 flex-1">
                {asSentence(sayMessage(content, problem))}
                {place !== undefined && <span className="text-muted"> ({place})</span>}
              </span>
              {go && (
                <Button look="quiet" onClick={go}>
                  {text.show}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
