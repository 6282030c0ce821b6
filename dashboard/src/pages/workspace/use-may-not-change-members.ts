import { useHasFeature } from "../../api/session.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { useMayNotIn } from "../../ui/not-allowed.tsx";

/** Returns why the person may not change the members: their role, or the missing licence. */
export function useMayNotChangeMembers(workspaceId: string): string | undefined {
  const text = useSharedText();
  const hasLicence = useHasFeature("workspace members");
  const mayNot = useMayNotIn(workspaceId, "members:write");
  return mayNot ?? (hasLicence ? undefined : text.licenceNeeded("workspace members"));
}
