import { TextLink } from "../../ui/button.tsx";
import type { Broadcast } from "./states.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

interface ProblemPlaceProps {
  place: "audience" | "broadcast" | "content" | "sender" | "server" | "service";
  draft: Broadcast;
}

/** The link to the page where a problem is mended; a part of this page has none. */
export function ProblemPlace({ place, draft }: ProblemPlaceProps) {
  const text = useBroadcastsText();
  const { project_id: projectId, template_id: templateId } = draft;
  if (place === "server" || place === "sender")
    return (
      <TextLink to="/p/$projectId/settings/sending" params={{ projectId }}>
        {text.openSettings}
      </TextLink>
    );
  if (place === "content" && templateId !== null)
    return (
      <TextLink to="/p/$projectId/templates/$templateId" params={{ projectId, templateId }}>
        {text.openTemplate}
      </TextLink>
    );
  return null;
}
