import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SetStep } from "../../../../../src/lib/automation-definition.ts";
import { topicsQuery } from "../../../api/audience.ts";
import { SelectField } from "../../../ui/field.tsx";
import { FieldGroup } from "../../../ui/field-group.tsx";
import { TagsField, tagsOf } from "../../audience/tags-field.tsx";
import { SetMetadata } from "./set-metadata.tsx";
import type { FieldsOf } from "./fields-of.ts";
import { useEditText } from "./use-edit-text.ts";

/** What a step changes about a person: tags, topics and fields. */
export function SetFields({ editor, step, problemOf, onChange }: FieldsOf<"set">) {
  const text = useEditText();
  const topics = useQuery(topicsQuery(editor.projectId));
  const { metadata = {}, topics: chosen = {} } = step;
  const chooseTopic = (id: string, value: string) => {
    const { [id]: _, ...others } = chosen;
    const next = value === "" ? others : { ...others, [id]: value === "on" };
    onChange(withPart(step, "topics", next));
  };
  return (
    <>
      {(["add_tags", "remove_tags"] as const).map((name) => (
        <TagsOfStep
          key={name}
          label={text.tags[name]}
          tags={step[name] ?? []}
          error={problemOf(name)}
          onChange={(tags) => onChange({ ...step, [name]: tags })}
        />
      ))}
      {(topics.data?.topics.length ?? 0) > 0 && (
        <FieldGroup title={text.topics}>
          <div className="grid gap-3 sm:grid-cols-2">
            {topics.data?.topics.map(({ id, name }) => (
              <SelectField
                key={id}
                label={name}
                value={chosen[id] === undefined ? "" : chosen[id] ? "on" : "off"}
                onChange={({ target }) => chooseTopic(id, target.value)}
              >
                <option value="">{text.topicStays}</option>
                <option value="on">{text.topicOn}</option>
                <option value="off">{text.topicOff}</option>
              </SelectField>
            ))}
          </div>
        </FieldGroup>
      )}
      <SetMetadata
        projectId={editor.projectId}
        metadata={metadata}
        error={problemOf("metadata")}
        onChange={(next, key) => onChange(withPart(step, "metadata", next), `metadata ${key}`)}
      />
    </>
  );
}

/** Returns a step with one of its parts, which is left out if it is empty. */
function withPart(step: SetStep, part: "topics" | "metadata", value: object): SetStep {
  const { [part]: _, ...others } = step;
  return Object.keys(value).length === 0 ? others : { ...others, [part]: value };
}

interface TagsOfStepProps {
  label: string;
  tags: string[];
  error: string | undefined;
  onChange: (tags: string[]) => void;
}

function TagsOfStep({ label, tags, error, onChange }: TagsOfStepProps) {
  const [typed, setTyped] = useState("");
  return (
    <div
      onBlur={() => {
        setTyped("");
        onChange(tagsOf({ tags, typed }));
      }}
    >
      <TagsField
        label={label}
        value={{ tags, typed }}
        error={error}
        onChange={(next) => {
          setTyped(next.typed);
          onChange(next.tags);
        }}
      />
    </div>
  );
}
