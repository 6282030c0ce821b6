import { asSentence } from "../../../lib/as-sentence.ts";
import { useContent } from "../../../parts/templates/use-content.ts";
import { sayMessage } from "../../../text/messages.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import type { Problem } from "../queries.ts";
import { useTemplatesText } from "../use-templates-text.ts";

interface ProblemListProps {
  problems: readonly Problem[] | undefined;
  /** Returns a function that goes to the position of a problem; undefined if there is none. */
  wayTo: (problem: Problem) => (() => void) | undefined;
}

/** Problems that the service found in the template, each with a link to its position. */
export function ProblemList({ problems, wayTo }: ProblemListProps) {
  const text = useTemplatesText();
  const content = useContent();
  if (!problems) return null;
  return (
    <section aria-label={text.problems} className="flex flex-col gap-2">
      <h2 className="font-semibold">{text.problems}</h2>
      {problems.length === 0 && <p className="text-sm text-muted">{text.noProblems}</p>}
      <ul className="flex flex-col gap-2">
        {problems.map((problem, index) => {
          const { severity, field, line, column } = problem;
          const go = wayTo(problem);
          return (
            // the same problem can occur twice at one position
            <li key={index} className="flex flex-wrap items-baseline gap-2 text-sm">
              <Badge tone={severity === "error" ? "bad" : "warn"}>
                {text.severities[severity]}
              </Badge>
              <span className="min-w-0 flex-1">
                {asSentence(sayMessage(content, problem))}{" "}
                <span className="text-muted">
                  ({text.fields[field]}
                  {line !== null && `, ${text.lineAndColumn(line, column ?? 1)}`})
                </span>
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
