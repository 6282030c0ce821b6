import { z } from "zod";
import { BROADCAST_STATES } from "../../db/schema/index.ts";
import {
  cancelBroadcast,
  listBroadcasts,
  pauseBroadcast,
  resumeBroadcast,
  type ListedBroadcast,
} from "../../services/broadcasts/index.ts";
import { uuidField } from "../fields.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { at, type EntryPoint } from "../route/entry-point.ts";
import { route } from "../route/route.ts";
import {
  broadcastAnswer,
  listedAnswer,
  presentBroadcast,
  presentListed,
} from "./broadcast-answer.ts";

export const broadcastPages = pagesOf("broadcasts", uuidField, ({ id }: ListedBroadcast) => id);

/** Routes to list and control broadcasts (API reference §11.6). */
export const broadcastControlRoutes = (entry: EntryPoint) => [
  route({
    ...at(entry, "GET", "/broadcasts", "broadcasts.list"),
    summary: "Lists the broadcasts of a project.",
    capability: "read",
    query: broadcastPages.query({
      state: z.enum([...BROADCAST_STATES, "all"]).optional(),
      include: z.enum(["opens_by_hour"]).optional(),
    }),
    answer: z.strictObject({ broadcasts: z.array(listedAnswer), ...pageAnswer }),
    handle: async ({ ctx, project, query }) => {
      const { broadcasts, total } = await listBroadcasts(ctx, project, {
        ...query,
        state: query.state,
        withOpens: query.include !== undefined,
      });
      const { shown, fields } = broadcastPages.cut(query, broadcasts, total);
      return { broadcasts: shown.map(presentListed), ...fields };
    },
  }),
  ...(
    [
      ["pause", "Pauses a broadcast.", pauseBroadcast],
      ["resume", "Resumes a paused broadcast.", resumeBroadcast],
      ["cancel", "Cancels a broadcast.", cancelBroadcast],
    ] as const
  ).map(([action, summary, control]) =>
    route({
      ...at(entry, "POST", `/broadcasts/:broadcastId/${action}`, `broadcasts.${action}`),
      summary,
      refusals: [409],
      capability: "send:broadcast",
      answer: broadcastAnswer,
      handle: async ({ ctx, project, param }) =>
        presentBroadcast(await control(ctx, project, param("broadcastId"))),
    }),
  ),
];
