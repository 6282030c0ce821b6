/* The preferences that a client states in `Prefer` (RFC 7240). */
import type { HttpContext } from "./http-env.ts";

const prefers = (c: HttpContext, preference: RegExp) =>
  preference.test(c.req.header("Prefer") ?? "");

/** Returns true if the client prefers an asynchronous response (RFC 7240 §4.1). */
export const wantsAsync = (c: HttpContext) => prefers(c, /\brespond-async\b/i);

/** Confirms the preference in the response. */
export const ASYNC_APPLIED = { "Preference-Applied": "respond-async" };

/** Returns true if the client prefers an error to unknown fields (RFC 7240 §4.4). */
export const wantsStrict = (c: HttpContext) => prefers(c, /\bhandling\s*=\s*"?strict\b/i);
