import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { logIn } from "../support/local-run.ts";
import {
  accessibilityFaults,
  checkAndSend,
  goToStep,
  goTo,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";
import { newSendingProject, visitMail } from "../support/sending-project.ts";

const LINK = "https://example.com/read";

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
  /** A project that sends to the local mailbox, with a template and some people. */
  const newProject = async (people: number) => {
    const id = await newSendingProject(dashboard, "Broadcasts");
    await dashboard.call("POST", `/projects/${id}/templates`, {
      name: "News",
      subject: "News of today",
      html_body: `<p>Hello {{name}}, <a href="${LINK}">read on</a></p>
        <p><a href="{{unsubscribe_url}}">Leave</a></p>`,
    });
    const rows = Array.from({ length: people }, (_, n) => ({ email: `p${n}@example.com` }));
    await dashboard.call("POST", `/projects/${id}/subscribers/import`, rows);
    return id;
  };

  /** Starts a broadcast of the project's template, and returns its id. */
  const start = async (projectId: string, subject: string) => {
    const at = `/projects/${projectId}`;
    const [template] = await dashboard.call<{ id: string }[]>("GET", `${at}/templates`);
    const body = { template_id: template?.id, subject };
    const headers = { Prefer: "respond-async" };
    const call = dashboard.call<{ broadcast_id: string }>;
    return (await call("POST", `${at}/broadcast`, body, undefined, headers)).broadcast_id;
  };

  describe("a broadcast", () => {
    it("goes from a draft through its pre-flight check to a report that counts every recipient once", async () => {
      const people = 40; // so many that each variant has somebody, whatever chance does
      const projectId = await newProject(people);
      const page = await dashboard.open(`/p/${projectId}/broadcasts`);
      await page.getByRole("button", { name: "New broadcast" }).click();
      await page.getByLabel("Name", { exact: true }).fill("News of May");
      await page.getByLabel("Template", { exact: true }).selectOption("News");
      await page.getByRole("button", { name: "Add an A/B test" }).click();
      await page.getByLabel("Subject A").fill("News of today");
      await page.getByLabel("Subject B").fill("News for you");
      await page.getByLabel("Share of the audience in the test").fill("50");
      await page.getByLabel("The winner is", { exact: true }).selectOption("manual");
      await goToStep(page, "Review");
      await page.getByRole("heading", { name: "Review and send" }).waitFor();
      await page.reload();
      await page.getByText(`= ${people}`, { exact: true }).waitFor();
      const mails = page.getByTitle(/^The email to p\d+@example.com$/);
      await expect.poll(() => mails.count()).toBe(3);
      await goToStep(page, "Mail");
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
      await page.getByText("winner", { exact: true }).waitFor();
      await page.getByText(`All ${people} processed`).waitFor({ timeout: 150_000 });
      expect(await sumOfReport(page)).toBe(people);
      const report = page.url();
      await visitMail(dashboard.run(), "p0@example.com");
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
        expect(await visitors.last().innerText()).toContain("p0@example.com");
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
      expect(await visitors.last().innerText()).toContain("p0@example.com");
      await page.getByRole("link", { name: /^Delivered/ }).click();
      await page.getByRole("heading", { name: "Recipients: Delivered" }).waitFor();
      await expect.poll(() => visitors.count()).toBe(people + 1);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download as CSV" }).click();
      const file = await readFile(await (await download).path(), "utf8");
      expect(file.trim().split("\r\n")).toHaveLength(people + 1);
      expect(file).toContain("p0@example.com,sent");
      await page.getByRole("link", { name: "p0@example.com" }).click();
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

    it("is written and sent in three steps, and is scheduled, unscheduled and edited", async () => {
      const projectId = await newSendingProject(dashboard, "Three steps");
      await dashboard.call("POST", `/projects/${projectId}/subscribers/import`, [
        { email: "three-steps@example.com", name: "Ann" },
      ]);
      const page = await dashboard.open(`/p/${projectId}/broadcasts`);
      await page.evaluate("clicks = 0; addEventListener('pointerdown', () => (clicks += 1), true)");
      await page.getByRole("button", { name: "New broadcast" }).click();
      await page.getByLabel("Subject", { exact: true }).click();
      await page.keyboard.type("Hello {{name}}");
      const picture = page.frameLocator("iframe[title='Preview of the email']");
      await picture.getByText("Read more").waitFor();
      await page.getByText("Hello Ann").waitFor();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("1 person would get it now").waitFor();
      expect(new URL(page.url()).search).toBe("?step=people");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByLabel("At a set time", { exact: true }).waitFor();
      await page.goBack();
      await page.getByText("1 person would get it now").waitFor();
      await page.goForward();
      await page.getByRole("button", { name: "Review and send" }).click();
      await page.getByText("= 1", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Send now to 1" }).click();
      await page.getByText("Sending starts in 15 seconds.").waitFor();
      const clicks = await page.evaluate<number>("clicks");
      process.stdout.write(`from the list of broadcasts to a started one: ${clicks} clicks\n`);
      expect(clicks).toBeLessThanOrEqual(6);
      const unschedule = page.getByRole("button", { name: "Unschedule and edit" });
      await unschedule.waitFor();
      await page.getByRole("button", { name: "Undo" }).click();

      await unschedule.waitFor({ state: "detached" });
      await goToStep(page, "Time");
      await page.getByLabel("At a set time", { exact: true }).check();
      await page.getByRole("button", { name: "Review and send" }).click();
      await page.getByText("= 1", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Schedule" }).press("Enter");
      await unschedule.waitFor();
      await picture.getByText("Read more").waitFor();
      await page.getByText("1 person would get it now").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await unschedule.click();
      await goToStep(page, "Mail");
      await page.getByLabel("Subject", { exact: true }).fill("Good morning");
      await goToStep(page, "Time");
      await page.getByLabel("Now", { exact: true }).check();
      await checkAndSend(page, 1);
      await page.getByText(/^1 of 1 /).waitFor({ timeout: 150_000 });
      const { broadcasts } = await dashboard.call<{ broadcasts: object[] }>(
        "GET",
        `/projects/${projectId}/broadcasts`,
      );
      expect(broadcasts).toMatchObject([{ subject: "Good morning", sent: 1 }]);
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
      await page.reload();
      const counts = await dashboard.call<{ skipped: number }>(
        "GET",
        `${at}/broadcasts/${second}/report`,
      );
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
      await page.getByText("100% of recipients").waitFor();
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
      const row = listed.getByRole("row").filter({ hasText: "First" });
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
      await page.getByText(/Waiting for your limit, next at .+ · done about /).waitFor();
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

    it("that was deleted as a draft can be restored although the first undo does not reach the service", async () => {
      const projectId = await newProject(0);
      const at = `/projects/${projectId}/broadcasts`;
      const draft = { name: "Dear draft", html_body: "<p>Much work</p>" };
      const { id } = await dashboard.call<{ id: string }>("POST", at, draft);
      const page = await dashboard.open(`/p/${projectId}/broadcasts/${id}`);
      let isAway = true;
      await page.route(`**/api/v1${at}`, (route) =>
        isAway && route.request().method() === "POST" ? route.abort() : route.continue(),
      );
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByText("The draft was deleted.").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("The service does not respond.").waitFor();
      isAway = false;
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("link", { name: "Dear draft" }).waitFor();
      const { broadcasts } = await dashboard.call<{ broadcasts: { id: string }[] }>(
        "GET",
        `${at}?state=draft`,
      );
      expect(await dashboard.call("GET", `${at}/${broadcasts[0]?.id}`)).toMatchObject(draft);
    });

    it("that is scheduled can be unscheduled although the first attempt does not reach the service", async () => {
      const projectId = await newProject(1);
      const at = `/projects/${projectId}/broadcasts`;
      const { id } = await dashboard.call<{ id: string }>("POST", at, {
        name: "Letter",
        subject: "News",
        html_body: '<a href="{{unsubscribe_url}}">Leave</a>',
        send_at: "2099-01-01T10:00:00.000Z",
      });
      await dashboard.call("POST", `${at}/${id}/start`, { accept: [] });
      const page = await dashboard.open(`/p/${projectId}/broadcasts/${id}`);
      let isAway = true;
      await page.route("**/undo", (route) => (isAway ? route.abort() : route.continue()));
      await page.getByText(/^Starts .+ 2099/).waitFor();
      await page.getByText("1 person would get it now").waitFor();
      const picture = page.frameLocator("iframe[title='Preview of the email']");
      await picture.getByText("Leave").waitFor();
      await page.getByRole("button", { name: "Unschedule and edit" }).click();
      await page.getByText("The service does not respond.").waitFor();
      isAway = false;
      await page.getByRole("button", { name: "Undo" }).click();
      await goToStep(page, "Time");
      await expect
        .poll(() => page.getByLabel("Date and time").inputValue())
        .toMatch(/^2099-01-01T/);
      await page.getByLabel("Now", { exact: true }).check();
      await goToStep(page, "Mail");
      expect(await dashboard.call("GET", `${at}/${id}`)).toMatchObject({
        state: "draft",
        send_at: null,
      });
    });

    it("accepts every field of a draft, keeps edits during a conflict, shows errors at their fields, and reloads a list that failed", async () => {
      const projectId = await newProject(0);
      const at = `/projects/${projectId}`;
      const made = (path: string, body: unknown) =>
        dashboard.call<{ id: string }>("POST", `${at}/${path}`, body).then(({ id }) => id);
      const vip = await made("segments", { name: "VIP", where: "tag:vip" });
      await made("subscribers", { email: "ann@example.com", tags: ["vip"] });
      await made("subscribers", { email: "ben@example.com" });
      const id = await made("broadcasts", {
        name: "Letter",
        html_body: "<p>{{broadcast.city}}</p>",
        variables: { stops: [1, 2] },
        ab: { variants: [{ subject: "One", from_name: "Ben" }, { subject: "Two" }] },
      });
      const read = () => dashboard.call<Record<string, unknown>>("GET", `${at}/broadcasts/${id}`);
      const page = await dashboard.open(`/p/${projectId}/broadcasts/${id}`);
      const more = page.locator("summary", { hasText: "More options" });
      await page.getByRole("button", { name: "Add variable" }).click();
      await page.getByLabel("Name 2").fill("city");
      await page.getByLabel("Value 2").fill("Bonn");
      await page.getByLabel("Preview text").fill("What is new");
      await page.getByLabel("Sender name (optional)").fill("Ann of News");
      await page.getByLabel("Reply-to address").fill("ann@example.com");
      await page.getByLabel("Subject B").fill("Three");
      expect(await accessibilityFaults(page)).toEqual([]);
      await goToStep(page, "People");
      await more.click();
      await page.getByLabel("VIP").check();
      await page.getByText("1 person would get it now").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await goToStep(page, "Time");
      await more.click();
      await page.getByLabel("Maximum per hour").fill("600");
      await page.getByLabel("Warm-up").fill("50");
      await page.getByText("day 3: 200").waitFor();
      await page.getByLabel("Cancel if late by more than").fill("90");
      expect(await accessibilityFaults(page)).toEqual([]);
      const save = page.getByRole("button", { name: "Save" });
      await save.click();
      await page.getByText("Saved.").waitFor();
      expect(await read()).toMatchObject({
        variables: { stops: [1, 2], city: "Bonn" },
        html_body: "<p>{{broadcast.city}}</p>",
        exclude_segment_ids: [vip],
        per_hour: 600,
        warm_up: { first_day: 50 },
        max_delay_minutes: 90,
        preview_text: "What is new",
        from_name: "Ann of News",
        reply_to: "ann@example.com",
        ab: { variants: [{ subject: "One", from_name: "Ben" }, { subject: "Three" }] },
      });
      await page.getByRole("button", { name: "Review and send" }).click();
      await page.getByTitle("The email to ben@example.com").waitFor();
      await page.getByText("Subject: One").waitFor();
      expect(await page.getByTitle("The email to ann@example.com").count()).toBe(0);

      await page.getByLabel("Variant", { exact: true }).selectOption("B");
      await page.getByRole("button", { name: "Send test email" }).click();
      await page.getByText(/@.+: Sent/).waitFor();
      await goToStep(page, "Time");
      await page.getByLabel("At a set time in each person's time zone").check();
      await page.getByLabel("Time zone for everyone else").selectOption("America/New_York");
      await page.getByLabel("Date and time").fill("2027-01-05T10:00");
      await save.click();
      await page.getByText("must be omitted with time_zone").first().waitFor();
      await goToStep(page, "Mail"); // nothing typed is lost on the way to the fault
      await page.getByRole("button", { name: "Remove A/B test" }).click();
      await goToStep(page, "People");
      await page.getByLabel("People who match rules").check();
      await page.getByRole("button", { name: "Edit as text" }).click();
      const rules = page.getByLabel("Condition", { exact: true });
      await rules.fill("tag:");
      await save.click();
      await expect.poll(() => rules.getAttribute("aria-invalid")).toBe("true");
      await rules.fill("not tag:none");
      await dashboard.call("PATCH", `${at}/broadcasts/${id}`, { name: "Their letter" });
      await save.click();
      await page.getByRole("button", { name: "Keep mine" }).click();
      await save.click();
      await expect.poll(async () => (await read())["time_zone"]).toBe("America/New_York");
      expect(await read()).toMatchObject({
        name: "Their letter",
        send_at: "2027-01-05T15:00:00.000Z",
        where: "not tag:none",
        ab: null,
      });

      await goToStep(page, "Review");
      await page.getByRole("button", { name: "Schedule" }).waitFor();
      await page.getByRole("link", { name: "Go to the email" }).first().click();
      await page.getByLabel("Preview text").waitFor();
      await goToStep(page, "People");
      await page.getByLabel("A segment").check();
      await page.getByLabel("Segment", { exact: true }).selectOption("VIP");
      await page.getByRole("link", { name: "All broadcasts" }).click();
      await page.getByRole("heading", { name: "Leave without saving?" }).waitFor();
      await page.keyboard.press("Escape");
      expect(await page.getByLabel("Segment", { exact: true }).inputValue()).toBe(vip);
      await page.getByRole("link", { name: "All broadcasts" }).click();
      await page.getByRole("button", { name: "Leave" }).click();
      await page.getByRole("heading", { name: "Broadcasts" }).waitFor();

      const [news] = await dashboard.call<{ id: string }[]>("GET", `${at}/templates`);
      const named = `template_id=${news?.id}&segment_id=${vip}&tag=big%20fans`;
      const lists = /\/api\/v1\/projects\/[^/]+\/(?:topics|segments|templates)(?:$|\?)/;
      await page.goto(`/p/${projectId}/broadcasts/new?${named}`);
      await page.getByLabel("Name", { exact: true }).fill("For fans");
      await page.route(lists, (route) =>
        route.fulfill({ status: 500, json: { error: "internal error" } }),
      );
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("0 people would get it now").waitFor();
      await page.reload();
      const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
      await again.first().waitFor();
      const chosen = page.getByLabel("Segment", { exact: true }).locator("option:checked");
      await expect
        .poll(() => chosen.textContent())
        .toBe("(chosen, but its name could not be loaded)");
      await page.unroute(lists);
      await again.first().click();
      await expect.poll(() => chosen.textContent()).toBe("VIP");
      const fans = new URL(page.url()).pathname.split("/").at(-1);
      expect(await dashboard.call("GET", `${at}/broadcasts/${fans}`)).toMatchObject({
        name: "For fans",
        template_id: news?.id,
        segment_id: vip,
        where: 'tag:"big fans"',
      });
    });

    it("does not let a viewer send or edit, and explains that at each disabled button", async () => {
      const me = await dashboard.call<{ workspaces: { id: string }[] }>("GET", "/auth/me");
      const projectId = await newProject(1);
      const made = (path: string, body: unknown) =>
        dashboard.call<{ id: string }>("POST", `/projects/${projectId}/${path}`, body);
      const [template] = await dashboard.call<{ id: string }[]>(
        "GET",
        `/projects/${projectId}/templates`,
      );
      const templateId = template?.id ?? "";
      await dashboard.call("PUT", `/projects/${projectId}/templates/${templateId}`, {
        text_body: "Hello",
      });
      const draft = await made("broadcasts", {
        name: "Draft",
        template_id: templateId,
        variables: { city: "Bonn" },
      });
      const sent = await dashboard.call<{ broadcast_id: string }>(
        "POST",
        `/projects/${projectId}/broadcast`,
        { template_id: templateId },
      );
      const off: [path: string, heading: string, buttons: string[]][] = [
        ["broadcasts", "Broadcasts", ["New broadcast"]],
        ["broadcasts/new", "New broadcast", ["Continue", "Add an A/B test"]],
        [
          `broadcasts/${draft.id}`,
          "Draft",
          ["Duplicate", "Delete", "Save", "Add variable", "Add an A/B test"],
        ],
        [
          `broadcasts/${draft.id}/preflight`,
          "Review and send",
          ["Check again", "Send test email", "Send now"],
        ],
        [
          `broadcasts/${sent.broadcast_id}`,
          "News of today",
          ["Send to people who joined since", "Resend to non-openers", "Duplicate"],
        ],
        ["templates", "Templates", ["New template", "Duplicate News", "Delete News"]],
        [`templates/${templateId}`, "News", ["Save"]],
        [`templates/${templateId}/history`, "History", ["Restore this version"]],
      ];
      const email = `viewer-${Date.now()}@example.com`;
      await dashboard.call("POST", `/workspaces/${me.workspaces[0]?.id}/users`, {
        email,
        name: "Guest",
        password: "a long enough password",
        role: "viewer",
      });
      const session = await logIn(dashboard.run(), email, "a long enough password");
      const page = await dashboard.open(`/p/${projectId}/broadcasts`, { session });
      for (const [path, heading, buttons] of off) {
        await goTo(page, `/p/${projectId}/${path}`);
        await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
        for (const name of buttons) {
          const button = page.getByRole("button", { name, exact: true });
          expect([name, await button.getAttribute("aria-disabled")]).toEqual([name, "true"]);
          expect([name, await button.getAttribute("title")]).toEqual([
            name,
            "Your role is viewer, which cannot do this.",
          ]);
        }
        const silent = await page.evaluate(
          "[...document.querySelectorAll('main button')].filter((one) => one.matches(':disabled, [aria-disabled=true]') && !one.title).map((one) => one.outerHTML)",
        );
        expect([path, silent]).toEqual([path, []]);
      }
      await goTo(page, `/p/${projectId}/broadcasts`);
      const create = page.getByRole("button", { name: "New broadcast" });
      await create.press("Enter");
      await page.keyboard.press("n");
      await page.getByRole("status").getByText("Your role is viewer").waitFor();
      expect(new URL(page.url()).pathname).toBe(`/p/${projectId}/broadcasts`);
    });
  });
}
