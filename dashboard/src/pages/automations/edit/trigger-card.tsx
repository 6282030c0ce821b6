import { useQuery } from "@tanstack/react-query";
import type { Trigger } from "../../../../../src/lib/automation-definition.ts";
import { fieldsQuery, segmentsQuery, topicsQuery } from "../../../api/audience.ts";
import { wordParam } from "../../../lib/search-params.ts";
import { ConditionBuilder } from "../../../parts/segments/condition-builder.tsx";
import { RuleWords } from "../../../parts/segments/rule-words.tsx";
import { useRuleFields } from "../../../parts/segments/use-rule-fields.ts";
import { problemAt } from "../../../ui/error-words.tsx";
import { CheckField, SelectField, TextField } from "../../../ui/field.tsx";
import { NumberField } from "../../../ui/number-field.tsx";
import { DraftChoice } from "../../broadcasts/draft-choice.tsx";
import { Zap } from "../icons.tsx";
import { useWords } from "../words/use-words.ts";
import { CardFrame } from "./card-frame.tsx";
import type { Editor } from "./editor.ts";
import { useEditText } from "./use-edit-text.ts";

/** The types of triggers, the common ones first. */
const TYPES = [
  "joined",
  "confirmed",
  "topic",
  "tag_added",
  "tag_removed",
  "segment",
  "event",
  "date",
  "manual",
] as const;

/** Who enters an automation. */
export function TriggerCard({ editor }: { editor: Editor }) {
  const text = useEditText();
  const { projectId, openId, open, mayNot, problems, edit } = editor;
  const { trigger } = edit.now;
  const { sayTrigger } = useWords(projectId);
  const fields = useRuleFields(projectId);
  const isOpen = openId === "trigger";
  const problem = problemAt(problems, "trigger");
  const change = (next: Trigger, field?: string) =>
    edit.change((now) => ({ ...now, trigger: next }), field && `trigger ${field}`);
  return (
    <CardFrame
      id="trigger"
      Icon={Zap}
      words={
        <>
          {sayTrigger(trigger)}
          {trigger.where !== undefined && !isOpen && (
            <span className="block text-xs font-normal text-muted">
              {text.onlyIf} <RuleWords where={trigger.where} fields={fields} />
            </span>
          )}
        </>
      }
      isOpen={isOpen}
      isBad={problem !== undefined}
      onToggle={() => open(isOpen ? undefined : "trigger")}
    >
      {problem !== undefined && !isOpen && <p className="text-sm text-bad">{problem}</p>}
      {isOpen && (
        <fieldset disabled={mayNot !== undefined} className="flex flex-col gap-4">
          <SelectField
            label={text.trigger}
            value={trigger.type}
            onChange={({ target }) => {
              const type = wordParam(target.value, TYPES);
              if (type) change(newTrigger(type));
            }}
          >
            {TYPES.map((type) => (
              <option key={type} value={type}>
                {text.triggerTypes[type]}
              </option>
            ))}
          </SelectField>
          <TriggerFields editor={editor} trigger={trigger} onChange={change} />
          <details open={trigger.where !== undefined || undefined}>
            <summary className="text-sm font-medium">{text.where}</summary>
            <div className="mt-3">
              <ConditionBuilder
                projectId={projectId}
                value={trigger.where ?? ""}
                error={problems["trigger.where"]}
                onChange={(where) => {
                  const { where: _, ...others } = trigger;
                  change(where === "" ? others : { ...trigger, where }, "where");
                }}
              />
            </div>
          </details>
        </fieldset>
      )}
    </CardFrame>
  );
}

interface TriggerFieldsProps {
  editor: Editor;
  trigger: Trigger;
  onChange: (trigger: Trigger, field?: string) => void;
}

/** The fields of one type of trigger. */
function TriggerFields({ editor, trigger, onChange }: TriggerFieldsProps) {
  const text = useEditText();
  const { projectId, problems } = editor;
  const topics = useQuery(topicsQuery(projectId));
  const segments = useQuery(segmentsQuery(projectId));
  const fields = useQuery(fieldsQuery(projectId));
  const problemOf = (field: string) => problems[`trigger.${field}`];
  switch (trigger.type) {
    case "event":
      return (
        <TextField
          label={text.event}
          hint={text.eventHint}
          value={trigger.event}
          error={problemOf("event")}
          spellCheck={false}
          onChange={({ target }) => onChange({ ...trigger, event: target.value }, "event")}
        />
      );
    case "topic":
      return (
        <DraftChoice
          label={text.topic}
          none={text.pleaseChoose}
          value={trigger.topic_id}
          error={problemOf("topic_id")}
          list={topics}
          choices={topics.data?.topics}
          onChange={(topic_id) => onChange({ ...trigger, topic_id })}
        />
      );
    case "tag_added":
    case "tag_removed":
      return (
        <TextField
          label={text.tag}
          value={trigger.tag}
          error={problemOf("tag")}
          onChange={({ target }) => onChange({ ...trigger, tag: target.value }, "tag")}
        />
      );
    case "segment":
      return (
        <DraftChoice
          label={text.segment}
          hint={text.segmentHint}
          none={text.pleaseChoose}
          value={trigger.segment_id}
          error={problemOf("segment_id")}
          list={segments}
          choices={segments.data?.segments}
          onChange={(segment_id) => onChange({ ...trigger, segment_id })}
        />
      );
    case "date": {
      const { days = 0 } = trigger;
      const dates = fields.data?.fields.filter(({ type }) => type === "date");
      return (
        <>
          <DraftChoice
            label={text.field}
            hint={text.fieldHint}
            none={text.pleaseChoose}
            value={trigger.field}
            error={problemOf("field")}
            list={fields}
            choices={dates?.map(({ key, label }) => ({ id: key, name: label }))}
            onChange={(field) => onChange({ ...trigger, field })}
          />
          <div className="flex items-end gap-2">
            <NumberField
              label={text.days}
              className="w-28"
              min={0}
              max={365}
              value={Math.abs(days)}
              error={problemOf("days")}
              onChange={(next) => onChange({ ...trigger, days: days < 0 ? -next : next }, "days")}
            />
            <SelectField
              label={text.beforeOrAfter}
              value={days < 0 ? "before" : "after"}
              onChange={({ target }) =>
                onChange({
                  ...trigger,
                  days: target.value === "before" ? -Math.abs(days || 1) : Math.abs(days),
                })
              }
            >
              <option value="before">{text.before}</option>
              <option value="after">{text.after}</option>
            </SelectField>
          </div>
          <CheckField
            label={text.yearly}
            checked={trigger.yearly ?? false}
            onChange={({ target }) => onChange({ ...trigger, yearly: target.checked })}
          />
        </>
      );
    }
    case "joined":
    case "confirmed":
    case "manual":
      return <p className="text-sm text-muted">{text.triggerHints[trigger.type]}</p>;
  }
}

function newTrigger(type: Trigger["type"]): Trigger {
  switch (type) {
    case "event":
      return { type, event: "" };
    case "topic":
      return { type, topic_id: "" };
    case "tag_added":
    case "tag_removed":
      return { type, tag: "" };
    case "segment":
      return { type, segment_id: "" };
    case "date":
      return { type, field: "" };
    case "joined":
    case "confirmed":
    case "manual":
      return { type };
  }
}
