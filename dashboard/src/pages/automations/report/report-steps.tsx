import { RUN_OUTCOMES } from "../../../../../src/lib/run-outcomes.ts";
import { Link } from "@tanstack/react-router";
import { formatNumber } from "../../../lib/format.ts";
import { Table } from "../../../ui/table.tsx";
import { MailLine } from "./mail-line.tsx";
import type { ReportVersion, StepReport } from "./queries.ts";
import { useReportText } from "./use-report-text.ts";

interface ReportStepsProps {
  projectId: string;
  automationId: string;
  version: ReportVersion;
  nameOf: (step: StepReport) => string;
}

/** The steps of a version: who is at each, went on and left, and what its emails did. */
export function ReportSteps({ projectId, automationId, version, nameOf }: ReportStepsProps) {
  const text = useReportText();
  return (
    <Table
      label={text.steps}
      rows={version.steps}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "step",
          head: text.step,
          cell: (step) => (
            <>
              {nameOf(step)}
              {step.mails && (
                <span className="mt-0.5 block text-xs text-muted">
                  <MailLine
                    projectId={projectId}
                    automationId={automationId}
                    step={step.id}
                    mails={step.mails}
                  />
                </span>
              )}
            </>
          ),
        },
        {
          key: "now",
          head: text.now,
          isNumber: true,
          cell: ({ id: step, now }) =>
            now === 0 ? (
              <span className="text-muted">0</span>
            ) : (
              <Link
                to="/p/$projectId/automations/$automationId"
                params={{ projectId, automationId }}
                search={{ view: "report", step }}
                hash="runs"
                resetScroll={false}
                className="underline decoration-line underline-offset-4 hover:decoration-ink"
              >
                {formatNumber(now)}
              </Link>
            ),
        },
        {
          key: "passed",
          head: text.passed,
          isNumber: true,
          isMinor: true,
          cell: ({ passed }) => formatNumber(passed),
        },
        {
          key: "left",
          head: text.left,
          isNumber: true,
          cell: (step) => <Left step={step} />,
        },
      ]}
    />
  );
}

/** How many left the automation at a step, and why. */
function Left({ step }: { step: StepReport }) {
  const { reasons } = useReportText();
  const left = RUN_OUTCOMES.filter((outcome) => step[outcome] > 0);
  return (
    <>
      {formatNumber(left.reduce((sum, outcome) => sum + step[outcome], 0))}
      {left.map((outcome) => (
        <span key={outcome} className="block text-xs text-muted">
          {formatNumber(step[outcome])} {reasons[outcome]}
        </span>
      ))}
    </>
  );
}
