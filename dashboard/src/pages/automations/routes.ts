import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../app/parents.ts";
import { given, textParam, wordParam, type RawSearch } from "../../lib/search-params.ts";

/** The views of an automation besides its steps. */
export const VIEWS = ["rehearsal", "report"] as const;

const listRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "automations",
  component: lazyRouteComponent(() => import("./automations-page.tsx"), "AutomationsPage"),
});

const newRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "automations/new",
  component: lazyRouteComponent(() => import("./new-automation-page.tsx"), "NewAutomationPage"),
});

/** An automation: its steps, the email of one of them, its rehearsal or its report. */
const oneRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "automations/$automationId",
  validateSearch: (search: RawSearch) =>
    given({
      view: wordParam(search["view"], VIEWS),
      step: textParam(search["step"]),
      part: wordParam(search["part"], ["email"] as const),
    }),
  component: lazyRouteComponent(() => import("./automation-page.tsx"), "AutomationPage"),
});

export const automationsRoutes = [listRoute, newRoute, oneRoute] as const;
