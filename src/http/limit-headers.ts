import { strictest, type Verdict } from "../lib/sliding-window.ts";
import { limitRefusal } from "../services/limits/index.ts";
import type { HttpContext } from "./http-env.ts";

/**
 * Sets `RateLimit-*` on the answer of a counted request (API reference §4.1); times are in seconds.
 */
export function setLimitHeaders(c: HttpContext): void {
  const { verdict } = c.var;
  if (!verdict) return;
  c.header("RateLimit-Limit", String(verdict.limit));
  c.header("RateLimit-Remaining", String(verdict.remaining));
  c.header("RateLimit-Reset", String(Math.ceil(verdict.resetMs / 1000)));
}

/**
 * Sets the same headers on an answer that a handler made by itself; other answers have them
 * already.
 */
export function addLimitHeaders(c: HttpContext): void {
  if (c.var.verdict && !c.res.headers.has("RateLimit-Limit")) setLimitHeaders(c);
}

/** Notes a limit's verdict like `applyVerdict`, unless the present one is stricter. */
export function applyStricterVerdict(c: HttpContext, verdict: Verdict): void {
  const noted = c.var.verdict;
  applyVerdict(c, noted ? strictest([noted, verdict]) : verdict);
}

/** Notes a limit's verdict for the answer's headers; throws the refusal of an exceeded limit. */
export function applyVerdict(
  c: HttpContext,
  verdict: Verdict,
  per: "minute" | "hour" = "minute",
): void {
  c.set("verdict", verdict);
  setLimitHeaders(c);
  if (verdict.allowed) return;
  throw limitRefusal(per === "hour" ? "hourly_limit_reached" : "rate_limited", verdict);
}
