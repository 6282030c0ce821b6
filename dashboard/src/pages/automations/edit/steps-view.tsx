import { useAutomationsText } from "../use-automations-text.ts";
import { Line } from "./add-step.tsx";
import type { Editor } from "./editor.ts";
import { RulesCard } from "./rules-card.tsx";
import { StepList } from "./step-list.tsx";
import { TriggerCard } from "./trigger-card.tsx";
import { useEditText } from "./use-edit-text.ts";

/** The trigger, the steps below it, and the rules. */
export function StepsView({ editor }: { editor: Editor }) {
  const text = useEditText();
  const { views } = useAutomationsText();
  const { steps, mayNot } = editor;
  return (
    <>
      <section aria-label={views.steps} className="flex flex-col items-center">
        <TriggerCard editor={editor} />
        <StepList
          editor={editor}
          steps={steps}
          place={undefined}
          path="steps"
          label={views.steps}
          depth={0}
        />
        <Line />
        <p className="rounded-full bg-sunken px-3 py-1 text-xs text-muted">{text.leaves}</p>
        {mayNot === undefined && steps.length > 0 && (
          <p className="mt-4 hidden text-xs text-muted sm:block">{text.keys}</p>
        )}
      </section>
      <RulesCard editor={editor} />
    </>
  );
}
