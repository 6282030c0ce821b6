import { z } from "zod";
import { AB_METRICS, type AbPlan } from "../../db/schema/index.ts";
import { clockOf, ZONE_CHARACTERS_MAX } from "../../lib/time-zones.ts";
import type { DraftInput } from "../../services/broadcasts/index.ts";
import { PREFLIGHT_CODES } from "../../messages/preflight.ts";
import { clearable } from "../clearable.ts";
import {
  emailField,
  metadataField,
  nameField,
  otherSubjectField,
  personField,
  subjectField,
  timestampField,
  uuidField,
} from "../fields.ts";
import { listField, objectField } from "../given.ts";
import { fault } from "../fault.ts";
import { trackingField, utmChoiceField } from "./tracking-fields.ts";

/** Maximum delay of a start, in minutes: 30 days. */
const MAX_DELAY_MINUTES = 43_200;

const MAX_MAILS = 10_000_000;
const MAX_WAIT_HOURS = 720;
const MAX_EXCLUDED = 10;
const MAX_WHERE_CHARACTERS = 2_000;

/** Limits of a draft, which also apply to a draft in an export. */
export const delayField = z.int().min(0).max(MAX_DELAY_MINUTES);
export const mailsField = z.int().min(0).max(MAX_MAILS);
export const waitField = z.number().min(0.1).max(MAX_WAIT_HOURS);

/** A time zone that this runtime knows. */
export const zoneField = z
  .string()
  .max(ZONE_CHARACTERS_MAX)
  .refine((zone) => clockOf(zone) !== undefined, fault("not_time_zone"));

const variantField = objectField({
  subject: otherSubjectField,
  from_name: personField.optional(),
  template_id: uuidField.optional(),
});

/** An A/B test; an empty list of variants clears it. */
const abField = objectField({
  variants: listField(variantField, 5),
  share: z.number().min(1).max(100).default(20),
  wait_hours: waitField.default(4),
  by: z.enum(AB_METRICS).default("opens"),
}).refine(({ variants }) => variants.length !== 1, {
  path: ["variants"],
  message: fault("variant_count"),
});

/** Codes of accepted problems, with which a broadcast may still be sent (API reference §11.11). */
export const acceptField = z.array(z.enum(PREFLIGHT_CODES)).default([]);

/** Fields of a draft. An empty string, 0 and an empty list clear a field. */
const fields = {
  template_id: clearable(uuidField, "A UUID."),
  subject: clearable(subjectField, "One line."),
  preview_text: clearable(subjectField, "One line."),
  from_name: clearable(personField, "One line."),
  reply_to: clearable(emailField, "An email address."),
  html_body: z.string(),
  text_body: z.string(),
  topic_id: clearable(uuidField, "A UUID."),
  segment_id: clearable(uuidField, "A UUID."),
  where: clearable(z.string().max(MAX_WHERE_CHARACTERS), "A condition on one line."),
  exclude_segment_ids: listField(uuidField, MAX_EXCLUDED),
  variables: metadataField,
  send_at: clearable(timestampField, "An RFC 3339 timestamp."),
  time_zone: clearable(zoneField, "A time zone of the IANA database."),
  max_delay_minutes: delayField,
  per_hour: mailsField,
  warm_up: objectField({ first_day: mailsField }),
  ab: abField,
  tracking: trackingField,
  utm: utmChoiceField,
};

/** The fields of a draft that choose its audience. */
export const audienceBody = z
  .object({
    topic_id: fields.topic_id,
    segment_id: fields.segment_id,
    where: fields.where,
    exclude_segment_ids: fields.exclude_segment_ids,
  })
  .partial();

export const newDraftBody = z.object({ name: nameField, ...z.object(fields).partial().shape });

export const draftChangeBody = z
  .object({ name: nameField, ...fields })
  .partial()
  .extend({ accept: acceptField })
  .refine(
    ({ accept: _accept, ...change }) => Object.values(change).some((value) => value !== undefined),
    { message: fault("nothing_given") },
  );

/** Returns the draft fields that a body sets. */
export function draftChange(
  body: Omit<z.infer<typeof draftChangeBody>, "accept">,
): Partial<DraftInput> {
  return {
    ...given("name", body.name),
    ...given("templateId", body.template_id),
    ...given("subject", body.subject),
    ...given("previewText", body.preview_text),
    ...given("fromName", body.from_name),
    ...given("replyTo", body.reply_to),
    ...given("htmlBody", body.html_body),
    ...given("textBody", body.text_body),
    ...given("topicId", body.topic_id),
    ...given("segmentId", body.segment_id),
    ...given("where", body.where),
    ...given("excludeSegmentIds", body.exclude_segment_ids),
    ...given("variables", body.variables),
    ...given("sendAt", body.send_at),
    ...given("timeZone", body.time_zone),
    ...given("maxDelayMinutes", orNone(body.max_delay_minutes)),
    ...given("perHour", orNone(body.per_hour)),
    ...given("warmUpFirstDay", orNone(body.warm_up?.first_day)),
    ...given("ab", body.ab && trialOf(body.ab)),
    ...given("tracking", body.tracking),
    ...given("utm", body.utm),
  };
}

function trialOf({ variants, share, wait_hours, by }: z.infer<typeof abField>): AbPlan | null {
  if (variants.length === 0) return null;
  const plans = variants.map((variant) => ({
    subject: variant.subject ?? null,
    fromName: variant.from_name ?? null,
    templateId: variant.template_id ?? null,
  }));
  return { variants: plans, share, waitHours: wait_hours, by };
}

/** Maps 0 to null. */
const orNone = (value: number | undefined) => (value === 0 ? null : value);

function given<Key extends keyof DraftInput>(
  key: Key,
  value: DraftInput[Key] | undefined,
): Partial<Pick<DraftInput, Key>> {
  if (value === undefined) return {};
  const one: Partial<DraftInput> = { [key]: value };
  return one;
}
