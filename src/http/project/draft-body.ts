import { z } from "zod";
import type { DraftInput } from "../../services/broadcasts/index.ts";
import { metadataField, nameField, subjectField, timestampField, uuidField } from "../fields.ts";
import { clearable } from "../clearable.ts";

/** The longest delay of a start, in minutes: 30 days. */
const MAX_DELAY_MINUTES = 43_200;

/** The fields of a draft. An empty text, or 0 for a number, clears one. */
const fields = {
  template_id: clearable(uuidField, "A UUID."),
  subject: clearable(subjectField, "One line."),
  html_body: z.string(),
  text_body: z.string(),
  variables: metadataField,
  send_at: clearable(timestampField, "An RFC 3339 timestamp."),
  max_delay_minutes: z.int().min(0).max(MAX_DELAY_MINUTES),
};

export const newDraftBody = z.object({ name: nameField, ...z.object(fields).partial().shape });

export const draftChangeBody = z
  .object({ name: nameField, ...fields })
  .partial()
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    message: "at least one field is required",
  });

/** Returns the fields of a draft that a body gives. */
export function draftChange(body: z.infer<typeof draftChangeBody>): Partial<DraftInput> {
  return {
    ...given("name", body.name),
    ...given("templateId", body.template_id),
    ...given("subject", body.subject),
    ...given("htmlBody", body.html_body),
    ...given("textBody", body.text_body),
    ...given("variables", body.variables),
    ...given("sendAt", body.send_at),
    ...given("maxDelayMinutes", orNone(body.max_delay_minutes)),
  };
}

/** Returns a number, or null for 0. */
const orNone = (value: number | undefined) => (value === 0 ? null : value);

function given<Key extends keyof DraftInput>(
  key: Key,
  value: DraftInput[Key] | undefined,
): Partial<Pick<DraftInput, Key>> {
  if (value === undefined) return {};
  const one: Partial<DraftInput> = { [key]: value };
  return one;
}
