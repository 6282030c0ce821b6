import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { HttpContext } from "../http-env.ts";

/** A success of the key-based API: `{success: true, data}`; failures are rendered by `renderKeyedError`. */
export function succeed(c: HttpContext, data: object, status: ContentfulStatusCode = 200) {
  return c.json({ success: true, data }, status);
}
