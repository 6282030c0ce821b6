import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Key as KeyIcon } from "../../ui/action-icons.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RoleNotice, useMayNot } from "../../ui/not-allowed.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { showToast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { NewKey } from "./new-key.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useSettingsText } from "./use-settings-text.ts";

type Key = Api.ApiKey;

/** API keys of a project. A key itself is shown only once. */
export function KeysPage() {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("api_keys:write");
  const [isCreating, setCreating] = useState(false);
  const keys = useQuery({
    queryKey: ["project", projectId, "keys"],
    queryFn: ({ signal }) => api.projects.apiKeys.list({ projectId }, { signal }),
  });
  const create = (
    <Button look="primary" offBecause={mayNot} onClick={() => setCreating(true)}>
      {text.newKey}
    </Button>
  );
  return (
    <SettingsFrame
      title={text.keys}
      lead={text.keysLead}
      actions={keys.data?.api_keys.length ? create : undefined}
    >
      <RoleNotice capability="api_keys:write" />
      <Loaded query={keys}>
        {({ api_keys: rows }) =>
          rows.length > 0 ? (
            <Keys rows={rows} />
          ) : (
            <EmptyState Icon={KeyIcon} title={text.noKeys} action={create}>
              {text.noKeysWords}
            </EmptyState>
          )
        }
      </Loaded>
      <Dialog isOpen={isCreating} onClose={() => setCreating(false)} title={text.newKey}>
        <NewKey onDone={() => setCreating(false)} />
      </Dialog>
    </SettingsFrame>
  );
}

function Keys({ rows }: { rows: Key[] }) {
  const text = useSettingsText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("api_keys:write");
  const [revoking, setRevoking] = useState<Key>();
  const revoke = useMutation({
    mutationFn: ({ key: { id: keyId }, signal }: { key: Key; signal: AbortSignal }) =>
      api.projects.apiKeys.revoke({ projectId, keyId }, { signal }),
    onSuccess: (_, { key: { name } }) => {
      setRevoking(undefined);
      showToast(text.revoked(name));
      // not awaited, so that the next dialog does not wait for the list
      void queryClient.invalidateQueries({ queryKey: ["project", projectId, "keys"] });
    },
  });
  const columns: Column<Key>[] = [
    {
      key: "name",
      head: text.name,
      cell: ({ name, prefix }) => (
        <>
          <span className="block font-medium">{name}</span>
          <code className="text-muted">{prefix}…</code>
        </>
      ),
    },
    { key: "type", head: text.kind, cell: ({ type, test }) => text.kinds[test ? "sk_test" : type] },
    {
      key: "used",
      head: text.lastUsed,
      isMinor: true,
      cell: ({ last_used_at }) => <When at={last_used_at} />,
    },
    {
      key: "made",
      head: text.created,
      isMinor: true,
      cell: ({ created_at }) => <When at={created_at} />,
    },
    {
      key: "revoke",
      head: <span className="sr-only">{text.revoke}</span>,
      cell: (key) => (
        <Button
          look="quiet"
          offBecause={mayNot}
          aria-label={`${text.revoke}: ${key.name}`}
          onClick={() => setRevoking(key)}
        >
          {text.revoke}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table label={text.keys} columns={columns} rows={rows} keyOf={({ id }) => id} />
      <ConfirmDialog
        isOpen={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        onConfirm={(signal) => revoking && revoke.mutate({ key: revoking, signal })}
        title={text.revokeTitle(revoking?.name ?? "")}
        action={text.revoke}
        name={revoking?.name ?? ""}
        isBusy={revoke.isPending}
        error={revoke.error}
      >
        {text.revokeWords}
      </ConfirmDialog>
    </>
  );
}
