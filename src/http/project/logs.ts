import { z } from "zod";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { listLog, readStats } from "../../services/email-log/index.ts";
import { pageQuery, timestampField } from "../fields.ts";
import { presentLogEntry } from "../present.ts";
import { projectRoute } from "../routes.ts";

const logQuery = pageQuery.extend({
  status: z.enum(LOG_STATUSES).optional(),
  from: timestampField.optional(),
  to: timestampField.optional(),
});

export const logRoutes = [
  projectRoute({
    method: "GET",
    path: "/projects/:id/logs",
    auth: "cookie",
    capability: "read",
    query: logQuery,
    handler: async ({ c, ctx, project, query }) => {
      const { limit, offset, status, from, to } = query;
      const { logs, total } = await listLog(ctx, project, { status, from, to }, { limit, offset });
      return c.json({ logs: logs.map(presentLogEntry), total });
    },
  }),
  projectRoute({
    method: "GET",
    path: "/projects/:id/stats",
    auth: "cookie",
    capability: "read",
    handler: async ({ c, ctx, project }) => {
      const { total, sent, failed, opened, clicked, bounced, suppressed } = await readStats(
        ctx,
        project,
      );
      return c.json({ total, sent, failed, opened, clicked, bounced, suppressed });
    },
  }),
];
