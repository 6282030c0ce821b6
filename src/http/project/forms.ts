import { sql } from "drizzle-orm";
import { z } from "zod";
import { FORM_ALIGNS, NAME_FIELDS, type FormContent } from "../../db/schema/index.ts";
import { LANGUAGES } from "../../lib/languages.ts";
import {
  changeForm,
  createForm,
  deleteForm,
  getForm,
  listForms,
  offeredReads,
  unsavedForm,
  wholeContent,
  type FormRow,
} from "../../services/forms/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedVersions } from "../entity-tag.ts";
import { presenterOf, versioned } from "../presenter.ts";
import { route } from "../route/route.ts";
import { formPage } from "../public/forms/form-page.ts";
import { show } from "../public/page-shell.ts";
import { createBody, updateBody } from "./form-fields.ts";
import { FORM_TYPE, parsedField } from "./preview-page.ts";

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
  align: z.enum(FORM_ALIGNS),
  accent: z.string().nullable(),
  show_logo: z.boolean(),
  embed_heading: z.boolean(),
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
  ...wholeContent(row.content),
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
    method: "POST",
    path: `${LIST}/preview`,
    operation: "projects.forms.preview",
    summary: "Returns the page of a sign-up form that is not saved.",
    example: { body: { name: "Website", title: "Our newsletter" } },
    capability: "read",
    limit: "template_preview",
    body: createBody,
    bodyTypes: { [FORM_TYPE]: (bytes) => parsedField(bytes, "form") },
    fileType: "text/html",
    reads: ({ deps: { db }, projectId }) => offeredReads(db, sql`${projectId}`),
    handle: ({ c, project, body, reads }) =>
      show(c, formPage(unsavedForm(project, body, reads), undefined, true)),
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
