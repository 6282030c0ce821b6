import { z } from "zod";
import { classifyReply, parseBounce, REFUSAL_REASONS } from "../../mail/bounce/index.ts";
import { route } from "../route/route.ts";

/** Maximum length of a reply; all lines of a server's reply have at most 4 KiB. */
const MAX_REPLY_CHARACTERS = 4096;

/** A bounce message, or a reply with the SMTP command it answers. */
const explainBody = z.union([
  z.strictObject({ message: z.string().min(1) }),
  z.strictObject({
    reply: z.string().min(1).max(MAX_REPLY_CHARACTERS),
    phase: z.string().max(20).optional(),
  }),
]);

const verdictAnswer = {
  verdict: z.enum(["bad_address", "not_address", "temporary"]),
  reason: z.enum(REFUSAL_REASONS),
  because: z.strictObject({ wording: z.string(), source: z.string() }).nullable(),
};
const messageAnswer = z.strictObject({
  kind: z.enum(["bounce", "complaint", "other"]),
  recipients: z.array(
    z.strictObject({ email: z.string(), ...verdictAnswer, diagnostic: z.string() }),
  ),
  message_ids: z.array(z.string()),
});
const replyAnswer = z.strictObject(verdictAnswer);

/**
 * Presents the classification of a message; `because` is null if a code decided, or nothing did.
 */
async function explainMessage(message: string): Promise<z.input<typeof messageAnswer>> {
  const { kind, recipients, messageIds } = await parseBounce(new TextEncoder().encode(message));
  return {
    kind,
    recipients: recipients.map(({ email, verdict, reason, because = null, diagnostic }) => ({
      email,
      verdict,
      reason,
      because,
      diagnostic,
    })),
    message_ids: messageIds,
  };
}

function explainReply(phase: string, reply: string): z.input<typeof replyAnswer> {
  const { verdict, reason, because = null } = classifyReply(phase, reply);
  return { verdict, reason, because };
}

/** Route that shows how the service classifies a message or a reply (API reference §14.1). */
export const explainBounceRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/bounces/explain",
    operation: "projects.bounces.explain",
    summary: "Shows how the service interprets a bounce message or an SMTP reply.",
    example: { body: { reply: "550 5.1.1 User unknown", phase: "rcpt" } },
    capability: "read",
    body: explainBody,
    answer: z.union([messageAnswer, replyAnswer]),
    handle: async ({ body }) =>
      "message" in body
        ? await explainMessage(body.message)
        : explainReply(body.phase ?? "", body.reply),
  }),
];
