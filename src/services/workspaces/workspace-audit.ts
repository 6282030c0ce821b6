/** Returns the target of the audit entry of an action on a workspace. */
export const workspaceAudit = (id: string) =>
  ({ scopeId: id, targetType: "workspace", targetId: id }) as const;
