import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { keepWithin } from "../../../api/keep-within.ts";
import { TextLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Pager } from "../../../ui/table.tsx";
import { POLL_MS } from "../queries.ts";
import type { Run } from "./queries.ts";
import { RunsTable } from "./runs-table.tsx";
import { useReportText } from "./use-report-text.ts";

const ROWS = 50;
type State = Run["state"];

interface AutomationRunsProps {
  projectId: string;
  automationId: string;
  isActive: boolean;
  /** The step whose runs are listed; undefined for all. */
  step: string | undefined;
  stepName: string | undefined;
  sayStep: (run: Run) => string;
}

/** The runs of an automation, newest first: all, those inside, or those that have ended. */
export function AutomationRuns(props: AutomationRunsProps) {
  const { projectId, automationId, isActive, step, stepName, sayStep } = props;
  const text = useReportText();
  const [state, setState] = useState<State | "all">(step === undefined ? "all" : "inside");
  const [after, setAfter] = useState<string>();
  const filters = { ...(state !== "all" && { state }), ...(step !== undefined && { step }) };
  const queryKey = ["project", projectId, "automations", automationId, "runs", filters, after];
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api.projects.automations.runs(
        { projectId, automationId, limit: ROWS, ...filters, ...(after !== undefined && { after }) },
        { signal },
      ),
    refetchInterval: isActive ? POLL_MS : false,
    placeholderData: keepWithin(queryKey),
  });
  const states = (["all", "inside", "ended"] as const).map(
    (one) => [one, text.states[one]] as const,
  );
  return (
    <div id="runs">
      <Card
        title={stepName === undefined ? text.runs : text.runsAt(stepName)}
        actions={
          <Segments
            label={text.status}
            choices={states}
            chosen={state}
            onChoose={(one) => {
              setState(one);
              setAfter(undefined);
            }}
          />
        }
      >
        {step !== undefined && (
          <p className="mb-3 text-sm">
            <TextLink
              to="/p/$projectId/automations/$automationId"
              params={{ projectId, automationId }}
              search={{ view: "report" }}
              resetScroll={false}
            >
              {text.allSteps}
            </TextLink>
          </p>
        )}
        <Loaded query={list} lines={6}>
          {({ runs, next }) => (
            <>
              {runs.length > 0 ? (
                <RunsTable projectId={projectId} runs={runs} of="person" sayStep={sayStep} />
              ) : (
                <p className="text-sm text-muted">{next ? text.moreBelow : text.noRunsWords}</p>
              )}
              <div className="mt-3">
                <Pager after={after} next={next} onGo={setAfter} />
              </div>
            </>
          )}
        </Loaded>
      </Card>
    </div>
  );
}
