import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "../../app/parents.ts";
import { given, textParam, type RawSearch } from "../../lib/search-params.ts";

const projectsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./projects-page.tsx"), "ProjectsPage"),
});

const membersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "members",
  component: lazyRouteComponent(() => import("./members-page.tsx"), "MembersPage"),
});

const auditRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "audit",
  validateSearch: (search: RawSearch) =>
    given({ action: textParam(search["action"]), after: textParam(search["after"]) }),
  component: lazyRouteComponent(() => import("./audit-page.tsx"), "AuditPage"),
});

export const workspaceRoutes = [projectsRoute, membersRoute, auditRoute] as const;
