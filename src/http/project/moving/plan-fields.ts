import { z } from "zod";
import { AB_METRICS } from "../../../db/schema/index.ts";
import { uuidField } from "../../fields.ts";
import { zoneField } from "../draft-body.ts";
import { count, text, line, condition, known } from "./row-fields.ts";

/** The plan of a draft or of a broadcast that was one. */
export const plan = z.strictObject({
  subject: line.nullable(),
  segmentId: known,
  where: condition.nullable(),
  excludeSegmentIds: z.array(uuidField).max(10),
  maxDelayMinutes: count.nullable(),
  timeZone: zoneField.nullable(),
  warmUpFirstDay: count.nullable(),
  ab: z
    .strictObject({
      variants: z
        .array(
          z.strictObject({
            subject: line.nullable(),
            fromName: text(200).nullable(),
            templateId: known,
          }),
        )
        .min(2)
        .max(5),
      share: z.number().min(1).max(100),
      waitHours: z.number().min(0.1),
      by: z.enum(AB_METRICS),
    })
    .nullable(),
  resend: z.strictObject({ of: uuidField, to: z.enum(["joined", "not_opened"]) }).nullable(),
});

/** The plan of a broadcast with a trial. */
export const trialPlan = plan.extend({ ab: plan.shape.ab.unwrap() });
