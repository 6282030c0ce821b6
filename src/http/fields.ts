import { z } from "zod";
import {
  parseEmailAddress,
  parseMailbox,
  type EmailAddress,
  type Mailbox,
} from "../mail/address.ts";

/** Longest name of a project, template, key, workspace or person, in characters; ours. */
const MAX_NAME_CHARACTERS = 200;
const MAX_DESCRIPTION_CHARACTERS = 2_000;
/** RFC 5322 §2.1.1 bounds a line at 998 octets; a subject beyond it is no subject. */
const MAX_SUBJECT_CHARACTERS = 998;

/** Metadata of one subscriber as JSON; ours. */
const MAX_METADATA_CHARACTERS = 8_192;

/** Page sizes of project-scoped lists (decisions, "Subscribers"). */
const DEFAULT_PAGE = 50;
const MAX_PAGE = 200;

const CONTROL = /\p{Cc}/u;

export const nameField = z
  .string()
  .trim()
  .min(1, "is required")
  .max(MAX_NAME_CHARACTERS)
  .refine((text) => !CONTROL.test(text), "must not contain control characters");

export const descriptionField = z.string().max(MAX_DESCRIPTION_CHARACTERS);

export const subjectField = z
  .string()
  .max(MAX_SUBJECT_CHARACTERS)
  .refine((text) => !/[\r\n\0]/.test(text), "must be one line");

export const uuidField = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, {
    message: "must be a UUID",
  })
  .toLowerCase();

/** One bare address, as the one parser makes it. */
export const emailField = z.string().transform((text, context): EmailAddress => {
  const parsed = parseEmailAddress(text);
  if (parsed.ok) return parsed.address;
  context.addIssue({ code: "custom", message: `is not an email address: ${parsed.reason}` });
  return z.NEVER;
});

/** An address with or without a name: `a@b.example` or `Ann <a@b.example>`. */
export const mailboxField = z.string().transform((text, context): Mailbox => {
  const parsed = parseMailbox(text);
  if (parsed.ok) return parsed.mailbox;
  context.addIssue({ code: "custom", message: `is not an email address: ${parsed.reason}` });
  return z.NEVER;
});

/** Name of a subscriber, which may be empty; it goes into header lines. */
export const personField = z
  .string()
  .trim()
  .max(MAX_NAME_CHARACTERS)
  .refine((text) => !CONTROL.test(text), "must not contain control characters");

/** Free-form facts about a subscriber; every list and every mail carries them, so they are bounded. */
export const metadataField = z
  .record(z.string(), z.unknown())
  .refine((metadata) => JSON.stringify(metadata).length <= MAX_METADATA_CHARACTERS, {
    message: `must not be larger than ${MAX_METADATA_CHARACTERS} characters of JSON`,
  });

/** The variables of a template. */
export const dataField = z.record(z.string(), z.unknown());

const wholeNumber = z.string().regex(/^\d+$/, "must be a whole number").transform(Number);

/** `limit` and `offset` of a list: above the maximum is clamped, below 1 or not a number is refused. */
export const pageQuery = z.object({
  limit: wholeNumber
    .refine((limit) => limit >= 1, "must be 1 or more")
    .transform((limit) => Math.min(limit, MAX_PAGE))
    .default(DEFAULT_PAGE),
  offset: wholeNumber.refine(Number.isSafeInteger, "is too large").default(0),
});

/** An RFC 3339 point in time, as milliseconds. */
export const timestampField = z
  .string()
  .refine((text) => RFC3339.test(text) && isCalendarDay(text.slice(0, 10)) && isTime(text), {
    message: "must be an RFC 3339 timestamp, as 2026-01-31T00:00:00Z",
  })
  .transform((text) => Date.parse(text));

const isTime = (text: string) => !Number.isNaN(Date.parse(text));

/** `Date.parse` alone reads 30 February as 2 March. */
const isCalendarDay = (day: string) =>
  isTime(day) && new Date(Date.parse(day)).toISOString().startsWith(day);

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
