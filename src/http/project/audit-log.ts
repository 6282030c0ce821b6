import type { SQL } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "../../context.ts";
import { listAuditEntries, type AuditRow } from "../../services/audit/index.ts";
import { idAnswer, namedAnswer, timeAnswer, ulidAnswer } from "../answer-fields.ts";
import { timestampField, uuidField } from "../fields.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

const pages = pagesOf("audit", ulidAnswer, ({ id }: AuditRow) => id);

const filters = {
  action: z.string().optional(),
  from: timestampField.optional(),
  to: timestampField.optional(),
};

/** The query of a project's audit trail (API reference §16.4), … */
export const auditQuery = pages.query(filters);
/** … and of a workspace's, which also contains the trails of its deleted projects. */
export const workspaceAuditQuery = pages.query({
  ...filters,
  deleted_project: uuidField.optional(),
});

const auditEntryAnswer = namedAnswer("AuditEntry", {
  id: ulidAnswer,
  user_id: idAnswer.nullable().describe("Null if an API key or the service acted."),
  user_name: z.string().nullable().describe("The person's current name."),
  user_email: z.string().nullable().describe("The person's current email."),
  action: z.string(),
  target_type: z.string(),
  target_id: z.string(),
  metadata: z
    .record(z.string(), z.unknown())
    .describe("Depends on the action; never a password, key, token or email body."),
  ip_address: z.string().describe("The client address of API reference §4.1."),
  user_agent: z.string(),
  created_at: timeAnswer,
});

/** The response to either query. */
export const auditPageAnswer = z.strictObject({
  entries: z.array(auditEntryAnswer),
  ...pageAnswer,
});

/** Presents an audit entry; `user_id` is null for keys and the service. */
const presentAuditEntry = presenterOf(auditEntryAnswer);

/** Returns the response body for a project or workspace that the caller may read. */
export async function presentAuditPage(
  ctx: Ctx,
  scopeId: string | SQL,
  { action, from, to, ...page }: z.infer<typeof auditQuery>,
): Promise<z.input<typeof auditPageAnswer>> {
  const filter = { action, from, to };
  const { entries, total } = await listAuditEntries(ctx, scopeId, filter, page);
  const { shown, fields } = pages.cut(page, entries, total);
  return { entries: shown.map(presentAuditEntry), ...fields };
}

/** Routes of the audit trail (API reference §16.4). */
export const auditLogRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/audit-log",
    operation: "projects.auditLog.list",
    summary: "Lists the audit entries of a project.",
    capability: "audit:read",
    license: "audit log",
    query: auditQuery,
    answer: auditPageAnswer,
    handle: ({ ctx, project, query }) => presentAuditPage(ctx, project.id, query),
  }),
];
