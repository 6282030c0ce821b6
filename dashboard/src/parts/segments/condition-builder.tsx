import { useState } from "react";
import { AppError, reasonOf } from "../../../../src/errors.ts";
import { isMessage } from "../../text/messages.ts";
import { Button } from "../../ui/button.tsx";
import { say } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { ConditionPreview } from "./condition-preview.tsx";
import { textOf, treeOf, type Group } from "./condition-tree.ts";
import "./conditions.de.ts";
import { RuleGroup } from "./rule-group.tsx";
import { useRuleFields } from "./use-rule-fields.ts";
import { useSegmentsText } from "./use-segments-text.ts";

interface ConditionBuilderProps {
  projectId: string;
  /** The condition as text; empty for everybody. */
  value: string;
  onChange: (value: string) => void;
  /** The error of the service, if it refused the condition. */
  error?: string | undefined;
  /** True to show how many people match, and ten of them. */
  isCounted?: boolean;
  /** True for a condition of an automation, which can name data of the event that started a run. */
  ofRun?: boolean;
}

/** A condition on people as rules, or as one line of text. Unfinished rules are left out. */
export function ConditionBuilder(props: ConditionBuilderProps) {
  const { projectId, value, onChange, error, isCounted = false, ofRun } = props;
  const text = useSegmentsText();
  const fields = useRuleFields(projectId, ofRun);
  const [built, setBuilt] = useState(() => read(value));
  const [isText, setText] = useState(built.fault !== undefined);
  const now = built.value === value ? built : read(value);
  if (now !== built) setBuilt(now);
  const { fault, group } = now;
  const isAsText = isText || !group;
  const problem = isAsText ? (fault?.text ?? error) : (fault?.rules ?? error);
  return (
    <div className="flex min-w-0 flex-col gap-4 lg:flex-row">
      <div className="flex min-w-0 grow flex-col gap-3">
        {isAsText ? (
          <TextField
            label={text.text}
            hint={text.textHint}
            value={value}
            error={problem}
            onChange={({ target }) => onChange(target.value)}
            spellCheck={false}
          />
        ) : (
          <>
            <RuleGroup
              group={group}
              depth={0}
              fields={fields}
              onChange={(next) => {
                const written = textOf(next);
                setBuilt({ ...read(written), group: next });
                onChange(written);
              }}
            />
            {problem !== undefined && (
              <p role="alert" className="text-sm text-bad">
                {problem}
              </p>
            )}
          </>
        )}
        <div>
          <Button
            look="quiet"
            offBecause={isAsText && fault ? text.mendFirst : undefined}
            onClick={() => setText(!isAsText)}
          >
            {isAsText ? text.asRules : text.asText}
          </Button>
        </div>
      </div>
      {isCounted && !fault && <ConditionPreview projectId={projectId} where={value} />}
    </div>
  );
}

/** A condition as text, and its rules or what is wrong with it. */
interface Read {
  value: string;
  group?: Group;
  /** The fault with its place in the text, and without. */
  fault?: { text: string; rules: string };
}

function read(value: string): Read {
  try {
    return { value, group: treeOf(value) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason } = error.params;
    const inner = isMessage(reason) ? reason.params?.["fault"] : undefined;
    const whole = say(reasonOf(error));
    return { value, fault: { text: whole, rules: isMessage(inner) ? say(inner) : whole } };
  }
}
