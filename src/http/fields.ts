import { z } from "zod";
import { FIRST_TIME, LAST_TIME } from "../lib/durations.ts";
import { cutText } from "../lib/cut-text.ts";
import { MOST_METADATA_CHARACTERS } from "../lib/metadata-key.ts";
import {
  parseEmailAddress,
  parseMailbox,
  type EmailAddress,
  type Mailbox,
} from "../mail/address.ts";
import { parseReturnPath } from "../mail/return-path.ts";
import { namedField } from "./given.ts";
import { writtenAs } from "./route/written-as.ts";
import { fault, refuse } from "./fault.ts";

/**
 * Maximum length of a project, template, key, workspace or user name, in characters; our own
 * choice.
 */
const MAX_NAME_CHARACTERS = 200;
const MAX_DESCRIPTION_CHARACTERS = 2_000;
/** Maximum length of a subject: RFC 5322 §2.1.1 limits a line to 998 octets. */
const MAX_SUBJECT_CHARACTERS = 998;

/**
 * Maximum nesting depth of metadata; our own choice: SQLite and other JSON parsers fail on deep
 * nesting.
 */
const MAX_JSON_LEVELS = 20;

/** Page sizes of project-scoped lists (API reference §1.4). */
const DEFAULT_PAGE = 50;
const MAX_PAGE = 200;

