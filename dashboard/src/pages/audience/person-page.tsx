import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Fragment } from "react";
import { useProject } from "../../api/projects.ts";
import { readableDomains } from "../../lib/readable-domain.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { LinkButton, TextLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { PersonRuns } from "../automations/report/person-runs.tsx";
import { PersonConsents } from "./person-consents.tsx";
import { PersonData } from "./person-data.tsx";
import { PersonEvents } from "./person-events.tsx";
import { PersonForm } from "./person-form.tsx";
import { personQuery, type Person } from "./person-query.ts";
import { useAudienceText } from "./use-audience-text.ts";

const route = getRouteApi("/in/p/$projectId/audience/$subscriberId");

/** A subscriber: data, consents, and mails. */
export function PersonPage() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const { subscriberId } = route.useParams();
  const person = useQuery(personQuery(projectId, subscriberId));
  return (
    <Page
      shape="groups"
      title={readableDomains(person.data?.value.email ?? text.person)}
      lead={person.data?.value.name}
      actions={
        <LinkButton to="/p/$projectId/audience" params={{ projectId }}>
          {text.back}
        </LinkButton>
      }
    >
      <Loaded query={person} lines={8}>
        {(data) => (
          // the undo of one subscriber's change must not apply to the next
          <Fragment key={data.value.id}>
            <Suppressed person={data.value} />
            <PersonForm stored={data} />
            <PersonConsents subscriberId={subscriberId} />
            <PersonRuns projectId={projectId} subscriberId={subscriberId} />
            <Mails person={data.value} />
            <PersonEvents subscriberId={subscriberId} />
            <PersonData person={data.value} />
          </Fragment>
        )}
      </Loaded>
    </Page>
  );
}

/** Says that mail to the person is blocked, and why. */
function Suppressed({ person: { suppressed, project_id: projectId } }: { person: Person }) {
  const text = useAudienceText();
  if (suppressed === null) return null;
  return (
    <Notice tone="warn">
      <p>{text.suppressedNotice(text.suppressedBecause[suppressed])}</p>
      <TextLink to="/p/$projectId/suppressions" params={{ projectId }}>
        {text.openSuppressions}
      </TextLink>
    </Notice>
  );
}

function Mails({
  person: { recent_mails: mails, project_id: projectId, email },
}: {
  person: Person;
}) {
  const text = useAudienceText();
  const { statusNames } = useSharedText();
  return (
    <Card
      title={text.mails}
      actions={
        <TextLink to="/p/$projectId/log" params={{ projectId }} search={{ to_email: email }}>
          {text.allMails}
        </TextLink>
      }
    >
      {mails.length === 0 && <p className="text-muted">{text.noMails}</p>}
      {mails.length > 0 && (
        <Table
          label={text.mails}
          rows={mails}
          keyOf={({ id }) => id}
          columns={[
            {
              key: "subject",
              head: text.subject,
              cell: ({ id: logId, subject }) => (
                <TextLink to="/p/$projectId/log/$logId" params={{ projectId, logId }}>
                  {subject || text.noSubject}
                </TextLink>
              ),
            },
            {
              key: "status",
              head: text.outcome,
              cell: ({ status }) => (
                <span className="whitespace-nowrap">{statusNames[status]}</span>
              ),
            },
            {
              key: "at",
              head: text.time,
              isMinor: true,
              cell: ({ sent_at }) => <When at={sent_at} />,
            },
          ]}
        />
      )}
    </Card>
  );
}
