import { readdirSync, statSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  accessibilityFaults,
  contrastFaults,
  goTo,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";
import { newSendingProject } from "../support/sending-project.ts";

const LAYOUTS = [
  ["Newsletter", "Autumn at the workshop"],
  ["Product news", "Reports that answer in seconds"],
  ["Invitation", "An evening on good writing"],
  ["Digest", "Your week in brief"],
  ["Receipt", "Thank you for your order"],
  ["Welcome", "Welcome"],
  ["Announcement", "We are moving to a new home"],
  ["Offer", "20% off everything"],
  ["Personal letter", "I have not written for a while"],
  ["Survey", "How are we doing?"],
] as const;

const PICTURES = "dashboard/src/pages/templates/layouts/pictures";
const MOST_PICTURE_BYTES = 15 * 1_024;

export function describeGallery(dashboard: Dashboard) {
  const newProject = () => newSendingProject(dashboard, "Tide & Water");
  const card = (page: Page, name: string) =>
    page.getByRole("button", { name: new RegExp(`^${name} \\S`) }).first();
  const mailIn = (page: Page) => page.frameLocator("iframe[title='Preview of the email']").last();
  /** The paths of the pages of mails that the browser has asked for. */
  const watchPages = (page: Page) => {
    const paths: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith("/page")) paths.push(pathname);
    });
    return paths;
  };

  it("has a picture of at most 15 KB for each layout, in both languages", () => {
    const files = readdirSync(PICTURES);
    for (const language of ["en", "de"])
      expect(files.filter((file) => file.endsWith(`-${language}.webp`))).toHaveLength(10);
    for (const file of files)
      expect([file, statSync(`${PICTURES}/${file}`).size < MOST_PICTURE_BYTES]).toEqual([
        file,
        true,
      ]);
  });

  it("begins a template with each layout, which opens in the editor as blocks, previews and saves", async () => {
    const id = await newProject();
    const page = await dashboard.open(`/p/${id}/templates/new`);
    for (const [name, words] of LAYOUTS) {
      await card(page, name).click();
      await page.getByRole("list", { name: "Blocks" }).waitFor();
      await mailIn(page).getByText(words).first().waitFor();
      await page.getByText("All changes are saved.").waitFor();
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe(name);
      await page.getByLabel("Subject", { exact: true }).fill(`${name} of today`);
      await page.keyboard.press("Control+s");
      await page.getByText("All changes are saved.").waitFor();
      await page.goBack();
    }
    const templates = await dashboard.call<{ subject: string; html_body: string }[]>(
      "GET",
      `/projects/${id}/templates`,
    );
    expect(templates.map(({ subject }) => subject).toSorted()).toEqual(
      LAYOUTS.map(([name]) => `${name} of today`).toSorted(),
    );
    const named = templates.filter(({ html_body: html }) => html.includes("Ann</h3>"));
    expect(named).toHaveLength(9); // a personal letter has no title
    expect(templates.filter(({ html_body: html }) => html.includes("placeholder-"))).toHaveLength(
      5,
    );
  });

  it("is reached and used by keyboard, scrolls at each size, and gives a second one a number", async () => {
    const id = await newProject();
    await dashboard.call("POST", `/projects/${id}/templates`, { name: "Digest" });
    const page = await dashboard.open(`/p/${id}/templates`);
    await page.getByRole("link", { name: "Digest", exact: true }).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("heading", { name: "New template", level: 1 }).waitFor();
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflows(page)).toBe(false);
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await contrastFaults(page, "dark")).toEqual([]);
    const picture = card(page, "Digest").locator("img");
    await picture.scrollIntoViewIfNeeded();
    // @ts-expect-error it runs in the browser
    await expect.poll(() => picture.evaluate((image) => image.naturalWidth)).toBe(320);
    await card(page, "Digest").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Blocks" }).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Digest 2");
  });

  it("begins a broadcast with a layout, and takes that back unless somebody typed since", async () => {
    const id = await newProject();
    const page = await dashboard.open(`/p/${id}/broadcasts/new`);
    const choose = async (name: string) => {
      await page.getByRole("button", { name: "Choose a template or layout" }).click();
      await page.getByRole("dialog").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await card(page, name).waitFor();
      expect(await card(page, "Receipt").count()).toBe(0);
      await card(page, name).click();
    };
    const subject = page.getByLabel("Subject", { exact: true });
    await mailIn(page).getByText("Write here what is new.").waitFor();
    await choose("Offer");
    await mailIn(page).getByText("AUTUMN20").waitFor();
    expect(await subject.inputValue()).toBe("20% off until Sunday");
    await page.getByRole("button", { name: "Undo" }).click();
    await mailIn(page).getByText("Write here what is new.").waitFor();
    expect(await subject.inputValue()).toBe("");
    await choose("Survey");
    await mailIn(page).getByText("Are you satisfied with us?").waitFor();
    await page.getByRole("button", { name: /^Heading How are we/ }).click();
    await page.getByLabel("Heading text").fill("Tell us");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The HTML has changed since.").waitFor();
    await mailIn(page).getByText("Tell us").waitFor();
    await choose("Offer");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("people would get it now").waitFor();
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    const { broadcasts } = await dashboard.call<{ broadcasts: { id: string }[] }>(
      "GET",
      `/projects/${id}/broadcasts?state=draft`,
    );
    const at = `/projects/${id}/broadcasts/${broadcasts[0]?.id}`;
    const { html_body: html } = await dashboard.call<{ html_body: string }>("GET", at);
    expect(html).toContain("AUTUMN20");
  });

  describe("a list of mails", () => {
    it("shows a picture of each template that is in view, once, and after a change the new one", async () => {
      const id = await newProject();
      const at = `/projects/${id}/templates`;
      const html_body = "<h1>Harbour news</h1><script>top.document.title='run'</script>";
      for (let count = 0; count < 20; count++)
        await dashboard.call("POST", at, {
          name: `Mail ${count}`,
          subject: "For {{name}}",
          html_body,
        });
      const page = await dashboard.open(`/p/${id}/audience`);
      const asked = watchPages(page);
      await goTo(page, `/p/${id}/templates`);
      const newest = page.frameLocator("iframe[title='Mail 19']");
      await newest.getByRole("heading", { name: "Harbour news" }).waitFor({ state: "attached" });
      await page.getByText("For [name]").first().waitFor();
      const first = page.locator("iframe[title='Mail 0']");
      expect(await first.count()).toBe(0);
      expect(asked.length).toBeLessThan(20);
      await page.getByRole("link", { name: "Mail 0", exact: true }).scrollIntoViewIfNeeded();
      await first.waitFor({ state: "attached" });
      expect(new Set(asked).size).toBe(asked.length);
      expect(await accessibilityFaults(page)).toEqual([]);
      const list = await dashboard.call<{ id: string; name: string }[]>("GET", at);
      const changed = list.find(({ name }) => name === "Mail 0")?.id;
      await dashboard.call("PUT", `${at}/${changed}`, { html_body: "<h1>Other news</h1>" });
      await page.reload();
      await page
        .frameLocator("iframe[title='Mail 0']")
        .getByRole("heading", { name: "Other news" })
        .waitFor({ state: "attached" });
      expect(await page.title()).not.toBe("run");
    });

    it("shows the mails of broadcasts, and offers the project's templates to a draft", async () => {
      const id = await newProject();
      const at = `/projects/${id}`;
      const { id: template_id } = await dashboard.call<{ id: string }>("POST", `${at}/templates`, {
        name: "Monthly",
        html_body: "<h1>Of the month</h1>",
      });
      await dashboard.call("POST", `${at}/broadcasts`, { name: "May", template_id });
      const page = await dashboard.open(`/p/${id}/broadcasts?tab=drafts`, { width: 390 });
      const picture = page.frameLocator("iframe[title='May']");
      await picture.getByText("Of the month").waitFor({ state: "attached" });
      expect(await overflows(page)).toBe(false);
      await page.setViewportSize({ width: 1_280, height: 800 });
      await goTo(page, `/p/${id}/broadcasts/new`);
      await page.getByRole("button", { name: "Choose a template or layout" }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Monthly/ })
        .click();
      await mailIn(page).getByText("Of the month").waitFor();
      expect(await page.getByLabel("Template", { exact: true }).inputValue()).toBe(template_id);
    });
  });
}
