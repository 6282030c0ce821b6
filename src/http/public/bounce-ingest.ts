import { z } from "zod";
import { AppError } from "../../errors.ts";
import { readLimited } from "../../lib/read-limited.ts";
import { acceptIngest, ingestRulesOf } from "../../services/bounces/index.ts";
import { selectBounceSettings } from "../../services/projects/index.ts";
import { route } from "../route/route.ts";

/** The largest body of a bounce ingest (API reference §4.2). */
const MAX_INGEST_BYTES = 65_536;

const ingestedAnswer = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("accepted"), email: z.string() }),
  z.strictObject({ status: z.literal("confirmed") }),
  z.strictObject({ status: z.literal("ignored") }),
]);

/**
 * The route of `POST /webhooks/bounces/{projectId}?token=` (API reference §14.4). It reads nothing
 * of the body before it has found the token valid, and then no more than the limit. The body is not
 * JSON of this service, so no schema describes it.
 */
export const bounceIngestRoute = route({
  auth: "ingest_token",
  method: "POST",
  path: "/webhooks/bounces/:projectId",
  operation: "bounces.report",
  summary: "Reports a bounce or a complaint of a provider.",
  refusals: [400],
  freeBody: "A report of a provider; the API reference lists the forms (§14.4).",
  example: { body: { email: "ben@example.com", type: "hard" } },
  answer: ingestedAnswer,
  reads: ({ deps: { db }, projectId }) => [selectBounceSettings(db, projectId)],
  handle: async ({ c, ctx, param, reads }) => {
    const read = await readLimited(c.req.raw.body, MAX_INGEST_BYTES);
    if (!read.ok) throw new AppError("payload_too_large", "payload too large");
    const sendgrid = {
      signature: c.req.header("X-Twilio-Email-Event-Webhook-Signature") ?? "",
      timestamp: c.req.header("X-Twilio-Email-Event-Webhook-Timestamp") ?? "",
    };
    const posted = { bytes: read.bytes, sendgrid };
    return acceptIngest(ctx, param("projectId"), ingestRulesOf(reads[0][0]), posted);
  },
});
