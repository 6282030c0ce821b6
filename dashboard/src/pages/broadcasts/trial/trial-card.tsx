import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Client } from "../../../api/client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { formatExact } from "../../../lib/format.ts";
import { Card } from "../../../ui/card.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { isRunning, nameOf, POLL_MS, type Broadcast, type TrialVariant } from "../states.ts";
import { TrialTable } from "./trial-table.tsx";
import { useTrialText } from "./use-trial-text.ts";

type Letter = Parameters<Client["projects"]["broadcasts"]["chooseWinner"]>[0]["body"]["variant"];

/** The result of an A/B test in plain language, and the manual choice of a winner. */
export function TrialCard({ broadcast }: { broadcast: Broadcast }) {
  const text = useTrialText();
  const { id: broadcastId, project_id: projectId, state } = broadcast;
  const [chosen, setChosen] = useState<TrialVariant>();
  const trial = useQuery({
    queryKey: ["project", projectId, "broadcasts", broadcastId, "trial"],
    queryFn: ({ signal }) => api.projects.broadcasts.trial({ projectId, broadcastId }, { signal }),
    refetchInterval: isRunning(state) ? POLL_MS : false,
  });
  const choose = useMutation({
    mutationFn: ({ variant, signal }: { variant: string; signal: AbortSignal }) => {
      const body = { variant: variant as Letter }; // the service names variants only A to E
      return api.projects.broadcasts.chooseWinner({ projectId, broadcastId, body }, { signal });
    },
    onSuccess: async () => {
      setChosen(undefined);
      await queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
    },
  });
  const found = trial.data;
  const isOpen = found?.winner === null && (isRunning(state) || state === "paused");
  return (
    <Card title={text.trial}>
      {trial.isPending && <Skeleton lines={3} />}
      {trial.error && <ErrorWords error={trial.error} onRetry={() => void trial.refetch()} />}
      {found && (
        <>
          <p className="mb-1">{text.trialResult(found)}</p>
          {isOpen && (
            <p className="mb-1 text-sm text-muted">
              {found.decides_at
                ? text.decidesAt(formatExact(found.decides_at))
                : broadcast.ab?.by === "manual"
                  ? text.decidesByHand
                  : text.decidesLater}
            </p>
          )}
          <div className="mt-3">
            <TrialTable
              broadcast={broadcast}
              trial={found}
              onChoose={isOpen ? setChosen : undefined}
            />
          </div>
        </>
      )}
      <ConfirmDialog
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        onConfirm={(signal) => chosen && choose.mutate({ variant: chosen.variant, signal })}
        title={text.chooseTitle(chosen?.variant ?? "")}
        action={text.chooseVariant(chosen?.variant ?? "")}
        name={nameOf(broadcast)}
        isBusy={choose.isPending}
        error={choose.error}
      >
        <p className="mb-2">{chosen?.subject}</p>
        <p>{text.chooseWords}</p>
      </ConfirmDialog>
    </Card>
  );
}
