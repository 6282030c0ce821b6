import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  accessibilityFaults,
  contrastFaults,
  overflows,
  tabTo,
  type Dashboard,
} from "../support/dashboard.ts";
import { logIn, readJson, readLine } from "../support/local-run.ts";
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
const THREE_MINUTES_MS = 180_000;

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
    it("goes from nothing to a live welcome series in under three minutes", async () => {
      const projectId = await newSendingProject(dashboard, "Welcome");
      const page = await dashboard.open(`/p/${projectId}`);
      const begun = Date.now();
      await page.getByRole("link", { name: "Automations" }).click();
      await page.getByRole("button", { name: "New automation" }).click();
      await page.getByRole("button", { name: /^Use this: Welcome/ }).click();
      await page
        .getByRole("button", { name: /^Send “/ })
        .first()
        .click();
      await page.getByLabel("Subject", { exact: true }).fill("Good to have you here");
      await card(page, "Send “Good to have you here”").waitFor();
      await page.getByRole("link", { name: "Rehearse and start" }).click();
      await page.getByText("Ready to start").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole("button", { name: "Start", exact: true }).press("Enter");
      await page.getByText("The automation is running.").waitFor();
      const email = `joins@${projectId}.example.com`;
      await dashboard.call("POST", `/projects/${projectId}/subscribers`, { email, name: "Jo" });
      const inbox = `${readLine(dashboard.run(), "Inbox")}api/messages?to=${email}`;
      const subjects = async () => {
        const answer = await readJson<{ messages: { subject: string }[] }>(await fetch(inbox));
        return answer.messages.map(({ subject }) => subject);
      };
      await expect.poll(subjects, { timeout: 15_000 }).toEqual(["Good to have you here"]);
      const seconds = Math.round((Date.now() - begun) / 1_000);
      process.stdout.write(`from nothing to the first email of a welcome series: ${seconds} s\n`);
      expect(Date.now() - begun).toBeLessThan(THREE_MINUTES_MS);
    });

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

    it("that runs asks what happens to the people inside, before it is changed, paused and stopped", async () => {
      const { page: path, path: at, projectId, read } = await make("Running", WAITS);
      const person = { email: `inside@${projectId}.example.com` };
      const { id } = await dashboard.call<{ id: string }>(
        "POST",
        `/projects/${projectId}/subscribers`,
        person,
      );
      await dashboard.call("POST", `${at}/start`);
      await dashboard.call("POST", `${at}/enter`, { subscriber_ids: [id] });
      const inside = async () =>
        (await dashboard.call<{ people: { inside: number } }>("GET", at)).people.inside;
      await expect.poll(inside, { timeout: 60_000 }).toBe(1);
      const page = await dashboard.open(`${path}?step=first`);
      await page.getByLabel("Wait for", { exact: true }).fill("3");
      await page.getByText("Your changes are not published yet").waitFor();
      expect((await read()).version).toBe(1);
      await page.getByRole("button", { name: "Publish changes" }).click();
      await page.getByText("1 person is inside now.").waitFor();
      await page.getByLabel("They move to the new version").check();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole("dialog").getByRole("button", { name: "Publish changes" }).click();
      await page.getByText("Published: version 2").waitFor();
      expect(await read()).toMatchObject({ version: 2, steps: [{ for: "3 days" }, {}] });
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByText("1 person stays where they are").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
      await page.getByRole("button", { name: "Resume" }).click();
      await page.getByText("The automation is running.").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("1 person leaves it right away").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
      await page.getByText("This automation is stopped").first().waitFor();
      expect((await read()).state).toBe("stopped");
    });

    it("shows its branches and the problems of its rehearsal on a phone", async () => {
      const send = { type: "send", subject: "", html_body: MAIL };
      const steps = [
        {
          id: "split",
          type: "branch",
          ways: [{ where: "tag:vip", steps: [{ id: "vip", ...send }] }],
          else: [{ id: "rest", ...send, subject: "News" }],
        },
      ];
      const { page: path, projectId } = await make("Branches", steps, { type: "joined" });
      await dashboard.call("POST", `/projects/${projectId}/subscribers`, {
        email: `vip@${projectId}.example.com`,
        tags: ["vip"],
      });
      const page = await dashboard.open(path, { width: 390 });
      await page.getByRole("region", { name: "Path 1" }).getByText("Tag is vip").click();
      await page.getByRole("button", { name: "Add a rule" }).waitFor();
      expect(await overflows(page)).toBe(false);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await contrastFaults(page, "dark")).toEqual([]);
      await page.getByRole("link", { name: "Rehearse and start" }).click();
      await page.getByText("1 problem keeps it from starting").waitFor();
      expect(await overflows(page)).toBe(false);
      await page.getByLabel("Find a person").fill("vip@");
      await page.getByRole("list", { name: "People found" }).getByRole("button").click();
      const way = page.getByRole("list", { name: "The path of this person" });
      await way.getByText("Tag is vip").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page
        .getByRole("list", { name: "Problems" })
        .getByRole("link", { name: "Send “an email without a subject”" })
        .click();
      await page.getByLabel("Subject", { exact: true }).fill("For our best");
      await saved(page);
      await page.getByRole("link", { name: "Rehearse and start" }).click();
      await page.getByText("Ready to start").waitFor();
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

    it("calls a webhook of the project, which is chosen by its URL", async () => {
      const hook = { id: "hook", type: "webhook", url: "" };
      const { page: path, projectId, read } = await make("Hooks", [hook]);
      const url = `https://shop.example/${projectId}`;
      await dashboard.call("POST", `/projects/${projectId}/webhooks`, { url });
      const page = await dashboard.open(path);
      await card(page, "Call …").click();
      await page.getByRole("link", { name: "Add a webhook" }).waitFor();
      await page.getByLabel("Webhook", { exact: true }).selectOption(url);
      await card(page, "Call shop.example").waitFor();
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await overflows(page)).toBe(false);
      await expect.poll(read).toMatchObject({ steps: [{ url }] });
      expect(await accessibilityFaults(page)).toEqual([]);
      const me = await dashboard.call<{ workspaces: { id: string }[] }>("GET", "/auth/me");
      const [email, password] = [`member@${projectId}.example.com`, "a long enough password"];
      const member = { email, password, name: "Mo", role: "member" };
      await dashboard.call("POST", `/workspaces/${me.workspaces[0]?.id}/users`, member);
      const session = await logIn(dashboard.run(), email, password);
      const theirs = await dashboard.open(path, { session });
      await card(theirs, "Call shop.example").click();
      await theirs.getByLabel("Webhook", { exact: true }).fill(`${url}/new`);
      await expect.poll(read).toMatchObject({ steps: [{ url: `${url}/new` }] });
    });
  });
}
