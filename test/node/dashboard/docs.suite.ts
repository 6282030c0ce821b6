import { describe, expect, it } from "vitest";
import { readJson } from "../support/local-run.ts";
import {
  accessibilityFaults,
  contrastFaults,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";

export function describeDocs(dashboard: Dashboard) {
  const openSite = async (path: string, width = 1_280) => {
    const page = await dashboard.open("/docs/icon.svg", { width, session: "" });
    const foreign: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${dashboard.address()}/`) && !url.startsWith("data:")) foreign.push(url);
    });
    await page.goto(path);
    return { page, foreign };
  };

  describe("the documentation", () => {
    it("serves each page of its navigation, with the policy and the version", async () => {
      const get = (path: string) => fetch(dashboard.address() + path, { redirect: "manual" });
      const start = await (await get("/docs")).text();
      const paths = [...start.matchAll(/<li><a href="([^"#]+)"/g)].map(([, path = ""]) => path);
      expect(paths).toEqual(expect.arrayContaining(["/docs", "/docs/errors", "/docs/api"]));
      const { version } = await readJson<{ version: string }>(await get("/version"));
      for (const path of paths) {
        const response = await get(path);
        const policy = response.headers.get("Content-Security-Policy") ?? "";
        expect([path, response.status, policy]).toEqual([
          path,
          200,
          expect.stringContaining("default-src 'none'; script-src 'self'; style-src 'self'"),
        ]);
        expect(policy).not.toMatch(/https?:|\*|unsafe/);
        expect(response.headers.get("X-Frame-Options")).toBe("DENY");
        expect(await response.text()).toContain(`Postrider ${version}`);
      }
    });

    it("finds a heading by the keyboard, and opens it at its place", async () => {
      const { page, foreign } = await openSite("/docs");
      await page.keyboard.press("/");
      await page.keyboard.type("return paths");
      await page.getByRole("option", { name: /^Return paths/, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/docs\/bounces#return-paths$/);
      const heading = page.getByRole("heading", { name: "Return paths" });
      await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(150);
      expect((await heading.boundingBox())?.y).toBeGreaterThan(50);
      await page.locator("#contents [aria-current]", { hasText: "Return paths" }).waitFor();
      expect(foreign).toEqual([]);
    });

    it("finds an error by its code, and says when nothing is found", async () => {
      const { page } = await openSite("/docs/sending");
      const search = page.getByRole("combobox", { name: "Search" });
      await search.fill("address_suppr");
      await page
        .getByRole("option", { name: /^address_suppressed/ })
        .first()
        .click();
      await page.waitForURL(/\/docs\/errors#address_suppressed$/);
      await search.fill("zzzzqqq");
      await page.getByText("Nothing contains “zzzzqqq”.").waitFor();
      await search.press("Escape");
      expect(await page.getByRole("status").isVisible()).toBe(false);
    });

    it("shows the first call in the language chosen there or in the dashboard, with the reader's address and project", async () => {
      const start = `/p/${dashboard.projectId()}/start`;
      const page = await dashboard.open(start, { isNew: true });
      const example = page.getByLabel("Send an email", { exact: true });
      await page.getByRole("button", { name: "Python", exact: true }).click();
      await example.filter({ hasText: "urllib.request" }).waitFor();
      const url = `"${dashboard.address()}/api/v1/projects/${dashboard.projectId()}/send"`;
      expect(await example.textContent()).toContain(url);

      await page.goto(`${dashboard.address()}/docs/snippets`);
      const shown = page.locator(".snippets pre:visible");
      expect(await shown.count()).toBe(1);
      expect(await shown.textContent()).toContain(`urllib.request.Request(\n    ${url}`);
      await page.getByRole("button", { name: "Go", exact: true, pressed: false }).click();
      expect(await shown.textContent()).toContain("package main");

      await page.goto(dashboard.address() + start);
      await example.filter({ hasText: "package main" }).waitFor();
      await page.evaluate("localStorage.removeItem('postrider.snippet')");
    });

    it("fits a phone, opens navigation and contents there, and is accessible in both themes", async () => {
      for (const path of [
        "/docs",
        "/docs/api-reference",
        "/docs/api-routes",
        "/docs/errors",
        "/docs/bounces",
        "/docs/snippets",
      ]) {
        const { page, foreign } = await openSite(path, 360);
        expect([path, await overflows(page)]).toEqual([path, false]);
        expect(foreign).toEqual([]);
      }
      const { page: snippets } = await openSite("/docs/snippets", 360);
      expect(await accessibilityFaults(snippets)).toEqual([]);
      expect(await contrastFaults(snippets, "dark")).toEqual([]);
      const { page } = await openSite("/docs/sending", 360);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await contrastFaults(page, "dark")).toEqual([]);
      await page.getByRole("button", { name: "On this page" }).click();
      await page.locator("#contents a").last().click();
      await expect.poll(() => page.locator("#contents").isVisible()).toBe(false);
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name: "Webhooks", exact: true }).click();
      await page.waitForURL(/\/docs\/webhooks$/);
    });
  });
}
