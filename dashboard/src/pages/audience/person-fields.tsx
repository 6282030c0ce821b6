import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fieldsQuery } from "../../api/audience.ts";
import { useProject } from "../../api/projects.ts";
import { FieldForm } from "../../parts/fields/field-form.tsx";
import { FieldInput } from "../../parts/fields/field-input.tsx";
import { textOf, typeOf, type FieldShape } from "../../parts/fields/field-values.ts";
import { useFieldsText } from "../../parts/fields/use-fields-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useAudienceText } from "./use-audience-text.ts";

type Metadata = Record<string, unknown>;

/** The fields of a person: those of the project, then keys that no field describes. */
export interface PersonShapes {
  fields: FieldShape[];
  others: FieldShape[];
}

/** Returns the fields of a person's data that an input can hold. */
export function usePersonShapes(metadata: Metadata): PersonShapes {
  const { id: projectId } = useProject();
  const known = useQuery(fieldsQuery(projectId)).data?.fields ?? [];
  const keys = new Set(known.map(({ key }) => key));
  const others = Object.entries(metadata).flatMap(([key, value]) => {
    const type = typeOf(value);
    return keys.has(key) || !type ? [] : [{ key, label: key, type, choices: [] }];
  });
  return { fields: known.filter(({ key }) => canType(metadata[key])), others };
}

/** Returns true if an input can hold a value; one inside others is only shown. */
const canType = (value: unknown) => value === undefined || typeOf(value) !== undefined;

interface PersonFieldsProps {
  metadata: Metadata;
  shapes: PersonShapes;
  /** The edited texts by key. */
  typed: Record<string, string>;
  onChange: (typed: Record<string, string>) => void;
}

/** Inputs for a person's data, by field. */
export function PersonFields({ metadata, shapes, typed, onChange }: PersonFieldsProps) {
  const text = useAudienceText();
  const { newField } = useFieldsText();
  const [adding, setAdding] = useState<Partial<FieldShape>>();
  const input = (field: FieldShape) => (
    <FieldInput
      field={field}
      value={typed[field.key] ?? textOf(metadata[field.key])}
      onChange={(value) => {
        const { [field.key]: _, ...others } = typed;
        const isStored = value === textOf(metadata[field.key]);
        onChange(isStored ? others : { ...others, [field.key]: value });
      }}
    />
  );
  const nested = Object.entries(metadata).filter(([, value]) => !canType(value));
  return (
    <>
      {shapes.fields.map((field) => (
        <div key={field.key}>{input(field)}</div>
      ))}
      {shapes.others.map((field) => (
        <div key={field.key} className="flex flex-col items-start gap-1">
          <div className="w-full">{input(field)}</div>
          <Button
            look="quiet"
            aria-label={`${text.makeField}: ${field.key}`}
            onClick={() => setAdding(field)}
          >
            {text.makeField}
          </Button>
        </div>
      ))}
      {nested.map(([key, value]) => (
        <div key={key} className="text-sm">
          <p className="font-medium">{key}</p>
          <p className="wrap-break-word text-muted">{textOf(value)}</p>
        </div>
      ))}
      <div className="sm:col-span-2">
        <Button look="quiet" onClick={() => setAdding({})}>
          {newField}
        </Button>
      </div>
      <Dialog isOpen={adding !== undefined} onClose={() => setAdding(undefined)} title={newField}>
        {adding && <FieldForm field={adding} onDone={() => setAdding(undefined)} />}
      </Dialog>
    </>
  );
}
