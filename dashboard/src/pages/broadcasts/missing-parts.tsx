import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { peopleQuery } from "../templates/queries.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Links to what a first broadcast still needs: a template, and subscribers. */
export function MissingParts({ hasTemplates }: { hasTemplates: boolean }) {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const people = useQuery(peopleQuery(projectId, ""));
  return (
    <>
      {!hasTemplates && (
        <Notice>
          <p className="mb-2">{text.noTemplates}</p>
          <LinkButton to="/p/$projectId/templates" params={{ projectId }}>
            {text.makeTemplate}
          </LinkButton>
        </Notice>
      )}
      {people.data?.subscribers.length === 0 && (
        <Notice>
          <p className="mb-2">{text.noSubscribers}</p>
          <LinkButton to="/p/$projectId/audience/import" params={{ projectId }}>
            {text.importList}
          </LinkButton>
        </Notice>
      )}
    </>
  );
}
