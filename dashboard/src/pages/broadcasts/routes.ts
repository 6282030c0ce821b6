import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../app/parents.ts";
import { given, textParam, wordParam, type RawSearch } from "../../lib/search-params.ts";
import { OUTCOMES, TABS } from "./states.ts";

const listRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "broadcasts",
  validateSearch: (search: RawSearch) =>
    given({ tab: wordParam(search["tab"], TABS), after: textParam(search["after"]) }),
  component: lazyRouteComponent(() => import("./broadcasts-page.tsx"), "BroadcastsPage"),
});

/** A draft, or the ledger of a broadcast that has begun. */
const oneRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "broadcasts/$broadcastId",
  validateSearch: (search: RawSearch) =>
    given({
      outcome: wordParam(search["outcome"], OUTCOMES),
      search: textParam(search["search"]),
      after: textParam(search["after"]),
    }),
  component: lazyRouteComponent(() => import("./broadcast-page.tsx"), "BroadcastPage"),
});

export const broadcastsRoutes = [listRoute, oneRoute] as const;
