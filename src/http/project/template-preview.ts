import { z } from "zod";
import {
  ERRORS,
  previewTemplate,
  sendTests,
  testReads,
  WARNINGS,
  type Audience,
  type Preview,
} from "../../services/mailing/index.ts";
import {
  selectMetadataKeys,
  selectSubscriber,
  type SubscriberRow,
} from "../../services/subscribers/index.ts";
import { firstTemplate, mailTemplate, selectTemplate } from "../../services/templates/index.ts";
import { notFound } from "../../errors.ts";
import { countAnswer, namedAnswer } from "../answer-fields.ts";
import { paramsAnswer } from "../message-answer.ts";
import { dataField, otherSubjectField, subjectField, uuidField } from "../fields.ts";
import { route } from "../route/route.ts";
import { answerPage, FORM_TYPES, isForm } from "./preview-page.ts";
import { finishAnyway } from "./send.ts";
import { trackingField } from "./tracking-fields.ts";
import { presentTest, testAnswer, testFields } from "./test-body.ts";

const previewBody = z.object({
  subject: subjectField.default(""),
  preheader: subjectField.default(""),
  html_body: z.string().default(""),
  text_body: z.string().default(""),
  tracking: trackingField.optional(),
  data: dataField.optional(),
  subscriber_id: uuidField.optional(),
});

type PreviewBody = z.output<typeof previewBody>;

/** Number of subscribers whose metadata is sampled for the variables of a list. */
const SAMPLE = 100;
const isOfList = ({ data, subscriber_id: id }: PreviewBody) =>
  data === undefined && id === undefined;

/** Returns the recipients that a preview assumes. Throws not_found. */
function audienceOf(
  body: PreviewBody,
  subscriber: SubscriberRow | undefined,
  keys: { key: string }[],
): Audience {
  if (isOfList(body)) return { kind: "list", metadataKeys: keys.map(({ key }) => key) };
  const { data = {}, subscriber_id: id } = body;
  if (id === undefined) return { kind: "address", data };
  if (!subscriber) throw notFound("subscriber");
  return { kind: "subscriber", subscriber, data };
}

const placeAnswer = { line: countAnswer.nullable(), column: countAnswer.nullable() };

const previewAnswer = namedAnswer("TemplatePreview", {
  subject: z.string().nullable(),
  preheader: z.string().nullable(),
  html_body: z.string().nullable(),
  text_body: z.string().nullable(),
  bytes: countAnswer.nullable(),
  problems: z.array(
    z.strictObject({
      code: z.enum([...ERRORS, ...WARNINGS]),
      severity: z.enum(["error", "warning"]),
      field: z.enum(["subject", "preheader", "html_body", "text_body"]),
      ...placeAnswer,
      params: paramsAnswer.optional(),
      message: z.string(),
    }),
  ),
  links: z.array(z.strictObject({ url: z.string(), tracked: z.boolean(), ...placeAnswer })),
});

const isError = (code: string) => ERRORS.some((error) => error === code);

/** Presents a preview (API reference §10.6). */
function presentPreview(preview: Preview): z.input<typeof previewAnswer> {
  const { subject, preheader, html: html_body, text: text_body, bytes, problems, links } = preview;
  return {
    subject,
    preheader,
    html_body,
    text_body,
    bytes,
    problems: problems.map((problem) => ({
      ...problem,
      severity: isError(problem.code) ? "error" : "warning",
    })),
    links: links.map(({ url, isTracked, place }) => {
      const { line, column } = place ?? { line: null, column: null };
      return { url, tracked: isTracked, line, column };
    }),
  };
}

const testBody = z.object({
  ...testFields,
  subject: otherSubjectField,
  data: dataField.default({}),
});

function recipientsOf({ to, subscriber_id: subscriberId }: z.output<typeof testBody>) {
  return { to, subscriberId };
}

export const templatePreviewRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/templates/preview",
    operation: "projects.templates.preview",
    summary: "Renders a template and lists its problems.",
    example: { body: { subject: "Hi {{name}}", html_body: "<p>Hi</p>", data: { name: "Ann" } } },
    capability: "read",
    limit: "template_preview",
    body: previewBody,
    bodyTypes: FORM_TYPES,
    answer: previewAnswer,
    otherTypes: ["text/html"],
    reads: ({ deps: { db }, projectId, body }) =>
      [
        selectSubscriber(db, projectId, body.subscriber_id ?? ""),
        selectMetadataKeys(db, projectId, isOfList(body) ? SAMPLE : 0),
      ] as const,
    handle: async ({ c, ctx, project, body, reads: [[subscriber], keys] }) => {
      const { subject, preheader, html_body: htmlBody, text_body: textBody, tracking } = body;
      const audience = audienceOf(body, subscriber, keys);
      const input = { subject, preheader, htmlBody, textBody, tracking, audience };
      const preview = await previewTemplate(ctx, project, input);
      return isForm(c) ? answerPage(c, preview) : presentPreview(preview);
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/templates/:templateId/test",
    operation: "projects.templates.test",
    summary: "Sends a template to up to five addresses.",
    once: true,
    refusals: [422],
    example: { body: { to: ["ann@example.com"], data: { name: "Ann" } } },
    capability: "send:transactional",
    limit: "template_test",
    body: testBody,
    answer: testAnswer,
    reads: ({ deps, projectId, body, param }) =>
      [
        selectTemplate(deps.db, projectId, param("templateId")),
        ...testReads(deps, projectId, recipientsOf(body)),
      ] as const,
    handle: async ({ ctx, project, body, reads: [templates, ...reads] }) => {
      const { subject, data } = body;
      const template = mailTemplate(firstTemplate(templates));
      const input = { ...recipientsOf(body), template, subject, data };
      return presentTest(await finishAnyway(ctx, sendTests(ctx, project, input, reads)));
    },
  }),
];
