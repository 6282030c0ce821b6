import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { shortWordsOf } from "../../ui/error-words.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { Suppression } from "./reasons.ts";
import { useSuppressionsText } from "./use-suppressions-text.ts";

interface RemoveSuppressionProps {
  suppression: Suppression;
  onClose: () => void;
}

/**
 * Asks for confirmation before an address can be mailed again; the address must be typed unless a
 * person added it.
 */
export function RemoveSuppression({ suppression, onClose }: RemoveSuppressionProps) {
  const text = useSuppressionsText();
  const shared = useSharedText();
  const { id, email, reason, source, project_id: projectId } = suppression;
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: ["project", projectId, "suppressions"] });
  const putBack = (): void =>
    void api.projects.suppressions
      .add({ projectId, body: { emails: [email], reason, source } })
      .then(refresh, (error: Error) =>
        showToast(text.notPutBack(email, shortWordsOf(error, shared)), putBack),
      );
  const remove = useMutation({
    mutationFn: (signal: AbortSignal) =>
      api.projects.suppressions.delete({ projectId, suppressionId: id }, { signal }),
    onSuccess: async () => {
      showToast(text.removed(email), putBack);
      onClose();
      await refresh();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      onConfirm={remove.mutate}
      title={text.removeTitle(email)}
      action={text.remove}
      {...(reason === "manual" ? {} : { name: email })}
      isBusy={remove.isPending}
      error={remove.error}
    >
      {text.removeWords[reason]}
    </ConfirmDialog>
  );
}
