import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import {
  accessibilityFaults,
  contrastFaults,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";

interface KnownPage {
  path: (place: { projectId: string; workspaceId: string }) => string;
  /** The page's heading. */
  heading: string;
  isSignedOut?: boolean;
}

const MOST_SCRIPT_BYTES = 150 * 1_024;
/** The limit of a good cumulative layout shift (https://web.dev/articles/cls). */
const MOST_SHIFT = 0.1;

/** Adds up what moves on a page by itself. */
const OBSERVE_SHIFT = `
  window.layoutShift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((shift) => (layoutShift += shift.value)))
    .observe({ type: "layout-shift", buffered: true });
`;

/** Every page of the dashboard; each page area adds its own. */
const PAGES: KnownPage[] = [
  { path: () => "/login", heading: "Sign in", isSignedOut: true },
  { path: () => "/setup", heading: "Set up Postrider", isSignedOut: true },
  { path: () => "/forgot", heading: "Forgot your password?", isSignedOut: true },
  { path: () => "/account", heading: "Account" },
  { path: ({ workspaceId }) => `/w/${workspaceId}`, heading: "Projects" },
  { path: ({ workspaceId }) => `/w/${workspaceId}/members`, heading: "Members" },
  { path: ({ workspaceId }) => `/w/${workspaceId}/audit`, heading: "Audit log" },
  { path: ({ projectId }) => `/p/${projectId}`, heading: "Overview" },
  { path: ({ projectId }) => `/p/${projectId}/templates`, heading: "Templates" },
  { path: ({ projectId }) => `/p/${projectId}/start`, heading: "First steps" },
  { path: ({ projectId }) => `/p/${projectId}/log`, heading: "Log" },
  { path: ({ projectId }) => `/p/${projectId}/suppressions`, heading: "Suppressions" },
  {
    path: ({ projectId }) => `/p/${projectId}/suppressions/unverified`,
    heading: "Unverified reports",
  },
  { path: ({ projectId }) => `/p/${projectId}/broadcasts`, heading: "Broadcasts" },
  { path: ({ projectId }) => `/p/${projectId}/audience`, heading: "Audience" },
  { path: ({ projectId }) => `/p/${projectId}/audience/import`, heading: "Import a list" },
  { path: ({ projectId }) => `/p/${projectId}/audience/topics`, heading: "Topics" },
  { path: ({ projectId }) => `/p/${projectId}/audience/segments`, heading: "Segments" },
  { path: ({ projectId }) => `/p/${projectId}/audience/privacy`, heading: "Privacy" },
  { path: ({ projectId }) => `/p/${projectId}/settings/general`, heading: "General" },
  { path: ({ projectId }) => `/p/${projectId}/settings/sending`, heading: "Sending" },
  { path: ({ projectId }) => `/p/${projectId}/settings/consent`, heading: "Consent" },
  { path: ({ projectId }) => `/p/${projectId}/settings/bounces`, heading: "Bounces" },
  { path: ({ projectId }) => `/p/${projectId}/settings/tracking`, heading: "Tracking" },
  { path: ({ projectId }) => `/p/${projectId}/settings/data`, heading: "Data" },
  { path: ({ projectId }) => `/p/${projectId}/settings/audit`, heading: "Audit log" },
  { path: ({ projectId }) => `/p/${projectId}/settings/keys`, heading: "API keys" },
  { path: ({ projectId }) => `/p/${projectId}/settings/webhooks`, heading: "Webhooks" },
];

export function describeEveryPage(dashboard: Dashboard) {
  const place = async () => {
    const me = await dashboard.call<{ workspaces: { id: string }[] }>("GET", "/auth/me");
    return { projectId: dashboard.projectId(), workspaceId: me.workspaces[0]?.id ?? "" };
  };

  it("shows every page without a jump and without a fault of accessibility in both themes, from 375 to 2,560 pixels", async () => {
    const at = await place();
    for (const isOut of [true, false]) {
      const page = await dashboard.open("/login", isOut ? { session: "" } : {});
      await page.addInitScript(OBSERVE_SHIFT);
      for (const { path, heading, isSignedOut = false } of PAGES) {
        if (isSignedOut !== isOut) continue;
        await page.emulateMedia({ colorScheme: "light" });
        await page.goto(path(at));
        await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
        while ((await page.locator("[data-skeleton]").count()) > 0)
          await page.locator("[data-skeleton]").first().waitFor({ state: "detached" });
        expect([path(at), Number(await page.evaluate("layoutShift")) < MOST_SHIFT]).toEqual([
          path(at),
          true,
        ]);
        for (const width of [375, 2_560, 1_280]) {
          await page.setViewportSize({ width, height: 800 });
          expect([path(at), width, await overflows(page)]).toEqual([path(at), width, false]);
        }
        expect([path(at), await accessibilityFaults(page)]).toEqual([path(at), []]);
        expect([path(at), await contrastFaults(page, "dark")]).toEqual([path(at), []]);
      }
    }
  });

  it("loads at most 150 KB of compressed script for a page, the overview with its chart", async () => {
    const at = await place();
    const sizes: Record<string, number> = {};
    for (const [path, heading, session] of [
      ["/login", "Sign in", ""],
      [`/p/${at.projectId}`, "Overview", undefined],
    ] as const) {
      const page = await dashboard.open(path, session === undefined ? {} : { session });
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      const scripts = await page.evaluate<string[]>(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
      );
      expect(scripts.length).toBeGreaterThan(3);
      const files = await Promise.all(
        scripts.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())),
      );
      sizes[heading] = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    }
    for (const size of Object.values(sizes)) expect(size).toBeLessThan(MOST_SCRIPT_BYTES);
  });
}
