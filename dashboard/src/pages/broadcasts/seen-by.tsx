import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { segmentsQuery } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorWords } from "../../ui/error-words.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { MailFrame } from "../templates/preview/mail-frame.tsx";
import { audienceCondition } from "./audience-condition.ts";
import { variablesOfMail, type Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

const PEOPLE = 3;

/** The mail of a draft as three real subscribers will see it, rendered by the service. */
export function SeenBy({ draft }: { draft: Broadcast }) {
  const text = useBroadcastsText();
  const { project_id: projectId, template_id: templateId } = draft;
  const [isOpen, setOpen] = useState(false);
  const template = useQuery({
    queryKey: ["project", projectId, "templates", "body", templateId],
    queryFn: ({ signal }) =>
      api.projects.templates.get({ projectId, templateId: templateId ?? "" }, { signal }),
    enabled: isOpen && templateId !== null,
  });
  const segments = useQuery({ ...segmentsQuery(projectId), enabled: isOpen });
  const where = segments.data && audienceCondition(draft, segments.data.segments);
  const people = useQuery({
    queryKey: ["project", projectId, "subscribers", "sample", where],
    queryFn: ({ signal }) =>
      api.projects.segments.preview({ projectId, body: { where: where ?? "" } }, { signal }),
    enabled: where !== undefined,
  });
  const html = templateId === null ? draft.html_body : template.data?.html_body;
  const error = template.error ?? segments.error ?? people.error;
  return (
    <Card
      title={text.seenBy}
      actions={!isOpen && <Button onClick={() => setOpen(true)}>{text.show}</Button>}
    >
      {!isOpen && <p className="text-muted">{text.seenByWords}</p>}
      {isOpen && !error && (template.isLoading || people.isPending) && <Skeleton lines={6} />}
      {error && <ErrorWords error={error} />}
      {people.data?.sample.length === 0 && <p>{text.nobodyToShow}</p>}
      {isOpen && !error && !template.isLoading && !html && <p>{text.nothingToShow}</p>}
      {isOpen && draft.resend && <p className="mb-3 text-sm">{text.seenByResend}</p>}
      {html && (
        <ul className="grid gap-4 lg:grid-cols-3">
          {people.data?.sample.slice(0, PEOPLE).map(({ id, email }) => (
            <li key={id}>
              <p className="truncate text-sm font-medium">{email}</p>
              <SubjectOf draft={draft} subscriberId={id} />
              <MailFrame
                projectId={projectId}
                title={text.mailOf(email)}
                fields={{
                  html_body: html,
                  subscriber_id: id,
                  data: { broadcast: variablesOfMail(draft) },
                }}
                className="h-96 w-full"
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The subject of a draft with the data of one person. */
function SubjectOf({ draft, subscriberId }: { draft: Broadcast; subscriberId: string }) {
  const text = useBroadcastsText();
  const { project_id: projectId, subject } = draft;
  const body = {
    subject,
    html_body: "",
    subscriber_id: subscriberId,
    data: { broadcast: variablesOfMail(draft) },
  };
  const { data, error } = useQuery({
    queryKey: ["project", projectId, "preview", body],
    queryFn: ({ signal }) => api.projects.templates.preview({ projectId, body }, { signal }),
  });
  return (
    <p className="mb-1 truncate text-sm text-muted">
      {text.subject}: {error ? error.message : data && (data.subject || text.noSubject)}
    </p>
  );
}
