import { expect, it } from "vitest";
import { accessibilityFaults, overflows, THEMES, type Dashboard } from "../support/dashboard.ts";

interface KnownPage {
  path: (place: { projectId: string; workspaceId: string }) => string;
  /** The page's heading. */
  heading: string;
  isSignedOut?: boolean;
}

/** Every page of the dashboard; each page area adds its own. */
const PAGES: KnownPage[] = [
  { path: () => "/login", heading: "Sign in", isSignedOut: true },
  { path: () => "/setup", heading: "Set up Postrider", isSignedOut: true },
  { path: () => "/forgot", heading: "Forgot your password?", isSignedOut: true },
  { path: () => "/account", heading: "Account" },
  { path: ({ workspaceId }) => `/w/${workspaceId}`, heading: "Projects" },
  { path: ({ projectId }) => `/p/${projectId}`, heading: "Overview" },
  { path: ({ projectId }) => `/p/${projectId}/templates`, heading: "Templates" },
];

export function describeEveryPage(dashboard: Dashboard) {
  const place = async () => {
    const me = await dashboard.call<{ workspaces: { id: string }[] }>("GET", "/auth/me");
    return { projectId: dashboard.projectId(), workspaceId: me.workspaces[0]?.id ?? "" };
  };

  it.each(THEMES)("shows every page without a fault of accessibility, %s", async (theme) => {
    const at = await place();
    for (const { path, heading, isSignedOut } of PAGES) {
      const session = isSignedOut ? { session: "" } : {};
      const page = await dashboard.open(path(at), { theme, ...session });
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      expect([path(at), await accessibilityFaults(page)]).toEqual([path(at), []]);
      await page.context().close();
    }
  });

  it("fits every page into 375 pixels", async () => {
    const at = await place();
    for (const { path, heading, isSignedOut } of PAGES) {
      const session = isSignedOut ? { session: "" } : {};
      const page = await dashboard.open(path(at), { width: 375, ...session });
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
      expect([path(at), await overflows(page)]).toEqual([path(at), false]);
      await page.context().close();
    }
  });
}
