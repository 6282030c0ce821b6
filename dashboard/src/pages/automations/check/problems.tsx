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

/** The problems of an automation, each once, with links to its steps. */
export function Problems({ definition, problems }: ProblemsProps) {
  const text = useCheckText();
  const { id: projectId } = useProject();
  const { sayStep } = useWords(projectId);
  const language = languageChoice.use();
  if (problems.length === 0) return <p className="text-sm">{text.noProblems}</p>;
  const steps = allSteps(definition);
  const placeOf = (path: string) => {
    const at = steps.findLast((one) => `${path}.`.startsWith(`${one.path}.`))?.step;
    const way = /\.ways\.(\d+)(?:\.where)?$/.exec(path)?.[1];
    const id = at && way !== undefined && at.type === "branch" ? `${at.id}/${way}` : at?.id;
    return { id: id ?? "trigger", name: at ? sayStep(at) : text.openTrigger };
  };
  const sentences = Map.groupBy(problems, (problem) => asSentence(inLanguage(language, problem)));
  return (
    <ul
      aria-label={text.problems}
      className="grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-2 text-sm"
    >
      {[...sentences].map(([sentence, alike]) => (
        <li key={sentence} className="contents">
          <span>
            <Badge tone={alike[0]?.grade === "stop" ? "bad" : "warn"}>
              {text.grades[alike[0]?.grade ?? "warning"]}
            </Badge>
          </span>
          <span className="flex min-w-0 flex-wrap gap-x-2">
            {sentence}
            {alike.map(({ path }) => {
              const { id, name } = placeOf(path);
              return (
                <StepLink key={path} id={id}>
                  {name}
                </StepLink>
              );
            })}
          </span>
        </li>
      ))}
    </ul>
  );
}
