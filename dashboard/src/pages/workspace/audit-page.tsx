import { getRouteApi } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { useHasFeature, useWorkspace } from "../../api/session.ts";
import { AuditList } from "../../parts/audit/audit-list.tsx";
import { useAuditText } from "../../parts/audit/use-audit-text.ts";
import { LicenseNotice } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { useWorkspaceText } from "./use-workspace-text.ts";

const route = getRouteApi("/in/w/$workspaceId/audit");

export function AuditPage() {
  const text = useWorkspaceText();
  const audit = useAuditText();
  const { workspaceId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayRead = useWorkspace(workspaceId)?.capabilities.includes("audit:read") ?? false;
  const isLicensed = useHasFeature("audit log");
  return (
    <Page title={audit.title} lead={text.auditLead}>
      <LicenseNotice feature="audit log" />
      {!mayRead && <Notice>{audit.mayNot}</Notice>}
      {mayRead && isLicensed && (
        <AuditList
          queryKey={["workspace", workspaceId]}
          load={(query, signal) =>
            api.workspaces.auditLog.list({ workspaceId, ...query }, { signal })
          }
          search={search}
          onGo={(next) => void navigate({ search: next })}
        />
      )}
    </Page>
  );
}
