import { wordParam } from "../../../lib/search-params.ts";
import { ConditionBuilder } from "../../../parts/segments/condition-builder.tsx";
import { TextLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { problemAt } from "../../../ui/error-words.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { NumberField } from "../../../ui/number-field.tsx";
import type { Editor } from "./editor.ts";
import { useEditText } from "./use-edit-text.ts";

const REENTRIES = ["never", "always", "after"] as const;
const GOALS = ["none", "event", "where"] as const;

/** The name of an automation, and its rules: who may enter again, and when people leave early. */
export function RulesCard({ editor }: { editor: Editor }) {
  const text = useEditText();
  const { projectId, mayNot, problems, edit } = editor;
  const { name, reentry, goal } = edit.now;
  const goalKind = goal === undefined ? "none" : "event" in goal ? "event" : "where";
  const chooseGoal = (kind: (typeof GOALS)[number]) =>
    edit.change(({ goal: _goal, ...now }) => {
      if (kind === "none") return now;
      return { ...now, goal: kind === "event" ? { event: "" } : { where: "" } };
    });
  return (
    <Card title={text.rules}>
      <fieldset disabled={mayNot !== undefined} className="grid max-w-3xl gap-5 sm:grid-cols-2">
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={name}
          error={problems["name"]}
          onChange={({ target }) => edit.change((now) => ({ ...now, name: target.value }), "name")}
        />
        <div className="flex flex-col gap-4">
          <SelectField
            label={text.reentry}
            value={typeof reentry === "string" ? reentry : "after"}
            onChange={({ target }) => {
              const chosen = wordParam(target.value, REENTRIES) ?? "never";
              const next = chosen === "after" ? { after_days: 30 } : chosen;
              edit.change((now) => ({ ...now, reentry: next }));
            }}
          >
            {REENTRIES.map((one) => (
              <option key={one} value={one}>
                {text.reentries[one]}
              </option>
            ))}
          </SelectField>
          {typeof reentry !== "string" && (
            <NumberField
              label={text.reentryDays}
              min={1}
              max={3_650}
              value={reentry.after_days}
              error={problemAt(problems, "reentry")}
              onChange={(after_days) =>
                edit.change((now) => ({ ...now, reentry: { after_days } }), "reentry")
              }
            />
          )}
        </div>
        <div className="flex flex-col gap-4 sm:col-span-2">
          <SelectField
            label={text.goal}
            hint={text.goalHint}
            className="sm:max-w-sm"
            value={goalKind}
            onChange={({ target }) => chooseGoal(wordParam(target.value, GOALS) ?? "none")}
          >
            {GOALS.map((one) => (
              <option key={one} value={one}>
                {text.goals[one]}
              </option>
            ))}
          </SelectField>
          {goal && "event" in goal && (
            <TextField
              label={text.event}
              hint={text.eventHint}
              className="sm:max-w-sm"
              value={goal.event}
              error={problems["goal.event"]}
              spellCheck={false}
              onChange={({ target }) =>
                edit.change((now) => ({ ...now, goal: { event: target.value } }), "goal")
              }
            />
          )}
          {goal && "where" in goal && (
            <ConditionBuilder
              projectId={projectId}
              value={goal.where}
              error={problems["goal.where"]}
              onChange={(where) => edit.change((now) => ({ ...now, goal: { where } }), "goal")}
            />
          )}
        </div>
        <p className="text-sm text-muted sm:col-span-2">
          {text.limits}{" "}
          <TextLink to="/p/$projectId/settings/consent" params={{ projectId }}>
            {text.limitsLink}
          </TextLink>
        </p>
      </fieldset>
    </Card>
  );
}
