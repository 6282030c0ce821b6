import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../app/parents.ts";
import { given, textParam, wordParam, type RawSearch } from "../../lib/search-params.ts";
import { DRAFT_STEPS } from "./steps.ts";
import { OUTCOMES, REACTIONS, TABS } from "./states.ts";

/** Visit filters of the API (API reference §11.9). */
const VISITS = ["opened", "opened_human", "clicked", "clicked_human"] as const;

/** Reads a month such as 2026-11; any other text counts as omitted. */
function monthParam(value: unknown): string | undefined {
  const text = textParam(value);
  return text !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? text : undefined;
}

const listRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "broadcasts",
  validateSearch: (search: RawSearch) =>
    given({
      tab: wordParam(search["tab"], TABS),
      after: textParam(search["after"]),
      month: monthParam(search["month"]),
    }),
  component: lazyRouteComponent(() => import("./broadcasts-page.tsx"), "BroadcastsPage"),
});

/** A new draft; the URL may specify its template and audience. */
const newRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "broadcasts/new",
  validateSearch: (search: RawSearch) =>
    given({
      template_id: textParam(search["template_id"]),
      topic_id: textParam(search["topic_id"]),
      segment_id: textParam(search["segment_id"]),
      tag: textParam(search["tag"]),
      where: textParam(search["where"]),
    }),
  component: lazyRouteComponent(() => import("./new-broadcast-page.tsx"), "NewBroadcastPage"),
});

/** The last page before a draft is sent. */
const preflightRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "broadcasts/$broadcastId/preflight",
  component: lazyRouteComponent(() => import("./preflight/preflight-page.tsx"), "PreflightPage"),
});

/** A draft, or the report of a started broadcast. */
const oneRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "broadcasts/$broadcastId",
  validateSearch: (search: RawSearch) =>
    given({
      step: wordParam(search["step"], DRAFT_STEPS),
      outcome: wordParam(search["outcome"], OUTCOMES),
      visit: wordParam(search["visit"], VISITS),
      link: textParam(search["link"]),
      reaction: wordParam(search["reaction"], REACTIONS),
      search: textParam(search["search"]),
      after: textParam(search["after"]),
    }),
  component: lazyRouteComponent(() => import("./broadcast-page.tsx"), "BroadcastPage"),
});

export const broadcastsRoutes = [listRoute, newRoute, oneRoute, preflightRoute] as const;
