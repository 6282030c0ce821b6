import { describe, expect, it } from "vitest";
import { newProject as newProjectOf } from "../support/broadcast-project.ts";
import { logIn } from "../support/local-run.ts";
import {
  accessibilityFaults,
  checkAndSend,
  goToStep,
  goTo,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";
import { newSendingProject } from "../support/sending-project.ts";

export function describeDrafts(dashboard: Dashboard) {
  const newProject = (people: number) => newProjectOf(dashboard, people);
  /** Schedules a broadcast and returns its id. */
  const schedule = async (projectId: string, send_at: string) => {
    const at = `/projects/${projectId}/broadcasts`;
    const { id } = await dashboard.call<{ id: string }>("POST", at, {
      name: "Letter",
      subject: "News",
      html_body: '<a href="{{unsubscribe_url}}">Leave</a>',
      send_at,
    });
    await dashboard.call("POST", `${at}/${id}/start`, { accept: [] });
    return id;
  };

  describe("a draft of a broadcast", () => {
    it("saves what it does not count, and its campaign", async () => {
      const projectId = await newProject(1);
      const path = `/projects/${projectId}/broadcasts`;
      const { id } = await dashboard.call<{ id: string }>("POST", path, {
        name: "Quiet",
        subject: "Hi",
        html_body: "<p>Hi</p>",
        utm: { source: "news" },
      });
      const page = await dashboard.open(`/p/${projectId}/broadcasts/${id}`);
      await page.getByText("More options").click();
      await page.getByLabel("Count clicks").selectOption("Off");
      await page.getByLabel("utm_campaign").fill("spring");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Saved").first().waitFor();
      expect(await dashboard.call("GET", `${path}/${id}`)).toMatchObject({
        tracking: { clicks: false },
        utm: { source: "news", campaign: "spring" },
      });
      await page.getByLabel("No UTM parameters").check();
      expect(await page.getByLabel("utm_campaign").isDisabled()).toBe(true);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      const stored = () => dashboard.call("GET", `${path}/${id}`);
      await expect.poll(stored).toMatchObject({ utm: "off" });
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
      const picture = page.frameLocator("iframe[title='Preview of the email']").last();
      await picture.getByText("Read more").waitFor();
      await page.getByText("Hello Ann", { exact: true }).waitFor();
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
      await page.frameLocator("iframe[title^='The email to']").getByText("Read more").waitFor();
      await page.getByText(/From .*<.+@.+> · Now$/).waitFor();
      const send = page.getByRole("button", { name: "Send to 1 person now" });
      let place = "";
      const isStill = async () => {
        const former = place;
        place = JSON.stringify(await send.boundingBox());
        return place === former;
      };
      await send.scrollIntoViewIfNeeded(); // a click while it scrolls would hit the picture of the email
      await expect.poll(isStill, { interval: 1_000 }).toBe(true);
      await send.click();
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
      await goToStep(page, "Email");
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

    it("is in the calendar once it is scheduled", async () => {
      const projectId = await newProject(1);
      await schedule(projectId, "2099-01-15T10:00:00.000Z");
      const page = await dashboard.open(`/p/${projectId}/broadcasts`);
      await page.getByRole("link", { name: "Calendar" }).click();
      await page.getByText("Nothing was sent or is scheduled in this month.").waitFor();
      await goTo(page, `/p/${projectId}/broadcasts?tab=calendar&month=2099-02`);
      await page.getByRole("button", { name: "Previous month" }).press("Enter");
      const days = page.getByRole("list", { name: "January 2099" });
      const day = days.getByRole("listitem").filter({ hasText: "Letter" });
      expect(await day.locator("time").getAttribute("datetime")).toBe("2099-01-15");
      expect(new URL(page.url()).search).toBe("?tab=calendar&month=2099-01");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await overflows(page)).toBe(false);
      expect(await days.getByRole("listitem").count()).toBe(1);
      await day.getByRole("link").press("Enter");
      await page.getByText(/^Starts .+ 2099/).waitFor();
    });

    it("that is scheduled can be unscheduled although the first attempt does not reach the service", async () => {
      const projectId = await newProject(1);
      const id = await schedule(projectId, "2099-01-01T10:00:00.000Z");
      const page = await dashboard.open(`/p/${projectId}/broadcasts/${id}`);
      let isAway = true;
      await page.route("**/undo", (route) => (isAway ? route.abort() : route.continue()));
      await page.getByText(/^Starts .+ 2099/).waitFor();
      await page.getByText("1 person would get it now").waitFor();
      const picture = page.frameLocator("iframe[title='Preview of the email']").last();
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
      await goToStep(page, "Email");
      expect(await dashboard.call("GET", `/projects/${projectId}/broadcasts/${id}`)).toMatchObject({
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
      await page.getByText("What is new").waitFor();
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
      await page.getByText(/@.+: Delivered/).waitFor();
      await goToStep(page, "Time");
      await page.getByLabel("At a set time in each person's time zone").check();
      await page.getByLabel("Time zone for everyone else").selectOption("America/New_York");
      await page.getByLabel("Date and time").fill("2027-01-05T10:00");
      await save.click();
      await page.getByText("must be omitted with recipient time zones").first().waitFor();
      await goToStep(page, "Email"); // nothing typed is lost on the way to the fault
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
      await save.dispatchEvent("click"); // disabled if a refetch has already found their change
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
            "Your role is Viewer, which does not allow this.",
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
