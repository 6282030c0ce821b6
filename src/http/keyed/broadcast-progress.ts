import { textOfReasons } from "../../messages/broadcast-reasons.ts";
import { z } from "zod";
import { BROADCAST_STATES } from "../../db/schema/index.ts";
import { getBroadcast, type BroadcastProgress } from "../../services/broadcasts/index.ts";
import { countAnswer, idAnswer, timeAnswer } from "../answer-fields.ts";
import { setVersion } from "../entity-tag.ts";
import { presentWhole, wholeAnswer } from "../project/broadcast-answer.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

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

/** Progress of a broadcast that was a draft, along with the draft's fields (§11.10). */
const draftedAnswer = wholeAnswer.extend(progressAnswer.shape);

const present = presenterOf(progressAnswer);

/**
 * Presents a broadcast in the terms of this API, with counts of the recipients recorded so far (API
 * reference §17).
 */
const presentProgress = (broadcast: BroadcastProgress) =>
  present({
    ...broadcast,
    broadcastId: broadcast.id,
    error: textOfReasons(broadcast.reasons),
  });

export const broadcastProgressRoute = route({
  auth: "secret",
  method: "GET",
  path: "/broadcasts/:broadcastId",
  operation: "keyed.broadcasts.get",
  summary: "Returns a broadcast with its progress.",
  capability: "read",
  limit: "keyed_read",
  answer: z.union([progressAnswer, draftedAnswer]),
  handle: async ({ c, ctx, project, param }) => {
    const broadcast = await getBroadcast(ctx, project, param("broadcastId"));
    if (broadcast.plan === null) return presentProgress(broadcast);
    setVersion(c, broadcast.updatedAt);
    return { ...presentWhole(broadcast), ...presentProgress(broadcast) };
  },
});
