import type { ReactNode } from "react";
import type { BranchStep } from "../../../../../src/lib/automation-definition.ts";
import { stepsOfWay, waysOf, type Way } from "../../../../../src/lib/automation-steps.ts";
import { ConditionBuilder } from "../../../parts/segments/condition-builder.tsx";
import { RuleWords } from "../../../parts/segments/rule-words.tsx";
import { useRuleFields } from "../../../parts/segments/use-rule-fields.ts";
import { Plus } from "../../../ui/action-icons.tsx";
import { Button } from "../../../ui/button.tsx";
import { useWordsText } from "../words/use-words-text.ts";
import { Line } from "./add-step.tsx";
import type { Editor } from "./editor.ts";
import { useEditText } from "./use-edit-text.ts";

const MOST_WAYS = 10;

interface BranchWaysProps {
  editor: Editor;
  branch: BranchStep;
  path: string;
  /** Renders the steps of a way, by their path and the name of the way. */
  renderSteps: (way: Way, path: string, name: string) => ReactNode;
}

/** The paths of a branch side by side, which stack where there is no room. */
export function BranchWays({ editor, branch, path, renderSteps }: BranchWaysProps) {
  const text = useEditText();
  const { mayNot } = editor;
  const addWay = () => {
    const way = branch.ways.length;
    editor.replace({ ...branch, ways: [...branch.ways, { where: "", steps: [] }] });
    editor.open(`${branch.id}/${way}`);
  };
  return (
    <>
      <Line />
      <div className="grid w-full grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] gap-3">
        {waysOf(branch).map((way) => (
          <WayColumn
            key={way}
            editor={editor}
            branch={branch}
            way={way}
            path={way === "else" ? `${path}.else` : `${path}.ways.${way}`}
            renderSteps={renderSteps}
          />
        ))}
      </div>
      {mayNot === undefined && branch.ways.length < MOST_WAYS && (
        <Button look="quiet" className="mt-1" onClick={addWay}>
          <Plus aria-hidden className="size-4" />
          {text.addPath}
        </Button>
      )}
    </>
  );
}

interface WayColumnProps extends BranchWaysProps {
  way: Way;
}

function WayColumn({ editor, branch, way, path, renderSteps }: WayColumnProps) {
  const text = useEditText();
  const { otherwise } = useWordsText();
  const fields = useRuleFields(editor.projectId);
  const { openId, open, mayNot, problems } = editor;
  const id = `${branch.id}/${way}`;
  const isOpen = openId === id;
  const where = way === "else" ? "" : (branch.ways[way]?.where ?? "");
  const setWhere = (next: string) =>
    editor.replace(
      {
        ...branch,
        ways: branch.ways.map((one, index) => (index === way ? { ...one, where: next } : one)),
      },
      `${way}`,
    );
  const name = way === "else" ? otherwise : text.path(way + 1);
  const hasSteps = stepsOfWay(branch, way).length > 0;
  return (
    <section
      aria-label={name}
      className="flex min-w-0 flex-col items-center rounded-lg border border-dashed border-line bg-sunken/40 p-2 sm:p-3"
    >
      {way === "else" ? (
        <p className="w-full p-2 text-sm font-medium text-muted">{otherwise}</p>
      ) : (
        <div className="w-full">
          <button
            type="button"
            data-head={id}
            aria-expanded={isOpen}
            onClick={() => open(isOpen ? undefined : id)}
            className="w-full rounded-md p-2 text-left text-sm hover:bg-sunken"
          >
            <span className="block text-xs text-muted">{name}</span>
            <span className="font-medium">
              {where === "" ? text.noCondition : <RuleWords where={where} fields={fields} />}
            </span>
          </button>
          {isOpen && (
            <fieldset
              disabled={mayNot !== undefined}
              className="mt-1 flex flex-col gap-3 rounded-lg border border-accent bg-surface p-3"
            >
              <ConditionBuilder
                projectId={editor.projectId}
                value={where}
                error={problems[`${path}.where`]}
                onChange={setWhere}
              />
              {branch.ways.length > 1 && mayNot === undefined && (
                <Button
                  look="quiet"
                  className="self-start text-bad!"
                  offBecause={hasSteps ? text.emptyPathFirst : undefined}
                  onClick={() => {
                    open(undefined);
                    editor.replace({
                      ...branch,
                      ways: branch.ways.filter((_, index) => index !== way),
                    });
                  }}
                >
                  {text.removePath}
                </Button>
              )}
            </fieldset>
          )}
          {problems[`${path}.where`] !== undefined && !isOpen && (
            <p className="px-2 text-sm text-bad">{problems[`${path}.where`]}</p>
          )}
        </div>
      )}
      {renderSteps(way, way === "else" ? path : `${path}.steps`, name)}
    </section>
  );
}
