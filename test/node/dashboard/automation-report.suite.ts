import { describe, expect, it } from "vitest";
import { accessibilityFaults, overflows, type Dashboard } from "../support/dashboard.ts";
import { newSendingProject, visitMail } from "../support/sending-project.ts";

const STEPS = [
  {
    id: "hello",
    type: "send",
    subject: "Hello, {{name}}",
    html_body: '<p><a href="https://example.com/">Read</a></p><p>{{unsubscribe_link}}</p>',
  },
  { id: "rest", type: "wait", for: "3 days" },
];

interface Report {
  versions: { steps: { mails: { sent: number; opened: number } | null }[] }[];
}

export function describeAutomationReport(dashboard: Dashboard) {
  describe("the report of an automation", () => {
    it("leads from a step to its people, their runs and their emails, and back", async () => {
      const projectId = await newSendingProject(dashboard, "Report");
      const base = `/projects/${projectId}`;
      const email = `ann@${projectId}.example.com`;
      const { id: personId } = await dashboard.call<{ id: string }>("POST", `${base}/subscribers`, {
        email,
        name: "Ann",
      });
      const { id } = await dashboard.call<{ id: string }>("POST", `${base}/automations`, {
        name: "Greeting",
        trigger: { type: "manual" },
        steps: STEPS,
        reentry: "never",
      });
      const at = `${base}/automations/${id}`;
      await dashboard.call("POST", `${at}/start`);
      await dashboard.call("POST", `${at}/enter`, { subscriber_ids: [personId] });
      await visitMail(dashboard.run(), email);
      const mails = async () => {
        const { versions } = await dashboard.call<Report>("GET", `${at}/report`);
        return versions[0]?.steps[0]?.mails;
      };
      await expect.poll(mails, { timeout: 60_000 }).toMatchObject({ sent: 1, opened: 1 });
      await dashboard.call("POST", `${base}/send`, {
        to: `ben@${projectId}.example.com`,
        subject: "No greeting",
        html_body: "<p>Hello</p>",
      });
      const page = await dashboard.open(`/p/${projectId}/automations/${id}?view=report`);
      await page.getByText("1 email sent").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      const step = page.getByRole("row", { name: "Wait 3 days" }).first();
      await step.getByRole("link", { name: "1" }).click();
      await page.getByRole("heading", { name: "Runs at “Wait 3 days”" }).waitFor();
      const runs = page.getByRole("region", { name: "Runs" });
      await runs.getByRole("link", { name: email }).click();
      const own = page.getByRole("region", { name: "Automations" });
      await own.getByText("Wait 3 days").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await own.getByRole("link", { name: "Email 1" }).click();
      await page.getByText("(step hello, version 1)").waitFor();
      await page.getByRole("link", { name: "Greeting" }).click();
      await page.getByText("1 email sent").waitFor();
      expect(await overflows(page)).toBe(false);
      await page.getByRole("link", { name: "1 email sent" }).click();
      await page.getByRole("heading", { name: "Log", level: 1 }).waitFor();
      await page.getByRole("button", { name: "Automation: Greeting" }).waitFor();
      await page.getByRole("link", { name: email }).waitFor();
      const other = page.getByText("No greeting");
      expect(await other.count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole("button", { name: "Step: hello" }).click();
      await page.waitForURL((url) => !url.searchParams.has("step_id"));
      await page.getByRole("button", { name: "Automation: Greeting" }).click();
      await other.waitFor();
      expect(new URL(page.url()).search).toBe("?status=sent");
    });
  });
}
