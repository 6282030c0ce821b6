import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { queryClient } from "../../../api/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import { BounceProvider } from "./bounce-provider.tsx";
import { useBouncesText } from "./use-bounces-text.ts";

/** The URL to which a mail server or provider posts bounces; visible only to some roles. */
export function BounceUrl() {
  const text = useBouncesText();
  const { id: projectId, name } = useProject();
  const mayNot = useMayNot("projects:write");
  const [isAsking, setAsking] = useState(false);
  const key = ["project", projectId, "bounce-url"];
  const url = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.projects.bounceUrl.get({ projectId }, { signal }),
    enabled: mayNot === undefined,
  });
  const rotate = useMutation({
    mutationFn: (signal: AbortSignal) => api.projects.bounceUrl.rotate({ projectId }, { signal }),
    onSuccess: async () => {
      setAsking(false);
      showToast(text.rotated);
      await queryClient.invalidateQueries({ queryKey: key });
    },
  });
  return (
    <>
      <p className="mb-3 max-w-2xl text-sm text-muted">{text.bounceUrlWords}</p>
      {mayNot && <p>{text.bounceUrlHidden}</p>}
      {url.error && <ErrorWords error={url.error} onRetry={() => void url.refetch()} />}
      {url.data && (
        <BounceProvider url={url.data.url} mayNot={mayNot}>
          <p className="mt-2 text-sm text-muted">
            {text.rotatedAt} <When at={url.data.rotated_at} />
          </p>
        </BounceProvider>
      )}
      <Button offBecause={mayNot} onClick={() => setAsking(true)} className="mt-4">
        {text.rotate}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={rotate.mutate}
        title={text.rotateTitle}
        action={text.rotate}
        name={name}
        isBusy={rotate.isPending}
        error={rotate.error}
      >
        {text.rotateWords}
      </ConfirmDialog>
    </>
  );
}
