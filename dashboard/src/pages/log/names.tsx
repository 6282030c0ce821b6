import { useQuery } from "@tanstack/react-query";
import { automationsQuery } from "../automations/queries.ts";
import { broadcastQuery } from "../broadcasts/queries.ts";
import { nameOf } from "../broadcasts/states.ts";
import { templatesQuery } from "../templates/queries.ts";

interface NameProps {
  projectId: string;
  id: string;
}

/** The name of a template, or its id if it was deleted. */
export function TemplateName({ projectId, id }: NameProps) {
  const { data } = useQuery(templatesQuery(projectId));
  return data?.find((template) => template.id === id)?.name ?? id;
}

/** The name of a broadcast, or its id if it was deleted. */
export function BroadcastName({ projectId, id }: NameProps) {
  const { data } = useQuery(broadcastQuery(projectId, id));
  return data ? nameOf(data.broadcast) : id;
}

/** The name of an automation, or its id if it was deleted. */
export function AutomationName({ projectId, id }: NameProps) {
  const { data } = useQuery(automationsQuery(projectId));
  return data?.automations.find((automation) => automation.id === id)?.name ?? id;
}
