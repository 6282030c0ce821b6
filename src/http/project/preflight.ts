import { z } from "zod";
import { selectProjectBroadcast } from "../../services/broadcasts/index.ts";
import { PACES, runPreflight, type Preflight } from "../../services/preflight/index.ts";
import { selectSignatures } from "../../services/sending/index.ts";
import { selectStorage } from "../../services/storage/index.ts";
import { countAnswer, namedAnswer } from "../answer-fields.ts";
import { setVersion } from "../entity-tag.ts";
import { presentProblem, problemAnswer } from "../problem-answer.ts";
import { at, type EntryPoint } from "../route/entry-point.ts";
import { route } from "../route/route.ts";

const preflightAnswer = namedAnswer("Preflight", {
  recipients: z.strictObject({
    active: countAnswer,
    suppressed: countAnswer,
    without_consent: countAnswer,
    too_soon: countAnswer,
    total: countAnswer,
  }),
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
function presentPreflight(preflight: Preflight): z.input<typeof preflightAnswer> {
  const { recipients, problems, lookedAt, expected } = preflight;
  return {
    recipients: {
      active: recipients.active,
      suppressed: recipients.suppressed,
      without_consent: recipients.withoutConsent,
      too_soon: recipients.tooSoon,
      total: recipients.total,
    },
    problems: problems.map(presentProblem),
    looked_at: { subscribers: lookedAt.subscribers, links: lookedAt.links },
    expected: {
      mails: expected.mails,
      seconds: expected.seconds,
      pace: expected.pace,
      cost_usd: expected.dollars,
      log_bytes: expected.bytes,
    },
  };
}

/** Route of a draft's pre-flight check (API reference §11.11). */
export const preflightRoutes = (entry: EntryPoint) => [
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
