import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, type Api } from "./client.ts";
import { versioned } from "./versioned.ts";
import { useMe, type Capability, type Workspace } from "./session.ts";

export type Project = Api.Project;

/** A project. Its route waits for it, so no component that goes away may cancel it. */
export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId],
    queryFn: () => api.projects.get({ projectId }),
    staleTime: 30_000,
  });

/** A project with its version, for a form that changes it. */
export const projectVersionQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "version"],
    queryFn: ({ signal }) =>
      versioned((onResponse) => api.projects.get({ projectId }, { signal, onResponse })),
  });

export const projectsOfWorkspaceQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "projects"],
    // without a limit the list is whole (API reference §1.4)
    queryFn: ({ signal }) => api.workspaces.projects.list({ workspaceId }, { signal }),
  });

const route = getRouteApi("/in/p/$projectId");

/** Returns the project of the page; its route has loaded it. */
export function useProject(): Project {
  const { projectId } = route.useParams();
  return useSuspenseQuery(projectQuery(projectId)).data;
}

/** Returns the workspace of the page's project with the person's role in it. */
export function useProjectWorkspace(): Workspace | undefined {
  const { workspace_id } = useProject();
  return useMe().workspaces.find(({ id }) => id === workspace_id);
}

/** Tells whether the person's role allows something in the page's project. */
export const useMay = (capability: Capability): boolean =>
  useProjectWorkspace()?.capabilities.includes(capability) ?? false;
