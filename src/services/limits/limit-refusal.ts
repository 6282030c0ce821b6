import { refusal, type AppError } from "../../errors.ts";
import type { Verdict } from "../../lib/sliding-window.ts";

/** Returns the error for a call that exceeds a limit. */
export const limitRefusal = (
  code: "rate_limited" | "hourly_limit_reached" | "too_many_searches",
  { limit, resetMs }: Pick<Verdict, "limit" | "resetMs">,
): AppError =>
  refusal(code, { limit }, { retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1_000)) });
