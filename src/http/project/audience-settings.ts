import { z } from "zod";
import { LANGUAGES } from "../../lib/languages.ts";
import { audienceSettingsOf, saveAudienceSettings } from "../../services/projects/index.ts";
import { namedAnswer } from "../answer-fields.ts";
import { clearable } from "../clearable.ts";
import { fault } from "../fault.ts";
import { commandField, uuidField, wellFormedText } from "../fields.ts";
import { changeOf, inCode, shapeInCode } from "../in-code.ts";
import { presenterOf } from "../presenter.ts";
import { anyZoneField, timeOfDayField } from "./automation-body.ts";
import { settingsRoutes } from "./settings-routes.ts";

const automationRules = z.strictObject({
  quiet_hours: z
    .strictObject({
      from: timeOfDayField.describe("A time of day, such as `22:00`."),
      to: timeOfDayField,
      zone: anyZoneField,
    })
    .nullable()
    .describe("When no automation mails anybody."),
  max_per_week: z
    .int()
    .min(0)
    .max(100)
    .describe("The most mails of all automations to one subscriber in seven days; 0 for no limit."),
});

/** The settings in a request, in the answer, and in an import of a project. */
const fields = {
  double_opt_in: z
    .boolean()
    .describe(
      "Whether people who join through a form become active only after confirming by email.",
    ),
  confirmation_template_id: uuidField.nullable(),
  form_text: wellFormedText
    .max(1_000)
    .describe("The text next to your forms, stored in the consent history."),
  language: z.enum(LANGUAGES).describe("The language of pages and emails for subscribers."),
  /** A condition looks back at most 90 days, and the frequency cap is such a condition. */
  min_days_between_broadcasts: z.number().int().min(0).max(90),
  click_ip_days: z.number().int().min(0).max(365),
  turnstile_site_key: z
    .string()
    .regex(/^[\w.-]{0,100}$/, fault("invalid"))
    .describe('The site key of the same widget, which the pages of forms show; `""` for none.'),
  joins_per_day: z.number().int().min(1).max(1_000_000),
  automations: automationRules,
};
export const importedSettings = z
  .object({
    ...shapeInCode(fields),
    automations: z.strictObject({
      quietHours: automationRules.shape.quiet_hours.default(null),
      maxPerWeek: automationRules.shape.max_per_week.default(0),
    }),
  })
  .partial();

const settingsBody = changeOf(
  z.strictObject({
    ...fields,
    /** An id, or "" to clear the stored one (becomes null). */
    confirmation_template_id: z
      .string()
      .transform((text) => (text === "" ? null : text))
      .pipe(fields.confirmation_template_id),
    automations: automationRules.transform(inCode),
    turnstile_secret: clearable(
      commandField(1_000).trim(),
      "The secret key of a Cloudflare Turnstile widget.",
    ),
  }),
);

const settingsAnswer = namedAnswer("AudienceSettings", { ...fields, turnstile: z.boolean() });

const present = presenterOf(settingsAnswer);

/** Routes of the audience settings (API reference §12.7). */
export const audienceSettingsRoutes = settingsRoutes({
  path: "/projects/:id/audience-settings",
  operation: "projects.audienceSettings",
  name: "audience settings of a project",
  example: { body: { double_opt_in: true, language: "de", form_text: "News, once a month" } },
  body: settingsBody,
  answer: settingsAnswer,
  present: (project) => {
    const settings = audienceSettingsOf(project);
    return present({ ...settings, turnstile: settings.turnstileSecretSealed !== "" });
  },
  save: saveAudienceSettings,
});
