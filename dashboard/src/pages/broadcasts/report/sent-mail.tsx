import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../api/projects.ts";
import { formatPercent } from "../../../lib/format.ts";
import { Card } from "../../../ui/card.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { MailFrame } from "../../templates/preview/mail-frame.tsx";
import { AudienceNames } from "../audience-names.tsx";
import { readable, variablesOfMail, type Broadcast, type DeliveryReport } from "../states.ts";
import { useBroadcastsText } from "../use-broadcasts-text.ts";
import { labelLinks } from "./click-labels.ts";
import { shareOf } from "./rates.ts";
import { useReportText } from "./use-report-text.ts";

interface SentMailProps {
  broadcast: Broadcast;
  report: DeliveryReport;
}

/** Facts with their names. */
const named = (facts: [name: string, value: ReactNode][]) => facts;

/** The mail that was sent, as one recipient got it, with the clicks on each link. */
export function SentMail({ broadcast, report }: SentMailProps) {
  const text = useReportText();
  const words = useBroadcastsText();
  const { id: broadcastId, project_id: projectId } = broadcast;
  const project = useProject();
  const from_email = project.from_email ?? "";
  const from_name = broadcast.from_name ?? project.from_name;
  const mail = useQuery({
    queryKey: ["project", projectId, "broadcasts", broadcastId, "mail", broadcast.subject],
    queryFn: ({ signal }) => readMail(broadcast, signal),
    staleTime: Number.POSITIVE_INFINITY, // fixed at the start, until a winner changes the subject
  });
  const all = report.links.reduce((sum, { clicked_human }) => sum + clicked_human, 0);
  const labelOf = ({ clicked_human: clicks }: DeliveryReport["links"][number]) =>
    text.clicksOnLink(clicks, formatPercent(shareOf(clicks, all) ?? 0));
  return (
    <Card title={text.mail}>
      <Loaded query={mail} lines={12}>
        {({ variant, subject, html_body: html }) => (
          <>
            <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
              {named([
                [words.subject, subject],
                [text.from, from_name ? `${from_name} <${from_email}>` : from_email],
                [words.audience, <AudienceNames key="names" broadcast={broadcast} />],
                [text.variant, variant],
              ]).map(
                ([name, value]) =>
                  value && (
                    <div key={name} className="contents">
                      <dt className="text-muted">{name}</dt>
                      <dd className="min-w-0 break-words">{value}</dd>
                    </div>
                  ),
              )}
            </dl>
            {report.links.length > 0 && (
              <p className="mb-3 text-sm text-muted">{text.clicksHint}</p>
            )}
            {html ? (
              <MailFrame
                projectId={projectId}
                title={text.mailFrame}
                fields={{ html_body: labelLinks(html, report.links, labelOf), data: {} }}
                className="h-128 w-full rounded border border-line"
              />
            ) : (
              <p>{text.noHtml}</p>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** Reads the content of a broadcast, rendered with the data of one of its recipients. */
async function readMail(broadcast: Broadcast, signal: AbortSignal) {
  const { id: broadcastId, project_id: projectId } = broadcast;
  const [content, { recipients }] = await Promise.all([
    api.projects.broadcasts.content({ projectId, broadcastId }, { signal }),
    api.projects.broadcasts.recipients({ projectId, broadcastId, limit: 1 }, { signal }),
  ]);
  const { variant, subject, html_body } = content;
  const [reader] = recipients;
  const body = {
    subject,
    html_body,
    data: { broadcast: variablesOfMail(broadcast) },
    ...(reader && { subscriber_id: reader.subscriber_id }),
  };
  const seen = await api.projects.templates.preview({ projectId, body }, { signal });
  return {
    variant,
    subject: seen.subject ?? readable(subject),
    html_body: html_body === "" ? null : seen.html_body,
  };
}
