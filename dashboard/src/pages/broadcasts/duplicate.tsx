import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { Button } from "../../ui/button.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showFailure } from "../../ui/show-failure.ts";
import { showToast } from "../../ui/toast.tsx";
import type { Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Copies a broadcast in any state into a new draft, and opens the draft. */
export function Duplicate({ broadcast }: { broadcast: Broadcast }) {
  const text = useBroadcastsText();
  const shared = useSharedText();
  const { id: broadcastId, project_id: projectId } = broadcast;
  const navigate = useNavigate();
  const isHere = useIsHere();
  const mayNot = useMayNot("send:broadcast");
  const copy = useMutation({
    mutationFn: () => api.projects.broadcasts.duplicate({ projectId, broadcastId, body: {} }),
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
      showToast(text.duplicated);
      if (isHere())
        await navigate({
          to: "/p/$projectId/broadcasts/$broadcastId",
          params: { projectId, broadcastId: id },
        });
    },
    onError: (error) => showFailure(error, shared),
  });
  return (
    <Button isBusy={copy.isPending} offBecause={mayNot} onClick={() => copy.mutate()}>
      {text.duplicate}
    </Button>
  );
}
