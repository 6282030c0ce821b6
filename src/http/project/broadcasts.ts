import { z } from "zod";
import {
  cancelBroadcast,
  getBroadcast,
  listBroadcasts,
  pauseBroadcast,
  resumeBroadcast,
  startBroadcast,
  waitForBroadcast,
  type BroadcastProgress,
} from "../../services/broadcasts/index.ts";
import { firstTemplate, selectTemplate } from "../../services/templates/index.ts";
import { otherSubjectField, pageQuery, uuidField } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { presentBroadcast } from "../present.ts";
import { projectRoute } from "../routes.ts";
import { STREAMED_JSON, streamJson } from "../stream-json.ts";

const broadcastBody = z.object({ template_id: uuidField, subject: otherSubjectField });

const ITEM = "/projects/:id/broadcasts/:broadcastId";
const idOf = (c: HttpContext) => c.req.param("broadcastId") ?? "";

/** Tells whether the caller prefers an asynchronous answer (RFC 7240 §4.1). */
const wantsAsync = (c: HttpContext) => /\brespond-async\b/i.test(c.req.header("Prefer") ?? "");

/**
 * Presents a broadcast's result (API reference §11.5): each recipient is in exactly one of the four
 * counts. `error` says why a broadcast paused by itself; it is null when a person paused it.
 */
function presentResult(progress: BroadcastProgress) {
  const { id, sent, failed, bounced, suppressed, state, error } = progress;
  const counts = { sent, failed, bounced, suppressed, broadcast_id: id, state };
  return state === "paused" ? { ...counts, error } : counts;
}

export const broadcastRoutes = [
  projectRoute({
    method: "POST",
    path: "/projects/:id/broadcast",
    auth: "cookie_or_key",
    capability: "send:broadcast",
    limit: "broadcast",
    body: broadcastBody,
    reads: (_c, { db }, projectId, body) => [selectTemplate(db, projectId, body.template_id)],
    handler: async ({ c, ctx, project, reads, body }) => {
      const template = firstTemplate(reads[0]);
      const { id } = await startBroadcast(ctx, project, {
        templateId: template.id,
        subject: body.subject ?? template.subject,
        htmlBody: template.htmlBody,
        textBody: template.textBody,
        status: "active",
        source: null,
      });
      if (wantsAsync(c))
        return c.json({ broadcast_id: id }, 202, { "Preference-Applied": "respond-async" });
      const answer = streamJson(ctx.deps.waitUntil, async (isWanted) =>
        presentResult(await waitForBroadcast(ctx, project, id, isWanted)),
      );
      return c.body(answer, 200, STREAMED_JSON);
    },
  }),
  projectRoute({
    method: "GET",
    path: "/projects/:id/broadcasts",
    auth: "cookie_or_key",
    capability: "read",
    query: pageQuery,
    handler: async ({ c, ctx, project, query }) => {
      const { broadcasts, total } = await listBroadcasts(ctx, project, query);
      return c.json({ broadcasts: broadcasts.map(presentBroadcast), total });
    },
  }),
  projectRoute({
    method: "GET",
    path: ITEM,
    auth: "cookie_or_key",
    capability: "read",
    handler: async ({ c, ctx, project }) =>
      c.json(presentBroadcast(await getBroadcast(ctx, project, idOf(c)))),
  }),
  ...(
    [
      ["pause", pauseBroadcast],
      ["resume", resumeBroadcast],
      ["cancel", cancelBroadcast],
    ] as const
  ).map(([action, control]) =>
    projectRoute({
      method: "POST",
      path: `${ITEM}/${action}`,
      auth: "cookie_or_key",
      capability: "send:broadcast",
      handler: async ({ c, ctx, project }) =>
        c.json(presentBroadcast(await control(ctx, project, idOf(c)))),
    }),
  ),
];
