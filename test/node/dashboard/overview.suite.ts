import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { accessibilityFaults, type Dashboard } from "../support/dashboard.ts";
import { readMails, visitMail } from "../../../scripts/screenshots/read-mails.ts";
import { readLine } from "../support/local-run.ts";
import { newSendingProject, visitMail as followMail } from "../support/sending-project.ts";

/** Sooner opens count as a scanner's. */
const SCANNER_MS = 5_500;

/** Returns the name of the marked page in the list of pages. */
const currentPage = (page: Page) =>
  page
    .getByRole("navigation", { name: "Pages" })
    .locator("[aria-current=page]")
    .allInnerTexts()
    .then((names) => names.join());

export function describeOverview(dashboard: Dashboard) {
  const open = () => dashboard.open(`/p/${dashboard.projectId()}`);

  describe("the overview", () => {
    it("counts what was sent, and shows the next step until the first mail is opened", async () => {
      const id = await newSendingProject(dashboard, "Counted");
      await dashboard.call("POST", `/projects/${id}/send`, {
        to: "reader@example.com",
        subject: "Counted",
        html_body: "<p>Hello</p>",
      });
      const page = await dashboard.open(`/p/${id}`);
      await page.getByText("Get started").waitFor();
      await page.getByText("Chart data").click();
      const table = page.getByRole("region", { name: "Chart data" });
      const today = new Date().toISOString().slice(0, 10);
      expect(await table.getByRole("row").last().innerText()).toContain(today);
      const delivered = page.locator("dl > div").first();
      expect(await delivered.innerText()).toMatch(/Delivered\s+[1-9]/);
      await page.getByText("0%, with bots", { exact: true }).first().waitFor();
      await page.getByRole("link", { name: "Set up your brand" }).waitFor();
      await page.getByRole("link", { name: "Open first steps" }).click();
      await page.getByRole("heading", { name: "First steps" }).waitFor();
    });

    it("compares its numbers and its chart with the period before", async () => {
      const id = await newSendingProject(dashboard, "Compared");
      await dashboard.call("POST", `/projects/${id}/send`, {
        to: "before@example.com",
        subject: "Before",
        html_body: "<p>Hello</p>",
      });
      const HOUR_MS = 3_600_000;
      const from = (Math.ceil(Date.now() / HOUR_MS) + 1) * HOUR_MS; // the period has no mail yet
      const [start, end] = [from, from + 24 * HOUR_MS].map((at) => new Date(at).toISOString());
      const page = await dashboard.open(`/p/${id}?from=${start}&to=${end}`);
      const delivered = page.locator("dl > div").first();
      await delivered.getByText("−100%").waitFor();
      expect(await delivered.innerText()).toMatch(/compared with the period before/);
      expect(await page.locator("[data-chart] path[stroke-dasharray]").count()).toBe(1);
      await page.getByText("Chart data").click();
      const row = page.getByRole("region", { name: "Chart data" }).getByRole("row").last();
      expect(await row.innerText()).toMatch(/\d\d:00\s+0\s+0\s+1\s+0/); // sent, delivered, before, failed
    });

    it("keeps its period in the URL, so that the back button returns to the previous period", async () => {
      const page = await open();
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      const chart = page.locator("[data-chart]");
      await chart.waitFor(); // the numbers of the first period are there
      await page.route("**/series?*", (route) => held.then(() => route.continue()));
      await page.getByRole("button", { name: "7 days" }).click();
      await page.waitForURL(/days=7/);
      const former = page
        .locator("[aria-busy=true]")
        .filter({ has: page.locator("dl") })
        .first();
      await former.waitFor(); // the numbers of the time before are marked as such
      letGo();
      await former.waitFor({ state: "detached" });
      expect(await page.getByRole("button", { name: "7 days" }).getAttribute("aria-pressed")).toBe(
        "true",
      );
      expect(await currentPage(page)).toBe("Overview");
      await chart.hover();
      const box = await chart.boundingBox();
      if (!box) throw new Error("the chart has no place");
      await page.mouse.move(box.x + box.width * 0.2, box.y + 50);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 4 });
      await page.mouse.up();
      await page.waitForURL(/from=.*to=/);
      await page.goBack();
      await page.waitForURL(/days=7/);
    });

    it("is highlighted in the navigation, and so are the settings on each of their pages", async () => {
      const page = await dashboard.open(`/p/${dashboard.projectId()}/settings/tracking`);
      await page.getByRole("heading", { name: "Tracking", level: 1 }).waitFor();
      expect(await currentPage(page)).toBe("Settings");
    });

    it("links each number to as many mails in the log, and back", async () => {
      const id = await newSendingProject(dashboard, "Numbers");
      const at = `/projects/${id}`;
      const template = await dashboard.call<{ id: string }>("POST", `${at}/templates`, {
        name: "Letter",
        subject: "A letter",
        html_body: '<p>Hello <a href="https://example.com/letter">you</a></p>',
      });
      const reader = `${id}@example.com`;
      const person = await dashboard.call<{ id: string }>("POST", `${at}/subscribers`, {
        email: reader,
      });
      for (const mail of [
        { subscriber_id: person.id, template_id: template.id },
        { to: "other@example.com", template_id: template.id },
        { to: "third@example.com", subject: "No letter", html_body: "<p>Hello</p>" },
      ])
        await dashboard.call("POST", `${at}/send`, mail);
      await followMail(dashboard.run(), reader);
      await dashboard.call("PUT", `${at}/smtp`, {
        smtp_host: "127.0.0.1",
        smtp_port: 1,
        smtp_user: "demo",
        smtp_password: "demo",
        from_name: "Ann",
        from_email: "ann@example.com",
      });
      const lost = { to: "lost@example.com", template_id: template.id };
      await expect(dashboard.call("POST", `${at}/send`, lost)).rejects.toThrow("/send");
      const stats = () => dashboard.call("GET", `${at}/stats`);
      await expect.poll(stats, { interval: 500 }).toMatchObject({ opened: 1, clicked: 1 });
      const page = await dashboard.open(`/p/${id}`);
      for (const [number, mails] of [
        ["3: Delivered", 3],
        ["2: Letter", 2],
      ] as const) {
        await page.getByRole("link", { name: number, exact: true }).click();
        await page.getByRole("heading", { name: "Log", level: 1 }).waitFor();
        await page.getByRole("link", { name: reader }).waitFor();
        await expect.poll(() => page.getByRole("row").count(), { message: number }).toBe(mails + 1);
        await page.goBack();
      }
      expect(await page.getByRole("link", { name: /example\.com\/letter/ }).count()).toBe(0);
      await page.getByRole("link", { name: "Failed: 1", exact: true }).click();
      await page.getByRole("link", { name: lost.to }).waitFor();
      expect(await page.getByRole("row").count()).toBe(2);
    });

    it("shows when people open broadcasts, and the list the first hours of each", async () => {
      const id = await newSendingProject(dashboard, "Opened");
      const at = `/projects/${id}`;
      const { id: template_id } = await dashboard.call<{ id: string }>("POST", `${at}/templates`, {
        name: "Letter",
        subject: "A letter",
        html_body: "<p>Hello</p>",
      });
      const readers = Array.from({ length: 51 }, (_, n) => `r${n}.${id}@example.com`);
      for (const email of readers) await dashboard.call("POST", `${at}/subscribers`, { email });
      const page = await dashboard.open(`/p/${id}`);
      await page.getByText("You see the best hours here").waitFor();
      await dashboard.call("POST", `${at}/broadcast`, { template_id });
      const inbox = readLine(dashboard.run(), "Inbox");
      const mails = (await readMails(inbox)).filter(({ to }) => String(to).includes(id));
      expect(mails).toHaveLength(readers.length);
      await delay(SCANNER_MS);
      await Promise.all(mails.map((mail) => visitMail(inbox, mail, false)));
      const counted = () =>
        dashboard.call<{ broadcasts: { opened_human: number }[] }>("GET", `${at}/broadcasts`);
      await expect.poll(counted, { timeout: 15_000 }).toMatchObject({
        broadcasts: [{ opened_human: readers.length }],
      });
      await page.reload();
      await page.getByText(/^Most opens: \w+days, \d/).waitFor();
      const table = page.getByRole("grid", { name: /^Opens by weekday and hour/ });
      expect(await table.getByRole("rowheader").count()).toBe(7);
      const best = table.getByRole("gridcell", { name: "51", exact: true });
      expect(await best.count()).toBe(1);
      await best.focus();
      await page.getByText(/51 opens/).waitFor();
      await page.keyboard.press("Home");
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowLeft");
      await page
        .getByText(/10:00\sPM–|22:00–/)
        .last()
        .waitFor();
      expect(await table.locator('[tabindex="0"]').count()).toBe(1);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.goto(page.url().replace(/\/p\/.*/, `/p/${id}/broadcasts`));
      await page.getByText("51 opens in the first 48 hours").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it("is in German for German users", async () => {
      const page = await open();
      await page.evaluate("localStorage.setItem('postrider.language', 'de')");
      await page.reload();
      await page.getByRole("heading", { name: "Überblick" }).waitFor();
      await page.getByText("Zugestellte E-Mails").waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("de");
    });
  });
}
