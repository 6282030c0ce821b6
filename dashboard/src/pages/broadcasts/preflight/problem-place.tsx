import { useQuery } from "@tanstack/react-query";
import { TextLink } from "../../../ui/button.tsx";
import { templatesQuery } from "../../templates/queries.ts";
import type { Broadcast } from "../states.ts";
import type { DRAFT_STEPS } from "../steps.ts";
import type { Found } from "./found.ts";
import { usePreflightText } from "./use-preflight-text.ts";

interface ProblemPlaceProps {
  problem: Pick<Found["problems"][number], "code" | "fix_in" | "broadcast_id">;
  draft: Broadcast;
}

/** Link to where a problem is fixed: a page, or a step of the draft. */
export function ProblemPlace({ problem, draft }: ProblemPlaceProps) {
  const text = usePreflightText();
  const { project_id: projectId } = draft;
  const { fix_in: place, broadcast_id: broadcastId } = problem;
  switch (place) {
    case "server":
    case "sender":
      return (
        <TextLink to="/p/$projectId/settings/sending" params={{ projectId }}>
          {text.openSettings}
        </TextLink>
      );
    case "broadcast":
      return broadcastId === undefined ? (
        <StepLink
          draft={draft}
          {...(problem.code === "identical_variants"
            ? { step: "mail", words: text.goToMail }
            : { step: "time", words: text.goToTime })}
        />
      ) : (
        <TextLink to="/p/$projectId/broadcasts/$broadcastId" params={{ projectId, broadcastId }}>
          {text.openOther}
        </TextLink>
      );
    case "service":
      return (
        <TextLink to="/p/$projectId" params={{ projectId }}>
          {text.openHealth}
        </TextLink>
      );
    case "audience":
      return <StepLink draft={draft} step="people" words={text.goToPeople} />;
    case "content":
      return <ContentPlaces draft={draft} />;
  }
}

/** Links to the HTML of a draft or its template, and to the templates of its variants. */
function ContentPlaces({ draft }: { draft: Broadcast }) {
  const text = usePreflightText();
  const { project_id: projectId, template_id, ab } = draft;
  const templates = useQuery(templatesQuery(projectId));
  const ids = [template_id, ...(ab?.variants ?? []).map((variant) => variant.template_id)];
  const used = [...new Set(ids.filter((id) => typeof id === "string"))];
  const nameOf = (id: string) => templates.data?.find((one) => one.id === id)?.name;
  return (
    <>
      {template_id === null && <StepLink draft={draft} step="mail" words={text.goToMail} />}
      {used.map((templateId) => (
        <TextLink
          key={templateId}
          to="/p/$projectId/templates/$templateId"
          params={{ projectId, templateId }}
        >
          {used.length > 1 ? (nameOf(templateId) ?? text.openTemplate) : text.openTemplate}
        </TextLink>
      ))}
    </>
  );
}

interface StepLinkProps {
  draft: Broadcast;
  step: (typeof DRAFT_STEPS)[number];
  words: string;
}

const StepLink = ({ draft: { id, project_id: projectId }, step, words }: StepLinkProps) => (
  <TextLink
    to="/p/$projectId/broadcasts/$broadcastId"
    params={{ projectId, broadcastId: id }}
    search={{ step }}
  >
    {words}
  </TextLink>
);
