import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { CheckField } from "../../ui/field.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { showToast } from "../../ui/toast.tsx";
import { isRunning, type Broadcast, type Ledger } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

interface ControlsProps {
  broadcast: Broadcast;
  ledger: Ledger | undefined;
}

/** Pause, resume, end, and the retry of those that failed. The key P pauses and resumes. */
export function Controls({ broadcast, ledger }: ControlsProps) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId, state } = broadcast;
  const mayNot = useMayNot("send:broadcast");
  const [isEnding, setEnding] = useState(false);
  const change = useMutation({
    mutationFn: (action: "pause" | "resume" | "cancel") =>
      api.projects.broadcasts[action]({ projectId, broadcastId }),
    onSuccess: async () => {
      setEnding(false);
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
    },
  });
  const action = isRunning(state) ? "pause" : state === "paused" ? "resume" : undefined;
  useKey("p", action !== undefined && mayNot === undefined, () => action && change.mutate(action));
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {action && (
          <Button
            look="primary"
            offBecause={mayNot}
            isBusy={change.isPending}
            aria-keyshortcuts="p"
            onClick={() => change.mutate(action)}
          >
            {text[action]} <kbd className="text-xs opacity-70">P</kbd>
          </Button>
        )}
        {action && (
          <Button look="danger" offBecause={mayNot} onClick={() => setEnding(true)}>
            {text.end}
          </Button>
        )}
        {ledger?.retried_by && (
          <LinkButton
            to="/p/$projectId/broadcasts/$broadcastId"
            params={{ projectId, broadcastId: ledger.retried_by }}
          >
            {text.openRetry}
          </LinkButton>
        )}
        {ledger && <Retry broadcast={broadcast} ledger={ledger} />}
      </div>
      {change.error && <ErrorWords error={change.error} />}
      <ConfirmDialog
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        onConfirm={() => change.mutate("cancel")}
        title={text.endTitle}
        action={text.end}
        isBusy={change.isPending}
        error={change.error}
      >
        {text.endWords}
      </ConfirmDialog>
    </div>
  );
}

function Retry({ broadcast, ledger }: { broadcast: Broadcast; ledger: Ledger }) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId, state } = broadcast;
  const navigate = useNavigate();
  const mayNot = useMayNot("send:broadcast");
  const [isAsking, setAsking] = useState(false);
  const [withUnknown, setWithUnknown] = useState(false);
  const retry = useMutation({
    mutationFn: () =>
      api.projects.broadcasts.retry({
        projectId,
        broadcastId,
        body: { include_unknown: withUnknown },
      }),
    onSuccess: async ({ broadcast_id }) => {
      setAsking(false);
      showToast(text.retrying);
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
      await navigate({
        to: "/p/$projectId/broadcasts/$broadcastId",
        params: { projectId, broadcastId: broadcast_id },
      });
    },
  });
  const isOver = state === "done" || state === "cancelled";
  if (!isOver || ledger.retried_by !== null || ledger.failed + ledger.unknown === 0) return null;
  return (
    <>
      <Button offBecause={mayNot} onClick={() => setAsking(true)}>
        {text.retry}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => retry.mutate()}
        title={text.retry}
        action={text.retry}
        isBusy={retry.isPending}
        error={retry.error}
      >
        <p className="mb-3">{text.retryWords}</p>
        {ledger.unknown > 0 && (
          <CheckField
            label={text.withUnknown}
            hint={text.withUnknownHint}
            checked={withUnknown}
            onChange={({ target }) => setWithUnknown(target.checked)}
          />
        )}
      </ConfirmDialog>
    </>
  );
}

/** Listens for a key while nobody types. */
function useKey(key: string, isOn: boolean, act: () => void) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.closest("input, textarea, select, [contenteditable], [role=dialog]");
      if (isTyping || event.key.toLowerCase() !== key) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      act();
    };
    if (!isOn) return undefined;
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  });
}
