import { strictest, type Verdict } from "../lib/sliding-window.ts";
import { limitRefusal } from "../services/limits/index.ts";
import type { HttpContext } from "./http-env.ts";

/** Sets `RateLimit-*` on the response of a counted request (API reference §4.1), in seconds. */
export function setLimitHeaders(c: HttpContext): void {
  const { verdict } = c.var;
  if (!verdict) return;
  c.header("RateLimit-Limit", String(verdict.limit));
  c.header("RateLimit-Remaining", String(verdict.remaining));
  c.header("RateLimit-Reset", String(Math.ceil(verdict.resetMs / 1000)));
}

/**
 * Sets the same headers on a response that a handler built itself; other responses already have
 * them.
 */
export function addLimitHeaders(c: HttpContext): void {
  if (c.var.verdict && !c.res.headers.has("RateLimit-Limit")) setLimitHeaders(c);
}

/** Applies a verdict like `applyVerdict`, unless the current one is stricter. */
export function applyStricterVerdict(c: HttpContext, verdict: Verdict): void {
  const noted = c.var.verdict;
  applyVerdict(c, noted ? strictest([noted, verdict]) : verdict);
}

/** Stores a verdict, if any, for the response headers. Throws if the limit is exceeded. */
export function applyVerdict(
  c: HttpContext,
  verdict: Verdict | undefined,
  per: "minute" | "hour" = "minute",
): void {
  if (!verdict) return;
  c.set("verdict", verdict);
  setLimitHeaders(c);
  if (verdict.allowed) return;
  throw limitRefusal(per === "hour" ? "hourly_limit_reached" : "rate_limited", verdict);
}
