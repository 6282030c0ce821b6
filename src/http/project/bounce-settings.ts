import { z } from "zod";
import { BOUNCE_PROOFS } from "../../db/schema/index.ts";
import { bounceSettingsOf, saveBounceSettings } from "../../services/projects/index.ts";
import { namedAnswer } from "../answer-fields.ts";
import { clearableEmailField, returnPathField } from "../fields.ts";
import { changeOf, inCode } from "../in-code.ts";
import { presenterOf } from "../presenter.ts";
import { settingsRoutes } from "./settings-routes.ts";

const pctField = z.number().min(0).max(100);

const brakes = z.strictObject({
  bad_address_pct: pctField,
  sender_refusal_pct: pctField,
  sender_refusals_in_a_row: z.number().int().min(0).max(1_000),
  complaint_pct: pctField,
  sample_first: z.boolean(),
});

/** The settings in a request and in the answer. */
const settings = {
  suppress_on_any_5xx: z
    .boolean()
    .describe("Each 5xx to RCPT TO and each permanent report suppresses the address."),
  bounce_proof: z
    .enum(BOUNCE_PROOFS)
    .describe("Which reports of the bounce mailbox count (API reference §14.2)."),
  soft_bounce_limit: z
    .number()
    .int()
    .min(0)
    .max(100)
    .describe("Days with a soft bounce until the address is suppressed; 0 for never."),
};

const settingsBody = changeOf(
  z.strictObject({
    ...settings,
    brakes: brakes
      .partial()
      .transform(({ sample_first: canaryFirst, ...limits }) => inCode({ ...limits, canaryFirst })),
    return_path: returnPathField,
    forward_to: clearableEmailField,
  }),
).transform(({ brakes: autoPause, ...change }) => inCode({ ...change, autoPause }));

const settingsAnswer = namedAnswer("BounceSettings", {
  ...settings,
  brakes,
  return_path: z.string().nullable(),
  forward_to: z.string().nullable(),
});

const present = presenterOf(settingsAnswer);

/** Routes of the bounce settings (API reference §14.1). */
export const bounceSettingsRoutes = settingsRoutes({
  path: "/projects/:id/bounce-settings",
  operation: "projects.bounceSettings",
  name: "bounce settings of a project",
  example: { body: { soft_bounce_limit: 5, brakes: { complaint_pct: 0.3 } } },
  body: settingsBody,
  answer: settingsAnswer,
  present: (project) => {
    const { autoPause, ...rest } = bounceSettingsOf(project);
    return present({ ...rest, brakes: { ...autoPause, sampleFirst: autoPause.canaryFirst } });
  },
  save: saveBounceSettings,
});
