import { describe, expect, it } from "vitest";
import { accessibilityFaults, overflows, type Dashboard } from "../support/dashboard.ts";

export function describeBrand(dashboard: Dashboard) {
  const newProject = async () =>
    (await dashboard.call<{ id: string }>("POST", "/projects", { name: "Branded" })).id;

  describe("the brand", () => {
    it("is previewed as it is typed, in both schemes, and saved", async () => {
      const id = await newProject();
      const page = await dashboard.open(`/p/${id}/settings/brand`);
      const mail = page.frameLocator('iframe[title="Email"]');
      const reader = page.frameLocator('iframe[title="Public page"]');
      const swatches = () =>
        page.locator("input[type=color]").evaluateAll((all) =>
          // @ts-expect-error it runs in the browser
          all.map(({ value }) => value),
        );
      await expect.poll(swatches).toEqual(["#1d4ed8", "#ffffff", "#f4f4f5"]);
      await page.getByLabel("Color of buttons and links").fill("#ffd400");
      await expect.poll(swatches).toEqual(["#ffd400", "#000000", "#f4f4f5"]);
      await page.getByLabel("Background color").fill("#0b1f3a");
      await page.getByLabel("Postal address").fill("Acme & Sons, 1 Main Street");
      const settled = () => expect.poll(() => page.locator("iframe").count()).toBe(2);
      await settled();
      await mail.getByText("Acme & Sons, 1 Main Street").waitFor();
      await reader.locator("footer").getByText("1 Main Street").waitFor();
      const button = reader.getByRole("button").first();
      const colors = (of: typeof button) =>
        of.evaluate((element) => {
          // @ts-expect-error it runs in the browser
          const { color, backgroundColor } = getComputedStyle(element);
          return [color, backgroundColor];
        });
      await expect.poll(() => colors(button)).toEqual(["rgb(0, 0, 0)", "rgb(255, 212, 0)"]);
      await page.getByRole("button", { name: "Dark", exact: true }).click();
      await settled();
      await expect
        .poll(async () => (await colors(reader.locator("body")))[1])
        .toBe("rgb(13, 17, 23)");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole("button", { name: "Save" }).first().click();
      await page.getByText("Saved.", { exact: true }).waitFor();
      expect(await dashboard.call("GET", `/projects/${id}/brand`)).toMatchObject({
        accent: "#ffd400",
        background: "#0b1f3a",
        postal_address: "Acme & Sons, 1 Main Street",
      });
      await page.getByLabel("Color of text on buttons").fill("#ffffff");
      await page.getByRole("button", { name: "Save" }).first().click();
      await page.getByText("contrast of 1.4").first().waitFor();
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await overflows(page)).toBe(false);
    });

    it("is where a new mail of blocks begins, and can be applied to an existing one", async () => {
      const id = await newProject();
      const set = (brand: object) => dashboard.call("PATCH", `/projects/${id}/brand`, brand);
      await set({
        logo_url: "https://cdn.example.com/logo.png",
        logo_alt: "Acme",
        accent: "#7c3aed",
        heading_font: "serif",
        postal_address: "Acme, 1 Main Street",
        social: [{ label: "Mastodon", url: "https://social.example/@acme" }],
      });
      const page = await dashboard.open(`/p/${id}/templates/new`);
      await page.getByRole("button", { name: /^Blocks/ }).click();
      await page.waitForURL(/\/templates\/[\da-f-]{36}/);
      const path = `/projects/${id}/templates/${new URL(page.url()).pathname.split("/").at(-1)}`;
      const stored = async () =>
        (await dashboard.call<{ html_body: string }>("GET", path)).html_body;
      const html = await stored();
      for (const part of [
        "logo.png",
        "#7c3aed",
        "Georgia",
        '"headingFont":"serif"',
        "Acme, 1 Main Street",
        ">Mastodon</a>",
      ])
        expect(html).toContain(part);
      await set({ accent: "#0f766e" });
      expect(await stored()).toBe(html);
      await page.getByText("Colors, font and preview text").click();
      await page.getByRole("button", { name: "Use brand" }).click();
      await page.getByRole("button", { name: "Save" }).first().click();
      await expect.poll(stored).toContain("#0f766e");
      expect(await stored()).not.toContain("#7c3aed");
    });
  });
}
