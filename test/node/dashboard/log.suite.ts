import { describe, expect, it } from "vitest";
import { accessibilityFaults, goTo, type Dashboard } from "../support/dashboard.ts";
import { visitMail } from "../support/sending-project.ts";

const MARKUP = `<img src=x onerror="document.title='broken'">`;

export function describeLog(dashboard: Dashboard) {
  const send = (to: string, subject: string) =>
    dashboard.call("POST", `/projects/${dashboard.projectId()}/send`, {
      to,
      subject,
      html_body: '<p>Hello <a href="https://example.com/read">you</a></p>',
    });

  describe("the log", () => {
    it("finds the mails of a recipient by a link, and shows the timeline of one with advice", async () => {
      const email = `held-${Date.now()}@example.com`;
      const path = `/p/${dashboard.projectId()}`;
      await send(email, MARKUP);
      await visitMail(dashboard.run(), email);
      await dashboard.call("POST", `/projects/${dashboard.projectId()}/suppressions`, {
        emails: [email],
        source: MARKUP,
      });
      await expect(send(email, "Held back")).rejects.toThrow("on the suppression list");
      const page = await dashboard.open(`${path}/log`);
      await page.getByLabel("Recipient").fill(email);
      await page.keyboard.press("Enter");
      await page.getByText("Held back").waitFor();
      expect(new URL(page.url()).searchParams.get("to_email")).toBe(email);
      await expect.poll(() => page.getByRole("row").count()).toBe(3);
      expect(await page.getByText(MARKUP).count()).toBe(1);
      await page.getByLabel("Outcome").selectOption("suppressed");
      await page.getByText(MARKUP).waitFor({ state: "detached" });
      await page.getByRole("link", { name: email }).click();
      await page.getByRole("heading", { name: "Held back", level: 1 }).waitFor();
      await page.getByText("What to do:").waitFor();
      await page.getByText("The address was put on the suppression list").waitFor();
      await page.getByRole("link", { name: "Back to log" }).click();
      await page.getByRole("link", { name: email }).waitFor();
      expect(new URL(page.url()).searchParams.get("status")).toBe("suppressed");
      await page.getByLabel("Outcome").selectOption("sent");
      await page.getByText(MARKUP).waitFor(); // the row of the other one has gone
      await page.getByRole("link", { name: email }).click();
      await page.getByText("A security scanner followed a link, not a person").waitFor();
      await page.goBack();
      await page.getByLabel("Until").fill("2020-01-31T10:00");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "No emails match" }).waitFor();
      const until = new Date("2020-01-31T10:00").toISOString(); // the browser has the zone of this process
      expect(new URL(page.url()).searchParams.get("to")).toBe(until);
      const field = page.getByLabel("Until");
      await page.getByRole("button", { name: "Choose a date" }).last().click();
      const calendar = page.getByRole("dialog", { name: "Choose a date" });
      await calendar.getByRole("gridcell", { name: "31", selected: true }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("PageDown"); // February has no 31st
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      expect(await field.inputValue()).toBe("2020-02-22T10:00");
      await calendar.getByLabel("Time").fill("11:30");
      await page.keyboard.press("Escape");
      await calendar.waitFor({ state: "detached" });
      expect(await field.inputValue()).toBe("2020-02-22T11:30");
      await field.and(page.locator(":focus")).waitFor();
    });

    it("shows an email that waits, changes its time, and cancels it", async () => {
      const to = `waiting-${Date.now()}@example.com`;
      const project = `/projects/${dashboard.projectId()}`;
      const { id } = await dashboard.call<{ id: string }>("POST", `${project}/send`, {
        to,
        subject: "Tomorrow",
        html_body: "<p>Hello</p>",
        scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
      });
      const page = await dashboard.open(`/p/${dashboard.projectId()}/log?status=scheduled`);
      await page.getByRole("link", { name: to }).click();
      await page.getByText("The email waits for its time.").waitFor();
      expect(await page.getByRole("button", { name: "Send again" }).count()).toBe(0);
      const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
      await page.getByLabel("Send at").fill(`${later}T10:00`);
      await page.getByRole("button", { name: "Change time" }).click();
      await page.getByText("The time was changed.").waitFor();
      const moved = await dashboard.call<{ scheduled_at: string }>("GET", `${project}/logs/${id}`);
      expect(moved.scheduled_at).toBe(new Date(`${later}T10:00`).toISOString());
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole("button", { name: "Cancel email" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel email" }).click();
      await page.getByText("The email was canceled.").waitFor();
      await page.getByRole("heading", { name: "Log", level: 1 }).waitFor();
      await expect.poll(() => page.getByRole("link", { name: to }).count()).toBe(0);
      await expect(dashboard.call("GET", `${project}/logs/${id}`)).rejects.toThrow("not found");
    });

    it("lists a batch that waits, changes its time, and cancels it", async () => {
      const project = `/projects/${dashboard.projectId()}`;
      const template = await dashboard.call<{ id: string }>("POST", `${project}/templates`, {
        name: `batch-${Date.now()}`,
        subject: "Batch for {{name}}",
        html_body: "<p>Hello</p>",
      });
      const { batch_id } = await dashboard.call<{ batch_id: string }>(
        "POST",
        `${project}/send/batch`,
        {
          template_id: template.id,
          recipients: ["a", "b"].map((name) => ({ to: `${name}@example.com` })),
          scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
        },
      );
      const page = await dashboard.open(`/p/${dashboard.projectId()}/log?status=scheduled`);
      const row = page.getByRole("row", { name: "Batch for {{name}}" });
      await row.waitFor();
      await row.getByRole("button", { name: "Batch to 2 recipients" }).click();
      const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
      await page.getByLabel("Send at").fill(`${later}T10:00`);
      await page.getByRole("button", { name: "Change time" }).click();
      await page.getByText("The time was changed.").waitFor();
      const read = () =>
        dashboard.call<{ scheduled_at: string }>("GET", `${project}/batches/${batch_id}`);
      expect((await read()).scheduled_at).toBe(new Date(`${later}T10:00`).toISOString());
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole("button", { name: "Cancel batch" }).click();
      const question = page.getByRole("dialog", { name: "Cancel this batch?" });
      await question.getByRole("button", { name: "Cancel batch" }).click();
      await page.getByText("The batch was canceled.").waitFor();
      await expect.poll(() => row.count()).toBe(0);
      await expect(read()).rejects.toThrow("not found");
      await page.getByLabel("From").fill("2090-01-31T10:00");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Nothing is scheduled" }).waitFor();
    });

    it("does not carry a resend over to the page of another mail", async () => {
      const email = `resend-${Date.now()}@example.com`;
      const project = `/projects/${dashboard.projectId()}`;
      await dashboard.call("POST", `${project}/suppressions`, { emails: [email] });
      for (const subject of ["Held first", "Held second"])
        await expect(send(email, subject)).rejects.toThrow("on the suppression list");
      const { logs } = await dashboard.call<{ logs: { id: string }[] }>(
        "GET",
        `${project}/logs?to_email=${email}`,
      );
      const [second, first] = logs.map(({ id }) => `/p/${dashboard.projectId()}/log/${id}`);
      const page = await dashboard.open(first ?? "");
      await page.getByRole("heading", { name: "Held first", level: 1 }).waitFor();
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(second)})`);
      await page.getByRole("heading", { name: "Held second", level: 1 }).waitFor();
      await page.getByRole("button", { name: "Send again" }).click();
      await page.getByRole("dialog").waitFor();
      await page.goBack();
      await page
        .getByRole("heading", { name: "Held first", level: 1, includeHidden: true })
        .waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
    });

    it("hides its filters behind a button on a narrow screen, with the number of active ones", async () => {
      const path = `/p/${dashboard.projectId()}/log?status=bounced&tag=kind`;
      const page = await dashboard.open(path, { width: 375 });
      const button = page.getByRole("button", { name: "Filters: 2" });
      await button.waitFor();
      expect(await button.getAttribute("aria-expanded")).toBe("false");
      expect(await page.getByLabel("Recipient").isVisible()).toBe(false);
      await button.focus();
      await page.keyboard.press("Enter");
      expect(await button.getAttribute("aria-expanded")).toBe("true");
      await page.getByLabel("Tag value").fill("Hello");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Filters: 3" }).waitFor();
      expect(page.url()).toContain("status=bounced&");
      await page.getByLabel("Tag value").and(page.locator(":focus")).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 1_280, height: 800 });
      await page.getByLabel("Recipient").waitFor();
      expect(await page.getByRole("button", { name: /^Filters/ }).isVisible()).toBe(false);
    });

    it("gives advice when no mail matches, clears what was typed, and leads back only to its own page", async () => {
      const page = await dashboard.open(
        `/p/${dashboard.projectId()}/log?to_email=nobody@example.com`,
      );
      await page.getByRole("heading", { name: "No emails match" }).waitFor();
      await page.getByRole("button", { name: "Clear" }).click();
      await page.waitForURL(/\/log$/);
      await page.getByLabel("Tag value").fill("typed and not searched");
      await page.getByRole("button", { name: "Clear" }).click();
      expect(await page.getByLabel("Tag value").inputValue()).toBe("");
      const list = `/projects/${dashboard.projectId()}/logs?limit=1&after=`;
      const { next } = await dashboard.call<{ next: string }>("GET", list);
      await page.goto(`/p/${dashboard.projectId()}/log?after=${next}`);
      await page.getByRole("button", { name: "First page" }).waitFor();
      expect(await page.getByRole("button", { name: "Previous page" }).count()).toBe(0);
    });
  });

  describe("the suppression list", () => {
    it("adds addresses, reports invalid ones, and removes one after its name is typed, with an undo", async () => {
      const email = `gone-${Date.now()}@example.com`;
      await dashboard.call("POST", `/projects/${dashboard.projectId()}/suppressions`, {
        emails: [email],
        reason: "hard_bounce",
        source: MARKUP,
      });
      const page = await dashboard.open(`/p/${dashboard.projectId()}/suppressions`);
      await page.getByRole("button", { name: "Add addresses" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Addresses, one per line").fill(`${email}\nno address`);
      await dialog.getByRole("button", { name: "Add addresses" }).click();
      await dialog.getByText("These are not email addresses: no, address").waitFor();
      await page.keyboard.press("Escape");
      await page.mouse.click(5, 400);
      await dialog.getByText("These are not email addresses: no, address").waitFor();
      await dialog.getByRole("button", { name: "Close" }).click();
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.getByRole("button", { name: `Remove: ${email}` }).click();
      const confirm = page.getByRole("dialog").getByRole("button", { name: "Remove" });
      expect(await confirm.getAttribute("aria-disabled")).toBe("true");
      await page.getByLabel(`Type “${email}” to confirm.`).fill(email);
      await confirm.click();
      await page.getByText("No matches").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("button", { name: `Remove: ${email}` }).waitFor();
    });

    it("shows how many addresses of unverified reports are selected, including those on other pages", async () => {
      const page = await dashboard.open("/account");
      await page.route("**/bounces/unverified?*", (route) => {
        const isFirst = new URL(route.request().url()).searchParams.get("after") === "";
        const email = isFirst ? "ann@example.com" : "ben@example.com";
        const seen = { reports: 1, last_seen_at: new Date().toISOString() };
        const report = { email, kind: "bounce", reason: "hard", diagnostic: "", log_id: null };
        const next = isFirst ? "2" : null;
        return route.fulfill({ json: { reports: [{ ...report, ...seen }], next, total: 2 } });
      });
      await goTo(page, `/p/${dashboard.projectId()}/suppressions/unverified`);
      await page.getByLabel("Select ann@example.com").check();
      await page.getByRole("button", { name: "Suppress 1 address" }).waitFor();
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByLabel("Select ben@example.com").check();
      await page.getByRole("button", { name: "Suppress 2 addresses" }).waitFor();
    });
  });
}
