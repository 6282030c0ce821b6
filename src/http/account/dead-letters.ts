import {
  KEPT_MS,
  listLetters,
  replayLetter,
  type Letter,
} from "../../services/dead-letters/index.ts";
import { selectOperator } from "../../services/service-mail/index.ts";
import { pageQuery } from "../fields.ts";
import { timestamp } from "../present.ts";
import { userRoute } from "../routes.ts";
import { requireFirst } from "./require-first.ts";

/** Presents a dead letter (API reference §18.5). */
const presentLetter = (letter: Letter) => ({
  id: letter.id,
  queue: letter.queue,
  type: letter.type,
  bytes: letter.bytes,
  preview: letter.preview,
  failed_at: timestamp(letter.failedAt),
  replayed_at: letter.replayedAt === null ? null : timestamp(letter.replayedAt),
  expires_at: timestamp(letter.failedAt + KEPT_MS),
});

/** Routes of the messages that no consumer could handle, for the owner of the first account alone. */
export const deadLetterRoutes = [
  userRoute({
    method: "GET",
    path: "/service/dead-letters",
    query: pageQuery,
    reads: (_c, { db }) => [selectOperator(db)],
    mayEnter: requireFirst,
    handler: async ({ c, ctx, query }) => {
      const { letters, total, waiting } = await listLetters(ctx, query);
      return c.json({ dead_letters: letters.map(presentLetter), total, waiting });
    },
  }),
  userRoute({
    method: "POST",
    path: "/service/dead-letters/:letterId/replay",
    reads: (_c, { db }) => [selectOperator(db)],
    mayEnter: requireFirst,
    handler: async ({ c, ctx, actor }) =>
      c.json(presentLetter(await replayLetter(ctx, actor, c.req.param("letterId") ?? ""))),
  }),
];
