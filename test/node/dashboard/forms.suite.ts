/* Sign-up forms: their page without JavaScript, embedded in another site, and in the dashboard. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  accessibilityFaults,
  contrastFaults,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";

export function describeForms(dashboard: Dashboard): void {
  async function newForm(given: object = {}) {
    const { call } = dashboard;
    const { id } = await call<{ id: string }>("POST", "/projects", { name: "Acme & Co" });
    const path = `/projects/${id}`;
    await call("POST", `${path}/fields`, { key: "plan", type: "choice", choices: ["Free", "Pro"] });
    const topic = await call<{ id: string }>("POST", `${path}/topics`, { name: "News" });
    const form = await call<{ id: string; url: string }>("POST", `${path}/forms`, {
      name: "Website",
      title: "Our newsletter",
      consent_text: "I want news from Acme.",
      name_field: "optional",
      fields: [{ key: "plan" }],
      topics: [topic.id],
      choose_topics: true,
      double_opt_in: true,
      ...given,
    });
    return {
      ...form,
      projectId: id,
      people: async () => {
        const list = `${path}/subscribers`;
        type List = { subscribers: { email: string; name: string; status: string }[] };
        return (await call<List>("GET", list)).subscribers;
      },
    };
  }

  let html = "";
  const shop = createServer((_, answer) => {
    answer.setHeader("Content-Type", "text/html").end(`<!doctype html><title>Shop</title>${html}`);
  });
  beforeAll(() => new Promise<void>((done) => shop.listen(0, "127.0.0.1", done)));
  afterAll(() => new Promise((done) => shop.close(done)));

  /** Opens a page of another origin with this HTML. */
  function openElsewhere(shown: string, options?: Parameters<Dashboard["open"]>[1]) {
    html = shown;
    return dashboard.open(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`, options);
  }

  it("signs people up without JavaScript, and shows what is wrong beside the field", async () => {
    const { id, people } = await newForm();
    const page = await dashboard.open(`/f/${id}`, { hasScripts: false });
    await page.getByLabel("Email address").fill("ann@any");
    await page.getByLabel("Name").fill("Ann");
    await page.getByLabel("News").check();
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByText("Please enter a complete email address.").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Ann");
    expect(await page.getByLabel("News").isChecked()).toBe(true);
    await page.getByLabel("Email address").fill("ann@example.com");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
    expect(await people()).toMatchObject([
      { email: "ann@example.com", name: "Ann", status: "pending" },
    ]);
  });

  it("is accessible in both themes and at 390 pixels", async () => {
    const { id } = await newForm();
    const page = await dashboard.open(`/f/${id}`);
    await page.setViewportSize({ width: 390, height: 800 });
    const displayOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}")).display`);
    expect(await displayOf("label .optional")).toBe("inline");
    expect(await displayOf("fieldset label")).toBe("flex");
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    expect(await contrastFaults(page, "dark")).toEqual([]);
  });

  it("is embedded in another site by a script, and tells errors and success in place", async () => {
    const { url, people } = await newForm();
    const page = await openElsewhere(
      `<main><h1>Shop</h1><script src="${url}.js" async></script></main>`,
    );
    await page.getByLabel("Email address").fill("ben@any");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByText("Please enter a complete email address.").waitFor();
    await page.getByLabel("Email address").fill("ben@example.com");
    await page.getByLabel("plan").selectOption("Pro");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByText("Click the link in our email").waitFor();
    expect(new URL(page.url()).origin).not.toBe(dashboard.address());
    expect(await people()).toMatchObject([{ email: "ben@example.com", status: "pending" }]);
  });

  it("is plain HTML in another site, as the dashboard shows it, without JavaScript", async () => {
    const look = {
      accent: "#7c3aed",
      align: "center",
      embed_heading: true,
      text: "Monthly.\nFree.",
    };
    const { projectId, people } = await newForm(look);
    const page = await dashboard.open(`/p/${projectId}/audience/forms`);
    await page.getByRole("button", { name: "Share: Website" }).click();
    await page.getByText("Embed without JavaScript").first().click();
    const code = await page.getByRole("dialog").getByLabel("Embed without JavaScript").innerText();
    const shop = await openElsewhere(`<main>${code}</main>`, { hasScripts: false });
    await shop.getByRole("heading", { name: "Our newsletter", level: 2 }).waitFor();
    expect(await shop.getByText("Monthly.").innerText()).toBe("Monthly.\nFree.");
    const button = shop.getByRole("button", { name: "Sign up" });
    expect(await button.getAttribute("style")).toContain("background:#7c3aed;color:#ffffff");
    await shop.getByLabel("Email address").fill("cem@example.com");
    await shop.getByRole("button", { name: "Sign up" }).click();
    await shop.getByRole("heading", { name: "Check your inbox" }).waitFor();
    expect(await people()).toMatchObject([{ email: "cem@example.com" }]);
  });

  it("is made, previewed, closed and opened again in the dashboard", async () => {
    const { projectId } = await newForm();
    const page = await dashboard.open(`/p/${projectId}/audience/forms`);
    await page.getByRole("button", { name: "New form" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Fair");
    await dialog.getByLabel("Heading", { exact: true }).fill("See you at the fair");
    await dialog.getByLabel("Add field").selectOption("plan");
    await dialog.getByLabel("plan").selectOption("required");
    const preview = dialog.frameLocator("iframe");
    await preview.getByRole("heading", { name: "See you at the fair" }).waitFor();
    await preview.locator("form[inert] select[required]").waitFor();
    await dialog.getByLabel("Alignment").selectOption("center");
    await dialog.getByLabel("Button color").fill("#7c3a");
    await preview.locator("body.center").waitFor();
    await dialog.getByLabel("Button color").fill("#7C3AED");
    const purple = preview.locator('//style[contains(., "--act:#7c3aed")]');
    await purple.waitFor({ state: "attached" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Change: Fair" }).click();
    await dialog.getByLabel("Heading", { exact: true }).fill("Meet us");
    await preview.getByRole("heading", { name: "Meet us" }).waitFor();
    const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH");
    await dialog.getByRole("button", { name: "Save" }).click();
    expect((await saved).status()).toBe(200);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Close form: Fair" }).click();
    await page.getByRole("button", { name: "Open form: Fair" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Close form: Fair" }).waitFor();
  });

  it("does not offer a topic that the dashboard makes private", async () => {
    const { projectId } = await newForm();
    const page = await dashboard.open(`/p/${projectId}/audience/topics`, { width: 390 });
    await page.getByRole("button", { name: "New topic" }).click();
    await page.getByLabel("Name").fill("Team");
    await page.getByRole("checkbox", { name: "Private" }).check();
    expect(await overflows(page)).toBe(false);
    expect(await contrastFaults(page, "dark")).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Team").first().waitFor();
    expect(await dashboard.call("GET", `/projects/${projectId}/topics`)).toMatchObject({
      topics: [
        { name: "News", visibility: "public" },
        { name: "Team", visibility: "private" },
      ],
    });
    await page.goto(new URL(`/p/${projectId}/audience/forms`, page.url()).href);
    await page.getByRole("button", { name: "New form" }).click();
    await page.getByRole("checkbox", { name: "News" }).waitFor();
    expect(await page.getByRole("checkbox", { name: "Team" }).count()).toBe(0);
  });
}
