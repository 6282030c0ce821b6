import { accountRoutes } from "../pages/account/routes.ts";
import { automationsRoutes } from "../pages/automations/routes.ts";
import { audienceRoutes } from "../pages/audience/routes.ts";
import { authRoutes } from "../pages/auth/routes.ts";
import { firstStepsRoutes } from "../pages/first-steps/routes.ts";
import { broadcastsRoutes } from "../pages/broadcasts/routes.ts";
import { logRoutes } from "../pages/log/routes.ts";
import { overviewRoutes } from "../pages/overview/routes.ts";
import { settingsRoutes } from "../pages/settings/routes.ts";
import { startRoute } from "../pages/start/routes.ts";
import { suppressionsRoutes } from "../pages/suppressions/routes.ts";
import { templateRoutes } from "../pages/templates/routes.ts";
import { workspaceRoutes } from "../pages/workspace/routes.ts";
import { projectRoute, rootRoute, signedInRoute, workspaceRoute } from "./parents.ts";

/** All routes; each page area adds a line. */
export const routeTree = rootRoute.addChildren([
  ...authRoutes,
  signedInRoute.addChildren([
    startRoute,
    ...accountRoutes,
    workspaceRoute.addChildren([...workspaceRoutes]),
    projectRoute.addChildren([
      // one line per page area
      ...overviewRoutes,
      ...firstStepsRoutes,
      ...broadcastsRoutes,
      ...automationsRoutes,
      ...templateRoutes,
      ...audienceRoutes,
      ...logRoutes,
      ...suppressionsRoutes,
      ...settingsRoutes,
    ]),
  ]),
]);
