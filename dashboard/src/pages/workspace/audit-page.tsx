import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useHasFeature, useWorkspace } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { LicenceNotice } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Pager, Table, type Column } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { auditQuery, type AuditEntry } from "./queries.ts";
import { useWorkspaceText } from "./use-workspace-text.ts";

const route = getRouteApi("/in/w/$workspaceId/audit");

export function AuditPage() {
  const text = useWorkspaceText();
  const { workspaceId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const workspace = useWorkspace(workspaceId);
  const mayRead = workspace?.capabilities.includes("audit:read") ?? false;
  const isLicensed = useHasFeature("audit log");
  const audit = useQuery({
    ...auditQuery(workspaceId, search),
    enabled: mayRead && isLicensed,
  });
  const go = (next: { action?: string; after?: string }) =>
    void navigate({ to: "/w/$workspaceId/audit", params: { workspaceId }, search: next });
  const entries = audit.data?.entries;
  return (
    <Page title={text.auditTitle} lead={text.auditLead}>
      <LicenceNotice feature="audit log" />
      {!mayRead && <Notice>{text.auditMayNot}</Notice>}
      {mayRead && isLicensed && (
        <>
          <ActionFilter
            key={search.action ?? ""}
            action={search.action ?? ""}
            onFilter={(action) => go(action === "" ? {} : { action })}
          />
          {audit.isPending && <Skeleton lines={8} />}
          {audit.error && <ErrorWords error={audit.error} onRetry={() => void audit.refetch()} />}
          {entries?.length === 0 && (
            <EmptyState title={text.noEntries}>{text.noEntriesWords}</EmptyState>
          )}
          {entries && entries.length > 0 && <AuditTable entries={entries} />}
          <Pager
            after={search.after}
            next={audit.data?.next}
            onGo={(after) => go({ ...search, ...(after === undefined ? {} : { after }) })}
          />
        </>
      )}
    </Page>
  );
}

function ActionFilter(props: { action: string; onFilter: (action: string) => void }) {
  const text = useWorkspaceText();
  const [action, setAction] = useState(props.action);
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        props.onFilter(action.trim());
      }}
    >
      <TextField
        label={text.action}
        placeholder={text.actionHint}
        value={action}
        onChange={(event) => setAction(event.target.value)}
      />
      <Button type="submit">{text.filter}</Button>
    </form>
  );
}

function AuditTable({ entries }: { entries: AuditEntry[] }) {
  const text = useWorkspaceText();
  const columns: Column<AuditEntry>[] = [
    { key: "when", head: text.when, cell: ({ created_at }) => <When at={created_at} /> },
    {
      key: "who",
      head: text.who,
      cell: ({ user_name, user_email }) => (
        <span title={user_email ?? undefined}>{user_name ?? user_email ?? text.program}</span>
      ),
    },
    { key: "what", head: text.what, cell: ({ action }) => <code>{action}</code> },
    {
      key: "target",
      head: text.target,
      isMinor: true,
      cell: ({ target_type, target_id, metadata }) => (
        <>
          {target_type}{" "}
          <span className="text-muted">
            {target_id} {Object.keys(metadata).length > 0 && JSON.stringify(metadata)}
          </span>
        </>
      ),
    },
    {
      key: "from",
      head: text.from,
      isMinor: true,
      cell: ({ ip_address, user_agent }) => <span title={user_agent}>{ip_address}</span>,
    },
  ];
  return <Table label={text.auditTitle} rows={entries} keyOf={({ id }) => id} columns={columns} />;
}
