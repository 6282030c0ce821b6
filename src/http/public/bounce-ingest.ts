import { z } from "zod";
import { AppError } from "../../errors.ts";
import { readLimited } from "../../lib/read-limited.ts";
import { acceptIngest } from "../../services/bounces/index.ts";
import { route } from "../route/route.ts";

/** The largest body of a bounce ingest (API reference §4.2). */
const MAX_INGEST_BYTES = 65_536;

const acceptedAnswer = z.strictObject({ status: z.literal("accepted"), email: z.string() });

/**
 * The route of `POST /webhooks/bounces/{projectId}?token=` (API reference §14.4). It reads nothing
 * of the body before it has found the token right, and then no more than the limit. The body is no
 * JSON of ours, so no schema describes it.
 */
export const bounceIngestRoute = route({
  auth: "ingest_token",
  method: "POST",
  path: "/webhooks/bounces/:projectId",
  answer: acceptedAnswer,
  handle: async ({ c, deps, param }) => {
    const read = await readLimited(c.req.raw.body, MAX_INGEST_BYTES);
    if (!read.ok) throw new AppError("payload_too_large", "payload too large");
    const text = new TextDecoder().decode(read.bytes);
    return {
      status: "accepted" as const,
      email: await acceptIngest(deps, param("projectId"), text),
    };
  },
});
