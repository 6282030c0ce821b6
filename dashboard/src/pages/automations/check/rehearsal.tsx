import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../../api/projects.ts";
import { formatNumber } from "../../../lib/format.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { editedOf } from "../edit/edited.ts";
import type { AutomationEdit } from "../edit/use-automation-edit.ts";
import { rehearsalQuery, type Rehearsed } from "../queries.ts";
import { MailDays } from "./mail-days.tsx";
import { Problems } from "./problems.tsx";
import { StartCard } from "./start-card.tsx";
import { StepFlow } from "./step-flow.tsx";
import { useCheckText } from "./use-check-text.ts";
import { WalkPerson } from "./walk-person.tsx";

/** What an automation would do with the people of today, and its start. */
export function Rehearsal({ edit }: { edit: AutomationEdit }) {
  const text = useCheckText();
  const { id: projectId } = useProject();
  const { base, version, isChanged } = edit;
  const definition = editedOf(base);
  const isDraft = base.state === "draft";
  const rehearsal = useQuery({
    ...rehearsalQuery(projectId, base.id, version),
    enabled: !(isDraft && isChanged),
  });
  const { data, dataUpdatedAt, error, isFetching, refetch } = rehearsal;
  return (
    <>
      {isChanged && <Notice>{isDraft ? text.waitsForSave : text.withoutChanges}</Notice>}
      {isDraft && (
        <StartCard automation={base} version={version} found={isFetching ? undefined : data} />
      )}
      <Card
        title={text.title}
        actions={
          <Button isBusy={isFetching} onClick={() => void refetch()}>
            {text.again}
          </Button>
        }
      >
        <p className="mb-4 max-w-prose text-sm text-muted">{text.lead}</p>
        {rehearsal.isLoading && <Skeleton lines={6} />}
        {error && <ErrorWords error={error} onRetry={() => void refetch()} />}
        {data && (
          <div className="flex flex-col gap-6">
            <Figures found={data} />
            <Problems definition={definition} problems={data.problems} />
          </div>
        )}
      </Card>
      {data && data.people > 0 && (
        <div className="grid gap-6 lg:grid-cols-[3fr_2fr]">
          <Card title={text.steps}>
            <StepFlow definition={definition} found={data} />
          </Card>
          <Card title={text.byDay}>
            <MailDays days={data.mails_by_day} from={dataUpdatedAt} />
          </Card>
        </div>
      )}
      <Card title={text.onePerson}>
        <WalkPerson automation={base} version={version} />
      </Card>
    </>
  );
}

function Figures({ found }: { found: Rehearsed }) {
  const text = useCheckText();
  const { people, looked_at, mails, most_mails, cost_usd } = found;
  const cost = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });
  const figures = [
    [text.people, formatNumber(people)],
    [text.mails, formatNumber(mails)],
    [text.mostMails, formatNumber(most_mails)],
    [text.cost, cost.format(cost_usd)],
  ] as const;
  return (
    <div>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="text-xl font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      {looked_at < people && (
        <p className="mt-2 text-sm text-muted">{text.sample(formatNumber(looked_at))}</p>
      )}
    </div>
  );
}
