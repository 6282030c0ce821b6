import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../app/parents.ts";
import { given, textParam, wordParam } from "../../lib/search-params.ts";
import { REASONS } from "./reasons.ts";

const suppressionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "suppressions",
  validateSearch: (search: Record<string, unknown>) =>
    given({
      reason: wordParam(search["reason"], REASONS),
      email: textParam(search["email"]),
      after: textParam(search["after"]),
    }),
  component: lazyRouteComponent(() => import("./suppressions-page.tsx"), "SuppressionsPage"),
});

/** Unverified bounce reports, for manual review. */
const unverifiedRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "suppressions/unverified",
  validateSearch: (search: Record<string, unknown>) => given({ after: textParam(search["after"]) }),
  component: lazyRouteComponent(() => import("./unverified-page.tsx"), "UnverifiedPage"),
});

export const suppressionsRoutes = [suppressionsRoute, unverifiedRoute] as const;
