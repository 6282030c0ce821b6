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

    it("takes every field of a draft, keeps an edit that somebody overtakes, and names what is wrong at its field", async () => {
      const projectId = await newProject(0);
      const at = `/projects/${projectId}`;
      const made = (path: string, body: unknown) =>
        dashboard.call<{ id: string }>("POST", `${at}/${path}`, body).then(({ id }) => id);
      const vip = await made("segments", { name: "VIP", where: "tag:vip" });
      const id = await made("broadcasts", {
        name: "Letter",
        html_body: "<p>{{broadcast.city}}</p>",
        variables: { stops: [1, 2] },
        ab: { variants: [{ subject: "One", from_name: "Ben" }, { subject: "Two" }] },
      });
      const read = () => dashboard.call<Record<string, unknown>>("GET", `${at}/broadcasts/${id}`);
      const page = await dashboard.open(`/p/${projectId}/broadcasts/${id}`);
      await page.getByRole("button", { name: "Add a variable" }).click();
      await page.getByLabel("Name 2").fill("city");
      await page.getByLabel("Value 2").fill("Bonn");
      await page.getByLabel("VIP").check();
      await page.getByLabel("At most an hour").fill("600");
      await page.getByLabel("Warm-up").fill("50");
      await page.getByText("day 3: 200").waitFor();
      await page.getByLabel("Latest start").fill("90");
      await page.getByLabel("Subject B").fill("Three");
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
        ab: { variants: [{ subject: "One", from_name: "Ben" }, { subject: "Three" }] },
      });

      await page.getByLabel("Each at that time of their own zone").check();
      await page.getByLabel("Zone of everybody else").selectOption("America/New_York");
      await page.getByLabel("Send at").fill("2027-01-05T10:00");
      await save.click();
      await page.getByText("must be left out with time_zone").first().waitFor();
      await page.getByRole("button", { name: "No trial" }).click();
      await page.getByLabel("Condition").fill("tag:");
      await save.click();
      const fault = page.getByLabel("Condition");
      await expect.poll(() => fault.getAttribute("aria-invalid")).toBe("true");
      await fault.fill("not tag:none");
      await dashboard.call("PATCH", `${at}/broadcasts/${id}`, { name: "Their letter" });
      await save.click();
      await page.getByRole("button", { name: "Keep what I typed" }).click();
      await save.click();
      await expect.poll(async () => (await read())["time_zone"]).toBe("America/New_York");
      expect(await read()).toMatchObject({
        name: "Their letter",
        send_at: "2027-01-05T15:00:00.000Z",
        where: "not tag:none",
        ab: null,
      });
    });

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
