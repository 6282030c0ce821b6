import type { Step, Trigger } from "../../../../src/lib/automation-definition.ts";
import { stepsOfWay, waysOf } from "../../../../src/lib/automation-steps.ts";
import { RuleWords } from "../../parts/segments/rule-words.tsx";
import { useRuleFields } from "../../parts/segments/use-rule-fields.ts";
import { STEP_ICONS, Zap } from "./icons.tsx";
import { useWords } from "./words/use-words.ts";
import { useWordsText } from "./words/use-words-text.ts";

interface StepSummaryProps {
  projectId: string;
  trigger: Trigger;
  steps: readonly Step[];
  /** Returns true for a step to highlight. */
  isMarked?: (step: Step) => boolean;
}

/** An automation in words: its trigger and its steps, those of a branch below their condition. */
export function StepSummary({ projectId, trigger, steps, isMarked }: StepSummaryProps) {
  const { sayTrigger } = useWords(projectId);
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <p className="flex items-start gap-2 font-medium">
        <Zap aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        {sayTrigger(trigger)}
      </p>
      <StepNames projectId={projectId} steps={steps} isMarked={isMarked} />
    </div>
  );
}

interface StepNamesProps extends Pick<StepSummaryProps, "projectId" | "steps"> {
  isMarked: ((step: Step) => boolean) | undefined;
}

function StepNames({ projectId, steps, isMarked }: StepNamesProps) {
  const { sayStep } = useWords(projectId);
  const { otherwise } = useWordsText();
  const fields = useRuleFields(projectId);
  return (
    <ol className="flex flex-col gap-1.5">
      {steps.map((step) => {
        const Kind = STEP_ICONS[step.type];
        return (
          <li key={step.id} className="flex flex-col gap-1.5">
            <span className="flex items-start gap-2">
              <Kind aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
              <span className="min-w-0">
                {isMarked?.(step) ? (
                  <mark className="rounded bg-warn-soft px-1 text-ink">{sayStep(step)}</mark>
                ) : (
                  sayStep(step)
                )}
              </span>
            </span>
            {step.type === "branch" &&
              waysOf(step).map((way) => (
                <div key={way} className="ml-2 border-l border-line pl-4">
                  <p className="mb-1 text-xs text-muted">
                    {way === "else" ? (
                      otherwise
                    ) : (
                      <RuleWords where={step.ways[way]?.where ?? ""} fields={fields} />
                    )}
                  </p>
                  <StepNames
                    projectId={projectId}
                    steps={stepsOfWay(step, way)}
                    isMarked={isMarked}
                  />
                </div>
              ))}
          </li>
        );
      })}
    </ol>
  );
}
