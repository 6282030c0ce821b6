import type { HttpContext } from "./http-env.ts";

/** Returns true if the client prefers an asynchronous response (RFC 7240 §4.1). */
export const wantsAsync = (c: HttpContext) =>
  /\brespond-async\b/i.test(c.req.header("Prefer") ?? "");

/** Confirms the preference in the response. */
export const ASYNC_APPLIED = { "Preference-Applied": "respond-async" };
