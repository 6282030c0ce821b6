import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fieldsQuery } from "../../../api/audience.ts";
import { FieldInput } from "../../../parts/fields/field-input.tsx";
import { textOf, typeOf, withTyped, type FieldShape } from "../../../parts/fields/field-values.ts";
import { TextLink } from "../../../ui/button.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { FieldGroup } from "../../../ui/field-group.tsx";
import { useEditText } from "./use-edit-text.ts";

interface SetMetadataProps {
  projectId: string;
  metadata: Record<string, unknown>;
  error: string | undefined;
  onChange: (metadata: Record<string, unknown>, key: string) => void;
}

/** The fields that a step sets. An emptied one is no longer set. */
export function SetMetadata({ projectId, metadata, error, onChange }: SetMetadataProps) {
  const text = useEditText();
  const known = useQuery(fieldsQuery(projectId)).data?.fields ?? [];
  const [typed, setTyped] = useState<Record<string, string>>({});
  const shown = [...new Set([...Object.keys(metadata), ...Object.keys(typed)])];
  const shapeOf = (key: string): FieldShape =>
    known.find((field) => field.key === key) ?? {
      key,
      label: key,
      type: typeOf(metadata[key]) ?? "text",
      choices: [],
    };
  const rest = known.filter(({ key }) => !shown.includes(key));
  const type = (key: string, value: string) => {
    setTyped({ ...typed, [key]: value });
    onChange(withTyped(metadata, [shapeOf(key)], { [key]: value }), key);
  };
  return (
    <FieldGroup title={text.fields} error={error}>
      {shown.map((key) => (
        <FieldInput
          key={key}
          field={shapeOf(key)}
          value={typed[key] ?? textOf(metadata[key])}
          onChange={(value) => type(key, value)}
        />
      ))}
      {rest.length > 0 && (
        <SelectField
          label={text.addField}
          value=""
          onChange={({ target }) => setTyped({ ...typed, [target.value]: "" })}
        >
          <option value="">{text.pleaseChoose}</option>
          {rest.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
      {known.length === 0 && (
        <p className="text-sm">
          <TextLink to="/p/$projectId/audience/fields" params={{ projectId }}>
            {text.makeField}
          </TextLink>
        </p>
      )}
    </FieldGroup>
  );
}
