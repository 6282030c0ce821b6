import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api, type Api } from "./client.ts";

/** The signed-in user, their workspaces with roles, and the license. */
export type Me = Api.Me;
export type Workspace = Me["workspaces"][number];
export type Capability = Workspace["capabilities"][number];
export type Feature = Me["license"]["features"][number];
export type Role = Workspace["role"];

/** The session. Routes wait for it, so an unmounting component must not cancel it. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => api.auth.me(),
  staleTime: 60_000,
});

export const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: () => api.auth.setup(),
});

/** Returns the user, already loaded by the route of every page behind the login. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

export const useWorkspace = (workspaceId: string): Workspace | undefined =>
  useMe().workspaces.find(({ id }) => id === workspaceId);

/** Returns true if the license includes a feature. */
export const useHasFeature = (feature: Feature): boolean =>
  useMe().license.features.includes(feature);
