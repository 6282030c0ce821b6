import { z } from "zod";
import { selectProjectBroadcast } from "../../services/broadcasts/index.ts";
import { countAudience, PACES, runPreflight } from "../../services/preflight/index.ts";
import { selectSignatures } from "../../services/sending/index.ts";
import { selectStorage } from "../../services/storage/index.ts";
import { countAnswer, namedAnswer } from "../answer-fields.ts";
import { setVersion } from "../entity-tag.ts";
import { problemAnswer } from "../problem-answer.ts";
import { audienceBody, draftChange } from "./draft-body.ts";
import { at, type EntryPoint } from "../route/entry-point.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

const recipientsAnswer = z.strictObject({
  active: countAnswer,
  suppressed: countAnswer,
  without_consent: countAnswer,
  too_soon: countAnswer,
  total: countAnswer,
});

const presentRecipients = presenterOf(recipientsAnswer);

const preflightAnswer = namedAnswer("Preflight", {
  recipients: recipientsAnswer,
  problems: z.array(problemAnswer),
  looked_at: z.strictObject({ subscribers: countAnswer, links: countAnswer }),
  expected: z.strictObject({
    mails: countAnswer,
    seconds: countAnswer,
    pace: z.enum(PACES),
    cost_usd: z.number().nonnegative(),
    log_bytes: countAnswer,
  }),
});

/** Presents a pre-flight check (API reference §11.11). */
const presentPreflight = presenterOf(preflightAnswer);

/** Routes of a draft's pre-flight check (API reference §11.11). */
export const preflightRoutes = (entry: EntryPoint) => [
  route({
    ...at(entry, "POST", "/broadcasts/:broadcastId/audience", "broadcasts.countAudience"),
    summary: "Counts the recipients of a draft, with other audience fields if any are given.",
    refusals: [409],
    example: { body: { where: "tag:vip" } },
    capability: "read",
    body: audienceBody,
    answer: recipientsAnswer,
    reads: ({ deps: { db }, projectId, param }) =>
      [selectProjectBroadcast(db, projectId, param("broadcastId"))] as const,
    handle: async ({ ctx, project, body, reads: [[draft]] }) =>
      presentRecipients(await countAudience(ctx, project, draft, draftChange(body))),
  }),
  route({
    ...at(entry, "POST", "/broadcasts/:broadcastId/preflight", "broadcasts.preflight"),
    summary: "Counts the recipients of a draft and lists its problems.",
    refusals: [409],
    capability: "send:broadcast",
    limit: "preflight",
    answer: preflightAnswer,
    reads: ({ deps: { db }, projectId, param }) =>
      [
        selectProjectBroadcast(db, projectId, param("broadcastId")),
        selectStorage(db),
        selectSignatures(db, projectId),
      ] as const,
    handle: async ({ c, ctx, project, reads: [[draft], [storage], [seenMail]] }) => {
      const preflight = await runPreflight(ctx, project, { draft, storage, seenMail });
      if (draft) setVersion(c, draft.updatedAt);
      return presentPreflight(preflight);
    },
  }),
];
