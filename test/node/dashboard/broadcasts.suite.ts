import { describe, expect, it } from "vitest";
import { logIn } from "../support/local-run.ts";
import type { Dashboard } from "../support/dashboard.ts";

export function describeBroadcasts(dashboard: Dashboard) {
  /** A project that sends to the local mailbox, with a template and some people. */
  const newProject = async (people: number) => {
    const demo = await dashboard.call<Record<string, unknown>>(
      "GET",
      `/projects/${dashboard.projectId()}`,
    );
    const { id } = await dashboard.call<{ id: string }>("POST", "/projects", {
      name: "Broadcasts",
    });
    await dashboard.call("PUT", `/projects/${id}/smtp`, {
      smtp_host: demo["smtp_host"],
      smtp_port: demo["smtp_port"],
      smtp_user: "demo",
      smtp_password: "demo",
      from_name: "Ann",
      from_email: "ann@example.com",
    });
    await dashboard.call("POST", `/projects/${id}/templates`, {
      name: "News",
      subject: "News of today",
      html_body: '<p>Hello {{name}}</p><p><a href="{{unsubscribe_url}}">Leave</a></p>',
    });
    const rows = Array.from({ length: people }, (_, n) => ({ email: `p${n}@example.com` }));
    await dashboard.call("POST", `/projects/${id}/subscribers/import`, rows);
    return id;
  };

  describe("a broadcast", () => {
    it("goes from a draft through its pre-flight to a ledger in which everybody stands once", async () => {
      const projectId = await newProject(12);
      const page = await dashboard.open(`/p/${projectId}/broadcasts`);
      await page.getByRole("button", { name: "New broadcast" }).click();
      await page.getByLabel("Name").fill("News of May");
      await page.getByLabel("Template").selectOption("News");
      await page.getByRole("button", { name: "Create the draft" }).click();
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByText("= 12").waitFor();
      const accept = page.getByLabel("I have read what stops it, and send all the same");
      if (await accept.isVisible()) await accept.check();
      await page.getByRole("button", { name: "Send to 12" }).click();
      await page.getByText("It begins in 15 seconds.").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("button", { name: "Check now" }).click();
      if (await accept.isVisible()) await accept.check();
      await page.getByRole("button", { name: "Send to 12" }).click();
      await page.getByText("12 of 12 settled").waitFor({ timeout: 110_000 });
      await page.getByRole("link", { name: /^Sent/ }).click();
      await page.getByRole("heading", { name: "Recipients: Sent" }).waitFor();
      expect(await page.getByRole("region", { name: "Recipients" }).getByRole("row").count()).toBe(
        13,
      );
      await page.getByRole("link", { name: "p0@example.com" }).click();
      await page.getByRole("heading", { name: "News of today" }).waitFor();
    }, 150_000);

    it("does not let a viewer send, and says so", async () => {
      const me = await dashboard.call<{ workspaces: { id: string }[] }>("GET", "/auth/me");
      const email = `viewer-${Date.now()}@example.com`;
      await dashboard.call("POST", `/workspaces/${me.workspaces[0]?.id}/users`, {
        email,
        name: "Viewer",
        password: "a long enough password",
        role: "viewer",
      });
      const session = await logIn(dashboard.run(), email, "a long enough password");
      const page = await dashboard.open(`/p/${dashboard.projectId()}/broadcasts`, { session });
      const create = page.getByRole("button", { name: "New broadcast" });
      await create.press("Enter");
      expect(await create.getAttribute("aria-disabled")).toBe("true");
      expect(await create.getAttribute("title")).toContain("viewer");
      expect(await page.getByRole("dialog").count()).toBe(0);
    });
  });
}
