import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { meQuery, type Workspace } from "../../api/session.ts";
import type { Versioned } from "../../api/versioned.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { SettingsForm } from "../../parts/settings-edit/settings-form.tsx";
import { useSettingsEdit } from "../../parts/settings-edit/use-settings-edit.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useMayNotIn } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { workspaceQuery } from "./queries.ts";
import { useWorkspaceText } from "./use-workspace-text.ts";

/** Renames or deletes the workspace. */
export function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  const text = useWorkspaceText();
  const stored = useQuery(workspaceQuery(workspace.id));
  return (
    <Card title={text.workspace} actions={<Removal workspace={workspace} />}>
      <Loaded query={stored} lines={2}>
        {(data) => <Name stored={data} />}
      </Loaded>
    </Card>
  );
}

function Name({ stored }: { stored: Versioned<Pick<Workspace, "id" | "name">> }) {
  const text = useWorkspaceText();
  const { id: workspaceId } = stored.value;
  const mayNot = useMayNotIn(workspaceId, "workspace:write");
  const edit = useSettingsEdit(stored, {
    queryKey: workspaceQuery(workspaceId).queryKey,
    fieldsOf: ({ name }) => ({ name }),
    put: (body, options) => api.workspaces.rename({ workspaceId, body }, options),
  });
  const rename = useMutation({
    mutationFn: edit.store,
    onSuccess: async () => {
      showToast(text.renamed);
      await queryClient.invalidateQueries(meQuery);
    },
  });
  return (
    <SettingsForm edit={edit} save={rename} offBecause={mayNot}>
      <TextField
        label={text.workspaceName}
        value={edit.fields.name}
        onChange={({ target }) => edit.change({ name: target.value })}
        required
      />
    </SettingsForm>
  );
}

function Removal({ workspace: { id: workspaceId, name } }: { workspace: Workspace }) {
  const text = useWorkspaceText();
  const shared = useSharedText();
  const navigate = useNavigate();
  const isHere = useIsHere(`/w/${workspaceId}`);
  const mayNot = useMayNotIn(workspaceId, "workspace:write");
  const [isDeleting, setDeleting] = useState(false);
  const remove = useMutation({
    mutationFn: (signal: AbortSignal) => api.workspaces.delete({ workspaceId }, { signal }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(meQuery);
      if (isHere()) await navigate({ to: "/", ignoreBlocker: true });
    },
  });
  return (
    <>
      <Button look="danger" offBecause={mayNot} onClick={() => setDeleting(true)}>
        {text.deleteWorkspace}
      </Button>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={remove.mutate}
        title={text.deleteWorkspace}
        action={text.deleteWorkspace}
        name={name}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {text.deleteWords} {shared.cannotBeUndone}
      </ConfirmDialog>
    </>
  );
}
