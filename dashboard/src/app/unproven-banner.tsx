import { useMe } from "../api/session.ts";
import { Notice } from "../ui/notice.tsx";
import { useAppText } from "./use-app-text.ts";

/** Shown while an unverified address restricts what the account may do. */
export function UnprovenBanner() {
  const text = useAppText();
  const { user, workspaces } = useMe();
  const isHeldBack = workspaces.some(
    ({ role, capabilities }) => role === "owner" && !capabilities.includes("projects:write"),
  );
  if (user.email_verified || !isHeldBack) return null;
  return (
    <div className="p-4">
      <Notice tone="warn" role="status">
        {text.unproven}
      </Notice>
    </div>
  );
}
