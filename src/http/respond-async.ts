import type { HttpContext } from "./http-env.ts";

/** Returns true if the caller prefers an asynchronous answer (RFC 7240 §4.1). */
export const wantsAsync = (c: HttpContext) =>
  /\brespond-async\b/i.test(c.req.header("Prefer") ?? "");

/** The header that says so in the answer. */
export const ASYNC_APPLIED = { "Preference-Applied": "respond-async" };
