import { z } from "zod";
import { BROADCAST_STATES } from "../../db/schema/index.ts";
import { notFound } from "../../errors.ts";
import { getBroadcast, type BroadcastProgress } from "../../services/broadcasts/index.ts";
import { countAnswer, idAnswer, timeAnswer, timestamp, timestampOrNull } from "../answer-fields.ts";
import { route } from "../route/route.ts";

const progressAnswer = z.strictObject({
  broadcastId: idAnswer,
  subject: z.string(),
  state: z.enum(BROADCAST_STATES),
  sent: countAnswer,
  failed: countAnswer,
  bounced: countAnswer,
  suppressed: countAnswer,
  error: z.string().nullable(),
  createdAt: timeAnswer,
  finishedAt: timeAnswer.nullable(),
});

/**
 * Presents a broadcast in the terms of this surface, with counts of the recipients settled so far
 * (API reference §17.6).
 */
function presentProgress(broadcast: BroadcastProgress): z.input<typeof progressAnswer> {
  const { id, subject, state, sent, failed, bounced, suppressed, error } = broadcast;
  const { createdAt, finishedAt } = broadcast;
  return {
    broadcastId: id,
    subject,
    state,
    sent,
    failed,
    bounced,
    suppressed,
    error,
    createdAt: timestamp(createdAt),
    finishedAt: timestampOrNull(finishedAt),
  };
}

export const broadcastProgressRoute = route({
  auth: "secret",
  method: "GET",
  path: "/broadcasts/:id",
  operation: "keyed.broadcasts.get",
  summary: "Returns the progress of a broadcast.",
  capability: "read",
  limit: "keyed_read",
  answer: progressAnswer,
  handle: async ({ ctx, project, param }) => {
    const broadcast = await getBroadcast(ctx, project, param("id"));
    if (broadcast.kind === "draft") throw notFound("broadcast");
    return presentProgress(broadcast);
  },
});
