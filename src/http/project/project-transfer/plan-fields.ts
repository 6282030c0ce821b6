import { z } from "zod";
import { AB_METRICS, RESEND_TO } from "../../../db/schema/index.ts";
import { emailField, personField, uuidField } from "../../fields.ts";
import { delayField, mailsField, waitField, zoneField } from "../draft-body.ts";
import { trackingField, utmChoiceField } from "../tracking-fields.ts";
import { condition, templateLine } from "./row-fields.ts";
import { fault } from "../../fault.ts";

/** A stored number of mails. Only in API calls does 0 mean none. */
export const storedMails = mailsField.min(1).nullable();

const templateId = uuidField.nullable();

/** Plan of a draft or former draft, within the limits of a draft. */
export const plan = z
  .strictObject({
    subject: templateLine.nullable(),
    segmentId: uuidField.nullable(),
    where: condition.nullable(),
    excludeSegmentIds: z.array(uuidField).max(10),
    maxDelayMinutes: delayField.min(1).nullable(),
    timeZone: zoneField.nullable(),
    warmUpFirstDay: storedMails,
    ab: z
      .strictObject({
        variants: z
          .array(
            z.strictObject({
              subject: templateLine.nullable(),
              fromName: personField.nullable(),
              templateId,
            }),
          )
          .min(2)
          .max(5),
        share: z.number().min(1).max(100),
        waitHours: waitField,
        by: z.enum(AB_METRICS),
      })
      .nullable(),
    resend: z.strictObject({ of: uuidField, to: z.enum(RESEND_TO) }).nullable(),
    previewText: templateLine.nullable().optional(),
    fromName: personField.nullable().optional(),
    replyTo: emailField.nullable().optional(),
    tracking: trackingField.optional(),
    utm: utmChoiceField.optional(),
    begunZones: z.unknown().optional(), // stored by version 0.1.0
  })
  .refine(({ ab, timeZone }) => ab === null || timeZone === null, {
    path: ["ab"],
    message: fault("null_with", { field: "timeZone" }),
  })
  .refine(({ ab, timeZone, resend }) => resend?.to !== "not_opened" || (ab ?? timeZone) === null, {
    path: ["resend"],
    message: fault("null_with", { field: "ab or timeZone" }),
  });
