import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../app/parents.ts";
import { given, textParam, wordParam, type RawSearch } from "../../lib/search-params.ts";
import { SORTS, STATUSES } from "./statuses.ts";

const listRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "audience",
  validateSearch: (search: RawSearch) =>
    given({
      status: wordParam(search["status"], STATUSES),
      search: textParam(search["search"]),
      tag: textParam(search["tag"]),
      import: textParam(search["import"]),
      sort: wordParam(search["sort"], SORTS),
      after: textParam(search["after"]),
    }),
  component: lazyRouteComponent(() => import("./audience-page.tsx"), "AudiencePage"),
});

const importRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "audience/import",
  component: lazyRouteComponent(() => import("./import/import-page.tsx"), "ImportPage"),
});

const topicsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "audience/topics",
  component: lazyRouteComponent(() => import("./topics-page.tsx"), "TopicsPage"),
});

const segmentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "audience/segments",
  component: lazyRouteComponent(() => import("./segments-page.tsx"), "SegmentsPage"),
});

const fieldsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "audience/fields",
  component: lazyRouteComponent(() => import("./fields-page.tsx"), "FieldsPage"),
});

const formsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "audience/forms",
  component: lazyRouteComponent(() => import("./forms/forms-page.tsx"), "FormsPage"),
});

const privacyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "audience/privacy",
  component: lazyRouteComponent(() => import("./privacy-page.tsx"), "PrivacyPage"),
});

const personRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "audience/$subscriberId",
  component: lazyRouteComponent(() => import("./person-page.tsx"), "PersonPage"),
});

export const audienceRoutes = [
  listRoute,
  importRoute,
  topicsRoute,
  segmentsRoute,
  fieldsRoute,
  formsRoute,
  privacyRoute,
  personRoute,
] as const;
