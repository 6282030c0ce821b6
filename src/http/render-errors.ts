import type { ErrorHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError, type ErrorCode } from "../errors.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { HttpContext, HttpEnv } from "./http-env.ts";
import { setLimitHeaders } from "./limit-headers.ts";

/** The one table from refusals to statuses (API reference §3.2). */
const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  bad_request: 400,
  unauthorized: 401,
  license_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  suppressed: 422,
  rate_limited: 429,
  smtp_failed: 502,
  mailbox_failed: 502,
  unavailable: 503,
};

/** The token in the path of a signed link, which no log may hold. */
const SIGNED = /^(\/(?:preferences|confirm|unsubscribe))\/.*/;

/**
 * Turns any thrown value into status, headers and text; it logs a fault of ours and tells the
 * caller no more.
 */
export function refusalOf(error: unknown, c: HttpContext) {
  setLimitHeaders(c);
  if (!(error instanceof AppError)) {
    const { method } = c.req;
    const path = c.req.path.replace(SIGNED, "$1");
    logLine("error", "request_failed", { method, path, error: errorText(error) });
    return { status: 500 as const, message: "internal error", more: {}, fields: {} };
  }
  const { retryAfterSeconds, allow, details, fields = {} } = error.details;
  if (allow !== undefined) c.header("Allow", allow);
  if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
  const more = details === undefined ? {} : { details };
  return { status: STATUS[error.code], message: error.message, more, fields };
}

/**
 * Renders errors of the key-based API: `{success: false, error}`, with `details` or `problems` for
 * some (API reference §3.1).
 */
export const renderKeyedError: ErrorHandler<HttpEnv> = (error, c) => {
  const { status, message, more, fields } = refusalOf(error, c);
  const { problems } = fields;
  return c.json({ success: false, error: message, ...more, problems }, status);
};

/** Renders errors of the project-scoped API: `{error, …}` (API reference §3.1). */
export const renderProjectError: ErrorHandler<HttpEnv> = (error, c) => {
  const { status, message, more, fields } = refusalOf(error, c);
  return c.json({ error: message, ...more, ...fields }, status);
};
