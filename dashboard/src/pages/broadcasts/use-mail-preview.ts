import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects.ts";
import { usePreview } from "../templates/preview/use-preview.ts";
import { peopleQuery } from "../templates/queries.ts";

type Rendered = Parameters<typeof usePreview>[1];

/** Renders a mail for the newest person; `data` are the variables that it adds to theirs. */
export function useMailPreview(mail: Rendered, data: Record<string, unknown>) {
  const { id: projectId } = useProject();
  const people = useQuery(peopleQuery(projectId, ""));
  const person = people.data?.subscribers[0];
  return usePreview(projectId, mail, {
    ...(person ? { subscriber_id: person.id } : {}),
    data,
  });
}
