import { z } from "zod";
import {
  KEPT_MS,
  listLetters,
  replayLetter,
  type Letter,
} from "../../services/dead-letters/index.ts";
import { countAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { uuidField } from "../fields.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

const letterAnswer = namedAnswer("DeadLetter", {
  id: z.string(),
  queue: z.string().describe("Its own queue; empty if unknown."),
  type: z.string().describe("The type of its body; empty if it has none."),
  bytes: countAnswer.describe("The size of the body."),
  preview: z
    .string()
    .nullable()
    .describe("The first 500 characters; null for a body that was not kept."),
  failed_at: timeAnswer,
  replayed_at: timeAnswer.nullable().describe("Null until a replay."),
  expires_at: timeAnswer,
});

const present = presenterOf(letterAnswer);

/** Presents a dead letter (API reference §18.5). */
const presentLetter = (letter: Letter) =>
  present({ ...letter, expiresAt: letter.failedAt + KEPT_MS });

const pages = pagesOf("dead_letters", uuidField, ({ id }: Letter) => id);

/** Routes of the dead letters: messages that no consumer could handle. */
export const deadLetterRoutes = [
  route({
    auth: "operator",
    method: "GET",
    path: "/service/dead-letters",
    operation: "service.deadLetters.list",
    summary: "Lists the dead letters: queue messages that could not be processed.",
    query: pages.query({}),
    answer: z.strictObject({
      dead_letters: z.array(letterAnswer),
      ...pageAnswer,
      waiting: countAnswer,
    }),
    handle: async ({ ctx, query }) => {
      const { letters, total, waiting } = await listLetters(ctx, query);
      const { shown, fields } = pages.cut(query, letters, total);
      return { dead_letters: shown.map(presentLetter), ...fields, waiting };
    },
  }),
  route({
    auth: "operator",
    method: "POST",
    path: "/service/dead-letters/:letterId/replay",
    operation: "service.deadLetters.replay",
    summary: "Replays a dead letter: puts the message back into its queue.",
    refusals: [409],
    answer: letterAnswer,
    handle: async ({ ctx, actor, param }) =>
      presentLetter(await replayLetter(ctx, actor, param("letterId"))),
  }),
];
