import { useMutation, useQuery } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";
import { useState } from "react";
import { fieldQuery, type Field } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { wordParam } from "../../lib/search-params.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { TextLink } from "../../ui/button.tsx";
import { problemsOf } from "../../ui/error-words.tsx";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.tsx";
import { FIELD_TYPES, type FieldShape } from "./field-values.ts";
import { useFieldsText } from "./use-fields-text.ts";

interface FieldFormProps {
  /** The field to change; or the shape of a new one, whose key may be given. */
  field: Field | Partial<FieldShape>;
  onDone: () => void;
}

/** Returns a key that templates can name without brackets. */
const keyOf = (label: string) =>
  label
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[_0-9]+|_$/g, "");

/** Name, type and choices of a field. The key of a new one follows its name until it is typed. */
export function FieldForm({ field, onDone }: FieldFormProps) {
  const text = useFieldsText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const fieldId = "id" in field ? field.id : undefined;
  const [label, setLabel] = useState(field.label ?? field.key ?? "");
  const [key, setKey] = useState(field.key);
  const [type, setType] = useState(field.type ?? "text");
  const [choices, setChoices] = useState((field.choices ?? []).join("\n"));
  const save = useMutation({
    mutationFn: () => {
      const lines = choices.split("\n").map((line) => line.trim());
      const body = { label, type, choices: lines.filter((line) => line !== "") };
      return fieldId === undefined
        ? api.projects.fields.create({ projectId, body: { ...body, key: key ?? keyOf(label) } })
        : api.projects.fields.update({ projectId, fieldId, body });
    },
    onSuccess: async () => {
      showToast(text.saved);
      onDone();
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "fields"] });
    },
  });
  const problems = problemsOf(save.error);
  return (
    <Form of={save} onSubmit={() => save.mutate()} action={shared.save} isWide>
      <TextField
        label={text.label}
        value={label}
        error={problems["label"]}
        onChange={({ target }) => setLabel(target.value)}
        required
        autoFocus
      />
      <SelectField
        label={text.type}
        value={type}
        onChange={({ target }) => setType(wordParam(target.value, FIELD_TYPES) ?? type)}
      >
        {FIELD_TYPES.map((one) => (
          <option key={one} value={one}>
            {text.types[one]}
          </option>
        ))}
      </SelectField>
      {(type === "choice" || type === "list") && (
        <TextArea
          label={text.choices}
          hint={text.choicesHint}
          isOptional={type === "list"}
          rows={4}
          value={choices}
          error={problems["choices"]}
          onChange={({ target }) => setChoices(target.value)}
        />
      )}
      {fieldId === undefined ? (
        <TextField
          label={text.key}
          hint={text.keyHint}
          value={key ?? keyOf(label)}
          error={problems["key"]}
          onChange={({ target }) => setKey(target.value)}
          required
        />
      ) : (
        <Uses projectId={projectId} fieldId={fieldId} />
      )}
    </Form>
  );
}

/** Returns the links to each kind of use; segments have one page together. */
const linksTo = (projectId: string, id: string) => ({
  segment: linkOptions({ to: "/p/$projectId/audience/segments", params: { projectId } }),
  template: linkOptions({
    to: "/p/$projectId/templates/$templateId",
    params: { projectId, templateId: id },
  }),
  broadcast: linkOptions({
    to: "/p/$projectId/broadcasts/$broadcastId",
    params: { projectId, broadcastId: id },
  }),
  automation: linkOptions({
    to: "/p/$projectId/automations/$automationId",
    params: { projectId, automationId: id },
  }),
});

/** What uses a field. */
function Uses({ projectId, fieldId }: { projectId: string; fieldId: string }) {
  const text = useFieldsText();
  const { data } = useQuery(fieldQuery(projectId, fieldId));
  if (!data) return null;
  if (data.uses.length === 0) return <p className="text-sm text-muted">{text.unused}</p>;
  return (
    <div className="text-sm">
      <p className="font-medium">{text.usedIn}</p>
      <ul>
        {data.uses.map(({ kind, id, name }) => (
          <li key={id}>
            {text.uses[kind]}: <TextLink {...linksTo(projectId, id)[kind]}>{name}</TextLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
