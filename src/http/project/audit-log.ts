import { z } from "zod";
import type { Ctx } from "../../context.ts";
import { listAuditEntries } from "../../services/audit/index.ts";
import { pageQuery, timestampField } from "../fields.ts";
import { presentAuditEntry } from "../present.ts";
import { projectRoute } from "../routes.ts";

/** The query of a project's trail and of a workspace's (API reference §16.4). */
export const auditQuery = pageQuery.extend({
  action: z.string().optional(),
  from: timestampField.optional(),
  to: timestampField.optional(),
});

/**
 * Returns the body that answers such a query for a project or workspace that the caller may read.
 */
export async function presentAuditPage(
  ctx: Ctx,
  scopeId: string,
  { limit, offset, action, from, to }: z.infer<typeof auditQuery>,
) {
  const filter = { action, from, to };
  const { entries, total } = await listAuditEntries(ctx, scopeId, filter, { limit, offset });
  return { entries: entries.map(presentAuditEntry), total };
}

/** Routes of API reference §16.4. */
export const auditLogRoutes = [
  projectRoute({
    method: "GET",
    path: "/projects/:id/audit-log",
    auth: "cookie",
    capability: "audit:read",
    license: "audit log",
    query: auditQuery,
    handler: async ({ c, ctx, project, query }) =>
      c.json(await presentAuditPage(ctx, project.id, query)),
  }),
];
