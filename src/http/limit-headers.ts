import { AppError } from "../errors.ts";
import { strictest, type Verdict } from "../lib/sliding-window.ts";
import type { HttpContext } from "./http-env.ts";

/** Puts `RateLimit-*` on the answer of a request that was counted (API reference §4.1); seconds. */
export function setLimitHeaders(c: HttpContext): void {
  const { verdict } = c.var;
  if (!verdict) return;
  c.header("RateLimit-Limit", String(verdict.limit));
  c.header("RateLimit-Remaining", String(verdict.remaining));
  c.header("RateLimit-Reset", String(Math.ceil(verdict.resetMs / 1000)));
}

/** Takes note of a limit's verdict like `applyVerdict`, unless one that is noted already is stricter. */
export function applyStricterVerdict(c: HttpContext, verdict: Verdict): void {
  const noted = c.var.verdict;
  applyVerdict(c, noted ? strictest([noted, verdict]) : verdict);
}

/** Takes note of a limit's verdict for the answer's headers; throws rate_limited when it is a no. */
export function applyVerdict(
  c: HttpContext,
  verdict: Verdict,
  per: "minute" | "hour" = "minute",
): void {
  c.set("verdict", verdict);
  setLimitHeaders(c);
  if (verdict.allowed) return;
  throw new AppError(
    "rate_limited",
    `rate limit of ${verdict.limit} ${per === "hour" ? "an hour" : "a minute"} exceeded`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil(verdict.resetMs / 1000)),
    },
  );
}
