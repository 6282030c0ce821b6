import { z } from "zod";
import { FIELD_TYPES } from "../../db/schema/index.ts";
import {
  changeField,
  createFields,
  deleteField,
  FIELD_USES,
  getField,
  listFields,
  type FieldRow,
} from "../../services/fields/index.ts";
import { refusal } from "../../errors.ts";
import { idAnswer, namedAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { fault } from "../fault.ts";
import { nameField } from "../fields.ts";
import { listField } from "../given.ts";
import { route } from "../route/route.ts";

const MOST_CHOICES = 100;

export const choicesField = listField(nameField, MOST_CHOICES);

const parts = { label: nameField.optional(), type: z.enum(FIELD_TYPES), choices: choicesField };

const createBody = z.object({
  ...parts,
  key: nameField,
  type: parts.type.default("text"),
  choices: parts.choices.default([]),
});

const updateBody = z
  .object({ ...parts, type: parts.type.optional(), choices: parts.choices.optional() })
  .refine((change) => Object.values(change).some((part) => part !== undefined), {
    message: fault("one_of", { fields: "label, type, choices" }),
  });

const fieldAnswer = namedAnswer("Field", {
  id: idAnswer,
  project_id: idAnswer,
  key: z.string().describe("The key in the metadata; conditions name it `metadata.<key>`."),
  label: z.string(),
  type: z.enum(FIELD_TYPES),
  choices: z.array(z.string()).describe("The values that forms offer for a choice or a list."),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

const usedFieldAnswer = fieldAnswer
  .extend({
    uses: z
      .array(
        z.strictObject({
          kind: z.enum(FIELD_USES),
          id: idAnswer,
          name: z.string(),
        }),
      )
      .describe("The segments, templates, drafts and automations that name the field."),
  })
  .meta({ id: "UsedField" });

const presentField = (field: FieldRow): z.input<typeof fieldAnswer> => ({
  id: field.id,
  project_id: field.projectId,
  key: field.key,
  label: field.label,
  type: field.type,
  choices: field.choices,
  created_at: timestamp(field.createdAt),
  updated_at: timestamp(field.updatedAt),
});

const LIST = "/projects/:id/fields";
const ITEM = `${LIST}/:fieldId`;

/** Routes of the fields that describe the subscribers' metadata (API reference §12.14). */
export const fieldRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: LIST,
    operation: "projects.fields.create",
    summary: "Describes a key of the subscribers' metadata as a field.",
    once: true,
    refusals: [409],
    example: {
      body: { key: "plan", label: "Plan", type: "choice", choices: ["Free", "Pro"] },
    },
    capability: "subscribers:write",
    body: createBody,
    answer: fieldAnswer,
    status: 201,
    handle: async ({ ctx, project, body: { key, label = key, type, choices } }) => {
      const [field] = await createFields(ctx, project, [{ key, label, type, choices }]);
      if (!field) throw refusal("field_exists", { key });
      return presentField(field);
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: LIST,
    operation: "projects.fields.list",
    summary: "Lists the fields of a project.",
    capability: "read",
    answer: z.strictObject({ fields: z.array(fieldAnswer) }),
    handle: async ({ ctx, project }) => ({
      fields: (await listFields(ctx, project)).map(presentField),
    }),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: ITEM,
    operation: "projects.fields.get",
    summary: "Returns a field, and the segments, templates and drafts that name it.",
    capability: "read",
    answer: usedFieldAnswer,
    handle: async ({ ctx, project, param }) => {
      const { field, uses } = await getField(ctx, project, param("fieldId"));
      return { ...presentField(field), uses };
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "PATCH",
    path: ITEM,
    operation: "projects.fields.update",
    summary: "Changes the label, the type or the choices of a field.",
    example: { body: { choices: ["Free", "Pro", "Team"] } },
    capability: "subscribers:write",
    body: updateBody,
    answer: fieldAnswer,
    handle: async ({ ctx, project, body: { label, type, choices }, param }) =>
      presentField(
        await changeField(ctx, project, param("fieldId"), {
          ...(label === undefined ? {} : { label }),
          ...(type === undefined ? {} : { type }),
          ...(choices === undefined ? {} : { choices }),
        }),
      ),
  }),
  route({
    auth: "cookie_or_key",
    method: "DELETE",
    path: ITEM,
    operation: "projects.fields.delete",
    summary: "Deletes a field; the subscribers keep their data.",
    capability: "subscribers:write",
    handle: ({ ctx, project, param }) => deleteField(ctx, project, param("fieldId")),
  }),
];
