/* The pages of readers: they run no scripts, so every step here works without JavaScript. */
import { expect, it } from "vitest";
import { loadDevVars } from "../../../scripts/local/dev-vars.ts";
import type { Deps } from "../../../src/deps.ts";
import { LANGUAGES } from "../../../src/lib/languages.ts";
import { wordsOf } from "../../../src/mail/words/index.ts";
import { confirmationUrl, preferencesUrl, viewUrl } from "../../../src/services/tracking/index.ts";
import {
  accessibilityFaults,
  contrastFaults,
  goTo,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";

export function describeReaderPages(dashboard: Dashboard) {
  const made = (path: string, body: unknown) =>
    dashboard.call<{ id: string }>("POST", path, body).then(({ id }) => id);

  /** Makes a project with two topics, a reader of the first, and the links of the reader. */
  async function newReader(language = "en") {
    const project = await made("/projects", { name: "Acme & Co" });
    const at = `/projects/${project}`;
    await dashboard.call("PUT", `${at}/audience-settings`, { language });
    const topicId = await made(`${at}/topics`, { name: "News", description: "Once a month" });
    await made(`${at}/topics`, { name: "Digest" });
    const reader = async (email: string, more: object) => {
      const given = { email, name: "Ann", metadata: { plan: "pro" }, topics: ["News"], ...more };
      return { id: await made(`${at}/subscribers`, given), email };
    };
    // Signing needs only the secret, the address and the clock.
    const config = {
      baseUrl: dashboard.address(),
      linkSecrets: { current: loadDevVars(".dev.vars")["JWT_SECRET"] },
    };
    const deps = { config, now: Date.now } as unknown as Deps;
    const mail = { topicId, broadcastId: crypto.randomUUID() };
    const [active, waiting] = [
      await reader("ann@example.com", {}),
      await reader("ben@example.com", { status: "pending" }),
    ];
    const html_body = `${MAIL}<img src="${dashboard.address()}${PICTURE}" alt="">`;
    const content = { name: "May", subject: "May", topic_id: topicId, html_body };
    const broadcastId = await made(`${at}/broadcasts`, content);
    return {
      view: await viewUrl(deps, project, active, { broadcastId, variant: null }),
      preferences: await preferencesUrl(deps, project, active, mail),
      confirmation: await confirmationUrl(deps, project, waiting, "none"),
      consents: async () => {
        const path = `${at}/subscribers/${active.id}/topics`;
        const { topics } = await dashboard.call<{ topics: { state: string }[] }>("GET", path);
        return topics.map(({ state }) => state);
      },
      statusOf: async (one: "active" | "waiting") => {
        const { id } = one === "active" ? active : waiting;
        const path = `${at}/subscribers/${id}`;
        return (await dashboard.call<{ status: string }>("GET", path)).status;
      },
    };
  }

  /** A mail that tries what a tenant must not do to the origin of the service. */
  const MAIL = `<body style="margin:0"><script>document.title = "ran"</script>
    <img src="data:," alt="" onerror="document.title = 'ran'">
    <table width="100%"><tr><td style="padding:16px;max-width:600px">Hello {{name}}</td></tr></table>
    </body>`;

  /** The path of an image of the service, whose address is not https here. */
  const PICTURE = "/images/none.png";

  const open = (path: string, options: object = {}) =>
    dashboard.open(path, { session: "", ...options });

  it("shows a mail in the browser as a page without scripts and of an origin of its own", async () => {
    const { view } = await newReader();
    const page = await dashboard.open("/login", { width: 390, isNew: true });
    // The policy lets the image out; its 404 is not for pages of another origin.
    const picture = page.waitForEvent("requestfailed", (one) => one.url().endsWith(PICTURE));
    await page.goto(view);
    expect((await picture).failure()?.errorText).toMatch(/BLOCKED_BY_RESPONSE/);
    // The page runs no scripts, not even those of a test, so the browser itself is asked.
    const browser = await page.context().newCDPSession(page);
    const { frameTree } = await browser.send("Page.getFrameTree");
    const storage = browser.send("Storage.getStorageKeyForFrame", { frameId: frameTree.frame.id });
    await expect(storage).rejects.toThrow("opaque origin");
    const { targetInfo } = await browser.send("Target.getTargetInfo");
    expect(targetInfo.title).toBe("May");
    const { nodes } = await browser.send("Accessibility.getFullAXTree");
    expect(nodes.map(({ name }) => name?.value)).toContain("Hello Ann");
    const { cssContentSize } = await browser.send("Page.getLayoutMetrics");
    expect(cssContentSize.width).toBe(390);
  });

  it("shows the archive on a narrow screen in both themes, and its feed is XML", async () => {
    const project = await made("/projects", { name: "Acme & Co" });
    const at = `/projects/${project}`;
    const topic_id = await made(`${at}/topics`, { name: "News", public_archive: true });
    const subject = "May & <June>";
    const id = await made(`${at}/broadcasts`, { name: "May", subject, topic_id, html_body: MAIL });
    await dashboard.execute([
      `UPDATE broadcasts SET kind = 'broadcast', state = 'done', sent = 1 WHERE id = '${id}';`,
    ]);
    const topics = await dashboard.open(`/p/${project}/audience/topics`);
    const link = topics.getByRole("row", { name: "News" }).getByRole("link");
    expect(await link.getAttribute("href")).toBe(`/archive/${project}`);
    const page = await open(`/archive/${project}`, { hasScripts: true, width: 390, isNew: true });
    await page.getByRole("link", { name: subject }).waitFor();
    expect(await overflows(page)).toBe(false);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await contrastFaults(page, "dark")).toEqual([]);
    const feed = await (await fetch(`${dashboard.address()}/archive/${project}/feed.xml`)).text();
    const titles = await page.evaluate(
      `[...new DOMParser().parseFromString(${JSON.stringify(feed)}, "application/xml")
        .querySelectorAll("parsererror, entry > title")].map((one) => one.textContent)`,
    );
    expect(titles).toEqual([subject]);
    await page.getByRole("link", { name: subject }).click();
    await page.waitForURL(`**/${id}`);
    const browser = await page.context().newCDPSession(page);
    const { cssContentSize } = await browser.send("Page.getLayoutMetrics");
    expect(cssContentSize.width).toBe(390);
    const { nodes } = await browser.send("Accessibility.getFullAXTree");
    const names = nodes.map(({ name }) => String(name?.value));
    expect(names).toContain("All emails · Acme & Co");
    expect(names.join()).not.toContain("Ann");
  });

  it("has an archive once a topic gets one, and leaves out a broadcast by choice", async () => {
    const project = await made("/projects", { name: "Acme" });
    const at = `/projects/${project}`;
    const topic_id = await made(`${at}/topics`, { name: "News" });
    const content = { name: "May", subject: "May", topic_id, html_body: MAIL };
    const id = await made(`${at}/broadcasts`, content);
    await dashboard.execute([
      `UPDATE broadcasts SET kind = 'broadcast', state = 'done', sent = 1 WHERE id = '${id}';`,
    ]);
    const page = await dashboard.open(`/p/${project}/audience/topics`);
    await page.getByRole("button", { name: "Change: News" }).click();
    await page.getByLabel("Public archive").check();
    await page.getByRole("button", { name: "Save" }).click();
    const stored = async () => {
      const { topics } = await dashboard.call<{ topics: object[] }>("GET", `${at}/topics`);
      return topics;
    };
    await expect.poll(stored).toMatchObject([{ public_archive: true }]);
    await goTo(page, `/p/${project}/broadcasts/${id}`);
    const shown = page.getByLabel("Show in the public archive");
    const link = page.getByRole("link", { name: `/archive/${project}/${id}` });
    const place = () => dashboard.call("GET", `${at}/broadcasts/${id}/archive`);
    await link.waitFor();
    expect(await shown.isChecked()).toBe(true);
    await shown.click();
    await link.waitFor({ state: "detached" });
    expect(await shown.isChecked()).toBe(false);
    expect(await place()).toMatchObject({ in_archive: false, url: null });
    await shown.click();
    await link.waitFor();
    expect(await place()).toMatchObject({ in_archive: true, url: expect.any(String) });
  });

  it("lets a reader choose topics, undo it and unsubscribe, without JavaScript", async () => {
    const { preferences, consents, statusOf } = await newReader();
    const page = await open(preferences, { hasScripts: false });
    await page.getByLabel("News").uncheck();
    await page.getByLabel("Digest").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Your choice is saved.").waitFor();
    expect(await consents()).toEqual(["subscribed", "unsubscribed"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Everything is as it was before.").waitFor();
    expect(await consents()).toEqual(["unsubscribed", "subscribed"]);
    await page.getByRole("button", { name: "Email me my data" }).click();
    await page.getByRole("status").getByText("an email with a link to the data").waitFor();
    await page.getByRole("button", { name: "Unsubscribe from everything" }).click();
    await page.getByText("is unsubscribed").waitFor();
    expect(await statusOf("active")).toBe("unsubscribed");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Save" }).waitFor();
    expect(await statusOf("active")).toBe("active");
  });

  it("confirms a reader by a button, without JavaScript", async () => {
    const { confirmation, statusOf } = await newReader();
    const page = await open(confirmation, { hasScripts: false });
    const button = page.getByRole("button", { name: "Confirm" });
    await button.waitFor();
    expect(await statusOf("waiting")).toBe("pending");
    await button.click();
    await page.getByRole("heading", { name: "You are subscribed" }).waitFor();
    expect(await statusOf("waiting")).toBe("active");
  });

  it("shows the pages of readers without an accessibility violation, in both themes", async () => {
    const { preferences, confirmation } = await newReader();
    const page = await open(preferences, { width: 375 });
    await page.getByRole("button", { name: wordsOf("en").preferences.save }).click();
    await page.getByRole("status").waitFor();
    for (const path of ["", confirmation, `${preferences}x`]) {
      if (path !== "") await page.goto(path);
      expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
      expect([path, await contrastFaults(page, "dark")]).toEqual([path, []]);
      await page.emulateMedia({ colorScheme: "light" });
    }
  });

  it("shows the pages of readers on a narrow screen in every language", async () => {
    const page = await open("/login", { width: 375 });
    for (const language of LANGUAGES) {
      const { preferences, confirmation } = await newReader(language);
      for (const path of [preferences, confirmation, `${preferences}x`]) {
        await page.goto(path);
        expect([language, path, await overflows(page)]).toEqual([language, path, false]);
      }
    }
  });
}
