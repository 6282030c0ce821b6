import { useLacks, useMayNotIn } from "../../ui/not-allowed.tsx";

/** Returns why the person may not change the members: their role, or the missing licence. */
export function useMayNotChangeMembers(workspaceId: string): string | undefined {
  const unlicensed = useLacks("workspace members");
  return useMayNotIn(workspaceId, "members:write") ?? unlicensed;
}
