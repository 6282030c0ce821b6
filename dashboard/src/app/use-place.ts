import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { projectQuery, type Project } from "../api/projects.ts";
import { useMe, type Workspace } from "../api/session.ts";

/** The workspace and project of the page, if any. */
export interface Place {
  workspace: Workspace | undefined;
  project: Project | undefined;
}

/** Returns the place from the URL. */
export function usePlace(): Place {
  const { projectId, workspaceId } = useParams({ strict: false });
  const { workspaces } = useMe();
  const { data } = useQuery({ ...projectQuery(projectId ?? ""), enabled: projectId !== undefined });
  const project = projectId === undefined ? undefined : data;
  const id = project?.workspace_id ?? workspaceId ?? workspaces[0]?.id;
  return { workspace: workspaces.find((one) => one.id === id), project };
}
