import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Ctx } from "../../context.ts";
import { onlyOnce, type Idempotency } from "../../services/idempotency/index.ts";
import type { HttpContext } from "../http-env.ts";

/** A stored response: its status, JSON and ETag. */
interface Kept {
  status: number;
  text: string;
  etag: string | null;
}

/** Answers a creating request. A repeated request with the same key gets the stored response. */
export async function answerOnce(
  c: HttpContext,
  ctx: Ctx,
  idempotency: Idempotency,
  answer: () => Promise<Response>,
): Promise<Response> {
  const placeId = c.req.param("id") ?? "";
  const { status, text, etag } = await onlyOnce(ctx, placeId, idempotency, async () => {
    const response = await answer();
    const kept: Kept = {
      status: response.status,
      text: await response.text(),
      etag: response.headers.get("ETag"),
    };
    return kept;
  });
  if (etag !== null) c.header("ETag", etag);
  return c.body(text, status as ContentfulStatusCode, JSON_TYPE); // status of the first response
}

const JSON_TYPE = { "Content-Type": "application/json" };
