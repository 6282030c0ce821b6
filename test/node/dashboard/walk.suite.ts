/* The way of a newcomer with a list from Excel, each click and each filled field counted. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { waitForReport, type Dashboard } from "../support/dashboard.ts";
import { readJson, readLine } from "../support/local-run.ts";
import { newSendingProject, visitMail } from "../support/sending-project.ts";

const PEOPLE = 200;

/** The steps that each task takes: clicks, choices and filled fields. */
const STEPS = {
  "sign in": 3,
  "first email, seen to arrive": 2,
  "import 200 rows with 7 columns": 5,
  "template of blocks": 14,
  "test email": 2,
  segment: 6,
  "draft with the template to the segment": 5,
  "pre-flight check": 1,
  "send, and undo": 2,
  "send again": 2,
  "report: who got it": 1,
  "why one bounced": 2,
  suppress: 3,
  unsuppress: 2,
  "resend to non-openers": 3,
  "A/B test and schedule": 9,
  "preference page": 2,
  "export of a person": 2,
  "erasure of a person": 3,
};

/** Does what a person does on pages, and counts it. */
function countSteps() {
  const counted: Record<string, number> = {};
  let steps = 0;
  const step = (action: Promise<unknown>) => {
    steps += 1;
    return action;
  };
  return {
    counted,
    step,
    click: (target: Locator) => step(target.click()),
    press: (name: string, on: Page | Locator) =>
      step(on.getByRole("button", { name, exact: true }).click()),
    follow: (name: string | RegExp, on: Page | Locator) =>
      step(on.getByRole("link", { name, exact: true }).click()),
    check: (label: string, on: Page | Locator) =>
      step(on.getByLabel(label, { exact: true }).check()),
    fill: (label: string, text: string, on: Page | Locator) =>
      step(on.getByLabel(label, { exact: true }).fill(text)),
    choose: (label: string, option: string, on: Page | Locator) =>
      step(on.getByLabel(label, { exact: true }).selectOption(option)),
    /** Ends a task: its steps are those since the one before. */
    end: (task: keyof typeof STEPS) => {
      counted[task] = steps;
      steps = 0;
    },
  };
}

/** A list as Excel in German saves it. Every second person lives in Cologne. */
function listOf(projectId: string): Buffer {
  const people = Array.from({ length: PEOPLE }, (_, n) =>
    [`J\u00f6rg ${n}`, "M\u00fcller", `kunde${n}@${projectId}.example`, "Gro\u00df & S\u00f6hne"]
      .concat(n % 2 ? "K\u00f6ln" : "Berlin", `${(n % 28) + 1}.03.2021`, `1.${200 + n},50`)
      .join(";"),
  );
  const lines = ["Vorname;Nachname;E-Mail;Firma;Stadt;Kunde seit;Umsatz", ...people];
  return Buffer.from(lines.join("\r\n"), "latin1");
}

