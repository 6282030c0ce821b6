import { z } from "zod";
import { LANGUAGES } from "../../lib/languages.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import { audienceSettingsOf, saveAudienceSettings } from "../../services/projects/index.ts";
import { countAnswer, idAnswer, namedAnswer } from "../answer-fields.ts";
import { clearable } from "../clearable.ts";
import { expectedVersions, setVersion } from "../entity-tag.ts";
import { commandField, uuidField, wellFormedText } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";

const PATH = "/projects/:id/audience-settings";

/** The settings as the project stores them, and as an import of a project takes them. */
const fields = {
  doubleOptIn: z.boolean(),
  confirmationTemplateId: uuidField.nullable(),
  /** Each consent event stores a copy. */
  formText: wellFormedText.max(1_000),
  language: z.enum(LANGUAGES),
  /** A condition looks back at most 90 days, and the frequency cap is such a condition. */
  minDaysBetweenBroadcasts: z.number().int().min(0).max(90),
  clickIpDays: z.number().int().min(0).max(365),
  joinsPerDay: z.number().int().min(1).max(1_000_000),
};
export const importedSettings = z.object(fields).partial();

/** An id, or "" to clear the stored one (becomes null). */
const clearableIdField = z
  .string()
  .transform((text) => (text === "" ? null : text))
  .pipe(fields.confirmationTemplateId);

const secretField = clearable(
  commandField(1_000).trim(),
  "The secret key of a Cloudflare Turnstile widget.",
).optional();

const settingsBody = z
  .strictObject({
    double_opt_in: fields.doubleOptIn
      .optional()
      .describe(
        "Whether people who join through a form become active only after confirming by email.",
      ),
    confirmation_template_id: clearableIdField.optional(),
    form_text: fields.formText
      .optional()
      .describe("The text next to your forms, stored in the consent history."),
    language: fields.language
      .optional()
      .describe("The language of pages and emails for subscribers."),
    min_days_between_broadcasts: fields.minDaysBetweenBroadcasts.optional(),
    click_ip_days: fields.clickIpDays.optional(),
    joins_per_day: fields.joinsPerDay.optional(),
    turnstile_secret: secretField,
  })
  .refine((body) => Object.keys(body).length > 0, { message: fault("nothing_given") });

const settingsAnswer = namedAnswer("AudienceSettings", {
  double_opt_in: z.boolean(),
  confirmation_template_id: idAnswer.nullable(),
  form_text: z.string(),
  language: fields.language,
  min_days_between_broadcasts: countAnswer,
  click_ip_days: countAnswer,
  joins_per_day: countAnswer,
  turnstile: z.boolean(),
});

/** Presents the audience settings; their ETag is the project's. */
function answerSettings(c: HttpContext, project: ProjectRow): z.input<typeof settingsAnswer> {
  setVersion(c, project.updatedAt);
  const settings = audienceSettingsOf(project);
  return {
    double_opt_in: settings.doubleOptIn,
    confirmation_template_id: settings.confirmationTemplateId,
    form_text: settings.formText,
    language: settings.language,
    min_days_between_broadcasts: settings.minDaysBetweenBroadcasts,
    click_ip_days: settings.clickIpDays,
    joins_per_day: settings.joinsPerDay,
    turnstile: settings.turnstileSecretSealed !== "",
  };
}

/** Routes of the audience settings (API reference §12.7). */
export const audienceSettingsRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: PATH,
    operation: "projects.audienceSettings.get",
    summary: "Returns the audience settings of a project.",
    capability: "read",
    answer: settingsAnswer,
    handle: async ({ c, project }) => answerSettings(c, project),
  }),
  route({
    auth: "cookie_or_key",
    method: "PUT",
    path: PATH,
    operation: "projects.audienceSettings.save",
    summary: "Changes the audience settings of a project.",
    obeysIfMatch: true,
    example: { body: { double_opt_in: true, language: "de", form_text: "News, once a month" } },
    capability: "projects:write",
    body: settingsBody,
    answer: settingsAnswer,
    handle: async ({ c, ctx, project, body }) => {
      const change = {
        doubleOptIn: body.double_opt_in,
        confirmationTemplateId: body.confirmation_template_id,
        formText: body.form_text,
        language: body.language,
        minDaysBetweenBroadcasts: body.min_days_between_broadcasts,
        clickIpDays: body.click_ip_days,
        joinsPerDay: body.joins_per_day,
        turnstileSecret: body.turnstile_secret,
      };
      const expected = expectedVersions(c);
      return answerSettings(c, await saveAudienceSettings(ctx, project, change, expected));
    },
  }),
];
