import { useLacks, useMayNotIn } from "../../ui/not-allowed.tsx";

/** Returns why the user may not change the members: their role, or a missing license. */
export function useMayNotChangeMembers(workspaceId: string): string | undefined {
  const unlicensed = useLacks("workspace members");
  return useMayNotIn(workspaceId, "members:write") ?? unlicensed;
}
