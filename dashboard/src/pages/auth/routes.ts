import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { rootRoute } from "../../app/parents.ts";
import { queryClient } from "../../api/query-client.ts";
import { setupQuery } from "../../api/session.ts";
import { given, localPath, type RawSearch } from "../../lib/search-params.ts";

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "login",
  validateSearch: (search: RawSearch) => given({ next: localPath(search["next"]) }),
  loader: async (): Promise<void> => {
    const { needed } = await queryClient.ensureQueryData(setupQuery);
    if (needed) throw redirect({ to: "/setup", replace: true });
  },
  component: lazyRouteComponent(() => import("./login-page.tsx"), "LoginPage"),
});

/**
 * Registers the first account with the setup token after `#token=`, or any account if registration
 * is open.
 */
const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "setup",
  loader: async (): Promise<void> => {
    await queryClient.ensureQueryData(setupQuery);
  },
  component: lazyRouteComponent(() => import("./setup-page.tsx"), "SetupPage"),
});

const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "forgot",
  component: lazyRouteComponent(() => import("./forgot-page.tsx"), "ForgotPage"),
});

/** The three links in service email (API reference §18). */
const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "reset-password",
  component: lazyRouteComponent(() => import("./reset-page.tsx"), "ResetPage"),
});

const confirmRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "confirm-address",
  component: lazyRouteComponent(() => import("./confirm-page.tsx"), "ConfirmPage"),
});

const acceptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "accept-invitation",
  component: lazyRouteComponent(() => import("./accept-page.tsx"), "AcceptPage"),
});

export const authRoutes = [
  loginRoute,
  setupRoute,
  forgotRoute,
  resetRoute,
  confirmRoute,
  acceptRoute,
] as const;
