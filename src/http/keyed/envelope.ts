import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { HttpContext } from "../http-env.ts";

/**
 * Answers a success of the key-based API: `{success: true, data}`; `renderKeyedError` renders
 * failures.
 */
export function succeed(c: HttpContext, data: object, status: ContentfulStatusCode = 200) {
  return c.json({ success: true, data }, status);
}
