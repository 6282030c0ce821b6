import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, type Api } from "./client.ts";
import { versioned } from "./versioned.ts";
import { useMe, type Capability, type Workspace } from "./session.ts";

export type Project = Api.Project;

/** A project. Its route waits for it, so an unmounting component must not cancel it. */
export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId],
    queryFn: () => api.projects.get({ projectId }),
    staleTime: 30_000,
  });

/** A project with its version, for an edit form. */
export const projectVersionQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "version"],
    queryFn: ({ signal }) =>
      versioned((onResponse) => api.projects.get({ projectId }, { signal, onResponse })),
  });

/** The projects of all workspaces of the user. */
export const allProjectsQuery = queryOptions({
  queryKey: ["projects"],
  // without a limit the list is complete (API reference §1.4)
  queryFn: ({ signal }) => api.projects.list({ scope: "all" }, { signal }),
});

export const projectsOfWorkspaceQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "projects"],
    // without a limit the list is complete (API reference §1.4)
    queryFn: ({ signal }) => api.workspaces.projects.list({ workspaceId }, { signal }),
  });

const route = getRouteApi("/in/p/$projectId");

/** Returns the project of the page, already loaded by its route. */
export function useProject(): Project {
  const { projectId } = route.useParams();
  return useSuspenseQuery(projectQuery(projectId)).data;
}

/** Returns the workspace of the page's project with the user's role in it. */
export function useProjectWorkspace(): Workspace | undefined {
  const { workspace_id } = useProject();
  return useMe().workspaces.find(({ id }) => id === workspace_id);
}

/** Returns true if the user's role allows an action in the page's project. */
export const useMay = (capability: Capability): boolean =>
  useProjectWorkspace()?.capabilities.includes(capability) ?? false;
