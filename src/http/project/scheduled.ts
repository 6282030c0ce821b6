import { z } from "zod";
import {
  cancelBatch,
  cancelMail,
  rescheduleBatch,
  rescheduleMail,
} from "../../services/mailing/index.ts";
import { idAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { timestampField } from "../fields.ts";
import { route } from "../route/route.ts";

const moved = z.strictObject({ id: idAnswer, scheduled_at: timeAnswer });

/** Routes of scheduled emails and batches (API reference §11.14). */
export const scheduledRoutes = [
  route({
    auth: "cookie_or_key",
    method: "PATCH",
    path: "/projects/:id/logs/:logId",
    operation: "projects.logs.reschedule",
    summary: "Moves a scheduled email to another time.",
    refusals: [409],
    example: { body: { scheduled_at: "2026-12-01T09:00:00Z" } },
    capability: "send:transactional",
    body: z.object({ scheduled_at: timestampField }),
    answer: moved,
    handle: async ({ ctx, project, param, body: { scheduled_at: at } }) => {
      const id = param("logId");
      await rescheduleMail(ctx, project, id, at);
      return { id, scheduled_at: timestamp(at) };
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/logs/:logId/cancel",
    operation: "projects.logs.cancel",
    summary: "Cancels a scheduled email.",
    refusals: [409],
    capability: "send:transactional",
    handle: ({ ctx, project, param }) => cancelMail(ctx, project, param("logId")),
  }),
  route({
    auth: "cookie_or_key",
    method: "PATCH",
    path: "/projects/:id/batches/:batchId",
    operation: "projects.batches.reschedule",
    summary: "Moves a scheduled batch to another time.",
    refusals: [409],
    example: { body: { scheduled_at: "2026-12-01T09:00:00Z" } },
    capability: "send:transactional",
    body: z.object({ scheduled_at: timestampField }),
    answer: moved,
    handle: async ({ ctx, project, param, body: { scheduled_at: at } }) => {
      const id = param("batchId");
      await rescheduleBatch(ctx, project, id, at);
      return { id, scheduled_at: timestamp(at) };
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/batches/:batchId/cancel",
    operation: "projects.batches.cancel",
    summary: "Cancels a scheduled batch.",
    refusals: [409],
    capability: "send:transactional",
    handle: ({ ctx, project, param }) => cancelBatch(ctx, project, param("batchId")),
  }),
];
