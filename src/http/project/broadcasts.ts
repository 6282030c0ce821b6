import { textOfReasons } from "../../messages/broadcast-reasons.ts";
import { z } from "zod";
import {
  followBroadcast,
  getBroadcast,
  startBroadcast,
  waitingOf,
  type BroadcastProgress,
} from "../../services/broadcasts/index.ts";
import { onlyOnce } from "../../services/idempotency/index.ts";
import { selectStorage } from "../../services/storage/index.ts";
import { firstTemplate, selectTemplate } from "../../services/templates/index.ts";
import { BROADCAST_STATES } from "../../db/schema/index.ts";
import { countAnswer, idAnswer } from "../answer-fields.ts";
import { setVersion } from "../entity-tag.ts";
import { otherSubjectField, uuidField } from "../fields.ts";
import { idempotencyOf } from "../idempotency-key.ts";
import { ASYNC_APPLIED, wantsAsync } from "../prefer.ts";
import { errorAnswer } from "../route/answer.ts";
import { EXAMPLE_IDS } from "../route/words.ts";
import { route } from "../route/route.ts";
import { STREAMED_JSON, streamJson } from "../stream-json.ts";
import { countsAnswer, presentWhole, wholeAnswer } from "./broadcast-answer.ts";
import { trackingField } from "./tracking-fields.ts";

const broadcastBody = z.object({
  template_id: uuidField,
  subject: otherSubjectField,
  tracking: trackingField.optional(),
});

const startedAnswer = z.strictObject({ broadcast_id: idAnswer });

const resultAnswer = startedAnswer.extend({
  ...countsAnswer,
  waiting: countAnswer,
  state: z.enum(BROADCAST_STATES),
  error: z.string().nullable().optional(),
});

/**
 * Presents a broadcast's result (API reference §11.5): each recipient is in exactly one of the five
 * counts. `error` is the reason if the broadcast paused itself, and null if a person paused it.
 */
function presentResult(progress: BroadcastProgress): z.input<typeof resultAnswer> {
  const { id, sent, failed, bounced, suppressed, state, reasons } = progress;
  const waiting = waitingOf(progress);
  const counts = { sent, failed, bounced, suppressed, waiting, broadcast_id: id, state };
  return state === "paused" ? { ...counts, error: textOfReasons(reasons) } : counts;
}

export const broadcastRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/broadcast",
    operation: "projects.broadcasts.start",
    summary: "Starts a broadcast to the active subscribers, and waits until all have been tried.",
    example: {
      body: { template_id: EXAMPLE_IDS.template, subject: "News", tracking: { opens: false } },
    },
    refusals: [502],
    takesIdempotencyKey: true,
    headers: { Prefer: "With `respond-async`, the response does not wait until the work is done." },
    capability: "send:broadcast",
    limit: "broadcast",
    body: broadcastBody,
    // After the wait starts, only the body can report an error.
    answer: z.union([resultAnswer, errorAnswer]),
    otherAnswers: { 202: startedAnswer },
    reads: ({ deps: { db }, projectId, body }) =>
      [selectTemplate(db, projectId, body.template_id), selectStorage(db)] as const,
    handle: async ({ c, ctx, project, reads: [templates, [storage]], body, bytes }) => {
      const template = firstTemplate(templates);
      const input = {
        templateId: template.id,
        subject: body.subject ?? template.subject,
        htmlBody: template.htmlBody,
        textBody: template.textBody,
        preheader: template.preheader,
        tracking: { ...template.tracking, ...body.tracking },
        status: "active",
        source: null,
      } as const;
      const start = async () => ({ id: (await startBroadcast(ctx, project, input, storage)).id });
      const idempotency = idempotencyOf(c, ctx, bytes);
      // A repeated request waits for the same broadcast, or reports its state.
      const { id } = await (idempotency ? onlyOnce(ctx, project.id, idempotency, start) : start());
      if (wantsAsync(c)) {
        const started: z.input<typeof startedAnswer> = { broadcast_id: id };
        return c.json(started, 202, ASYNC_APPLIED);
      }
      const wait = followBroadcast(ctx, project, id);
      await wait.firstOutcome();
      const answer = streamJson(ctx.deps.waitUntil, async (isWanted) =>
        presentResult(await wait.everyOutcome(isWanted)),
      );
      return c.body(answer, 200, STREAMED_JSON);
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: "/projects/:id/broadcasts/:broadcastId",
    operation: "projects.broadcasts.get",
    summary: "Returns a broadcast.",
    capability: "read",
    answer: wholeAnswer,
    handle: async ({ c, ctx, project, param }) => {
      const broadcast = await getBroadcast(ctx, project, param("broadcastId"));
      setVersion(c, broadcast.updatedAt);
      return presentWhole(broadcast);
    },
  }),
];
