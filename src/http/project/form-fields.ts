/* The parts of a sign-up form (API reference §12.15), in requests and in imports of projects. */
import { z } from "zod";
import { FORM_ALIGNS, NAME_FIELDS } from "../../db/schema/index.ts";
import { LANGUAGES } from "../../lib/languages.ts";
import { PLAIN_LOOK } from "../../services/forms/index.ts";
import { MOST_TOPICS } from "../../services/topics/index.ts";
import { fault } from "../fault.ts";
import { nameField, personField, uuidField, wellFormedText } from "../fields.ts";
import { listField, UNKEPT_NAME } from "../given.ts";
import { changeOf, inCode, shapeInCode } from "../in-code.ts";
import { writtenAs } from "../route/written-as.ts";
import { colorField } from "./brand.ts";

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

const lookFields = {
  align: z.enum(FORM_ALIGNS).describe("The side of heading, texts and button."),
  accent: colorField
    .nullable()
    .describe("The color of the button, such as `#1d4ed8`; null for the accent of the brand."),
  show_logo: z.boolean().describe("Whether the form shows the logo of the brand."),
  embed_heading: z.boolean().describe("Whether embedded forms show logo, title and text, too."),
};

/** The content in an import of a project; forms of earlier exports have no look. */
export const formContentField = z.strictObject({
  ...shapeInCode(contentFields),
  ...z.object(shapeInCode(lookFields)).partial().shape,
});

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
  ...lookFields,
  accent: orNull(lookFields.accent),
  redirect_url: orNull(contentFields.redirect_url),
  language: orNull(contentFields.language),
});

const { shape } = whole;
/** The body that adds a form. */
export const createBody = z
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
    align: shape.align.default(PLAIN_LOOK.align),
    accent: shape.accent.default(PLAIN_LOOK.accent),
    show_logo: shape.show_logo.default(PLAIN_LOOK.showLogo),
    embed_heading: shape.embed_heading.default(PLAIN_LOOK.embedHeading),
  })
  .transform(inCode);

/** The body that changes a form. */
export const updateBody = changeOf(whole);
