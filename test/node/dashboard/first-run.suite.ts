import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { loadDevVars } from "../../../scripts/local/dev-vars.ts";
import { checkAndSend, goToStep, tabTo, type Dashboard } from "../support/dashboard.ts";
import { readJson, readLine } from "../support/local-run.ts";

/** What a slow typist presses in two minutes, at 150 keys a minute. */
const KEYS_IN_TWO_MINUTES = 300;

/** Types into the field that gets the focus, goes to the next one, and so on. */
async function fillByKeyboard(page: Page, values: string[]) {
  await page.locator("input:focus").waitFor();
  for (const [index, value] of values.entries()) {
    if (index > 0) await page.keyboard.press("Tab");
    await page.keyboard.type(value);
  }
}

/** Waits for the mail to an address, and returns the address of its page in the inbox. */
async function findMail(inbox: string, to: string): Promise<string> {
  for (;;) {
    const response = await fetch(`${inbox}api/messages`);
    const { messages } = await readJson<{
      messages: { id: string; to: string[]; subject: string }[];
    }>(response);
    const mail = messages.find((one) => one.to.includes(to) && one.subject.includes("Welcome"));
    if (mail) return `${inbox}messages/${mail.id}`;
    await delay(100);
  }
}

export function describeFirstRun(dashboard: Dashboard) {
  describe("the first run", () => {
    it("saves no server that rejects the test mail, and shows its reply", async () => {
      const project = await dashboard.call<{ id: string }>("POST", "/projects", {
        name: '<img src=x onerror="throw 1">',
      });
      const page = await dashboard.open(`/p/${project.id}/start`);
      await page.getByLabel("SMTP server").fill("127.0.0.1");
      await page.getByLabel("Port").fill("9");
      await page.getByLabel("Username").fill("shop");
      await page.getByLabel("Password").fill("secret");
      await page.getByLabel("Sender address").fill("hello@shop.example");
      await page.getByRole("button", { name: "Test and save" }).click();
      await page.getByText("so nothing was saved.", { exact: false }).last().waitFor();
      await page.getByText("Connect", { exact: true }).waitFor();
      expect(await page.getByLabel("SMTP server").inputValue()).toBe("127.0.0.1");
      const stored = await dashboard.call<{ smtp_host: string | null }>(
        "GET",
        `/projects/${project.id}`,
      );
      expect(stored.smtp_host).toBeNull();
      // a name is text wherever it stands
      expect(await page.locator("img").count()).toBe(0);
      await page.getByRole("button", { name: "Send test email" }).hover();
      expect(
        await page.getByRole("button", { name: "Send test email" }).getAttribute("title"),
      ).toContain("server");
    });

    it("leads from an empty service to an opened mail in under two minutes, by keyboard alone, and from a list through the pre-flight check to a report", async () => {
      await dashboard.empty();
      const email = `ada-${Date.now()}@shop.example`; // an earlier attempt got mail, too
      const [run, address] = [dashboard.run(), dashboard.address()];
      const inbox = readLine(run, "Inbox");
      const token = encodeURIComponent(loadDevVars(".dev.vars")["SETUP_TOKEN"] ?? "");
      const page = await dashboard.open(`/setup#token=${token}`, { session: "" });

      await page.getByRole("heading", { name: "Set up Postrider" }).waitFor();
      await page.evaluate("keys = 0; addEventListener('keydown', () => (keys += 1), true)");
      await fillByKeyboard(page, ["Ada", email, "correct horse battery"]);
      await page.keyboard.press("Enter");

      await page.getByRole("heading", { name: "No projects yet" }).waitFor();
      await tabTo(page, "New project");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").locator("input:focus").waitFor();
      await fillByKeyboard(page, ["Shop"]);
      await page.keyboard.press("Enter");

      await page.getByRole("heading", { name: "First steps" }).waitFor();
      await tabTo(page, "SMTP server");
      await fillByKeyboard(page, [
        "127.0.0.1",
        String(run.ports.MAILBOX_SMTP_PORT),
        "shop",
        "secret",
        "Shop",
        "hello@shop.example",
      ]);
      await page.keyboard.press("Enter");
      await page.getByText("Email is sent through 127.0.0.1.").waitFor();

      await tabTo(page, "Send test email");
      await page.keyboard.press("Enter");
      await page.getByText("127.0.0.1 accepted the email.").waitFor();
      const mail = await dashboard.open(await findMail(inbox, email), { session: "" });
      await mail.getByRole("heading", { name: "Welcome" }).waitFor();
      await page.getByText("You opened it.").waitFor();
      // Counted, not timed: the clock of a busy machine says nothing about the way.
      const keys = await page.evaluate("keys");
      expect(keys).toBeGreaterThan(50);
      expect(keys).toBeLessThan(KEYS_IN_TWO_MINUTES);

      await tabTo(page, "Create key");
      await page.keyboard.press("Enter");
      const snippet = page.getByLabel("Send an email", { exact: true });
      const withKey = snippet.filter({ hasText: /Authorization: Bearer sk_\w{20,}/ });
      const code = await withKey.textContent();
      expect(code).toContain(`${address}/api/v1/projects/`);

      await page.getByRole("link", { name: "Import contacts" }).click();
      await page.getByLabel("Drop a CSV file here, or choose one").setInputFiles({
        name: "readers.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("Mail,Who,Group\r\nben@example.com,Ben,Early readers"),
      });
      await page.getByLabel("Group contains").selectOption("Tags");
      await page.locator("p", { hasText: "First, answer whether these people agreed." }).waitFor();
      await page.getByText("Yes, they agreed").click();
      await page.getByRole("button", { name: "Looks right, continue" }).click();
      await page.getByRole("button", { name: "Import now" }).click();
      await page.getByRole("link", { name: "Send them a broadcast" }).click();
      await page.getByLabel("Subject", { exact: true }).fill("Hello");
      await goToStep(page, "People");
      await page.getByText("1 person would get it now").waitFor();
      expect(await page.getByLabel("People who match rules").isChecked()).toBe(true);
      await checkAndSend(page, 1);
      const took = /^1 of 1 processed in [\d.]+ (?:seconds?$|minutes?)/;
      await page.getByText(took).waitFor({ timeout: 150_000 });
      await page.getByText("Rules: Import is readers").waitFor();

      await page.goto("/");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.getByRole("heading", { name: "Delivered emails" }).waitFor();
      expect(await page.getByText("Get started").count()).toBe(0);
    });
  });
}
