import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { AppError, reasonOf } from "../../../errors.ts";
import { parseTag } from "../../../lib/tag.ts";
import { parseEmailAddress } from "../../../mail/address.ts";
import { compileTemplate } from "../../../mail/template/index.ts";
import { MOST_CHARACTERS, parseCondition } from "../../../services/segments/index.ts";
import { trackingField } from "../tracking-fields.ts";
import { nameField, subjectField, uuidField } from "../../fields.ts";
import { fault, faultText } from "../../fault.ts";

/* Fields of rows of an export, as stored. */

/** Latest accepted time: the year 2100. */
const MAX_TIME = 4_102_444_800_000;

/** Longest text of a column without a rule of its own. */
const MAX_CHARACTERS = 20_000;

export const time = z.int().min(0).max(MAX_TIME);
export const count = z.int().min(0);
const flag = z.union([z.literal(0), z.literal(1)]);

/**
 * A text. API calls accept a text truncated within a surrogate pair, and JSON preserves it. Here it
 * ends with U+FFFD, as in mails and columns.
 */
export const text = (characters: number) =>
  z
    .string()
    .overwrite((given) => given.toWellFormed())
    .max(characters);

/** A row id that is not a UUID: a ULID, with a numeric suffix for some rows. */
export const ulid = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}\d{0,6}$/u);

const line = text(998).regex(/^[^\r\n\0]*$/u);

export const email = z.string().refine((given) => {
  const parsed = parseEmailAddress(given);
  return parsed.ok && parsed.address === given;
}, "is no email address as the service stores it");

export const tag = z.string().refine((given) => parseTag(given) === given, fault("invalid"));

export const condition = text(MOST_CHARACTERS).refine((given) => {
  try {
    return parseCondition(given) !== undefined;
  } catch {
    return false;
  }
}, fault("invalid"));

/** Validates that part of a template parses. */
const parses = (field: z.ZodString, escape: boolean) =>
  field.superRefine((given, context) => {
    try {
      compileTemplate(given, { escape });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.addIssue({ code: "custom", message: faultText(reasonOf(error)) });
    }
  });

const body = text(1_000_000);

export const templateLine = parses(line, false);

/** The content of a broadcast. */
export const content = {
  subject: templateLine,
  html_body: parses(body, true),
  text_body: parses(body, false),
  preheader: templateLine,
};

/** Content with the switches of its template. */
export const trackedContent = { ...content, tracking: trackingField };

/** The content of a template. */
export const template = { ...content, name: nameField, subject: parses(subjectField, false) };

/**
 * Returns the field of a column, by its rule or else by its type. A column that a file of an earlier
 * version lacks has its default.
 */
export function fieldOf(name: string, column: SQLiteColumn, rule?: z.ZodType): z.ZodType {
  const field = rule ?? typeOf(name, column);
  if (!column.notNull) return field.nullable().default(null);
  return column.default === undefined ? field : field.default(column.default);
}

function typeOf(name: string, { dataType, enumValues }: SQLiteColumn): z.ZodType {
  if (dataType === "number") return time;
  if (dataType === "boolean") return flag;
  if (enumValues?.length) return z.enum(enumValues);
  return name === "id" || name.endsWith("_id") ? uuidField : text(MAX_CHARACTERS);
}
