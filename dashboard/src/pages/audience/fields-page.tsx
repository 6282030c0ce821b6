import { useQuery } from "@tanstack/react-query";
import { fieldQuery, fieldsQuery, type Field } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { FieldForm } from "../../parts/fields/field-form.tsx";
import { useFieldsText } from "../../parts/fields/use-fields-text.ts";
import { NamedList } from "./named-list.tsx";
import { useAudienceText } from "./use-audience-text.ts";

const named = (field: Field) => ({ ...field, name: field.label });

/** Fields that describe the data of subscribers. */
export function FieldsPage() {
  const text = useAudienceText();
  const { types, newField } = useFieldsText();
  const { id: projectId } = useProject();
  const query = fieldsQuery(projectId);
  return (
    <NamedList
      title={text.fields}
      lead={text.fieldsLead}
      query={useQuery({ ...query, select: ({ fields }) => fields.map(named) })}
      queryKey={query.queryKey}
      columns={[
        {
          key: "type",
          head: text.fieldType,
          cell: ({ type, choices }) =>
            choices.length === 0 ? types[type] : `${types[type]}: ${choices.join(", ")}`,
        },
        { key: "key", head: text.fieldKey, isMinor: true, cell: ({ key }) => <code>{key}</code> },
      ]}
      words={{
        create: newField,
        none: text.noFields,
        noneWords: text.noFieldsWords,
        removal: text.deleteFieldWords,
      }}
      remove={({ id: fieldId }, signal) =>
        api.projects.fields.delete({ projectId, fieldId }, { signal })
      }
      one={(fieldId) => ({
        queryKey: [...fieldQuery(projectId, fieldId).queryKey, "form"],
        queryFn: async ({ signal }) => ({
          value: named(await api.projects.fields.get({ projectId, fieldId }, { signal })),
          version: "",
        }),
      })}
      form={(stored, onDone) => <FieldForm field={stored?.value ?? {}} onDone={onDone} />}
    />
  );
}
