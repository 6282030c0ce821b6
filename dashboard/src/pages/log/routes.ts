import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../app/parents.ts";
import { filtersOf } from "./filters.ts";

const logRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "log",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("./log-page.tsx"), "LogPage"),
});

/** The timeline of one mail. */
const mailRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "log/$logId",
  component: lazyRouteComponent(() => import("./mail-page.tsx"), "MailPage"),
});

export const logRoutes = [logRoute, mailRoute] as const;
