import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../app/parents.ts";
import { given, textParam, type RawSearch } from "../../lib/search-params.ts";

/** First steps of a project; the URL contains the mail that is being watched. */
const firstStepsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "start",
  validateSearch: (search: RawSearch) => given({ mail: textParam(search["mail"]) }),
  component: lazyRouteComponent(() => import("./first-steps-page.tsx"), "FirstStepsPage"),
});

export const firstStepsRoutes = [firstStepsRoute] as const;
