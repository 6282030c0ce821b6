import type { ProjectRow } from "../access/index.ts";
import type { AuditAction } from "../audit/index.ts";

/** Returns the audit entry of an action on a template. */
export function templateAudit(project: ProjectRow, action: AuditAction, targetId: string) {
  return { scopeId: project.id, action, targetType: "template", targetId } as const;
}
