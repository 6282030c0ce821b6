import type { KeyboardEvent, ReactNode } from "react";
import type { Step } from "../../../../../src/lib/automation-definition.ts";
import { classes } from "../../../lib/class-names.ts";
import { Copy, Trash2 } from "../../../ui/action-icons.tsx";
import { Button } from "../../../ui/button.tsx";
import { useSharedText } from "../../../text/shared/use-shared-text.ts";
import { ArrowDown, ArrowUp, STEP_ICONS } from "../icons.tsx";
import { useWords } from "../words/use-words.ts";
import { CardFrame } from "./card-frame.tsx";
import type { Editor } from "./editor.ts";
import { StepFields } from "./step-fields.tsx";
import { useEditText } from "./use-edit-text.ts";

interface StepCardProps {
  editor: Editor;
  step: Step;
  path: string;
  /** The paths of a branch. */
  children?: ReactNode;
}

/** A step as one sentence, with its fields while it is open. */
export function StepCard({ editor, step, path, children }: StepCardProps) {
  const text = useEditText();
  const shared = useSharedText();
  const { sayStep } = useWords(editor.projectId);
  const { openId, open, mayNot, problems } = editor;
  const words = sayStep(step);
  const isOpen = openId === step.id;
  const hasFields = step.type !== "end" && step.type !== "branch";
  const problem = Object.entries(problems).find(([at]) =>
    step.type === "branch" ? at === path : at === path || at.startsWith(`${path}.`),
  )?.[1];
  const onKeyDown = (event: KeyboardEvent) => {
    if (mayNot !== undefined) return;
    const by = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key];
    if (by !== undefined && event.altKey) editor.move(step, by);
    else if (event.key === "Delete") editor.remove(step);
    else return;
    event.preventDefault();
  };
  const tool = (name: string, icon: ReactNode, run: () => void) => (
    <Button
      look="quiet"
      className="px-1.5!"
      aria-label={`${name}: ${words}`}
      title={name}
      onClick={run}
    >
      {icon}
    </Button>
  );
  const icon = { "aria-hidden": true, className: "size-4" } as const;
  return (
    <li id={`step-${step.id}`} className="flex w-full flex-col items-center">
      <CardFrame
        id={step.id}
        Icon={STEP_ICONS[step.type]}
        words={words}
        isOpen={isOpen}
        isBad={problem !== undefined}
        onToggle={() => open(isOpen ? undefined : step.id)}
        onKeyDown={onKeyDown}
        numbers={editor.numbersOf?.(step)}
      >
        {isOpen && (
          <>
            {hasFields && (
              <fieldset disabled={mayNot !== undefined} className="flex flex-col gap-4">
                <StepFields editor={editor} step={step} path={path} />
              </fieldset>
            )}
            {mayNot === undefined && (
              <div className={classes("flex gap-1", hasFields && "border-t border-line pt-2")}>
                {tool(text.up, <ArrowUp {...icon} />, () => editor.move(step, -1))}
                {tool(text.down, <ArrowDown {...icon} />, () => editor.move(step, 1))}
                {tool(text.duplicate, <Copy {...icon} />, () => editor.duplicate(step))}
                <span className="flex-1" />
                {tool(shared.delete, <Trash2 {...icon} />, () => editor.remove(step))}
              </div>
            )}
          </>
        )}
        {problem !== undefined && !isOpen && <p className="text-sm text-bad">{problem}</p>}
      </CardFrame>
      {children}
    </li>
  );
}
