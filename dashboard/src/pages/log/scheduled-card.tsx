import { useNavigate } from "@tanstack/react-router";
import { queryClient } from "../../api/query-client.ts";
import { useIsHere } from "../../lib/use-is-here.ts";
import { Card } from "../../ui/card.tsx";
import { lastSearch } from "./last-search.ts";
import type { MailTimeline } from "./mail-timeline.ts";
import { ScheduledForm } from "./scheduled-form.tsx";
import { useLogText } from "./use-log-text.ts";

/** The time of a scheduled mail, on its page. */
export function ScheduledCard({ mail }: { mail: MailTimeline }) {
  const { id, project_id: projectId, sent_at: dueAt } = mail;
  const text = useLogText();
  const navigate = useNavigate();
  const isHere = useIsHere();
  return (
    <Card title={text.scheduled}>
      <ScheduledForm
        kind="email"
        id={id}
        projectId={projectId}
        scheduled_at={dueAt}
        onMoved={() =>
          queryClient.invalidateQueries({ queryKey: ["project", projectId, "mail", id] })
        }
        onCanceled={async () => {
          const search = lastSearch(projectId);
          if (isHere()) await navigate({ to: "/p/$projectId/log", params: { projectId }, search });
        }}
      />
    </Card>
  );
}
