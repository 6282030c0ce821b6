import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import {
  accessibilityFaults,
  contrastFaults,
  goTo,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";
import { readJson, readLine } from "../support/local-run.ts";
import { newSendingProject } from "../support/sending-project.ts";

interface Place {
  projectId: string;
  workspaceId: string;
  email: string;
  personId: string;
  mailId: string;
  webhookId: string;
  draftId: string;
  scheduledId: string;
  reportId: string;
  automationId: string;
}

interface KnownPage {
  path: (place: Place) => string;
  /** The page's heading; that of a person is the address. */
  heading: string | ((place: Place) => string);
  isSignedOut?: boolean;
  /** True for a page with colors that others do not show: it is looked at in the dark, too. */
  hasOwnColors?: boolean;
}

/** A name that would be an element on a page that does not escape it. */
const HOSTILE = "<img src=hostile onerror=alert(1)>";

const MOST_SCRIPT_BYTES = 150 * 1_024;
/** The limit of a good cumulative layout shift (https://web.dev/articles/cls). */
const MOST_SHIFT = 0.1;

/** Adds up what moves on a page by itself. */
const OBSERVE_SHIFT = `
  window.layoutShift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((shift) => (layoutShift += shift.value)))
    .observe({ type: "layout-shift", buffered: true });
`;

/** Every page of the dashboard; each page area adds its own. Tests of the areas load them by address. */
const PAGES: KnownPage[] = [
  { path: () => "/login", heading: "Sign in", isSignedOut: true, hasOwnColors: true },
  { path: () => "/setup", heading: "Set up Postrider", isSignedOut: true },
  { path: () => "/forgot", heading: "Forgot your password?", isSignedOut: true },
  { path: () => "/reset-password#token=x", heading: "Set a new password", isSignedOut: true },
  { path: () => "/confirm-address#token=x", heading: "Confirm your address", isSignedOut: true },
  { path: () => "/accept-invitation#token=x", heading: "Accept the invitation", isSignedOut: true },
  { path: () => "/account", heading: "Account", hasOwnColors: true },
  { path: () => "/account/service", heading: "Service" },
  { path: () => "/device", heading: "Confirm a login" },
  { path: ({ workspaceId }) => `/w/${workspaceId}`, heading: "Projects" },
  { path: ({ workspaceId }) => `/w/${workspaceId}/members`, heading: "Members" },
  { path: ({ workspaceId }) => `/w/${workspaceId}/audit`, heading: "Audit log" },
  { path: ({ projectId }) => `/p/${projectId}`, heading: "Overview", hasOwnColors: true },
  { path: ({ projectId }) => `/p/${projectId}/templates`, heading: "Templates" },
  { path: ({ projectId }) => `/p/${projectId}/templates/images`, heading: "Images" },
  { path: ({ projectId }) => `/p/${projectId}/templates/new`, heading: "New template" },
  { path: ({ projectId }) => `/p/${projectId}/start`, heading: "First steps", hasOwnColors: true },
  { path: ({ projectId }) => `/p/${projectId}/log`, heading: "Log", hasOwnColors: true },
  {
    path: ({ projectId }) => `/p/${projectId}/suppressions`,
    heading: "Suppressions",
    hasOwnColors: true,
  },
  {
    path: ({ projectId }) => `/p/${projectId}/suppressions/unverified`,
    heading: "Unverified reports",
  },
  {
    path: ({ projectId }) => `/p/${projectId}/broadcasts`,
    heading: "Broadcasts",
    hasOwnColors: true,
  },
  {
    path: ({ projectId }) => `/p/${projectId}/broadcasts?tab=calendar`,
    heading: "Broadcasts",
    hasOwnColors: true,
  },
  { path: ({ projectId }) => `/p/${projectId}/automations`, heading: "Automations" },
  { path: ({ projectId }) => `/p/${projectId}/automations/new`, heading: "New automation" },
  {
    path: (at) => `/p/${at.projectId}/automations/${at.automationId}`,
    heading: HOSTILE,
    hasOwnColors: true,
  },
  {
    path: (at) => `/p/${at.projectId}/automations/${at.automationId}?view=report`,
    heading: HOSTILE,
  },
  { path: ({ projectId }) => `/p/${projectId}/audience`, heading: "Audience", hasOwnColors: true },
  {
    path: ({ projectId }) => `/p/${projectId}/audience/import`,
    heading: "Import contacts",
    hasOwnColors: true,
  },
  { path: ({ projectId }) => `/p/${projectId}/audience/topics`, heading: "Topics" },
  { path: ({ projectId }) => `/p/${projectId}/audience/segments`, heading: "Segments" },
  { path: ({ projectId }) => `/p/${projectId}/audience/fields`, heading: "Fields" },
  { path: ({ projectId }) => `/p/${projectId}/audience/forms`, heading: "Forms" },
  { path: ({ projectId }) => `/p/${projectId}/audience/privacy`, heading: "Privacy" },
  { path: ({ projectId }) => `/p/${projectId}/settings/general`, heading: "General" },
  {
    path: ({ projectId }) => `/p/${projectId}/settings/sending`,
    heading: "Sending",
    hasOwnColors: true,
  },
  {
    path: ({ projectId }) => `/p/${projectId}/settings/brand`,
    heading: "Brand",
    hasOwnColors: true,
  },
  { path: ({ projectId }) => `/p/${projectId}/settings/consent`, heading: "Consent" },
  { path: ({ projectId }) => `/p/${projectId}/settings/bounces`, heading: "Bounces" },
  { path: ({ projectId }) => `/p/${projectId}/settings/tracking`, heading: "Tracking" },
  { path: ({ projectId }) => `/p/${projectId}/settings/data`, heading: "Data" },
  { path: ({ projectId }) => `/p/${projectId}/settings/audit`, heading: "Audit log" },
  { path: ({ projectId }) => `/p/${projectId}/settings/keys`, heading: "API keys" },
  { path: ({ projectId }) => `/p/${projectId}/settings/webhooks`, heading: "Webhooks" },
  { path: ({ projectId }) => `/p/${projectId}/settings/hooks`, heading: "Incoming hooks" },
  { path: ({ projectId }) => `/p/${projectId}/broadcasts/new`, heading: "New broadcast" },
  {
    path: (at) => `/p/${at.projectId}/broadcasts/${at.draftId}`,
    heading: HOSTILE,
    hasOwnColors: true,
  },
  {
    path: (at) => `/p/${at.projectId}/broadcasts/${at.draftId}/preflight`,
    heading: "Review and send",
    hasOwnColors: true,
  },
  {
    path: (at) => `/p/${at.projectId}/broadcasts/${at.scheduledId}`,
    heading: HOSTILE,
    hasOwnColors: true,
  },
  {
    path: (at) => `/p/${at.projectId}/audience/${at.personId}`,
    heading: ({ email }) => email,
    hasOwnColors: true,
  },
  {
    path: (at) => `/p/${at.projectId}/broadcasts/${at.reportId}`,
    heading: HOSTILE,
    hasOwnColors: true,
  },
  {
    path: (at) => `/p/${at.projectId}/settings/webhooks/${at.webhookId}`,
    heading: "Webhook",
    hasOwnColors: true,
  },
  { path: (at) => `/p/${at.projectId}/log/${at.mailId}`, heading: HOSTILE, hasOwnColors: true },
];

export function describeEveryPage(dashboard: Dashboard) {
  /** Makes one of everything that has a page of its own, each with the hostile name. */
  const place = async (): Promise<Place> => {
    const projectId = await newSendingProject(dashboard, "Every page");
    const at = `/projects/${projectId}`;
    const name = HOSTILE;
    const make = async (path: string, body: unknown) =>
      (await dashboard.call<{ id: string }>("POST", path, body)).id;
    const workspaceId = await make("/workspaces", { name });
    await make("/projects", { name, workspace_id: workspaceId });
    const email = `hostile@${projectId}.example.com`;
    const personId = await make(`${at}/subscribers`, { email, name, tags: ["<img src=hostile>"] });
    const topicId = await make(`${at}/topics`, { name, description: name });
    await dashboard.call("PUT", `${at}/subscribers/${personId}/topics`, {
      [topicId]: "subscribed",
    });
    await make(`${at}/segments`, { name, where: "tag:vip" });
    await make(`${at}/api-keys`, { name });
    const url = "https://example.com/hostile";
    const webhookId = await make(`${at}/webhooks`, { url });
    const html_body = '<p>Hello</p><p><a href="{{unsubscribe_url}}">Leave</a></p>';
    const draft = { name, subject: name, html_body, where: `email:${email}`, topic_id: topicId };
    const begin = async (more: object) => {
      const id = await make(`${at}/broadcasts`, { ...draft, ...more });
      await dashboard.call("POST", `${at}/broadcasts/${id}/start`, { accept: [] });
      return id;
    };
    const scheduledId = await begin({ send_at: "2099-01-01T10:00:00.000Z" });
    const template_id = await make(`${at}/templates`, { name, subject: name, html_body });
    const { broadcast_id: reportId } = await dashboard.call<{ broadcast_id: string }>(
      "POST",
      `${at}/broadcast`,
      { template_id, subject: name },
    );
    await dashboard.call("POST", `${at}/send`, { to: email, subject: name, html_body: "<p>x</p>" });
    await openAs(email, HOSTILE);
    const { url: bounceUrl } = await dashboard.call<{ url: string }>("GET", `${at}/bounce-webhook`);
    const report = { email, type: "bounce", reason: `550 5.1.1 User unknown ${HOSTILE}` };
    await fetch(bounceUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(report),
    });
    const { logs } = await dashboard.call<{ logs: { id: string }[] }>(
      "GET",
      `${at}/logs?to_email=${email}`,
    );
    const mailId = logs.at(-1)?.id ?? "";
    const draftId = await make(`${at}/broadcasts`, draft);
    const automationId = await make(`${at}/automations`, {
      name,
      trigger: { type: "tag_added", tag: name },
      steps: [
        { id: "send", type: "send", subject: name, html_body },
        {
          id: "branch",
          type: "branch",
          ways: [{ where: "tag:vip", steps: [{ id: "wait", type: "wait", for: "3 days" }] }],
        },
      ],
    });
    const made = {
      email,
      personId,
      mailId,
      webhookId,
      draftId,
      scheduledId,
      reportId,
      automationId,
    };
    return { projectId, workspaceId, ...made };
  };
  /** Loads the picture of the mails to an address, as a browser of this name does. */
  const openAs = async (to: string, browser: string) => {
    const inbox = `${readLine(dashboard.run(), "Inbox")}api/messages`;
    const list = async () =>
      (await readJson<{ messages: { id: string }[] }>(await fetch(`${inbox}?to=${to}`))).messages;
    await expect.poll(async () => (await list()).length).toBe(2); // one has a picture
    for (const { id } of await list()) {
      const { html } = await readJson<{ html: string }>(await fetch(`${inbox}/${id}`));
      const picture = /<img[^>]* src="([^"]+)"/.exec(html)?.[1];
      if (picture) await fetch(picture, { headers: { "User-Agent": browser } });
    }
  };

  it("shows every page without an element of a hostile name, without a layout shift and without an accessibility violation from 375 to 2,560 pixels, those with own colors in both themes", async () => {
    const at = await place();
    for (const isOut of [true, false]) {
      const page = await dashboard.open("/login", {
        isNew: true,
        ...(isOut ? { session: "" } : {}),
      });
      await page.addInitScript(OBSERVE_SHIFT);
      await page.reload();
      for (const { path, heading, isSignedOut = false, hasOwnColors = false } of PAGES) {
        if (isSignedOut !== isOut) continue;
        await page.evaluate("layoutShift = 0");
        // no two pages with the same heading follow each other, so it shows that the page is there
        await (isOut ? page.goto(path(at)) : goTo(page, path(at)));
        const name = typeof heading === "string" ? heading : heading(at);
        await page.getByRole("heading", { name, level: 1 }).waitFor();
        while ((await page.locator("[data-skeleton]").count()) > 0)
          await page.locator("[data-skeleton]").first().waitFor({ state: "detached" });
        expect([path(at), Number(await page.evaluate("layoutShift")) < MOST_SHIFT]).toEqual([
          path(at),
          true,
        ]);
        for (const width of [375, 2_560, 1_280]) {
          await page.setViewportSize({ width, height: 800 });
          expect([path(at), width, await overflows(page)]).toEqual([path(at), width, false]);
        }
        expect([path(at), await page.locator("img[src=hostile]").count()]).toEqual([path(at), 0]);
        expect([path(at), await accessibilityFaults(page)]).toEqual([path(at), []]);
        if (!hasOwnColors) continue;
        expect([path(at), await contrastFaults(page, "dark")]).toEqual([path(at), []]);
        await page.emulateMedia({ colorScheme: "light" });
      }
    }
  });

  it("loads at most 150 KB of compressed script per page, including the overview with its chart", async () => {
    const at = { projectId: dashboard.projectId() };
    const sizes: Record<string, number> = {};
    for (const [path, heading, session] of [
      ["/login", "Sign in", ""],
      [`/p/${at.projectId}`, "Overview", undefined],
    ] as const) {
      const page = await dashboard.open(path, session === undefined ? {} : { session });
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      const scripts = await page.evaluate<string[]>(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
      );
      expect(scripts.length).toBeGreaterThan(3);
      const files = await Promise.all(
        scripts.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())),
      );
      sizes[heading] = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    }
    for (const size of Object.values(sizes)) expect(size).toBeLessThan(MOST_SCRIPT_BYTES);
  });
}
