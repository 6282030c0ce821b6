import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { sayMessage } from "../../text/messages.ts";
import { Address } from "../../ui/address.tsx";
import { Button, LinkButton, TextLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useMayNot } from "../../ui/not-allowed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { lastSearch } from "./last-search.ts";
import { MailFacts } from "./mail-facts.tsx";
import { ResendForm } from "./resend-form.tsx";
import { ScheduledCard } from "./scheduled-card.tsx";
import { StatusBadge } from "./status-badge.tsx";
import type { MailTimeline } from "./mail-timeline.ts";
import { Timeline } from "./timeline.tsx";
import { useLogText } from "./use-log-text.ts";

const route = getRouteApi("/in/p/$projectId/log/$logId");

/**
 * A mail younger than this may still get events from its server, its reader or a webhook. A
 * scheduled one is about to be sent.
 */
const YOUNG_MS = 60_000;
const POLL_MS = 5_000;

/** Everything known about one mail, and what to do next. */
export function MailPage() {
  const text = useLogText();
  const { id: projectId } = useProject();
  const { logId } = route.useParams();
  const mail = useQuery({
    queryKey: ["project", projectId, "mail", logId],
    queryFn: ({ signal }) => api.projects.logs.get({ projectId, logId }, { signal }),
    refetchInterval: ({ state }) => {
      const age = state.data ? Date.now() - Date.parse(state.data.sent_at) : 0;
      return Math.abs(age) < YOUNG_MS ? POLL_MS : false;
    },
  });
  return (
    <Page
      shape="groups"
      title={mail.data?.subject || text.noSubject}
      lead={mail.data && <Lead mail={mail.data} />}
      actions={
        <LinkButton to="/p/$projectId/log" params={{ projectId }} search={lastSearch(projectId)}>
          {text.back}
        </LinkButton>
      }
    >
      <Loaded query={mail} lines={6}>
        {(data) => <TimelineOf key={logId} mail={data} />}
      </Loaded>
    </Page>
  );
}

const Lead = ({ mail }: { mail: MailTimeline }) => (
  <>
    <StatusBadge mail={mail} /> <Address>{mail.to_email}</Address>
  </>
);

function TimelineOf({ mail }: { mail: MailTimeline }) {
  const text = useLogText();
  const { project_id: projectId, explanation, suppression, status } = mail;
  const { what_happened, what_to_do, what_to_do_code, ...happened } = explanation;
  const [isResending, setResending] = useState(false);
  const mayNot = useMayNot("send:transactional");
  const isWaiting = status === "scheduled";
  const isGood = isWaiting || (status === "sent" && !mail.bounce && !mail.complaint);
  return (
    <>
      <Card title={text.whatHappened}>
        <Notice tone={isGood ? "good" : "warn"}>
          <p>{sayMessage(text.explanations, { ...happened, message: what_happened })}</p>
          <p className="mt-2">
            <strong>{text.whatToDo}:</strong>{" "}
            {sayMessage(text.explanations, { code: what_to_do_code, message: what_to_do })}
          </p>
        </Notice>
        <div className="mt-3 flex flex-wrap gap-2">
          {status !== "sent" && !isWaiting && (
            <Button offBecause={mayNot} onClick={() => setResending(true)}>
              {text.resend}
            </Button>
          )}
          <LinkButton
            to="/p/$projectId/log"
            params={{ projectId }}
            search={{ to_email: mail.to_email }}
          >
            {text.mailsOf}
          </LinkButton>
        </div>
        {suppression && (
          <p className="mt-3 text-sm">
            {text.onTheList}{" "}
            <TextLink
              to="/p/$projectId/suppressions"
              params={{ projectId }}
              search={{ email: suppression.email }}
            >
              {text.openList}
            </TextLink>
          </p>
        )}
      </Card>
      {isWaiting ? (
        <ScheduledCard mail={mail} />
      ) : (
        <Card title={text.timeline}>
          <Timeline mail={mail} />
        </Card>
      )}
      <Card title={text.facts}>
        <MailFacts mail={mail} />
      </Card>
      <Dialog isOpen={isResending} onClose={() => setResending(false)} title={text.resend}>
        <ResendForm mail={mail} />
      </Dialog>
    </>
  );
}
