import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showFailure } from "../../ui/show-failure.ts";
import { showToast } from "../../ui/toast.tsx";
import { bodyOf, fieldsOf } from "./draft-fields.ts";
import { nameOf, type Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

interface DraftRemovalProps {
  draft: Broadcast;
  version: string;
}

/**
 * Deletes a draft; undo saves its fields as a new one. For a resend, the fields alone do not define
 * the recipients: saved as a new draft, it would go to the whole audience. Its name must be typed
 * instead, and there is no undo.
 */
export function DraftRemoval({ draft, version }: DraftRemovalProps) {
  const text = useBroadcastsText();
  const shared = useSharedText();
  const { id: broadcastId, project_id: projectId } = draft;
  const navigate = useNavigate();
  const isHere = useIsHere(`/p/${projectId}/broadcasts/${broadcastId}`);
  const mayNot = useMayNot("send:broadcast");
  const [isAsking, setAsking] = useState(false);
  const isResend = draft.resend !== null;
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts", "list"] });
  const restore = async (): Promise<void> => {
    const { name, ...body } = bodyOf(draft, fieldsOf(draft));
    await api.projects.broadcasts
      .create({ projectId, body: { ...body, name: name || broadcastId } })
      // by now the draft exists only here
      .catch((error: Error) => showFailure(error, shared, () => void restore()));
    await refresh();
  };
  const remove = useMutation({
    mutationFn: (options: { signal?: AbortSignal }) =>
      api.projects.broadcasts.delete({ projectId, broadcastId }, { ...options, ifMatch: version }),
    onSuccess: async () => {
      if (isHere())
        await navigate({
          to: "/p/$projectId/broadcasts",
          params: { projectId },
          search: { tab: "drafts" },
          ignoreBlocker: true, // there are no unsaved changes left
        });
      showToast(text.deleted, isResend ? undefined : () => void restore());
      await refresh();
    },
    onError: (error) => {
      if (!isResend) showFailure(error, shared);
    },
  });
  return (
    <>
      <Button
        look="danger"
        isBusy={remove.isPending}
        offBecause={mayNot}
        onClick={() => (isResend ? setAsking(true) : remove.mutate({}))}
      >
        {shared.delete}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={(signal) => remove.mutate({ signal })}
        title={text.deleteResend}
        action={shared.delete}
        name={nameOf(draft)}
        isBusy={remove.isPending}
        error={remove.error}
      >
        {shared.cannotBeUndone}
      </ConfirmDialog>
    </>
  );
}
