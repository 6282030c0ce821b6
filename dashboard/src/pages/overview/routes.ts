import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../app/parents.ts";

const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./overview-page.tsx"), "OverviewPage"),
});

export const overviewRoutes = [overviewRoute] as const;
