import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../app/parents.ts";
import { given, textParam, wordParam, type RawSearch } from "../../lib/search-params.ts";

const listRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "templates",
  validateSearch: (search: RawSearch) =>
    given({ search: textParam(search["search"]), page: textParam(search["page"]) }),
  component: lazyRouteComponent(() => import("./templates-page.tsx"), "TemplatesPage"),
});

const imagesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "templates/images",
  component: lazyRouteComponent(() => import("./images-page.tsx"), "ImagesPage"),
});

const newRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "templates/new",
  component: lazyRouteComponent(() => import("./gallery/new-template-page.tsx"), "NewTemplatePage"),
});

const editorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "templates/$templateId",
  component: lazyRouteComponent(() => import("./editor/editor-page.tsx"), "EditorPage"),
});

const historyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "templates/$templateId/history",
  validateSearch: (search: RawSearch) =>
    given({
      version: textParam(search["version"]),
      part: wordParam(search["part"], ["html", "text", "mail"] as const),
    }),
  component: lazyRouteComponent(() => import("./history/history-page.tsx"), "HistoryPage"),
});

export const templateRoutes = [
  listRoute,
  imagesRoute,
  newRoute,
  editorRoute,
  historyRoute,
] as const;
