import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { accessibilityFaults, tabTo, type Dashboard } from "../support/dashboard.ts";
import { newSendingProject } from "../support/sending-project.ts";

interface Automation {
  id: string;
  name: string;
  state: string;
  version: number;
  steps: { id: string; type: string; subject?: string; for?: string }[];
}

const MAIL = '<p>Hello</p><p><a href="{{unsubscribe_url}}">Leave</a></p>';
const WAITS = [
  { id: "first", type: "wait", for: "1 day" },
  { id: "second", type: "wait", for: "2 days" },
];

export function describeAutomations(dashboard: Dashboard) {
  const make = async (name: string, steps: object[], trigger: object = { type: "manual" }) => {
    const projectId = await newSendingProject(dashboard, name);
    const at = `/projects/${projectId}/automations`;
    const { id } = await dashboard.call<Automation>("POST", at, { name, trigger, steps });
    const path = `${at}/${id}`;
    const read = () => dashboard.call<Automation>("GET", path);
    return { projectId, path, read, page: `/p/${projectId}/automations/${id}` };
  };
  const card = (page: Page, words: string) =>
    page.getByRole("button", { name: words, exact: true });
  const saved = (page: Page) => page.getByText("All changes saved").waitFor();

  describe("an automation", () => {
    it("is edited with the keyboard alone, and undone", async () => {
      const { page: path, read } = await make("Keys", WAITS);
      const waits = async () => (await read()).steps.map((step) => step.for);
      const page = await dashboard.open(path);
      await card(page, "Wait 1 day").waitFor();
      await tabTo(page, "Add a step at the start");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await tabTo(page, "For some days");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.locator("[data-head^=wait-]:focus").waitFor();
      await tabTo(page, "Wait for");
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type("5");
      await card(page, "Wait 5 days").press("Alt+ArrowDown");
      await expect.poll(waits).toEqual(["1 day", "5 days", "2 days"]);
      await page.keyboard.press("Alt+ArrowDown"); // the focus stays with the step
      await expect.poll(waits).toEqual(["1 day", "2 days", "5 days"]);
      await page.keyboard.press("Alt+ArrowDown");
      await page.getByText("Wait 5 days cannot move further").waitFor({ state: "attached" });
      await page.keyboard.press("Delete");
      await expect.poll(waits).toEqual(["1 day", "2 days"]);
      await page.keyboard.press("ControlOrMeta+Z");
      await expect.poll(waits).toEqual(["1 day", "2 days", "5 days"]);
      for (let step = 0; step < 4; step++) await page.keyboard.press("ControlOrMeta+Z");
      await expect.poll(waits).toEqual(["1 day", "2 days"]);
      await page.keyboard.press("ControlOrMeta+Shift+Z");
      await expect.poll(waits).toEqual(["1 day", "1 day", "2 days"]);
    });

    it("keeps the edits of two people", async () => {
      const { page: path, path: at, read } = await make("Two people", WAITS);
      const page = await dashboard.open(`${path}?step=first`);
      const days = page.getByLabel("Wait for", { exact: true });
      await days.waitFor();
      const theirs = [WAITS[0], { ...WAITS[1], for: "6 days" }];
      await dashboard.call("PATCH", at, { name: "Renamed", steps: theirs });
      await days.fill("4");
      await page.getByText("Someone else changed this automation").waitFor();
      await page.getByRole("button", { name: "Compare" }).click();
      await page.getByRole("region", { name: "Yours" }).getByText("Wait 4 days").waitFor();
      await page.getByRole("region", { name: "Theirs" }).getByText("Wait 6 days").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      const merge = page.getByRole("dialog").getByRole("button", { name: "Merge, mine first" });
      await merge.click();
      await expect
        .poll(read)
        .toMatchObject({ name: "Renamed", steps: [{ for: "4 days" }, { for: "6 days" }] });
      await saved(page);

      await dashboard.call("PATCH", at, { steps: [WAITS[1]] });
      await days.fill("9");
      await page.getByRole("button", { name: "Take theirs" }).click();
      await card(page, "Wait 2 days").waitFor();
      expect(await card(page, "Wait 9 days").count()).toBe(0);
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      await card(page, "Wait 9 days").waitFor();
    });

    it("takes an email that is written in it, and one of a template", async () => {
      const { page: path, projectId, read } = await make("Emails", []);
      await dashboard.call("POST", `/projects/${projectId}/templates`, {
        name: "Monthly",
        subject: "This month",
        html_body: MAIL,
      });
      const page = await dashboard.open(path);
      await page.getByRole("button", { name: "Add a step at the start" }).click();
      await page.getByRole("button", { name: /^Send an email/ }).click();
      await page.getByLabel("Subject", { exact: true }).fill("Hello");
      await page.getByRole("button", { name: "Edit the email" }).click();
      const picture = page.frameLocator("iframe[title='Preview of the email']").last();
      await picture.getByText("Read more").waitFor();
      await saved(page);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByLabel("Email", { exact: true }).selectOption("Monthly");
      await picture.getByText("Leave").waitFor();
      await expect.poll(read).toMatchObject({ steps: [{ subject: "Hello", template_id: /.+/ }] });
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      await picture.getByText("Read more").waitFor();
      await page.getByRole("button", { name: "Back to the steps" }).click();
      await card(page, "Send “Hello”").waitFor();
    });
  });
}
