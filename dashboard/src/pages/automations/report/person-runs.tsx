import { useQuery } from "@tanstack/react-query";
import { stepNamed } from "../../../../../src/lib/automation-steps.ts";
import { api } from "../../../api/client.ts";
import { Card } from "../../../ui/card.tsx";
import { automationsQuery } from "../queries.ts";
import { editedOf } from "../edit/edited.ts";
import { useWords } from "../words/use-words.ts";
import { RunsTable } from "./runs-table.tsx";
import { useReportText } from "./use-report-text.ts";
import type { Run } from "./queries.ts";

const ROWS = 20;

interface PersonRunsProps {
  projectId: string;
  subscriberId: string;
}

/** The newest runs of a person; nothing for somebody without any. */
export function PersonRuns({ projectId, subscriberId }: PersonRunsProps) {
  const { data } = useQuery({
    queryKey: ["project", projectId, "subscribers", subscriberId, "runs"],
    queryFn: ({ signal }) =>
      api.projects.subscribers.runs({ projectId, subscriberId, limit: ROWS }, { signal }),
  });
  if (!data || data.runs.length === 0) return null;
  return <RunsWithSteps projectId={projectId} runs={data.runs} />;
}

function RunsWithSteps({ projectId, runs }: { projectId: string; runs: readonly Run[] }) {
  const text = useReportText();
  const { sayStep } = useWords(projectId);
  const list = useQuery(automationsQuery(projectId)).data?.automations;
  const nameOf = ({ automation_id, version, step: id }: Run) => {
    const automation = list?.find((one) => one.id === automation_id && one.version === version);
    const step = automation && stepNamed(editedOf(automation), id);
    return step ? sayStep(step) : id;
  };
  return (
    <Card title={text.personRuns}>
      <RunsTable projectId={projectId} runs={runs} of="automation" sayStep={nameOf} />
    </Card>
  );
}
