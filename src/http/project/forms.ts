import { z } from "zod";
import { NAME_FIELDS, type FormContent } from "../../db/schema/index.ts";
import { LANGUAGES } from "../../lib/languages.ts";
import {
  changeForm,
  createForm,
  deleteForm,
  getForm,
  listForms,
  type FormRow,
} from "../../services/forms/index.ts";
import { MOST_TOPICS } from "../../services/topics/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedVersions } from "../entity-tag.ts";
import { fault } from "../fault.ts";
import { nameField, personField, uuidField, wellFormedText } from "../fields.ts";
import { listField, UNKEPT_NAME } from "../given.ts";
import { changeOf, inCode, shapeInCode } from "../in-code.ts";
import { presenterOf, versioned } from "../presenter.ts";
import { route } from "../route/route.ts";
import { writtenAs } from "../route/written-as.ts";

/** The maximum number of fields besides email and name, so that a page stays a page. */
const MOST_FORM_FIELDS = 20;

/** Keys that a form cannot fill: one that objects lose, and the one that names the form. */
const RESERVED_KEYS = new Set([UNKEPT_NAME, "source"]);

/**
 * An https URL as browsers write it. The host has only letters that a Content-Security-Policy can
 * name, and no credentials.
 */
const pageField = writtenAs(
  z
    .string()
    .max(2_000)
    .refine((text) => {
      const url = /[\p{Cc}\s]/u.test(text) ? null : URL.parse(text);
      return url?.protocol === "https:" && /^[\w.-]+$/.test(url.hostname) && !url.username;
    }, fault("not_https"))
    .transform((text) => new URL(text).href),
  z.url().max(2_000),
);

const contentFields = {
  title: nameField,
  text: wellFormedText.max(2_000),
  button: personField.describe('The text of the button; `""` for the one of the language.'),
  consent_text: wellFormedText
    .max(1_000)
    .describe('Stored in the consent history; `""` for the `form_text` of the project.'),
  name_field: z.enum(NAME_FIELDS),
  fields: listField(
    z.object({
      key: nameField.refine((key) => !RESERVED_KEYS.has(key), fault("reserved_name")),
      required: z.boolean().default(false),
    }),
    MOST_FORM_FIELDS,
  ).describe("Fields of the project, by their keys."),
  topics: listField(uuidField, MOST_TOPICS).describe(
    "The topics of a sign-up by id; without any, a new subscriber gets the default topics.",
  ),
  choose_topics: z.boolean().describe("Whether people choose among the topics, or get them all."),
  double_opt_in: z
    .boolean()
    .describe("True to ask for a confirmation always; false follows the project's setting."),
  redirect_url: pageField.nullable().describe("An https page to show after a sign-up."),
  language: z.enum(LANGUAGES).nullable().describe("null for the language of the project."),
};

/** The content in an import of a project. */
export const formContentField = z.strictObject(shapeInCode(contentFields));

const orNull = <Field extends z.ZodType>(field: Field) =>
  writtenAs(
    z
      .unknown()
      .transform((value) => (value === "" ? null : value))
      .pipe(field),
    field,
  );

const whole = z.object({
  name: nameField,
  is_open: z.boolean().describe("False ends the page of the form."),
  ...contentFields,
  redirect_url: orNull(contentFields.redirect_url),
  language: orNull(contentFields.language),
});

const { shape } = whole;
const createBody = z
  .object({
    ...shape,
    is_open: shape.is_open.default(true),
    text: shape.text.default(""),
    button: shape.button.default(""),
    consent_text: shape.consent_text.default(""),
    name_field: shape.name_field.default("none"),
    fields: shape.fields.default([]),
    topics: shape.topics.default([]),
    choose_topics: shape.choose_topics.default(false),
    double_opt_in: shape.double_opt_in.default(false),
    redirect_url: shape.redirect_url.default(null),
    language: shape.language.default(null),
  })
  .transform(inCode);

const updateBody = changeOf(whole);

const formAnswer = namedAnswer("Form", {
  id: idAnswer,
  project_id: idAnswer,
  name: z.string(),
  is_open: z.boolean(),
  url: z.string().describe("The page of the form; its script has the suffix `.js`."),
  title: z.string(),
  text: z.string(),
  button: z.string(),
  consent_text: z.string(),
  name_field: z.enum(NAME_FIELDS),
  fields: z.array(z.strictObject({ key: z.string(), required: z.boolean() })),
  topics: z.array(idAnswer),
  choose_topics: z.boolean(),
  double_opt_in: z.boolean(),
  redirect_url: z.string().nullable(),
  language: z.enum(LANGUAGES).nullable(),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

const listedAnswer = formAnswer
  .extend({
    signups: countAnswer.describe("The subscribers that the form has added within 30 days."),
    active: countAnswer.describe("Those of them who are active."),
  })
  .meta({ id: "ListedForm" });

const presentForm = presenterOf(formAnswer);
const presentListed = presenterOf(listedAnswer);

/** Returns a form as the presenters read it. */
const flat = <Row extends FormRow>(
  row: Row,
  baseUrl: string,
): Row & FormContent & { url: string } => ({
  ...row.content,
  ...row,
  url: `${baseUrl}/f/${row.id}`,
});

const answerForm = versioned(presentForm);

const LIST = "/projects/:id/forms";
const ITEM = `${LIST}/:formId`;

/** Routes of sign-up forms (API reference §12.15). */
export const formRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: LIST,
    operation: "projects.forms.create",
    summary: "Adds a sign-up form with a public page.",
    once: true,
    refusals: [409],
    example: { body: { name: "Website", title: "Our newsletter", name_field: "optional" } },
    capability: "subscribers:write",
    body: createBody,
    answer: formAnswer,
    status: 201,
    handle: async ({ c, ctx, deps, project, body }) =>
      answerForm(c, flat(await createForm(ctx, project, body), deps.config.baseUrl)),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: LIST,
    operation: "projects.forms.list",
    summary: "Lists the sign-up forms of a project with their sign-ups.",
    capability: "read",
    answer: z.strictObject({ forms: z.array(listedAnswer) }),
    handle: async ({ ctx, deps, project }) => ({
      forms: (await listForms(ctx, project)).map((form) =>
        presentListed(flat(form, deps.config.baseUrl)),
      ),
    }),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: ITEM,
    operation: "projects.forms.get",
    summary: "Returns a sign-up form.",
    capability: "read",
    answer: formAnswer,
    handle: async ({ c, ctx, deps, project, param }) =>
      answerForm(c, flat(await getForm(ctx, project, param("formId")), deps.config.baseUrl)),
  }),
  route({
    auth: "cookie_or_key",
    method: "PATCH",
    path: ITEM,
    operation: "projects.forms.update",
    summary: "Changes a sign-up form.",
    obeysIfMatch: true,
    example: { body: { title: "News, once a month" } },
    capability: "subscribers:write",
    body: updateBody,
    answer: formAnswer,
    handle: async ({ c, ctx, deps, project, body, param }) => {
      const expected = expectedVersions(c);
      const form = await changeForm(ctx, project, param("formId"), body, expected);
      return answerForm(c, flat(form, deps.config.baseUrl));
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "DELETE",
    path: ITEM,
    operation: "projects.forms.delete",
    summary: "Deletes a sign-up form and its page; its subscribers stay.",
    capability: "subscribers:write",
    handle: ({ ctx, project, param }) => deleteForm(ctx, project, param("formId")),
  }),
];
