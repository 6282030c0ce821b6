import { Fragment } from "react";
import type { Step } from "../../../../../src/lib/automation-definition.ts";
import { stepsOfWay } from "../../../../../src/lib/automation-steps.ts";
import { useWords } from "../words/use-words.ts";
import { AddStep } from "./add-step.tsx";
import { BranchWays } from "./branch-ways.tsx";
import type { Editor } from "./editor.ts";
import type { Place } from "./operations.ts";
import { StepCard } from "./step-card.tsx";
import { useEditText } from "./use-edit-text.ts";

interface StepListProps {
  editor: Editor;
  steps: readonly Step[];
  place: Place;
  /** Path of the list in the definition, such as `steps.0.else`. */
  path: string;
  label: string;
  /** Number of branches around it. */
  depth: number;
}

/** Steps one below the other, with a way to add one before and after each. */
export function StepList({ editor, steps, place, path, label, depth }: StepListProps) {
  const text = useEditText();
  const { sayStep } = useWords(editor.projectId);
  const add = (index: number) => {
    const before = steps[index - 1];
    if (before?.type === "end") return null;
    return (
      <AddStep
        label={before ? text.addAfter(sayStep(before)) : text.addFirst}
        isDeep={depth > 3}
        offBecause={editor.mayNot}
        onAdd={(type) => editor.add({ place, index }, type)}
      />
    );
  };
  return (
    <ol aria-label={label} className="flex w-full flex-col items-center">
      <li className="contents">{add(0)}</li>
      {steps.map((step, index) => (
        <Fragment key={step.id}>
          <StepCard editor={editor} step={step} path={`${path}.${index}`}>
            {step.type === "branch" && (
              <BranchWays
                editor={editor}
                branch={step}
                path={`${path}.${index}`}
                renderSteps={(way, at, name) => (
                  <StepList
                    editor={editor}
                    steps={stepsOfWay(step, way)}
                    place={{ branchId: step.id, way }}
                    path={at}
                    label={name}
                    depth={depth + 1}
                  />
                )}
              />
            )}
          </StepCard>
          <li className="contents">{add(index + 1)}</li>
        </Fragment>
      ))}
    </ol>
  );
}
