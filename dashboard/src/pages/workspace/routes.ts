import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "../../app/parents.ts";

const projectsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./projects-page.tsx"), "ProjectsPage"),
});

export const workspaceRoutes = [projectsRoute] as const;
