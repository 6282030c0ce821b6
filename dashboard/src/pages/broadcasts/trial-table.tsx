import { formatNumber, formatPercent } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, TextLink } from "../../ui/button.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Table } from "../../ui/table.tsx";
import type { Broadcast, Trial, TrialVariant } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

interface TrialTableProps {
  broadcast: Broadcast;
  trial: Trial;
  /** Makes a variant the winner; undefined when there is nothing more to choose. */
  onChoose: ((variant: TrialVariant) => void) | undefined;
}

/** The variants of a trial with what people did; the number of mails leads to them. */
export function TrialTable({ broadcast, trial, onChoose }: TrialTableProps) {
  const text = useBroadcastsText();
  const { id: broadcastId, project_id: projectId } = broadcast;
  const mayNot = useMayNot("send:broadcast");
  return (
    <Table
      label={text.trial}
      rows={trial.variants}
      keyOf={({ variant }) => variant}
      columns={[
        {
          key: "variant",
          head: text.subject,
          cell: ({ variant, subject }) => (
            <>
              <strong>{variant}</strong> {subject}{" "}
              {trial.winner === variant && <Badge tone="good">{text.winner}</Badge>}
              {trial.winner === null && trial.leader === variant && (
                <Badge tone="accent">{text.leads}</Badge>
              )}
            </>
          ),
        },
        {
          key: "mailed",
          head: text.trialCounts.mailed,
          isNumber: true,
          cell: ({ variant, mailed }) => (
            <TextLink
              to="/p/$projectId/log"
              params={{ projectId }}
              search={{ broadcast_id: broadcastId, tag: "variant", tag_value: variant }}
              aria-label={text.mailsOf(variant, formatNumber(mailed))}
            >
              {formatNumber(mailed)}
            </TextLink>
          ),
        },
        ...(["opened_human", "clicked_human"] as const).map((name) => ({
          key: name,
          head: text.trialCounts[name],
          isNumber: true,
          cell: ({ mailed, [name]: count }: TrialVariant) =>
            mailed === 0
              ? formatNumber(count)
              : `${formatNumber(count)} (${formatPercent((100 * count) / mailed)})`,
        })),
        ...(onChoose
          ? [
              {
                key: "choose",
                head: <span className="sr-only">{text.choose}</span>,
                cell: (row: TrialVariant) => (
                  <Button
                    look="quiet"
                    offBecause={mayNot}
                    aria-label={text.chooseVariant(row.variant)}
                    onClick={() => onChoose(row)}
                  >
                    {text.choose}
                  </Button>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
