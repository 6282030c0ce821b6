import { Address } from "../../../ui/address.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { TextLink } from "../../../ui/button.tsx";
import { Table } from "../../../ui/table.tsx";
import { When } from "../../../ui/when.tsx";
import type { Run } from "./queries.ts";
import { useReportText } from "./use-report-text.ts";

interface RunsTableProps {
  projectId: string;
  runs: readonly Run[];
  /** What the first column names: the person of each run, or its automation. */
  of: "person" | "automation";
  sayStep: (run: Run) => string;
}

/** Runs, each with its step, how it goes on or has ended, and its emails. */
export function RunsTable({ projectId, runs, of, sayStep }: RunsTableProps) {
  const text = useReportText();
  return (
    <Table
      label={of === "person" ? text.runs : text.personRuns}
      rows={runs}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "of",
          head: text[of],
          cell: (run) =>
            of === "automation" ? (
              <TextLink
                to="/p/$projectId/automations/$automationId"
                params={{ projectId, automationId: run.automation_id }}
              >
                {run.automation_name}
              </TextLink>
            ) : run.email === null ? (
              <span className="text-muted">{text.deletedPerson}</span>
            ) : (
              <TextLink
                to="/p/$projectId/audience/$subscriberId"
                params={{ projectId, subscriberId: run.subscriber_id }}
              >
                <Address>{run.email}</Address>
              </TextLink>
            ),
        },
        {
          key: "step",
          head: text.step,
          cell: (run) => (
            <>
              {run.step === "" ? text.beforeFirst : sayStep(run)}
              <span className="block text-xs text-muted first-letter:uppercase">
                <Status run={run} />
              </span>
            </>
          ),
        },
        {
          key: "mails",
          head: text.emails,
          isMinor: true,
          cell: ({ mails }) => (
            <span className="flex flex-wrap gap-x-2">
              {mails.map(({ at, step, log_id: logId }, index) => {
                const name = text.mailNumber(formatNumber(index + 1));
                return logId === null ? (
                  <span key={at + step}>{name}</span>
                ) : (
                  <TextLink
                    key={at + step}
                    to="/p/$projectId/log/$logId"
                    params={{ projectId, logId }}
                  >
                    {name}
                  </TextLink>
                );
              })}
            </span>
          ),
        },
        {
          key: "entered",
          head: text.enteredAt,
          isMinor: true,
          cell: ({ entered_at }) => <When at={entered_at} />,
        },
      ]}
    />
  );
}

/** How a run has ended, or when it goes on. */
function Status({ run: { outcome, ended_at, due_at } }: { run: Run }) {
  const text = useReportText();
  if (outcome !== null)
    return (
      <>
        {text.reasons[outcome]} <When at={ended_at} />
      </>
    );
  if (due_at === null) return text.waitsForConfirmation;
  return (
    <>
      {text.due} <When at={due_at} />
    </>
  );
}
