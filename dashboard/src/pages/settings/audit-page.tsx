import { getRouteApi } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { useMay, useProject } from "../../api/projects.ts";
import { useHasFeature } from "../../api/session.ts";
import { AuditList } from "../../parts/audit/audit-list.tsx";
import { useAuditText } from "../../parts/audit/use-audit-text.ts";
import { LicenseNotice } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSettingsText } from "./use-settings-text.ts";

const route = getRouteApi("/in/p/$projectId/settings/audit");

export function AuditPage() {
  const text = useSettingsText();
  const { mayNot } = useAuditText();
  const { id: projectId } = useProject();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayRead = useMay("audit:read");
  const isLicensed = useHasFeature("audit log");
  return (
    <SettingsFrame title={text.audit} lead={text.auditLead}>
      <LicenseNotice feature="audit log" />
      {!mayRead && <Notice>{mayNot}</Notice>}
      {mayRead && isLicensed && (
        <AuditList
          queryKey={["project", projectId]}
          load={(query, signal) => api.projects.auditLog.list({ projectId, ...query }, { signal })}
          search={search}
          onGo={(next) => void navigate({ search: next })}
        />
      )}
    </SettingsFrame>
  );
}
