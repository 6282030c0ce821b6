import { useQuery } from "@tanstack/react-query";
import { segmentsQuery } from "../../../api/audience.ts";
import { api } from "../../../api/client.ts";
import { Address } from "../../../ui/address.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorWords, sayError } from "../../../ui/error-words.tsx";
import { MailFrame } from "../../templates/preview/mail-frame.tsx";
import { audiencePreview } from "./audience-preview.ts";
import { variablesOfMail, type Broadcast } from "../states.ts";
import { useMailOf } from "../use-mail-of.ts";
import { useBroadcastsText } from "../use-broadcasts-text.ts";
import { usePreflightText } from "./use-preflight-text.ts";

const PEOPLE = 3;
const COLUMNS = "grid gap-4 lg:grid-cols-3";

/**
 * The mail of a draft as three real subscribers will see it, rendered by the service. For an A/B
 * test, the first variant.
 */
export function SeenBy({ draft }: { draft: Broadcast }) {
  const text = usePreflightText();
  const { project_id: projectId } = draft;
  const variant = draft.ab?.variants[0];
  const templateId = variant?.template_id ?? draft.template_id;
  const template = useMailOf({
    templateId,
    subject: variant?.subject || draft.own_subject || "",
    previewText: draft.preview_text ?? "",
    html: draft.html_body,
    text: draft.text_body,
  });
  const segments = useQuery(segmentsQuery(projectId));
  const body = segments.data && audiencePreview(draft, segments.data.segments);
  const people = useQuery({
    queryKey: ["project", projectId, "subscribers", "sample", body],
    queryFn: ({ signal }) =>
      api.projects.segments.preview({ projectId, body: body ?? { where: "" } }, { signal }),
    enabled: body !== undefined,
  });
  const { html_body: html, ...inbox } = template.mail;
  const error = template.error ?? segments.error ?? people.error;
  return (
    <Card title={text.seenBy}>
      {!error && (template.isLoading || people.isPending) && <SeenBySkeleton />}
      {error && <ErrorWords error={error} />}
      {people.data?.sample.length === 0 && <p>{text.nobodyToShow}</p>}
      {!error && !template.isLoading && !html && <p>{text.nothingToShow}</p>}
      {draft.resend && <p className="mb-3 text-sm">{text.seenByResend}</p>}
      {html && variant && <p className="mb-3 text-sm">{text.seenByVariant}</p>}
      {html && (
        <ul className={COLUMNS}>
          {people.data?.sample.slice(0, PEOPLE).map(({ id, email }) => (
            <li key={id} className="min-w-0">
              <p className="truncate text-sm font-medium">
                <Address>{email}</Address>
              </p>
              <SubjectOf draft={draft} {...inbox} subscriberId={id} />
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

/**
 * Gray placeholders as high as the mails, so that the button below does not move under the pointer.
 */
const SeenBySkeleton = () => (
  <div data-skeleton className={`${COLUMNS} animate-pulse`}>
    {Array.from({ length: PEOPLE }, (_, at) => (
      <div key={at} className="h-107 rounded bg-sunken" />
    ))}
  </div>
);

interface SubjectOfProps {
  draft: Broadcast;
  subject: string;
  preheader: string;
  subscriberId: string;
}

/** The subject of a draft and its preview text, with one subscriber's data. */
function SubjectOf({ draft, subject, preheader, subscriberId }: SubjectOfProps) {
  const text = useBroadcastsText();
  const { project_id: projectId } = draft;
  const body = {
    subject,
    preheader,
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
      {text.subject}: {error ? sayError(error) : data && (data.subject || text.noSubject)}
      {data?.preheader && ` – ${data.preheader}`}
    </p>
  );
}
