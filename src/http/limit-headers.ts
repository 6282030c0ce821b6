import type { HttpContext } from "./http-env.ts";

/** Puts `RateLimit-*` on the answer of a request that was counted (decisions, "Limits"); seconds. */
export function setLimitHeaders(c: HttpContext): void {
  const { verdict } = c.var;
  if (!verdict) return;
  c.header("RateLimit-Limit", String(verdict.limit));
  c.header("RateLimit-Remaining", String(verdict.remaining));
  c.header("RateLimit-Reset", String(Math.ceil(verdict.resetMs / 1000)));
}
