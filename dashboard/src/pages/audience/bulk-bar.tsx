import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useAudienceText } from "./use-audience-text.ts";

interface BulkBarProps {
  chosen: ReadonlySet<string>;
  onDone: () => void;
}

type Change = { action: "set_status"; status: "active" | "unsubscribed" } | { action: "delete" };

/** What can be done to the chosen people at once; nothing while nobody is chosen. */
export function BulkBar({ chosen, onDone }: BulkBarProps) {
  const text = useAudienceText();
  const shared = useSharedText();
  const { id: projectId } = useProject();
  const mayNot = useMayNot("subscribers:write");
  const [isDeleting, setDeleting] = useState(false);
  const change = useMutation({
    mutationFn: (what: Change) =>
      api.projects.subscribers.changeMany({ projectId, body: { ...what, ids: [...chosen] } }),
    onSuccess: async ({ changed }) => {
      setDeleting(false);
      onDone();
      showToast(text.changed(changed));
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "subscribers"] });
    },
  });
  if (chosen.size === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-sm" role="status">
        {text.chosen(chosen.size)}
      </span>
      <Button
        offBecause={mayNot}
        onClick={() => change.mutate({ action: "set_status", status: "unsubscribed" })}
      >
        {text.unsubscribe}
      </Button>
      <Button
        offBecause={mayNot}
        onClick={() => change.mutate({ action: "set_status", status: "active" })}
      >
        {text.activate}
      </Button>
      <Button look="danger" offBecause={mayNot} onClick={() => setDeleting(true)}>
        {shared.delete}
      </Button>
      {change.error && <ErrorWords error={change.error} />}
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => change.mutate({ action: "delete" })}
        title={text.deleteMany(chosen.size)}
        action={shared.delete}
        isBusy={change.isPending}
        error={change.error}
      >
        {text.deleteWords} {shared.cannotBeUndone}
      </ConfirmDialog>
    </div>
  );
}
