import { createRootRoute, createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { PostriderError } from "../api/client.ts";
import { projectQuery } from "../api/projects.ts";
import { queryClient } from "../api/query-client.ts";
import { sessionEnded } from "../api/session-state.ts";
import { meQuery } from "../api/session.ts";
import { rememberProject } from "./last-project.ts";
import { Root } from "./root.tsx";

/** Parent routes of the page areas' routes, which route-tree.ts assembles. */
export const rootRoute = createRootRoute({ component: Root });

/** Every page behind the login. Redirects to the login without a session, and back afterwards. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "in",
  beforeLoad: async ({ location }): Promise<void> => {
    sessionEnded.watch(false);
    try {
      await queryClient.ensureQueryData(meQuery);
    } catch (error) {
      if (!(error instanceof PostriderError) || error.status !== 401) throw error;
      throw redirect({ to: "/login", search: { next: location.href } });
    }
    sessionEnded.watch(true);
  },
  component: lazyRouteComponent(() => import("./layout.tsx"), "Layout"),
});

/** The pages of a workspace. */
export const workspaceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "w/$workspaceId",
});

/** Pages of a project, which `useProject` returns. */
export const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "p/$projectId",
  loader: async ({ params: { projectId } }): Promise<void> => {
    await queryClient.ensureQueryData(projectQuery(projectId));
    rememberProject(projectId);
  },
});
