import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../app/parents.ts";
import { given, textParam } from "../../lib/search-params.ts";
import { auditSearchOf } from "../../parts/audit/audit-search.ts";

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "account",
  validateSearch: auditSearchOf,
  component: lazyRouteComponent(() => import("./account-page.tsx"), "AccountPage"),
});

/** Settings of the operator of the service. */
const serviceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "account/service",
  validateSearch: (search: Record<string, unknown>) => given({ after: textParam(search["after"]) }),
  component: lazyRouteComponent(() => import("./service-page.tsx"), "ServicePage"),
});

/** Confirms the login of a program, whose code may be after `#code=`. */
const deviceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "device",
  component: lazyRouteComponent(() => import("./device-page.tsx"), "DevicePage"),
});

export const accountRoutes = [accountRoute, serviceRoute, deviceRoute] as const;
