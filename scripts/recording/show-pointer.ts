import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";

const POINTER = new URL("in-page/pointer.js", import.meta.url);
const STEPS = 12;
const REST_MS = 250;

/** Draws the mouse pointer into `page`, because a screencast does not show it. */
export async function showPointer(page: Page) {
  await page.addInitScript({ path: fileURLToPath(POINTER) });
}

/** Moves the pointer to the middle of `target` and clicks it. */
export async function clickSlowly(page: Page, target: Locator) {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("the target of a click is not shown");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: STEPS });
  await page.waitForTimeout(REST_MS);
  await target.click();
}
