import type { ErrorHandler } from "hono";
import { AppError, bodyOf, refusal } from "../errors.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { HttpContext, HttpEnv } from "./http-env.ts";
import { setLimitHeaders } from "./limit-headers.ts";

/** Paths of signed links, whose tokens must not be logged. */
const SIGNED = /^(\/(?:preferences|confirm|unsubscribe|view|hooks\/\w+))\/.*/;

/**
 * Converts any thrown value into a status and body, and sets its headers. An internal error is
 * logged, and its details are hidden from the caller.
 */
export function refusalOf(error: unknown, c: HttpContext) {
  setLimitHeaders(c);
  const refused = error instanceof AppError ? error : refusalOfFault(error, c);
  const { retryAfterSeconds, allow } = refused.details;
  if (allow !== undefined) c.header("Allow", allow);
  if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
  return { status: refused.status, body: bodyOf(refused) };
}

/** Logs an internal error. */
function refusalOfFault(error: unknown, { req }: HttpContext): AppError {
  const path = req.path.replace(SIGNED, "$1");
  logLine("error", "request_failed", { method: req.method, path, error: errorText(error) });
  return refusal("internal_error", {});
}

/**
 * Renders errors of the key-based API: `{success: false, error, code}`, with `params`, `details`
 * or `problems` for some (API reference §3.1).
 */
export const renderKeyedError: ErrorHandler<HttpEnv> = (error, c) => {
  const { status, body } = refusalOf(error, c);
  const { error: message, code, params, details, problems } = body;
  return c.json({ success: false, error: message, code, params, details, problems }, status);
};

/** Renders errors of the project-scoped API: `{error, code, …}` (API reference §3.1). */
export const renderProjectError: ErrorHandler<HttpEnv> = (error, c) => {
  const { status, body } = refusalOf(error, c);
  return c.json(body, status);
};
