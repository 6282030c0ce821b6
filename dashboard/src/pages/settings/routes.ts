import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { projectRoute } from "../../app/parents.ts";
import { auditSearchOf } from "../../parts/audit/audit-search.ts";
import { given, textParam, type RawSearch } from "../../lib/search-params.ts";

const indexRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings",
  beforeLoad: ({ params }): void => {
    throw redirect({ to: "/p/$projectId/settings/general", params, replace: true });
  },
});

const generalRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/general",
  component: lazyRouteComponent(() => import("./general-page.tsx"), "GeneralPage"),
});

const brandRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/brand",
  component: lazyRouteComponent(() => import("./brand/brand-page.tsx"), "BrandPage"),
});

const sendingRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/sending",
  component: lazyRouteComponent(() => import("./sending-page.tsx"), "SendingPage"),
});

const consentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/consent",
  component: lazyRouteComponent(() => import("./consent-page.tsx"), "ConsentPage"),
});

const trackingRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/tracking",
  component: lazyRouteComponent(() => import("./tracking-page.tsx"), "TrackingPage"),
});

const dataRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/data",
  component: lazyRouteComponent(() => import("./data/data-page.tsx"), "DataPage"),
});

const auditRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/audit",
  validateSearch: auditSearchOf,
  component: lazyRouteComponent(() => import("./audit-page.tsx"), "AuditPage"),
});

const keysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/keys",
  component: lazyRouteComponent(() => import("./keys-page.tsx"), "KeysPage"),
});

const bouncesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/bounces",
  component: lazyRouteComponent(() => import("./bounces/bounces-page.tsx"), "BouncesPage"),
});

const webhooksRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/webhooks",
  component: lazyRouteComponent(() => import("./webhooks-page.tsx"), "WebhooksPage"),
});

const hooksRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/hooks",
  component: lazyRouteComponent(() => import("./hooks/hooks-page.tsx"), "HooksPage"),
});

const webhookRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings/webhooks/$webhookId",
  validateSearch: (search: RawSearch) => given({ after: textParam(search["after"]) }),
  component: lazyRouteComponent(() => import("./webhook-page.tsx"), "WebhookPage"),
});

export const settingsRoutes = [
  indexRoute,
  generalRoute,
  brandRoute,
  sendingRoute,
  consentRoute,
  trackingRoute,
  dataRoute,
  auditRoute,
  keysRoute,
  bouncesRoute,
  webhooksRoute,
  webhookRoute,
  hooksRoute,
] as const;
