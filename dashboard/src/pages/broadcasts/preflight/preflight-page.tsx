import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useProject } from "../../../api/projects.ts";
import { LinkButton } from "../../../ui/button.tsx";
import { ErrorWords } from "../../../ui/error-words.tsx";
import { RoleNotice } from "../../../ui/not-allowed.tsx";
import { Page } from "../../../ui/page.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { broadcastQuery } from "../queries.ts";
import { nameOf } from "../states.ts";
import { StepNav } from "../step-nav.tsx";
import { useGoToStep } from "../use-go-to-step.ts";
import { useBroadcastsText } from "../use-broadcasts-text.ts";
import { Preflight } from "./preflight.tsx";
import { usePreflightText } from "./use-preflight-text.ts";

const route = getRouteApi("/in/p/$projectId/broadcasts/$broadcastId/preflight");

/** The last page before a broadcast is sent. A started one redirects to its report. */
export function PreflightPage() {
  const text = usePreflightText();
  const { back } = useBroadcastsText();
  const { id: projectId } = useProject();
  const { broadcastId } = route.useParams();
  const navigate = useNavigate();
  const broadcast = useQuery(broadcastQuery(projectId, broadcastId));
  const goTo = useGoToStep(projectId);
  const { data } = broadcast;
  const draft = data?.broadcast.state === "draft" ? data.broadcast : undefined;
  const hasBegun = data !== undefined && draft === undefined;
  useEffect(() => {
    if (!hasBegun) return;
    const params = { projectId, broadcastId };
    void navigate({ to: "/p/$projectId/broadcasts/$broadcastId", params, replace: true });
  }, [hasBegun, navigate, projectId, broadcastId]);
  return (
    <Page
      title={text.title}
      lead={draft && nameOf(draft)}
      actions={
        <LinkButton to="/p/$projectId/broadcasts" params={{ projectId }} search={{ tab: "drafts" }}>
          {back}
        </LinkButton>
      }
    >
      <StepNav current="check" onGo={(step) => goTo(broadcastId, step)} />
      <RoleNotice capability="send:broadcast" />
      {(broadcast.isPending || hasBegun) && <Skeleton lines={6} />}
      {broadcast.error && (
        <ErrorWords error={broadcast.error} onRetry={() => void broadcast.refetch()} />
      )}
      {draft && <Preflight key={draft.id} draft={draft} version={data?.version ?? ""} />}
    </Page>
  );
}
