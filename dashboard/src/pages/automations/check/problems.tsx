import "./problems.de.ts";
import type { Definition } from "../../../../../src/lib/automation-definition.ts";
import { allSteps } from "../../../../../src/lib/automation-steps.ts";
import { asSentence } from "../../../lib/as-sentence.ts";
import { languageChoice } from "../../../text/language.ts";
import { inLanguage } from "../../../text/messages.ts";
import { Badge } from "../../../ui/badge.tsx";
import type { Rehearsed } from "../queries.ts";
import { useWords } from "../words/use-words.ts";
import { useCheckText } from "./use-check-text.ts";
import { useProject } from "../../../api/projects.ts";
import { StepLink } from "./step-link.tsx";

interface ProblemsProps {
  definition: Pick<Definition, "steps">;
  problems: Rehearsed["problems"];
}

/** The problems of an automation, each with a link to its step. */
export function Problems({ definition, problems }: ProblemsProps) {
  const text = useCheckText();
  const { id: projectId } = useProject();
  const { sayStep } = useWords(projectId);
  const language = languageChoice.use();
  if (problems.length === 0) return <p className="text-sm">{text.noProblems}</p>;
  const steps = allSteps(definition);
  return (
    <ul
      aria-label={text.problems}
      className="grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-2 text-sm"
    >
      {problems.map((problem) => {
        const { path, grade } = problem;
        const at = steps.findLast((one) => `${path}.`.startsWith(`${one.path}.`))?.step;
        const way = /\.ways\.(\d+)(?:\.where)?$/.exec(path)?.[1];
        const id = at && way !== undefined && at.type === "branch" ? `${at.id}/${way}` : at?.id;
        return (
          <li key={`${problem.code} ${path} ${problem.message}`} className="contents">
            <span>
              <Badge tone={grade === "stop" ? "bad" : "warn"}>{text.grades[grade]}</Badge>
            </span>
            <span className="flex min-w-0 flex-wrap gap-x-2">
              {asSentence(inLanguage(language, problem))}
              <StepLink id={id ?? "trigger"}>{at ? sayStep(at) : text.openTrigger}</StepLink>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
