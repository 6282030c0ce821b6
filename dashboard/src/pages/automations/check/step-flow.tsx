import type { Definition } from "../../../../../src/lib/automation-definition.ts";
import { allSteps } from "../../../../../src/lib/automation-steps.ts";
import { useProject } from "../../../api/projects.ts";
import { formatNumber } from "../../../lib/format.ts";
import { STEP_ICONS } from "../icons.tsx";
import type { Rehearsed } from "../queries.ts";
import { useWords } from "../words/use-words.ts";
import { StepLink } from "./step-link.tsx";
import { useCheckText } from "./use-check-text.ts";

/** How far steps of a branch are set in; deeper ones stay there. */
const INDENTS = ["", "pl-5", "pl-10", "pl-14"];

interface StepFlowProps {
  definition: Pick<Definition, "steps">;
  found: Rehearsed;
}

/** How many people would reach each step, and how many would get its email. */
export function StepFlow({ definition, found }: StepFlowProps) {
  const text = useCheckText();
  const { id: projectId } = useProject();
  const { sayStep } = useWords(projectId);
  const counts = new Map(found.steps.map((step) => [step.id, step]));
  return (
    <ol className="flex flex-col gap-3 text-sm">
      {allSteps(definition).map(({ step, parents }) => {
        const Kind = STEP_ICONS[step.type];
        const { people = 0, mails = 0 } = counts.get(step.id) ?? {};
        return (
          <li key={step.id} className={INDENTS[Math.min(parents.length, INDENTS.length - 1)]}>
            <span className="flex items-start gap-2">
              <Kind aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1">
                <StepLink id={step.id}>{sayStep(step)}</StepLink>
              </span>
              <span className="text-right tabular-nums">
                {text.reach(people)}
                {step.type === "send" && mails !== people && (
                  <span className="block text-xs text-muted">{text.getIt(mails)}</span>
                )}
              </span>
            </span>
            <progress
              aria-label={`${sayStep(step)}: ${formatNumber(people)}`}
              value={people}
              max={Math.max(found.people, 1)}
              className="mt-1 h-1! w-full"
            />
          </li>
        );
      })}
    </ol>
  );
}
