import type { ReactNode } from "react";
import { formatNumber } from "../../lib/format.ts";
import { given } from "../../lib/search-params.ts";
import { TextLink } from "../../ui/button.tsx";
import type { MailTimeline } from "./mail-timeline.ts";
import { BroadcastName, TemplateName } from "./names.tsx";
import { useLogText } from "./use-log-text.ts";

/** Facts about a mail that are not in its timeline. */
export function MailFacts({ mail }: { mail: MailTimeline }) {
  const text = useLogText();
  const { project_id: projectId, template_id, broadcast_id, subscriber_id, tags, copies } = mail;
  const { automation, automation_id, step_id } = mail;
  return (
    <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
      <Fact name={text.id}>
        <code>{mail.id}</code>
      </Fact>
      {mail.server && <Fact name={text.server}>{mail.server}</Fact>}
      {mail.tls && <Fact name={text.encryption}>{text.tls[mail.tls]}</Fact>}
      {mail.queue_id && (
        <Fact name={text.queueId}>
          <code>{mail.queue_id}</code>
        </Fact>
      )}
      {mail.reason && <Fact name={text.reason}>{text.reasons[mail.reason] ?? mail.reason}</Fact>}
      {template_id && (
        <Fact name={text.template}>
          <TextLink
            to="/p/$projectId/templates/$templateId"
            params={{ projectId, templateId: template_id }}
          >
            <TemplateName projectId={projectId} id={template_id} />
          </TextLink>
        </Fact>
      )}
      {broadcast_id && (
        <Fact name={text.broadcast}>
          <TextLink
            to="/p/$projectId/broadcasts/$broadcastId"
            params={{ projectId, broadcastId: broadcast_id }}
          >
            <BroadcastName projectId={projectId} id={broadcast_id} />
          </TextLink>
        </Fact>
      )}
      {automation && automation_id && (
        <Fact name={text.automation}>
          <TextLink
            to="/p/$projectId/automations/$automationId"
            params={{ projectId, automationId: automation_id }}
            search={given({ view: "report" as const, step: step_id ?? undefined })}
          >
            {automation.name ?? text.deletedAutomation}
          </TextLink>{" "}
          {text.stepOfVersion(step_id ?? "", formatNumber(automation.version))}
        </Fact>
      )}
      {subscriber_id && (
        <Fact name={text.subscriber}>
          <TextLink
            to="/p/$projectId/audience/$subscriberId"
            params={{ projectId, subscriberId: subscriber_id }}
          >
            {mail.to_email}
          </TextLink>
        </Fact>
      )}
      {Object.keys(tags).length > 0 && (
        <Fact name={text.tags}>
          {Object.entries(tags).map(([name, value]) => (
            <TextLink
              key={name}
              className="mr-3"
              to="/p/$projectId/log"
              params={{ projectId }}
              search={{ tag: name, tag_value: value }}
            >
              {name}: {value}
            </TextLink>
          ))}
        </Fact>
      )}
      {copies.length > 0 && (
        <Fact name={text.copies}>
          {copies.map(({ email, status, error }) => (
            <span key={email} className="block">
              {email}: {status} {error}
            </span>
          ))}
        </Fact>
      )}
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="break-all">{children}</dd>
  </>
);
