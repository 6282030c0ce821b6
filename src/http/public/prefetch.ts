import type { HttpContext } from "../http-env.ts";

const PREFETCH_HEADERS = ["Sec-Purpose", "Purpose", "X-Moz"];

/**
 * Tells whether a request only looks ahead: HEAD, or a fetch that declares a prefetch, such as
 * `Sec-Purpose: prefetch;prerender` (W3C Resource Hints; decision D36).
 */
export function isPrefetch(c: HttpContext): boolean {
  if (c.req.method === "HEAD") return true;
  return PREFETCH_HEADERS.some((name) => /\bprefetch\b/i.test(c.req.header(name) ?? ""));
}
