/* The dashboard while the service is away: killed by force, or out of the browser's reach. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMailbox } from "../../../scripts/mailbox/mailbox.ts";
import { checkAndSend, type Dashboard } from "../support/dashboard.ts";
import { freePorts } from "../../support/free-port.ts";
import { readJson, sweep } from "../support/local-run.ts";

/** Addresses of nobody: this mailbox shows no image and reports no mail. */
const ORIGINS = { imageOrigin: "http://127.0.0.1:9", serviceOrigin: "http://127.0.0.1:9" };
const PEOPLE = 60;
const SWEEP_EVERY_MS = 1_000;
/** Longer than the lease of a dead worker. */
const RESUME_LIMIT_MS = 120_000;

export function describeRestart(dashboard: Dashboard) {
  it("reports that the browser is offline, and keeps what the user typed", async () => {
    const { id } = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Offline" });
    const page = await dashboard.open(`/p/${id}/audience/topics`);
    await page.getByRole("button", { name: "New topic" }).first().click();
    await page.getByLabel("Name").fill("Weekly digest");
    // Chromium itself tells of no change on a machine without a network.
    const tell = (event: string) => page.evaluate(`dispatchEvent(new Event("${event}"))`);
    await page.context().setOffline(true);
    await tell("offline");
    const banner = page.getByText("You are offline. Your changes are kept on this page.");
    await banner.waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("The service does not respond.").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Weekly digest");
    await page.context().setOffline(false);
    await tell("online");
    await banner.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Weekly digest").first().waitFor();
  });

  it("continues without a network while the service responds, such as one on the same machine", async () => {
    const page = await dashboard.open(`/p/${dashboard.projectId()}/audience/topics`);
    await page.evaluate(`Object.defineProperty(navigator, "onLine", { get: () => false })`);
    const answered = page.waitForResponse(/\/health$/);
    await page.evaluate(`dispatchEvent(new Event("offline"))`);
    await answered;
    await page.getByRole("link", { name: "Suppressions" }).first().click();
    await page.getByRole("heading", { name: "Suppressions", level: 1 }).waitFor();
    expect(await page.getByText("You are offline.").count()).toBe(0);
  });

  // Linux shows the processes of a run; other systems give no way to find what to kill.
  describe.runIf(process.platform === "linux")("a killed service", () => {
    it("keeps the report of a broadcast opened from its pre-flight check, and updates it after a restart", async () => {
      const [smtpPort = 0, httpPort = 0] = await freePorts(2);
      const mailbox = await startMailbox({ smtpPort, httpPort, ...ORIGINS });
      onTestFinished(() => mailbox.close());
      const { at, id } = await makeSlowDraft(dashboard, smtpPort);
      const page = await dashboard.open(at.replace("/projects/", "/p/") + `/broadcasts/${id}`);
      await checkAndSend(page, PEOPLE);
      const settled = (count: string) =>
        page.getByText(new RegExp(`^${count} of ${PEOPLE} processed`)).waitFor();
      await settled("[1-9]\\d?");
      await page.keyboard.press("p");
      const ready = page.locator(":not([aria-busy])");
      await page.getByRole("button", { name: "Resume" }).and(ready).waitFor();
      await page.keyboard.press("p");
      await page.getByRole("button", { name: "Pause" }).and(ready).waitFor();
      await dashboard.kill();
      let isKilled = true;
      onTestFinished(() => (isKilled ? dashboard.restart() : undefined));
      await page.getByText("The service does not respond.").first().waitFor();
      const atKill = await readStats(mailbox.url);
      expect(atKill.received).toBeGreaterThan(0);
      expect(atKill.received).toBeLessThan(PEOPLE);

      await dashboard.restart();
      isKilled = false;
      await dashboard.call("PUT", `${at}/sending`, {}); // nobody needs to watch the rest
      const resumed = new AbortController();
      const sweeping = sweepUntil(dashboard, resumed.signal);
      await page.getByText(`All ${PEOPLE} processed`).waitFor({ timeout: RESUME_LIMIT_MS });
      resumed.abort();
      await sweeping;
      const report = await dashboard.call<Record<string, number>>(
        "GET",
        `${at}/broadcasts/${id}/report`,
      );
      const { sent = 0, unknown = 0 } = report;
      expect([report["total"], sent + unknown]).toEqual([PEOPLE, PEOPLE]);
      const { received, recipients } = await readStats(mailbox.url);
      expect(received).toBe(recipients); // nobody twice
      expect(received).toBeGreaterThanOrEqual(sent);
    });
  });
}

/** Makes a draft that sends so slowly that somebody can watch it. */
async function makeSlowDraft({ call }: Dashboard, smtpPort: number) {
  const project = await call<{ id: string }>("POST", "/projects", { name: "Killed" });
  const at = `/projects/${project.id}`;
  await call("PUT", `${at}/smtp`, {
    smtp_host: "127.0.0.1",
    smtp_port: smtpPort,
    smtp_user: "any",
    smtp_password: "any",
    from_name: "News",
    from_email: "news@sender.example",
  });
  await call("PUT", `${at}/sending`, { max_per_second: 2 });
  const template = await call<{ id: string }>("POST", `${at}/templates`, {
    name: "News",
    subject: "News",
    html_body: "<p>Hello</p>",
  });
  const rows = Array.from({ length: PEOPLE }, (_, n) => ({ email: `k${n}@readers.example` }));
  await call("POST", `${at}/subscribers/import`, rows);
  const draft = { name: "News", template_id: template.id };
  const { id } = await call<{ id: string }>("POST", `${at}/broadcasts`, draft);
  return { at, id };
}

/** Runs the sweep again and again: the queue of the local run died with the service. */
async function sweepUntil({ run }: Dashboard, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sweep(run());
    await delay(SWEEP_EVERY_MS);
  }
}

const readStats = async (inboxUrl: string) =>
  readJson<{ received: number; recipients: number }>(await fetch(`${inboxUrl}api/stats`));
