import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { classes } from "../../lib/class-names.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { KeyButton } from "../../ui/key-button.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Duplicate } from "./duplicate.tsx";
import { Resend } from "./resend.tsx";
import { isOver, isRunning, nameOf, type Broadcast, type DeliveryReport } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

interface ControlsProps {
  broadcast: Broadcast;
  report: DeliveryReport | undefined;
}

/** Keeps the controls of a running broadcast visible while scrolling. */
const STICKY = "sticky top-2 z-10 rounded-lg border border-line bg-surface p-2 shadow-sm";

/** Pause, stop and rate, each with a shortcut; after the end, resends. */
export function Controls({ broadcast, report }: ControlsProps) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId, state } = broadcast;
  const mayNot = useMayNot("send:broadcast");
  const navigate = useNavigate();
  const [isEnding, setEnding] = useState(false);
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
  const change = useMutation({
    mutationFn: (action: "pause" | "resume") =>
      api.projects.broadcasts[action]({ projectId, broadcastId }),
    onSuccess: refresh,
  });
  // a separate mutation, so that a hanging pause does not block it
  const end = useMutation({
    mutationFn: (signal: AbortSignal) =>
      api.projects.broadcasts.cancel({ projectId, broadcastId }, { signal }),
    onSuccess: async () => {
      setEnding(false);
      await refresh();
    },
  });
  const openEnd = () => {
    if (change.isError) change.reset(); // the error belongs to an earlier attempt
    setEnding(true);
  };
  const action = isRunning(state) ? "pause" : state === "paused" ? "resume" : undefined;
  return (
    <div className={classes("flex flex-col gap-3", action && STICKY)}>
      <div className="flex flex-wrap items-center gap-2">
        {action && (
          <>
            <KeyButton
              keys="p"
              label={text[action]}
              look="primary"
              offBecause={mayNot}
              isBusy={change.isPending}
              onClick={() => change.mutate(action)}
            />
            <KeyButton
              keys="e"
              label={text.end}
              look="danger"
              offBecause={mayNot}
              onClick={openEnd}
            />
            <KeyButton
              keys="r"
              label={text.changeRate}
              onClick={() =>
                void navigate({ to: "/p/$projectId/settings/sending", params: { projectId } })
              }
            />
          </>
        )}
        {isOver(state) && <Resend broadcast={broadcast} report={report} />}
        <Duplicate broadcast={broadcast} />
      </div>
      {change.error && <ErrorWords error={change.error} />}
      <ConfirmDialog
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        onConfirm={end.mutate}
        title={text.endTitle}
        action={text.end}
        name={nameOf(broadcast)}
        isBusy={end.isPending}
        error={end.error}
      >
        {text.endWords}
      </ConfirmDialog>
    </div>
  );
}
