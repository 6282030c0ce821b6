import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { REFUSALS } from "../../../src/messages/refusals.ts";
import {
  accessibilityFaults,
  contrastFaults,
  goTo,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";

interface Image {
  id: string;
  url: string;
  name: string;
  alt: string;
  type: string;
  width: number;
  height: number;
}

/** Draws a picture in the browser, as a promise of its bytes. */
const drawing = (type: string, width: number, height: number) => `(async () => {
  const canvas = new OffscreenCanvas(${width}, ${height});
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#2563eb";
  pen.fillRect(0, 0, ${width}, ${height});
  pen.fillStyle = "#fde047";
  pen.fillRect(${width / 4}, ${height / 4}, ${width / 2}, ${height / 2});
  return canvas.convertToBlob({ type: "${type}" });
})()`;

interface Picture {
  type: string;
  width: number;
  height: number;
  name: string;
}

/** Drops a file with a picture on an element. */
async function drop(page: Page, on: Locator, { type, width, height, name }: Picture) {
  const dataTransfer = await page.evaluateHandle(`${drawing(type, width, height)}.then((blob) => {
    const data = new DataTransfer();
    data.items.add(new File([blob], "${name}", { type: "${type}" }));
    return data;
  })`);
  await on.dispatchEvent("dragover", { dataTransfer });
  await on.dispatchEvent("drop", { dataTransfer });
}

export function describeImages(dashboard: Dashboard) {
  const newProject = async () => {
    const { id } = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Images" });
    const path = `/projects/${id}`;
    return {
      at: `/p/${id}/templates`,
      path,
      images: async () =>
        (await dashboard.call<{ images: Image[] }>("GET", `${path}/images`)).images,
      make: (fields: object) => dashboard.call<{ id: string }>("POST", `${path}/templates`, fields),
      html: async (id: string) =>
        (await dashboard.call<{ html_body: string }>("GET", `${path}/templates/${id}`)).html_body,
    };
  };

  describe("images of mails", () => {
    it("are pasted into the code of a mail, reduced to 1,200 pixels, and shown at half", async () => {
      const { at, make, html, images } = await newProject();
      const { id } = await make({ name: "Code", subject: "Hi", html_body: "<p>Hi</p>" });
      const page = await dashboard.open(`${at}/${id}`);
      const code = page.getByRole("textbox", { name: "HTML" });
      await code.click();
      await page.keyboard.press("Control+End");
      const picture = drawing("image/png", 1_600, 800);
      const paste = async (...items: string[]) => {
        await page.evaluate(
          `navigator.clipboard.write([new ClipboardItem({ "image/png": ${picture}, ${items.join()} })])`,
        );
        await page.keyboard.press("Control+v");
      };
      // A spreadsheet copies its cells with a picture of them: they stay text.
      await paste(`"text/plain": new Blob([" Cells"], { type: "text/plain" })`);
      await code.getByText("Cells").waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
      await paste();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Description").fill('Our "shop"');
      await dialog.getByText("1200 × 600, PNG").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Insert" }).click();
      await dialog.waitFor({ state: "hidden" });
      await page.keyboard.press("Control+s");
      await expect.poll(() => html(id)).toContain("<img");
      const [image] = await images();
      expect(image).toMatchObject({ type: "png", width: 1_200, height: 600, alt: 'Our "shop"' });
      expect(await html(id)).toBe(
        `<p>Hi</p> Cells<img src="${image?.url}" alt="Our &quot;shop&quot;" width="600" height="300" style="max-width:100%;height:auto;border:0">`,
      );
      // The preview loads it from the service.
      const shown = page.frameLocator("iframe[title='Preview of the email']").last().locator("img");
      const width = () =>
        shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
      await expect.poll(width).toBe(1_200);
    });

    it("are dropped into blocks, where a photograph becomes JPEG and keeps its part of the width", async () => {
      const { at, images } = await newProject();
      const page = await dashboard.open(at);
      await page.getByRole("button", { name: "New template" }).first().click();
      await page
        .getByRole("button", { name: /^Blocks / })
        .first()
        .click();
      const dialog = page.getByRole("dialog");
      const blocks = page.getByRole("list", { name: "Blocks" });
      await blocks.waitFor();
      await drop(page, blocks, { type: "image/webp", width: 600, height: 400, name: "photo.webp" });
      await dialog.getByLabel("Description").fill("A beach");
      await dialog.getByRole("button", { name: "Insert" }).click();
      const [image] = await images();
      expect(image).toMatchObject({ type: "jpeg", width: 600, name: "photo.webp" });
      await expect.poll(() => page.getByLabel("Image URL").inputValue()).toBe(image?.url);
      expect(await page.getByLabel("Description").inputValue()).toBe("A beach");
      expect(await page.getByLabel("Width").inputValue()).toBe("50");
      // An image block takes another one from the library.
      await page.getByLabel("Image URL").fill("");
      await page.getByRole("button", { name: "Choose image" }).click();
      await dialog.getByRole("button", { name: /^photo\.webp/ }).click();
      await dialog.getByRole("button", { name: "Insert" }).click();
      await expect.poll(() => page.getByLabel("Image URL").inputValue()).toBe(image?.url);
    });

    it("are refused in place, and found, described and deleted in the library", async () => {
      const { at, path, make, images } = await newProject();
      const page = await dashboard.open(`${at}/images`);
      await page.getByText("No images yet").waitFor();
      const input = page.getByLabel("Upload an image");
      await input.setInputFiles({
        name: "logo.svg",
        mimeType: "image/svg+xml",
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      });
      await page.getByText("SVG images are not accepted").waitFor();
      await drop(page, input, { type: "image/png", width: 40, height: 20, name: "logo.png" });
      const dialog = page.getByRole("dialog");
      await dialog.getByText("40 × 20, PNG").waitFor();
      await dialog.getByText("No template or broadcast shows it.").waitFor();
      await dialog.getByLabel("Description").fill("Acme");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "hidden" });
      const [logo] = await images();
      expect(logo).toMatchObject({ name: "logo.png", alt: "Acme" });
      const template = { name: "Receipt", html_body: `<img src="${logo?.url}" alt="">` };
      const { id } = await make(template);
      await page.getByLabel("Name contains").fill("nothing");
      await page.getByText("No image has this in its name.").waitFor();
      await page.getByLabel("Name contains").fill("LOGO");
      await page.getByRole("button", { name: /^logo\.png/ }).click();
      const use = dialog.getByRole("link", { name: "Receipt" });
      expect(await use.getAttribute("href")).toBe(`/p/${path.split("/")[2]}/templates/${id}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Delete image" }).click();
      const question = page.getByRole("dialog", { name: "Delete logo.png?" });
      await question.getByRole("button", { name: "Delete image" }).click();
      await page.getByText("logo.png was deleted.").waitFor();
      expect(await images()).toEqual([]);
    });

    it("need R2, which a deployment without it says how to enable", async () => {
      const { at } = await newProject();
      const page = await dashboard.open(at);
      const { status, text } = REFUSALS.images_not_bound;
      await page.route("**/images?*", (route) =>
        route.fulfill({ status, json: { error: text, code: "images_not_bound" } }),
      );
      await goTo(page, `${at}/images`);
      await page.getByText("enable R2 in the Cloudflare account").waitFor();
      await page.unrouteAll();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("No images yet").waitFor();
    });

    it("fit a phone, light and dark", async () => {
      const { at } = await newProject();
      const page = await dashboard.open(`${at}/images`, { width: 390 });
      const input = page.getByLabel("Upload an image");
      const name = "a long name of a picture.png";
      await drop(page, input, { type: "image/png", width: 800, height: 500, name });
      await page.getByRole("dialog").getByText("800 × 500, PNG").waitFor();
      expect(await overflows(page)).toBe(false);
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: /^a long name/ }).waitFor();
      expect(await overflows(page)).toBe(false);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await contrastFaults(page, "dark")).toEqual([]);
    });
  });
}
