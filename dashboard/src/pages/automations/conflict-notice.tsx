import { useState } from "react";
import type { Step } from "../../../../src/lib/automation-definition.ts";
import { allSteps } from "../../../../src/lib/automation-steps.ts";
import { useProject } from "../../api/projects.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
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
  const [isComparing, setComparing] = useState(false);
  const decide = (choice: () => void, words: string) => {
    setComparing(false);
    onDecide();
    choice();
    showToast(words);
  };
  const choices = (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button onClick={() => decide(edit.keepMine, text.merged)}>{text.keepMine}</Button>
      <Button onClick={() => decide(edit.takeTheirs, text.tookTheirs)}>{text.takeTheirs}</Button>
      {!isComparing && <Button onClick={() => setComparing(true)}>{text.compare}</Button>}
    </div>
  );
  const former = contentsOf(editedOf(edit.base).steps);
  const isMarked = (step: Step) => former.get(step.id) !== JSON.stringify(step);
  return (
    <Notice tone="warn" role="alert">
      <p>
        {text.conflict} <When at={theirs.updated_at} />
      </p>
      <p>{text.conflictWords}</p>
      {choices}
      <Dialog
        isOpen={isComparing}
        onClose={() => setComparing(false)}
        title={text.compareTitle}
        isWide
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
        {choices}
      </Dialog>
    </Notice>
  );
}

const contentsOf = (steps: Step[]) =>
  new Map(allSteps({ steps }).map(({ step }) => [step.id, JSON.stringify(step)]));
