import { useQuery } from "@tanstack/react-query";
import { Button, TextLink } from "../../ui/button.tsx";
import { templatesQuery } from "../templates/queries.ts";
import type { Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** The parts of the form that problems lead to. */
export const PLACE_IDS = { audience: "draft-audience", content: "draft-content" };

interface ProblemPlaceProps {
  place: "audience" | "broadcast" | "content" | "sender" | "server" | "service";
  draft: Broadcast;
}

/** The way to where a problem is mended: a page, or a field of this one. */
export function ProblemPlace({ place, draft }: ProblemPlaceProps) {
  const text = useBroadcastsText();
  const { project_id: projectId } = draft;
  switch (place) {
    case "server":
    case "sender":
      return (
        <TextLink to="/p/$projectId/settings/sending" params={{ projectId }}>
          {text.openSettings}
        </TextLink>
      );
    case "broadcast":
      return (
        <TextLink to="/p/$projectId/broadcasts" params={{ projectId }}>
          {text.back}
        </TextLink>
      );
    case "service":
      return (
        <TextLink to="/p/$projectId" params={{ projectId }}>
          {text.openHealth}
        </TextLink>
      );
    case "audience":
      return <Button onClick={() => goTo(PLACE_IDS.audience)}>{text.goToAudience}</Button>;
    case "content":
      return <ContentPlaces draft={draft} />;
  }
}

/** The HTML of a draft or its template, and the templates of its variants. */
function ContentPlaces({ draft }: { draft: Broadcast }) {
  const text = useBroadcastsText();
  const { project_id: projectId, template_id, ab } = draft;
  const templates = useQuery(templatesQuery(projectId));
  const ids = [template_id, ...(ab?.variants ?? []).map((variant) => variant.template_id)];
  const used = [...new Set(ids.filter((id) => typeof id === "string"))];
  const nameOf = (id: string) => templates.data?.find((one) => one.id === id)?.name;
  return (
    <>
      {template_id === null && (
        <Button onClick={() => goTo(PLACE_IDS.content)}>{text.goToHtml}</Button>
      )}
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

/** Scrolls to a part of the form, and puts the cursor into its first field. */
function goTo(id: string): void {
  const place = document.getElementById(id);
  place?.scrollIntoView({ block: "start" });
  place?.querySelector<HTMLElement>("input, select, textarea")?.focus({ preventScroll: true });
}
