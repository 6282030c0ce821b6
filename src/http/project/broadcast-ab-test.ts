import { z } from "zod";
import { RESEND_TO } from "../../db/schema/index.ts";
import {
  chooseWinner,
  variantLetter,
  readAbTest,
  resendBroadcast,
  type AbTest,
} from "../../services/broadcasts/index.ts";
import { countAnswer, namedAnswer, timeAnswer, timestampOrNull } from "../answer-fields.ts";
import { setVersion } from "../entity-tag.ts";
import { nameField, otherSubjectField } from "../fields.ts";
import { at, type EntryPoint } from "../route/entry-point.ts";
import { route } from "../route/route.ts";
import { presentWhole, wholeAnswer } from "./broadcast-answer.ts";

const ITEM = "/broadcasts/:broadcastId";

const variantAnswer = z.strictObject({
  variant: z.string(),
  subject: z.string(),
  mailed: countAnswer,
  opened_human: countAnswer,
  clicked_human: countAnswer,
});

const trialAnswer = namedAnswer("AbTest", {
  winner: z.string().nullable(),
  decides_at: timeAnswer
    .nullable()
    .describe(
      "Null before all test emails were attempted, for `manual`, and after the choice or a cancellation.",
    ),
  variants: z.array(variantAnswer),
  leader: z.string().nullable(),
  certainty: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("The chance that the leader is better than the next variant."),
  summary: z.string().describe("The result and its certainty in one sentence."),
});

/** Presents an A/B test (API reference §11.12). */
function presentAbTest({
  winner,
  decidesAt,
  variants,
  judgement,
}: AbTest): z.input<typeof trialAnswer> {
  const { leader, certainty, words } = judgement;
  return {
    winner: winner === null ? null : variantLetter(winner),
    decides_at: timestampOrNull(decidesAt),
    variants: variants.map(({ subject, mailed, opened, clicked }, n) => ({
      variant: variantLetter(n),
      subject,
      mailed,
      opened_human: opened,
      clicked_human: clicked,
    })),
    leader: certainty === null ? null : variantLetter(leader),
    certainty: certainty === null ? null : Math.round(certainty * 1_000) / 1_000,
    summary: words,
  };
}

/** Letters of the variants, in order. */
const LETTERS = ["A", "B", "C", "D", "E"] as const;

/** Routes of A/B tests and of resends (API reference §11.10 and §11.12). */
export const broadcastAbTestRoutes = (entry: EntryPoint) => [
  route({
    ...at(entry, "GET", `${ITEM}/trial`, "broadcasts.trial"),
    summary: "Returns the result of an A/B test.",
    refusals: [409],
    capability: "read",
    answer: trialAnswer,
    handle: async ({ ctx, project, param }) =>
      presentAbTest(await readAbTest(ctx, project, param("broadcastId"))),
  }),
  route({
    ...at(entry, "POST", `${ITEM}/winner`, "broadcasts.chooseWinner"),
    summary: "Chooses the winner of an A/B test.",
    refusals: [409],
    example: { body: { variant: "A" } },
    capability: "send:broadcast",
    body: z.object({ variant: z.enum(LETTERS) }),
    answer: wholeAnswer,
    handle: async ({ c, ctx, project, body, param }) => {
      const winner = LETTERS.indexOf(body.variant);
      const broadcast = await chooseWinner(ctx, project, param("broadcastId"), winner);
      setVersion(c, broadcast.updatedAt);
      return presentWhole(broadcast);
    },
  }),
  route({
    ...at(entry, "POST", `${ITEM}/resend`, "broadcasts.resend"),
    summary: "Copies a broadcast as a draft to the people that it did not reach.",
    once: true,
    refusals: [409],
    example: { body: { to: "not_opened", subject: "In case you missed it" } },
    capability: "send:broadcast",
    body: z.object({
      to: z.enum(RESEND_TO),
      subject: otherSubjectField,
      name: nameField.optional(),
    }),
    answer: wholeAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body, param }) => {
      const { to, subject, name } = body;
      const draft = await resendBroadcast(ctx, project, param("broadcastId"), {
        to,
        subject,
        name,
      });
      setVersion(c, draft.updatedAt);
      return presentWhole(draft);
    },
  }),
];
