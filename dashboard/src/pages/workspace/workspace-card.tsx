import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { meQuery, type Workspace } from "../../api/session.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { TextField } from "../../ui/field.tsx";
import { useMayNotIn } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useWorkspaceText } from "./use-workspace-text.ts";

/** Renames or deletes the workspace. */
export function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  const text = useWorkspaceText();
  const shared = useSharedText();
  const navigate = useNavigate();
  const { id: workspaceId } = workspace;
  const mayNot = useMayNotIn(workspaceId, "workspace:write");
  const [name, setName] = useState(workspace.name);
  const [isDeleting, setDeleting] = useState(false);
  const rename = useMutation({
    mutationFn: () => api.workspaces.rename({ workspaceId, body: { name } }),
    onSuccess: async () => {
      showToast(text.renamed);
      await queryClient.invalidateQueries(meQuery);
    },
  });
  const remove = useMutation({
    mutationFn: () => api.workspaces.delete({ workspaceId }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(meQuery);
      await navigate({ to: "/" });
    },
  });
  return (
    <Card title={text.workspace}>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate();
        }}
      >
        <TextField
          className="min-w-52 flex-1"
          label={text.workspaceName}
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
        />
        <Button type="submit" isBusy={rename.isPending} offBecause={mayNot}>
          {shared.save}
        </Button>
        <Button look="danger" offBecause={mayNot} onClick={() => setDeleting(true)}>
          {text.deleteWorkspace}
        </Button>
      </form>
      {rename.error && <ErrorWords error={rename.error} />}
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => remove.mutate()}
        title={text.deleteWorkspace}
        action={text.deleteWorkspace}
        name={workspace.name}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {text.deleteWords} {shared.cannotBeUndone}
      </ConfirmDialog>
    </Card>
  );
}
