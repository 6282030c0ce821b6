import { z } from "zod";
import { otherSubjectField, wellFormedText } from "../fields.ts";
import { fault } from "../fault.ts";
import { withoutNulls } from "../given.ts";

const MAX_UTM_CHARACTERS = 100;

const switches = z.strictObject({
  opens: z.boolean().exactOptional().describe("Whether the HTML has an open pixel."),
  clicks: z.boolean().exactOptional().describe("Whether links lead through this service."),
});

/** The switches of a mail, a template or a broadcast; one that is left out says nothing. */
export const trackingField = z.preprocess(withoutNulls, switches);

export const trackingAnswer = z.strictObject({
  opens: z.boolean().optional(),
  clicks: z.boolean().optional(),
});

const utmText = wellFormedText
  .trim()
  .min(1, fault("required"))
  .max(MAX_UTM_CHARACTERS)
  .regex(/^\P{Cc}*$/u, fault("control_characters"));

/** The campaign parameters of a project or broadcast, without their prefix. */
export const utmField = z
  .preprocess(
    withoutNulls,
    z.strictObject({
      source: utmText.exactOptional(),
      medium: utmText.exactOptional(),
      campaign: utmText.exactOptional(),
    }),
  )
  .describe(
    "The parameters `utm_source`, `utm_medium` and `utm_campaign` of links; `{}` for none.",
  );

/** The campaign parameters of a broadcast, or `off` for none, whatever the project sets. */
export const utmChoiceField = z
  .union([z.literal("off"), utmField], fault("invalid_type", { expected: "an object or 'off'" }))
  .describe("What replaces the campaign parameters of the project; `off` for none on any link.");

export const utmAnswer = z.strictObject({
  source: z.string().optional(),
  medium: z.string().optional(),
  campaign: z.string().optional(),
});

/** What a send may set instead of its template or the project. */
export const mailOptionsShape = {
  tracking: trackingField.optional(),
  preheader: otherSubjectField.describe("Text that email clients show next to the subject."),
};
