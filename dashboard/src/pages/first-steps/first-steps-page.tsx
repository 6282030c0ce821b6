import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useProject } from "../../api/projects.ts";
import { ServerForm } from "../../parts/sending-server/server-form.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { RoleNotice } from "../../ui/not-allowed.tsx";
import { Page } from "../../ui/page.tsx";
import { NextSteps } from "./next-steps.tsx";
import { SendCard } from "./send-card.tsx";
import { WatchCard } from "./watch-card.tsx";
import { useStartText } from "./use-start-text.ts";

const route = getRouteApi("/in/p/$projectId/start");

/** Guides from a new project to a first opened mail. */
export function FirstStepsPage() {
  const text = useStartText();
  const { id: projectId } = useProject();
  const { mail } = route.useSearch();
  const navigate = useNavigate();
  const watch = (logId: string) =>
    void navigate({
      to: "/p/$projectId/start",
      params: { projectId },
      search: { mail: logId },
      replace: true,
    });
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <LinkButton to="/p/$projectId" params={{ projectId }}>
          {text.toOverview}
        </LinkButton>
      }
    >
      <RoleNotice capability="projects:write" />
      <ServerCard />
      <SendCard onSent={watch} />
      <WatchCard logId={mail} />
      <NextSteps />
    </Page>
  );
}

function ServerCard() {
  const text = useStartText();
  const { smtp_host } = useProject();
  const [isChanging, setChanging] = useState(smtp_host === null);
  return (
    <Card title={`1. ${text.server}`}>
      {isChanging ? (
        <ServerForm onSaved={() => setChanging(false)} />
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <p>{text.serverDone(smtp_host ?? "")}</p>
          <Button onClick={() => setChanging(true)}>{text.change}</Button>
        </div>
      )}
    </Card>
  );
}
