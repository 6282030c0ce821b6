import type { Step } from "../../../../src/lib/automation-definition.ts";
import { allSteps } from "../../../../src/lib/automation-steps.ts";
import { useProject } from "../../api/projects.ts";
import { CompareNotice } from "../../ui/compare-notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { editedOf } from "./edit/edited.ts";
import type { AutomationEdit } from "./edit/use-automation-edit.ts";
import type { Automation } from "./queries.ts";
import { StepSummary } from "./step-summary.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

interface ConflictNoticeProps {
  edit: AutomationEdit;
  theirs: Automation;
  onDecide: () => void;
}

/** Reports that somebody else has changed the automation, shows both, and offers the choice. */
export function ConflictNotice({ edit, theirs, onDecide }: ConflictNoticeProps) {
  const text = useAutomationsText();
  const { id: projectId } = useProject();
  const decide = (choice: () => void, words: string) => {
    onDecide();
    choice();
    showToast(words);
  };
  const former = contentsOf(editedOf(edit.base).steps);
  const isMarked = (step: Step) => former.get(step.id) !== JSON.stringify(step);
  return (
    <CompareNotice
      words={text}
      at={theirs.updated_at}
      onKeepMine={() => decide(edit.keepMine, text.merged)}
      onTakeTheirs={() => decide(edit.takeTheirs, text.tookTheirs)}
    >
      <div className="grid gap-6 sm:grid-cols-2">
        {(
          [
            [text.mine, edit.now],
            [text.theirs, editedOf(theirs)],
          ] as const
        ).map(([title, { name, trigger, steps }]) => (
          <section key={title} aria-label={title} className="flex flex-col gap-2">
            <h3 className="font-semibold">{title}</h3>
            {edit.now.name !== theirs.name && <p className="text-sm">{name}</p>}
            <StepSummary
              projectId={projectId}
              trigger={trigger}
              steps={steps}
              isMarked={isMarked}
            />
          </section>
        ))}
      </div>
    </CompareNotice>
  );
}

const contentsOf = (steps: Step[]) =>
  new Map(allSteps({ steps }).map(({ step }) => [step.id, JSON.stringify(step)]));
