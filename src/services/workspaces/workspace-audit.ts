/** Returns what the audit entry of an action on a workspace is about. */
export const workspaceAudit = (id: string) =>
  ({ scopeId: id, targetType: "workspace", targetId: id }) as const;
