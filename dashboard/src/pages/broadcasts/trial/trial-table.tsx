import { formatNumber, formatPercent } from "../../../lib/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button, TextLink } from "../../../ui/button.tsx";
import { useMayNot } from "../../../ui/not-allowed.tsx";
import { Table } from "../../../ui/table.tsx";
import type { Broadcast, Trial, TrialVariant } from "../states.ts";
import { useTrialText } from "./use-trial-text.ts";

interface TrialTableProps {
  broadcast: Broadcast;
  trial: Trial;
  /** Makes a variant the winner; undefined if there is nothing left to choose. */
  onChoose: ((variant: TrialVariant) => void) | undefined;
}

/** Variants of an A/B test with their results; the number of mails links to them. */
export function TrialTable({ broadcast, trial, onChoose }: TrialTableProps) {
  const text = useTrialText();
  const { id: broadcastId, project_id: projectId } = broadcast;
  const mayNot = useMayNot("send:broadcast");
  const listOf = (variant: string) => ({
    to: "/p/$projectId/log" as const,
    params: { projectId },
    search: {
      broadcast_id: broadcastId,
      status: "sent" as const,
      tag: "variant",
      tag_value: variant,
    },
  });
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
            <TextLink {...listOf(variant)} aria-label={text.mailsOf(variant, mailed)}>
              {formatNumber(mailed)}
            </TextLink>
          ),
        },
        ...(["opened_human", "clicked_human"] as const).map((name) => ({
          key: name,
          head: text.trialCounts[name],
          isNumber: true,
          cell: ({ mailed, [name]: count }: TrialVariant) => {
            if (mailed === 0) return formatNumber(count);
            return `${formatNumber(count)} (${formatPercent((100 * count) / mailed)})`;
          },
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
