import { getRouteApi } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { AuditList } from "../../parts/audit/audit-list.tsx";
import { Card } from "../../ui/card.tsx";
import { useAccountText } from "./use-account-text.ts";

const route = getRouteApi("/in/account");

/** The user's sign-ins and other account events; requires no license. */
export function OwnAudit() {
  const text = useAccountText();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Card title={text.ownAudit} hint={text.ownAuditWords}>
      <AuditList
        queryKey={["account"]}
        load={(query, signal) => api.auth.auditLog.list(query, { signal })}
        search={search}
        onGo={(next) => void navigate({ search: next, resetScroll: false })}
      />
    </Card>
  );
}
