import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../app/parents.ts";
import { auditSearchOf } from "../../parts/audit/audit-search.ts";

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "account",
  validateSearch: auditSearchOf,
  component: lazyRouteComponent(() => import("./account-page.tsx"), "AccountPage"),
});

export const accountRoutes = [accountRoute] as const;
