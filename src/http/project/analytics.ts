import { z } from "zod";
import { getOverview, overviewReads } from "../../services/analytics/index.ts";
import { timestampField } from "../fields.ts";
import { presentOverview } from "../present.ts";
import { projectRoute } from "../routes.ts";

const overviewQuery = z.object({ from: timestampField, to: timestampField });

export const analyticsRoutes = [
  projectRoute({
    method: "GET",
    path: "/projects/:id/analytics/overview",
    auth: "cookie",
    capability: "read",
    license: "analytics",
    query: overviewQuery,
    reads: (_c, deps, projectId) => overviewReads(deps, projectId),
    handler: async ({ c, ctx, project, query, reads }) =>
      c.json(presentOverview(await getOverview(ctx, project, query, reads))),
  }),
];
