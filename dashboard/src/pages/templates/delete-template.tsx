import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.tsx";
import { templatesQuery, type Summary } from "./queries.ts";
import { useTemplatesText } from "./use-templates-text.ts";

interface DeleteTemplateProps {
  projectId: string;
  template: Summary;
  onClose: () => void;
}

/** Deletes a template after its name is typed. */
export function DeleteTemplate({
  projectId,
  template: { id, name },
  onClose,
}: DeleteTemplateProps) {
  const text = useTemplatesText();
  const remove = useMutation({
    mutationFn: (signal: AbortSignal) =>
      api.projects.templates.delete({ projectId, templateId: id }, { signal }),
    onSuccess: async () => {
      showToast(text.deleted(name));
      onClose();
      await queryClient.invalidateQueries(templatesQuery(projectId));
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      onConfirm={remove.mutate}
      title={text.deleteNamed(name)}
      action={text.deleteTemplate}
      name={name}
      isBusy={remove.isPending}
      error={remove.error}
    >
      {text.deleteWords}
    </ConfirmDialog>
  );
}
