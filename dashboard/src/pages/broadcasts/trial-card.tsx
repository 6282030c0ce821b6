import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { formatExact, formatNumber } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table } from "../../ui/table.tsx";
import { isRunning, POLL_MS, type Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** The result of an A/B trial in plain words, and the choice by hand. */
export function TrialCard({ broadcast }: { broadcast: Broadcast }) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId, state } = broadcast;
  const mayNot = useMayNot("send:broadcast");
  const key = ["project", projectId, "broadcasts", broadcastId, "trial"];
  const trial = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.projects.broadcasts.trial({ projectId, broadcastId }, { signal }),
    refetchInterval: isRunning(state) ? POLL_MS : false,
  });
  const choose = useMutation({
    mutationFn: (variant: "A" | "B" | "C" | "D" | "E") =>
      api.projects.broadcasts.chooseWinner({ projectId, broadcastId, body: { variant } }),
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] }),
  });
  const { winner, decides_at, summary, variants = [] } = trial.data ?? {};
  return (
    <Card title={text.trial}>
      {trial.isPending && <Skeleton lines={3} />}
      {trial.error && <ErrorWords error={trial.error} onRetry={() => void trial.refetch()} />}
      {choose.error && <ErrorWords error={choose.error} />}
      {summary && <p className="mb-3">{summary}</p>}
      {decides_at && !winner && (
        <p className="mb-3 text-sm text-muted">{text.decidesAt(formatExact(decides_at))}</p>
      )}
      {variants.length > 0 && (
        <Table
          label={text.trial}
          rows={variants}
          keyOf={({ variant }) => variant}
          columns={[
            {
              key: "variant",
              head: text.subject,
              cell: ({ variant, subject }) => (
                <>
                  <strong>{variant}</strong> {subject}{" "}
                  {winner === variant && <Badge tone="good">{text.winner}</Badge>}
                </>
              ),
            },
            ...(["mailed", "opened_human", "clicked_human"] as const).map((name) => ({
              key: name,
              head: text.trialCounts[name],
              isNumber: true,
              cell: (row: (typeof variants)[number]) => formatNumber(row[name]),
            })),
            {
              key: "choose",
              head: <span className="sr-only">{text.choose}</span>,
              cell: ({ variant }) =>
                winner ? null : (
                  <Button
                    look="quiet"
                    offBecause={mayNot}
                    isBusy={choose.isPending}
                    onClick={() => choose.mutate(variant as "A")}
                  >
                    {text.choose}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}
