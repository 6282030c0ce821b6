import { z } from "zod";
import { getBroadcast, type BroadcastProgress } from "../../services/broadcasts/index.ts";
import { timestamp } from "../present.ts";
import { succeed } from "./envelope.ts";
import { keyedRoute } from "./keyed-route.ts";

/**
 * Presents a broadcast in the terms of this surface, with counts of the recipients settled so far
 * (API reference §17.6).
 */
function presentProgress(broadcast: BroadcastProgress) {
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
    finishedAt: finishedAt === null ? null : timestamp(finishedAt),
  };
}

export const broadcastProgressRoute = keyedRoute({
  method: "GET",
  path: "/broadcasts/:id",
  auth: "secret",
  capability: "read",
  limit: "keyed_read",
  input: z.unknown(),
  handler: async ({ c, ctx, project }) =>
    succeed(c, presentProgress(await getBroadcast(ctx, project, c.req.param("id") ?? ""))),
});
