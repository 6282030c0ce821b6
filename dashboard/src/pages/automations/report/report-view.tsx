import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { stepNamed } from "../../../../../src/lib/automation-steps.ts";
import { useProject } from "../../../api/projects.ts";
import { formatNumber, formatPercent } from "../../../lib/format.ts";
import { Card } from "../../../ui/card.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { reportQuery, type Automation } from "../queries.ts";
import { editedOf } from "../edit/edited.ts";
import { useWords } from "../words/use-words.ts";
import { AutomationRuns } from "./automation-runs.tsx";
import type { Report, StepReport } from "./queries.ts";
import { ReportSteps } from "./report-steps.tsx";
import { useReportText } from "./use-report-text.ts";

interface ReportViewProps {
  automation: Automation;
  /** The step whose runs are listed; undefined for all. */
  step: string | undefined;
}

/** The report of an automation: people and emails by version and step, and its runs. */
export function ReportView({ automation, step }: ReportViewProps) {
  const { id: projectId } = useProject();
  const { id: automationId, version: newest } = automation;
  const isActive = automation.state === "active";
  const text = useReportText();
  const words = useWords(projectId);
  const definition = editedOf(automation);
  const sayStep = (id: string) => {
    const found = stepNamed(definition, id);
    return found && words.sayStep(found);
  };
  const report = useQuery(reportQuery(projectId, automationId, automation.state));
  const [chosen, choose] = useState<number>();
  // the steps of other versions are named by their type and subject
  const nameIn = (version: number) => (one: StepReport) =>
    (version === newest ? sayStep(one.id) : undefined) ??
    (one.mails ? text.mailTo(one.mails.subject) : (text.types[one.type] ?? one.id));
  return (
    <Loaded query={report} lines={8}>
      {({ totals, versions }) => {
        const version = versions.find((one) => one.version === chosen) ?? versions[0];
        const shown = version?.steps.find(({ id }) => id === step);
        if (!version || totals.entered === 0)
          return <EmptyState title={text.nobodyYet}>{text.nobodyYetWords}</EmptyState>;
        return (
          <>
            <Totals totals={totals} hasGoal={automation.goal !== null || totals.goal > 0} />
            <Card
              title={text.steps}
              actions={
                versions.length > 1 && (
                  <SelectField
                    label={text.version}
                    value={String(version.version)}
                    onChange={({ target }) => choose(Number(target.value))}
                  >
                    {versions.map((one) => (
                      <option key={one.version} value={one.version}>
                        {text.versionName(formatNumber(one.version))} · {text.inside}{" "}
                        {formatNumber(one.inside)}
                      </option>
                    ))}
                  </SelectField>
                )
              }
            >
              {version.moves_on && <p className="mb-3 text-sm text-muted">{text.movesOn}</p>}
              <ReportSteps
                projectId={projectId}
                automationId={automationId}
                version={version}
                nameOf={nameIn(version.version)}
              />
              <p className="mt-3 text-sm text-muted">{text.rateHint}</p>
            </Card>
            <AutomationRuns
              key={step}
              projectId={projectId}
              automationId={automationId}
              isActive={isActive}
              step={step}
              stepName={shown ? nameIn(version.version)(shown) : step}
              sayStep={(run) =>
                (run.version === newest ? sayStep(run.step) : undefined) ?? run.step
              }
            />
          </>
        );
      }}
    </Loaded>
  );
}

/** The people of all versions. */
function Totals({ totals, hasGoal }: Pick<Report, "totals"> & { hasGoal: boolean }) {
  const text = useReportText();
  const { goal_rate: rate } = totals;
  const names = ["entered", "inside", "completed", ...(hasGoal ? ["goal" as const] : [])] as const;
  return (
    <section aria-label={text.people}>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {names.map((name) => (
          <div key={name}>
            <dt className="text-sm text-muted">{text[name]}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{formatNumber(totals[name])}</dd>
            {name === "goal" && rate !== null && (
              <dd className="text-sm">{text.ofPeople(formatPercent(rate * 100))}</dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}
