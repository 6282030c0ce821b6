import { z } from "zod";
import { LOGO_WIDTH } from "../../lib/brand.ts";
import { isColor } from "../../lib/colors.ts";
import { FONT_NAMES } from "../../lib/mail-fonts.ts";
import { mailSettingsOf, saveBrand } from "../../services/projects/index.ts";
import { namedAnswer } from "../answer-fields.ts";
import { clearable } from "../clearable.ts";
import { fault, refuse } from "../fault.ts";
import { personField } from "../fields.ts";
import { listField } from "../given.ts";
import { changeOf, shapeInCode } from "../in-code.ts";
import { presenterOf } from "../presenter.ts";
import { writtenAs } from "../route/written-as.ts";
import { settingsRoutes } from "./settings-routes.ts";

const MAX_URL_CHARACTERS = 2_000;
const MAX_LINKS = 12;

/** One line, which may go into HTML and into the source of a template. */
const plainText = (max: number) => personField.max(max).regex(/^[^<>{}]*$/, fault("markup"));

export const colorField = z
  .string()
  .trim()
  .toLowerCase()
  .refine((text) => isColor(text), fault("not_color"));

/** A host that a Content-Security-Policy and an email can name. */
const HOST = /^[a-z\d.-]+$/;

/** A URL of the web, normalized: it has no quote, space, angle bracket or brace. */
const webUrl = writtenAs(
  z
    .string()
    .max(MAX_URL_CHARACTERS)
    .transform((text, context) => {
      const url = /^https?:\/\//i.test(text.trim()) ? URL.parse(text.trim()) : null;
      if (!url || !HOST.test(url.hostname) || url.username !== "" || url.password !== "")
        return refuse(context, fault("not_web_url"));
      return url.href.replaceAll(/[{}'\\]/g, encodeURIComponent).replaceAll("'", "%27");
    }),
  z.string().max(MAX_URL_CHARACTERS),
);

const socialLink = z.strictObject({ label: plainText(50).min(1, fault("required")), url: webUrl });

const fontField = writtenAs(
  z
    .string()
    .transform(
      (text, context) =>
        FONT_NAMES.find((name) => name === text) ??
        refuse(context, fault("not_in_list", { values: FONT_NAMES.join(", ") })),
    ),
  z.string(),
);

/** The fields of a brand; a brand may lack any. */
const fields = {
  logo_url: webUrl,
  logo_alt: plainText(200),
  logo_width: z.int().min(16).max(552),
  accent: colorField,
  accent_text: colorField,
  background: colorField,
  heading_font: fontField,
  text_font: fontField,
  postal_address: plainText(200),
  social: listField(socialLink, MAX_LINKS),
};

/** The brand in an import of a project, as stored. */
export const importedBrand = z.strictObject(shapeInCode(fields)).partial();

const words = {
  logo_url: "The logo: a URL that starts with https://, or an image of this service.",
  logo_alt: "What the logo shows, for those who do not see it.",
  logo_width: `The width of the logo in pixels, ${LOGO_WIDTH} by default.`,
  accent: "The color of buttons and links, such as `#1d4ed8`.",
  accent_text:
    "The color of text on the accent, with a contrast of at least 4.5; by default black or white.",
  background: "The color behind the content of emails and pages.",
  heading_font: `The font of headings: ${FONT_NAMES.join(", ")}.`,
  text_font: "The font of everything else.",
  postal_address: "The postal address in the footer.",
  social: "The links in the footer of emails.",
};

const brandBody = changeOf(
  z.strictObject({
    logo_url: clearable(fields.logo_url, words.logo_url),
    logo_alt: clearable(fields.logo_alt, words.logo_alt),
    logo_width: fields.logo_width.describe(words.logo_width),
    accent: clearable(fields.accent, words.accent),
    accent_text: clearable(fields.accent_text, words.accent_text),
    background: clearable(fields.background, words.background),
    heading_font: clearable(fields.heading_font, words.heading_font),
    text_font: clearable(fields.text_font, words.text_font),
    postal_address: clearable(fields.postal_address, words.postal_address),
    social: fields.social.describe(words.social),
  }),
);

const answerFields = {
  logo_url: z.string(),
  logo_alt: z.string(),
  logo_width: z.int(),
  accent: z.string(),
  accent_text: z.string(),
  background: z.string(),
  heading_font: z.string(),
  text_font: z.string(),
  postal_address: z.string(),
  social: z.array(z.strictObject({ label: z.string(), url: z.string() })),
};
const brandAnswer = namedAnswer("Brand", answerFields);

const present = presenterOf(brandAnswer);

const UNSET = {
  logoUrl: "",
  logoAlt: "",
  logoWidth: LOGO_WIDTH,
  accent: "",
  accentText: "",
  background: "",
  headingFont: "",
  textFont: "",
  postalAddress: "",
  social: [],
};

/** Routes of the brand (API reference §9.11). */
export const brandRoutes = settingsRoutes({
  method: "PATCH",
  path: "/projects/:id/brand",
  operation: "projects.brand",
  name: "brand of a project",
  example: {
    body: { accent: "#7c3aed", postal_address: "Acme Ltd, 1 Main Street, Springfield" },
  },
  body: brandBody,
  answer: brandAnswer,
  present: (project) => present({ ...UNSET, ...mailSettingsOf(project).brand }),
  save: saveBrand,
});
