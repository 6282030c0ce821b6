import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAudienceText } from "./use-audience-text.ts";

interface EraseDialogProps {
  email: string;
  isOpen: boolean;
  onClose: () => void;
  onErased: () => Promise<void> | void;
}

/** Explains what an erasure removes and what stays, and erases once the user types the address. */
export function EraseDialog({ email, isOpen, onClose, onErased }: EraseDialogProps) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const erase = useMutation({
    mutationFn: (signal: AbortSignal) =>
      api.projects.erasures.create({ projectId, body: { email } }, { signal }),
    onSuccess: async () => {
      showToast(text.erased(email));
      onClose();
      await onErased();
      await queryClient.invalidateQueries({ queryKey: ["project", projectId] });
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={erase.mutate}
      title={text.eraseTitle(email)}
      action={text.erase}
      name={email}
      isBusy={erase.isPending}
      error={erase.error}
    >
      <h3 className="font-semibold">{text.eraseGone}</h3>
      <p>{text.eraseGoneWords}</p>
      <h3 className="mt-3 font-semibold">{text.eraseStays}</h3>
      <p>{text.eraseStaysWords}</p>
      <p className="mt-3">{shared.cannotBeUndone}</p>
    </ConfirmDialog>
  );
}
