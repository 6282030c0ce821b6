import { CircleCheck, Circle } from "../../ui/icons.tsx";
import { useProject } from "../../api/projects.ts";
import { Card } from "../../ui/card.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { useOverviewText } from "./use-overview-text.ts";

/** Checklist to the first opened mail: what is done, and what is next. */
export function Checklist({ stats }: { stats: { sent: number; opened: number } }) {
  const text = useOverviewText();
  const { id: projectId, smtp_host } = useProject();
  const { steps: words } = text;
  const steps = [
    {
      title: words.server,
      detail: words.serverWords,
      action: text.setServer,
      isDone: smtp_host !== null,
    },
    {
      title: words.mail,
      detail: words.mailWords,
      action: text.toFirstSteps,
      isDone: stats.sent > 0,
    },
    {
      title: words.open,
      detail: words.openWords,
      action: text.toFirstSteps,
      isDone: stats.opened > 0,
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Card title={text.checklistTitle}>
      <ol className="flex flex-col gap-3">
        {steps.map(({ title, detail, action, isDone }, index) => (
          <li key={title} className="flex gap-3">
            {isDone ? (
              <CircleCheck aria-label={text.done} className="mt-0.5 size-5 shrink-0 text-good" />
            ) : (
              <Circle aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
            )}
            <div>
              <p className="font-medium">{title}</p>
              <p className="text-sm text-muted">{detail}</p>
              {index === next && (
                <LinkButton
                  to="/p/$projectId/start"
                  params={{ projectId }}
                  look="primary"
                  className="mt-2"
                >
                  {action}
                </LinkButton>
              )}
            </div>
          </li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap items-center gap-2 border-t border-line pt-4">
        <p className="text-sm text-muted">{text.forLists}</p>
        <LinkButton to="/p/$projectId/audience/import" params={{ projectId }}>
          {text.importContacts}
        </LinkButton>
        <LinkButton to="/p/$projectId/settings/brand" params={{ projectId }}>
          {text.setBrand}
        </LinkButton>
      </div>
    </Card>
  );
}