const CONTROL = /\p{Cc}/u;
/** Characters that reverse the text direction: a name with one can impersonate another. */
const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/;
/** One visible character. Fillers and the Braille blank are letters and symbols, but invisible. */
const VISIBLE = /(?![\p{DI}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;
const LONE_SURROGATE = /\p{Cs}/u;

/** Text without unpaired surrogates, which would become U+FFFD and make different texts equal. */
export const wellFormedText = z
  .string()
  .refine((text) => !LONE_SURROGATE.test(text), fault("not_unicode"));

/** Name of a subscriber or sender; may be empty. It ends up in header lines. */
export const personField = wellFormedText
  .trim()
  .max(MAX_NAME_CHARACTERS)
  .refine((text) => !CONTROL.test(text), fault("control_characters"))
  .refine((text) => !BIDI_CONTROL.test(text), fault("bidi_controls"))
  .refine((text) => text === "" || VISIBLE.test(text), fault("invisible"));

/** Characters that a header line cannot contain, or that can make one name look like another. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Name of a subscriber from a file or form: unprintable characters become spaces, and long names
 * are truncated.
 */
export const rowNameField = wellFormedText.overwrite((text) =>
  cutText(text.replaceAll(UNPRINTABLE, " ").trim(), MAX_NAME_CHARACTERS).trim(),
);

/** Name of a template; need not be unique. */
export const templateNameField = rowNameField.refine(
  (text) => VISIBLE.test(text),
  fault("required"),
);

/** Name of a project, key, workspace or user. */
export const nameField = personField.min(1, fault("required"));

export const descriptionField = z.string().max(MAX_DESCRIPTION_CHARACTERS);

export const subjectField = z
  .string()
  .max(MAX_SUBJECT_CHARACTERS)
  .refine((text) => !/[\r\n\0]/.test(text), fault("not_one_line"));

const isBlank = (text: string) => text.trim() === "";

/** Subject of a mail without a template. */
export const requiredSubjectField = subjectField.refine(
  (text) => !isBlank(text),
  fault("required"),
);

/** A subject that overrides the template's; blank counts as omitted. */
export const otherSubjectField = subjectField
  .optional()
  .transform((text) => (text === undefined || isBlank(text) ? undefined : text));

/** Returns a field for a protocol argument: one line without NUL (RFC 3501 §4.3, RFC 4616 §2). */
export const commandField = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .regex(/^[^\r\n\0]*$/, fault("not_one_line"));

/** Password of a mail server; an empty one, as an untouched form sends, counts as omitted. */
export const storedPasswordField = commandField(1_000)
  .optional()
  .transform((text) => (text === "" ? undefined : text));

export const uuidField = writtenAs(
  z
    .string()
    .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, fault("not_uuid"))
    .toLowerCase(),
  z.guid(),
);

/** One bare address, normalized by the parser. */
export const emailField = writtenAs(
  z.string().transform((text, context): EmailAddress => {
    const parsed = parseEmailAddress(text);
    if (parsed.ok) return parsed.address;
    return refuse(context, fault("invalid_address", { reason: parsed.fault }));
  }),
  z.string().describe("An email address."),
);

/** An address, or "" to clear the stored one (becomes null). */
export const clearableEmailField = z
  .string()
  .transform((text) => (text === "" ? null : text))
  .pipe(emailField.nullable());

/** The pattern of a return path, or "" to clear the stored one (becomes null). */
export const returnPathField = z.string().transform((text, context): string | null => {
  if (text === "") return null;
  const parsed = parseReturnPath(text);
  if (parsed.ok) return parsed.returnPath;
  return refuse(context, fault("invalid_return_path", { reason: parsed.fault }));
});

/** An address with or without a name: `a@b.example` or `Ann <a@b.example>`. */
export const mailboxField = writtenAs(
  z.string().transform((text, context): Mailbox => {
    const parsed = parseMailbox(text);
    if (parsed.ok) return parsed.mailbox;
    return refuse(context, fault("invalid_address", { reason: parsed.fault }));
  }),
  z.string().describe("An email address, with or without a name."),
);

/** A JSON object with so many characters at most. */
export const jsonField = (maxCharacters: number) =>
  namedField(
    z
      .record(z.string(), z.unknown())
      .refine((object) => !isDeeperThan(object, MAX_JSON_LEVELS), {
        message: fault("too_deep", { max: MAX_JSON_LEVELS }),
        abort: true, // the next check is recursive
      })
      .refine((object) => JSON.stringify(object).length <= maxCharacters, {
        message: fault("json_too_long", { max: maxCharacters }),
      }),
  );

/** Free-form data about a subscriber, bounded because every list and every mail carries it. */
export const metadataField = jsonField(MOST_METADATA_CHARACTERS);

/** Breadth-first: recursion over deep values would overflow the stack. */
function isDeeperThan(value: object, levels: number): boolean {
  let level = [value];
  for (let depth = 1; depth <= levels && level.length > 0; depth++)
    level = level.flatMap((one) => Object.values(one).filter(isObject));
  return level.length > 0;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A search prefix; no email address is longer. */
export const searchField = z.string().trim().min(1).max(254);

/** The variables of a template. */
export const dataField = namedField(z.record(z.string(), z.unknown()));

const wholeNumber = z.string().regex(/^\d+$/, fault("not_whole")).transform(Number);

const limit = writtenAs(
  wholeNumber
    .refine((count) => count >= 1, fault("too_small", { min: 1 }))
    .transform((count) => Math.min(count, MAX_PAGE)),
  z.int().min(1).describe(`The size of a page, at most ${MAX_PAGE}.`),
);
const offset = writtenAs(
  wholeNumber.refine(Number.isSafeInteger, fault("too_large", { max: Number.MAX_SAFE_INTEGER })),
  z.int().min(0).describe("The number of entries before the page."),
).default(0);

/** `offset` of a list that supports only `after`. */
export const noOffset = writtenAs(
  wholeNumber.refine((given) => given === 0, fault("no_offset")),
  z.int().min(0).describe("Only 0: this list is paginated with `after`."),
).default(0);

/**
 * `limit` and `offset` of a list: a value above the maximum is clamped; a value below 1 or a
 * non-number is rejected.
 */
export const pageQuery = z.object({ limit: limit.default(DEFAULT_PAGE), offset });

/**
 * `limit` and `offset` of a list that returns everything without a `limit`; "all" is a number that
 * SQL accepts.
 */
export const wholeListQuery = z.object({
  limit: limit.optional().transform((count) => count ?? Number.MAX_SAFE_INTEGER),
  offset,
});

/** An RFC 3339 timestamp, parsed to milliseconds. */
export const timestampField = writtenAs(
  z
    .string()
    .refine((text) => RFC3339.test(text) && isCalendarDay(text.slice(0, 10)) && isTime(text), {
      message: fault("not_timestamp"),
    })
    .transform((text) => Date.parse(text))
    .refine((at) => at >= FIRST_TIME && at <= LAST_TIME, fault("year_out_of_range")),
  z.string().meta({ format: "date-time" }),
);

const isTime = (text: string) => !Number.isNaN(Date.parse(text));

/** Returns true if a day exists; `Date.parse` alone reads February 30 as March 2. */
const isCalendarDay = (day: string) =>
  isTime(day) && new Date(Date.parse(day)).toISOString().startsWith(day);

/** An RFC 3339 timestamp; the maximum hour is 23 (§5.6). */
const RFC3339 =
  /^\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
