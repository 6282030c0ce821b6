import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  addressOf,
  LINK,
  newProject as newProjectOf,
  start as startIn,
} from "../support/broadcast-project.ts";
import {
  accessibilityFaults,
  checkAndSend,
  goToStep,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";
import { visitMail } from "../support/sending-project.ts";

/** Returns the sum of the numbers of a delivery report. */
async function sumOfReport(page: Page): Promise<number> {
  const numbers = page.getByRole("list", { name: "Delivery report" }).getByRole("listitem");
  await numbers.first().waitFor();
  const texts = await numbers.allInnerTexts();
  return texts.reduce((sum, text) => sum + Number(/\d+/.exec(text)?.[0]), 0);
}

/** Puts the tab of a page into the background, or back. */
const setVisibility = (page: Page, state: "hidden" | "visible") =>
  page.evaluate(`
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "${state}" });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  `);

export function describeBroadcasts(dashboard: Dashboard) {
  const newProject = (people: number) => newProjectOf(dashboard, people);
  const start = (projectId: string, subject: string) => startIn(dashboard, projectId, subject);

  describe("a broadcast", () => {
    it("goes from a draft through its pre-flight check to a report that counts every recipient once", async () => {
      const people = 40; // so many that each variant has somebody, whatever chance does
      const projectId = await newProject(people);
      const reader = addressOf(projectId);
      const page = await dashboard.open(`/p/${projectId}/broadcasts`);
      await page.getByRole("button", { name: "New broadcast" }).click();
      await page.getByLabel("Name", { exact: true }).fill("News of May");
      await page.getByLabel("Template", { exact: true }).selectOption("News");
      await page.getByRole("button", { name: "Add an A/B test" }).click();
      await page.getByLabel("Subject A").fill("News of today");
      await page.getByLabel("Subject B").fill("News for you");
      await page.getByLabel("Size of the test").fill("50");
      await page.getByLabel("Choose the winner by", { exact: true }).selectOption("manual");
      await goToStep(page, "Review");
      await page.getByRole("heading", { name: "Review and send" }).waitFor();
      await page.reload();
      await page.getByText(`= ${people}`, { exact: true }).waitFor();
      const mails = page.getByTitle(/^The email to p\d+@/);
      await expect.poll(() => mails.count()).toBe(3);
      await goToStep(page, "Email");
      await expect.poll(() => page.getByLabel("Subject B").inputValue()).toBe("News for you");
      await checkAndSend(page, people);
      await page.getByRole("button", { name: "Undo" }).click();
      await checkAndSend(page, people);
      const mailsOfA = page.getByRole("link", { name: /^[1-9]\d* emails? of variant A$/ });
      await mailsOfA.waitFor({ timeout: 150_000 });
      await page.getByText("Everyone else waits until you choose the winner.").waitFor();
      expect(await sumOfReport(page)).toBe(people);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await overflows(page)).toBe(false);
      await page.setViewportSize({ width: 1_280, height: 800 });
      await page.keyboard.press("?");
      await page.getByRole("dialog").getByText("Change rate").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("p");
      const ready = page.locator(":not([aria-busy])");
      await page.getByRole("button", { name: "Resume" }).and(ready).waitFor();
      await page.keyboard.press("e");
      await page.getByRole("heading", { name: "Cancel this broadcast?" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("p");
      await page.getByRole("button", { name: "Pause" }).and(ready).waitFor();
      await page.getByRole("button", { name: "Choose A", exact: true }).click();
      await page.getByLabel("Type “News of May” to confirm.").fill("News of May");
      await page.getByRole("dialog").getByRole("button", { name: "Choose A" }).click();
      await page.getByText("Winner", { exact: true }).waitFor();
      await page.getByText(`All ${people} processed`).waitFor({ timeout: 150_000 });
      expect(await sumOfReport(page)).toBe(people);
      const report = page.url();
      await visitMail(dashboard.run(), reader);
      const counts = `/projects/${projectId}/broadcasts/${report.split("/").at(-1)}/report`;
      const seen = () => dashboard.call("GET", counts);
      await expect.poll(seen, { interval: 500 }).toMatchObject({ opened: 1, clicked: 1 });
      await page.reload();
      const links = page.getByRole("region", { name: "Links" });
      await links.getByText(LINK).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      const visitors = page.getByRole("region", { name: "Recipients" }).getByRole("row");
      const visits = page
        .locator("dl")
        .getByText(/^1 (?:open|click), of which \d by bots and mail apps$/);
      const [ofOpens, ofClicks] = await visits.all();
      const ofLink = links.getByText(/^1 click, of which/);
      const sent = page.frameLocator("iframe[title='The email that was sent']");
      await sent.getByText(/^\d clicks? · \d+%$/).waitFor();
      for (const [number, heading] of [
        [ofOpens, "Recipients: Opened"],
        [ofClicks, "Recipients: Clicked"],
        [ofLink, `Link: ${LINK}`],
      ] as const) {
        await number?.click();
        await page.getByText(heading, { exact: true }).waitFor();
        await expect.poll(() => visitors.count()).toBe(2);
        expect(await visitors.last().innerText()).toContain(reader);
      }
      await ofLink.click();
      await expect.poll(() => visitors.count()).toBe(people + 1);
      const named = counts.replace("report", "recipients?search=p0@");
      const { recipients } = await dashboard.call<{ recipients: { subscriber_id: string }[] }>(
        "GET",
        named,
      );
      const [p0] = recipients;
      const leave = `/unsubscribe/${projectId}/${p0?.subscriber_id}/${report.split("/").at(-1)}`;
      await fetch(new URL(leave, report), {
        method: "POST",
        body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
      });
      await page.reload();
      await page.getByRole("link", { name: "1: Unsubscribed" }).click();
      await page.getByRole("heading", { name: "Recipients: Unsubscribed" }).waitFor();
      await expect.poll(() => visitors.count()).toBe(2);
      expect(await visitors.last().innerText()).toContain(reader);
      await page.getByRole("link", { name: /^Delivered/ }).click();
      await page.getByRole("heading", { name: "Recipients: Delivered" }).waitFor();
      await expect.poll(() => visitors.count()).toBe(people + 1);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download as CSV" }).click();
      const file = await readFile(await (await download).path(), "utf8");
      expect(file.trim().split("\r\n")).toHaveLength(people + 1);
      expect(file).toContain(`${reader},sent`);
      await page.getByRole("link", { name: reader }).click();
      await page.getByRole("heading", { name: /^News / }).waitFor();
      await page.goBack();
      await mailsOfA.click();
      await page.getByRole("heading", { name: "Log", level: 1 }).waitFor();
      await page.getByText("News of today").first().waitFor();
      expect(await page.getByText("News for you").count()).toBe(0);
      await page.goBack();
      await page.getByRole("button", { name: "Resend to non-openers" }).click();
      await page.getByLabel("Subject").fill("A second chance");
      await page.getByRole("button", { name: "Create draft" }).click();
      await page.getByText("It goes only to people who received the first broadcast").waitFor();
      expect(await page.getByLabel("Subject", { exact: false }).first().inputValue()).toBe(
        "A second chance",
      );
      await page.getByRole("button", { name: "Delete" }).click();
      const again = "News of May (again)";
      await page.getByLabel(`Type “${again}” to confirm.`).fill(again);
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("The draft was deleted.").waitFor();
      expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
      // the pre-flight of one that has begun leads to its report
      await page.goto(`${report}/preflight`);
      await page.getByRole("list", { name: "Delivery report" }).waitFor();
      await page.getByRole("link", { name: "All broadcasts" }).click();
      await page.getByRole("link", { name: `${people}: Delivered` }).click();
      await page.getByRole("heading", { name: "Recipients: Delivered" }).waitFor();
      await page.getByRole("button", { name: "Duplicate" }).click();
      await page.getByRole("button", { name: "Remove A/B test" }).waitFor();
    });

    it("that waits for its turn names the other one, polls nothing while the page is hidden, and finally lists who was skipped", async () => {
      const projectId = await newProject(2);
      const at = `/projects/${projectId}`;
      await dashboard.call("PUT", `${at}/sending`, { max_per_hour: 1 });
      await dashboard.call("PUT", `${at}/audience-settings`, { min_days_between_broadcasts: 3 });
      await start(projectId, "First");
      const second = await start(projectId, "Second{{#if name}}, {{name}}{{/if}}");
      const page = await dashboard.open(`/p/${projectId}/broadcasts/${second}`, { isNew: true });
      await page.getByText("Waits until “First” is sent").waitFor();
      await page.getByRole("heading", { name: "Second, {{name}}", level: 1 }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.clock.install();
      await page.reload();
      let reads = 0;
      page.on("request", (request) => (reads += request.url().endsWith("/report") ? 1 : 0));
      const readsLater = async () => {
        await page.clock.runFor(2_000);
        return reads;
      };
      await expect.poll(readsLater).toBeGreaterThan(1);
      await setVisibility(page, "hidden");
      reads = 0;
      await page.clock.runFor(60_000);
      expect(reads).toBe(0);
      await setVisibility(page, "visible");
      await expect.poll(readsLater).toBeGreaterThan(1);
      await dashboard.call("POST", `${at}/broadcasts/${second}/cancel`, {});
      const report = () =>
        dashboard.call<{ skipped: number }>("GET", `${at}/broadcasts/${second}/report`);
      await expect.poll(report).toMatchObject({ waiting: 0 });
      const counts = await report();
      await page.reload();
      await page.getByRole("link", { name: `Skipped ${counts.skipped}` }).click();
      await page.getByRole("heading", { name: "Recipients: Skipped" }).waitFor();
      const rows = page.getByRole("region", { name: "Recipients" }).getByRole("row");
      await expect.poll(() => rows.count()).toBe(2); // the other one has got the first one
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      await page.route(/\/recipients\?/, async (route) => {
        const isFirst = !route.request().url().includes("after=second");
        if (!isFirst) await held;
        await route.fulfill({ json: { recipients: [], next: isFirst ? "second" : null } });
      });
      await page.goto(`/p/${projectId}/broadcasts/${second}`);
      await page.getByRole("button", { name: "Next page" }).dblclick();
      letGo();
      await page.getByRole("button", { name: "Next page" }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Previous page" }).click();
      await page.getByRole("button", { name: "Next page" }).waitFor();
    });

    it("shows its rates, the email, an earlier one for comparison, and when its limit lets it go on", async () => {
      const projectId = await newProject(1);
      const at = `/projects/${projectId}`;
      const reader = `${projectId}@example.com`;
      await dashboard.call("POST", `${at}/subscribers`, { email: reader });
      const look = (id: string) => () => dashboard.call("GET", `${at}/broadcasts/${id}/report`);
      const first = await start(projectId, "First");
      await expect.poll(look(first), { interval: 500, timeout: 60_000 }).toMatchObject({ sent: 2 });
      await visitMail(dashboard.run(), reader);
      await expect.poll(look(first), { interval: 500 }).toMatchObject({ opened: 1, clicked: 1 });
      const second = await start(projectId, "Second");
      const isOver = () => dashboard.call("GET", `${at}/broadcasts/${second}`);
      await expect
        .poll(isOver, { interval: 500, timeout: 60_000 })
        .toMatchObject({ state: "done" });
      const page = await dashboard.open(`/p/${projectId}/broadcasts/${second}`);
      const funnel = page.locator("section", { hasText: "Engagement" });
      await funnel.getByText("100% of recipients").waitFor();
      expect(await funnel.locator("dl").innerText()).toMatch(
        /^Recipients\s+2\s+Delivered\s+2 100% of recipients\s+Opened\s+0 0% of delivered\s+0 opens, .*\s+Clicked\s+0 0%/,
      );
      const comparison = page.getByRole("region", { name: "Comparison" });
      await expect.poll(() => comparison.getByRole("row").count()).toBe(4);
      await page
        .frameLocator("iframe[title='The email that was sent']")
        .getByText("read on")
        .waitFor();
      await page.getByText("Ann <ann@example.com>").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await overflows(page)).toBe(false);
      await page.getByRole("link", { name: "All broadcasts" }).click();
      const listed = page.getByRole("region", { name: "Broadcasts" });
      const row = listed
        .getByRole("row")
        .filter({ has: page.getByRole("link", { name: "First" }) });
      await row.waitFor();
      expect(await row.innerText()).toMatch(/\d\s+\d+%\s+\d\s+\d+%/);
      const fits =
        "[...document.querySelectorAll('[role=region]')].every((one) => one.scrollWidth <= one.clientWidth)";
      expect(await page.evaluate(fits)).toBe(true);
      expect(await accessibilityFaults(page)).toEqual([]);
      await dashboard.call("PUT", `${at}/sending`, { max_per_hour: 5 });
      const third = await start(projectId, "Third");
      await expect.poll(look(third), { interval: 500, timeout: 60_000 }).toMatchObject({
        waiting_until: expect.any(String),
      });
      await page.goto(`/p/${projectId}/broadcasts/${third}`);
      await page.getByText(/Waiting for your limit, continues at .+ · done about /).waitFor();
    });

    it("does not show an error of its pause in the dialog to stop it, or on the page of another broadcast", async () => {
      const projectId = await newProject(2);
      await dashboard.call("PUT", `/projects/${projectId}/sending`, { max_per_hour: 1 });
      await start(projectId, "First");
      await start(projectId, "Second");
      const page = await dashboard.open(`/p/${projectId}/broadcasts`);
      await page.route("**/pause", (route) =>
        route.fulfill({ status: 400, json: { error: "it cannot pause now" } }),
      );
      const error = page.getByText("it cannot pause now");
      const pause = page.getByRole("button", { name: "Pause" });
      await page.getByRole("link", { name: "First" }).click();
      await pause.waitFor();
      await page.getByRole("link", { name: "All broadcasts" }).click();
      await page.getByRole("link", { name: "Second" }).click();
      await pause.click();
      await error.waitFor();
      await page.getByRole("button", { name: "Cancel broadcast" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("heading", { name: "Cancel this broadcast?" }).waitFor();
      expect(await error.count()).toBe(0);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await pause.click();
      await error.waitFor();
      await page.evaluate("history.go(-2)");
      await page.getByRole("heading", { name: "First", level: 1 }).waitFor();
      await pause.waitFor();
      expect(await error.count()).toBe(0);
    });
  });
}
