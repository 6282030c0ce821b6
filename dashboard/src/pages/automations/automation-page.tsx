import "../../parts/segments/conditions.de.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { PageSkeleton } from "../../ui/skeleton.tsx";
import { AutomationEditor } from "./automation-editor.tsx";
import { automationQuery, POLL_MS } from "./queries.ts";

const route = getRouteApi("/in/p/$projectId/automations/$automationId");

/** An automation: its editor, its rehearsal and its report. */
export function AutomationPage() {
  const { projectId, automationId } = route.useParams();
  const { data, error } = useQuery({
    ...automationQuery(projectId, automationId),
    refetchInterval: ({ state }) => (state.data?.value.state === "active" ? POLL_MS : false),
  });
  if (data) return <AutomationEditor key={automationId} newest={data} />;
  if (error) throw error; // handled by the route's error page
  return <PageSkeleton />;
}
