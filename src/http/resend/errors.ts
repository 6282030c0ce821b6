import type { ErrorHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import type { AppError } from "../../errors.ts";
import type { RefusalCode } from "../../messages/refusals.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { refusalOf } from "../render-errors.ts";
import { THEIR_NAMES } from "./mail.ts";

/** An error as Resend's clients expect it. */
export const doorErrorAnswer = z.strictObject({
  statusCode: z.number(),
  name: z.string(),
  message: z.string(),
});

type Named = readonly [status: ContentfulStatusCode, name: string];

/** The errors whose status or name does not follow from the status of ours. */
const BY_CODE: { readonly [Code in RefusalCode]?: Named } = {
  wrong_key_type: [401, "restricted_api_key"],
  public_key_refused: [401, "restricted_api_key"],
  key_lacks_capability: [401, "restricted_api_key"],
  sender_not_allowed: [403, "validation_error"],
  attachment_not_fetched: [422, "invalid_attachment"],
  invalid_idempotency_key: [400, "invalid_idempotency_key"],
  idempotency_key_reused: [409, "invalid_idempotent_request"],
  first_request_running: [409, "concurrent_idempotent_requests"],
  first_outcome_unknown: [409, "concurrent_idempotent_requests"],
};

const BY_STATUS: Readonly<Record<number, Named>> = {
  400: [422, "validation_error"],
  404: [404, "not_found"],
  405: [405, "method_not_allowed"],
  429: [429, "rate_limit_exceeded"],
  500: [500, "internal_server_error"],
};

/** The codes of fields that are missing. */
const MISSING = new Set(["required", "missing_field", "one_of"]);

type Body = ReturnType<typeof refusalOf>["body"];

function nameOf(status: ContentfulStatusCode, { code, details }: Body): Named {
  if (details?.[0] && MISSING.has(details[0].code)) return [422, "missing_required_field"];
  const otherName = status < 500 ? "validation_error" : "application_error";
  return BY_CODE[code] ?? BY_STATUS[status] ?? [status, otherName];
}

/** Returns the text of an error, with the fields as their API names them. */
function messageOf({ error, details }: Body): string {
  const [fault] = details ?? [];
  if (!fault || fault.path === "") return fault?.message ?? error;
  const path = fault.path.replace(/^\w+/, (name) => THEIR_NAMES[name] ?? name);
  return `${path}: ${fault.message}`;
}

/** Returns the text of an error as `renderDoorError` shows it. */
export const theirMessageOf = ({ message, code, details: { details } }: AppError) =>
  messageOf({ error: message, code, params: undefined, details });

/** Renders errors for Resend's clients. */
export const renderDoorError: ErrorHandler<HttpEnv> = (error, c) => {
  const { status, body } = refusalOf(error, c);
  const [statusCode, name] = nameOf(status, body);
  return refuseAs(c, [statusCode, name], messageOf(body));
};

/** Responds with an error that only their API has. */
export const refuseAs = (c: HttpContext, [statusCode, name]: Named, message: string) =>
  c.json({ statusCode, name, message }, statusCode);
