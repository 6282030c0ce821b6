import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "../../app/parents.ts";
import { auditSearchOf } from "../../parts/audit/audit-search.ts";

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
  validateSearch: auditSearchOf,
  component: lazyRouteComponent(() => import("./audit-page.tsx"), "AuditPage"),
});

export const workspaceRoutes = [projectsRoute, membersRoute, auditRoute] as const;