export function describeWalk(dashboard: Dashboard) {
  const inbox = () => readLine(dashboard.run(), "Inbox");
  /** Returns the newest mail to an address, as soon as it is there. */
  const mailTo = async (to: string) => {
    const list = async () => {
      const response = await fetch(`${inbox()}api/messages?to=${to}`);
      return (await readJson<{ messages: { id: string }[] }>(response)).messages;
    };
    await expect.poll(async () => (await list()).length).toBeGreaterThan(0);
    const [mail] = await list();
    const response = await fetch(`${inbox()}api/messages/${mail?.id}`);
    return readJson<{ id: string; html: string }>(response);
  };

  describe("the way from a list to a report", () => {
    it("takes few steps, and each leads to the next", async () => {
      const run = dashboard.run();
      const projectId = await newSendingProject(dashboard, "Walk");
      const at = `/projects/${projectId}`;
      await dashboard.call("PUT", `${at}/bounce-settings`, {
        return_path: "bounces+{token}@bounce.example.com",
      });
      await dashboard.call("POST", `${at}/topics`, { name: "News", is_default: true });
      const { step, click, press, follow, check, fill, choose, end, counted } = countSteps();

      const page = await dashboard.open(`/p/${projectId}/start`, { session: "" });
      await fill("Email", readLine(run, "Email"), page);
      await fill("Password", readLine(run, "Password"), page);
      await press("Sign in", page);
      end("sign in");

      await press("Send test email", page);
      await page.getByText("accepted the email.").waitFor();
      const mails = await dashboard.open(inbox(), { session: "" });
      await click(mails.getByRole("link", { name: /Welcome to Walk/ }).first());
      await page.getByText("You opened it.").waitFor();
      end("first email, seen to arrive");

      await follow("Import contacts", page);
      const file = { name: "Kunden.csv", mimeType: "text/csv", buffer: listOf(projectId) };
      await step(page.getByLabel("Drop a CSV file here, or choose one").setInputFiles(file));
      await click(page.getByText("Yes, they agreed"));
      await press("Looks right, continue", page);
      await press("Import now", page);
      await page.getByRole("heading", { name: "Import complete" }).waitFor();
      end("import 200 rows with 7 columns");

      await page.getByRole("link", { name: "Templates", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await press("New template", page);
      await click(page.getByRole("button", { name: /^Blocks/ }));
      await fill("Name", "May", page);
      await fill("Subject", "News of May", page);
      const blocks = page.getByRole("list", { name: "Blocks" });
      await click(blocks.getByRole("button", { name: /^Heading / }));
      await fill("Heading text", "News of May", page);
      await click(blocks.getByRole("button", { name: /^Text / }));
      await fill("Text", "Here is what is new.", page);
      await click(blocks.getByRole("button", { name: /^Button / }));
      await fill("Button text", "Read on", page);
      await fill("Link URL", "https://example.com/may", page);
      await click(blocks.getByRole("button", { name: /^Footer / }));
      await fill("Footer text", "Acme, 1 Main Street, Springfield", page);
      await press("Save", page);
      await page.getByText("All changes are saved.").waitFor();
      end("template of blocks");
      const template = page.url();

      await press("Send test email", page);
      await press("Send test email", dialog);
      await dialog.getByText("The server accepted the email.").waitFor();
      end("test email");

      await page.goto(`/p/${projectId}/audience/segments`);
      await press("New segment", page);
      await fill("Name", "Cologne", dialog);
      await press("Add a rule", dialog);
      await choose("Field", "Stadt", dialog);
      await choose("Value", "K\u00f6ln", dialog);
      await dialog.getByText(`${PEOPLE / 2} people match.`).waitFor();
      await press("Save", dialog);
      await dialog.waitFor({ state: "detached" });
      end("segment");

      await page.goto(template);
      await follow("Use in a broadcast", page);
      await press("Continue", page);
      await check("A segment", page);
      await choose("Segment", "Cologne", page);
      await page.getByText(`${PEOPLE / 2} people would get it now`).waitFor();
      await press("Continue", page);
      end("draft with the template to the segment");

      await press("Review and send", page);
      await page.getByText(`= ${PEOPLE / 2}`, { exact: true }).waitFor();
      end("pre-flight check");

      const send = page.getByRole("button", { name: `Send to ${PEOPLE / 2} people now` });
      await step(send.press("Enter")); // a click right after the scroll to it would miss it
      await waitForReport(page);
      await press("Undo", page);
      end("send, and undo");

      const steps = page.getByRole("navigation", { name: "Steps" });
      await click(steps.getByRole("button", { name: "Review" }));
      await step(send.press("Enter"));
      end("send again");

      await page.getByText(`All ${PEOPLE / 2} processed`).waitFor({ timeout: 150_000 });
      const reader = `kunde1@${projectId}.example`;
      await visitMail(run, reader);
      const bounced = await mailTo(`kunde3@${projectId}.example`);
      await fetch(`${inbox()}api/messages/${bounced.id}/bounce`, { method: "POST" });
      await page.reload();
      await follow(/^Delivered /, page);
      const people = page.getByRole("link", { name: `@${projectId}.example` }); // in no fixed order
      await people.first().waitFor();
      end("report: who got it");
      const report = page.url();

      await follow(/^Bounced 1/, page);
      await follow(`kunde3@${projectId}.example`, page);
      await page.getByText("What to do:").waitFor();
      end("why one bounced");

      await page.getByRole("link", { name: "Suppressions", exact: true }).click();
      const bored = `kunde5@${projectId}.example`;
      await press("Add addresses", page);
      await fill("Addresses, one per line", bored, dialog);
      await press("Add addresses", dialog);
      await dialog.waitFor({ state: "detached" });
      end("suppress");
      await press(`Remove: ${bored}`, page);
      await press("Remove", dialog);
      await dialog.waitFor({ state: "detached" });
      end("unsuppress");

      await page.goto(report);
      await press("Resend to non-openers", page);
      await fill("Subject", "A second chance", dialog);
      await press("Create draft", dialog);
      await page.getByText("It goes only to people who received the first broadcast").waitFor();
      end("resend to non-openers");
      expect(await page.getByRole("button", { name: "Add an A/B test" }).count()).toBe(0);

      await page.goto(`/p/${projectId}/broadcasts/new`);
      await press("Add an A/B test", page);
      await fill("Subject A", "News of June", page);
      await fill("Subject B", "June at Acme", page);
      await press("Continue", page);
      await press("Continue", page);
      await check("At a set time", page);
      await fill("Date and time", "2099-01-05T10:00", page);
      await press("Review and send", page);
      await page.getByText(`= ${PEOPLE}`, { exact: true }).waitFor();
      await step(page.getByRole("button", { name: "Schedule", exact: true }).press("Enter")); // as above
      await page.getByRole("button", { name: "Unschedule and edit" }).waitFor();
      end("A/B test and schedule");

      const { html } = await mailTo(reader);
      const link = /href="([^"]+\/(?:preferences|unsubscribe)\/[^"]+)"/.exec(html)?.[1] ?? "";
      await mails.goto(link.replaceAll("&amp;", "&"));
      await step(mails.getByLabel("News").uncheck());
      await press("Save", mails);
      await mails.getByText("Your choice is saved.").waitFor();
      end("preference page");

      await page.goto(`/p/${projectId}/audience?search=kunde199`); // beyond the first page
      await follow(`kunde199@${projectId}.example`, page);
      await Promise.all([page.waitForEvent("download"), press("Download all data", page)]);
      end("export of a person");
      await press("Erase all data", page);
      await fill(
        `Type \u201ckunde199@${projectId}.example\u201d to confirm.`,
        `kunde199@${projectId}.example`,
        dialog,
      );
      await press("Erase all data", dialog);
      await page.getByRole("heading", { name: "Audience", level: 1 }).waitFor();
      end("erasure of a person");
      expect(counted).toEqual(STEPS);
    });
  });
}
