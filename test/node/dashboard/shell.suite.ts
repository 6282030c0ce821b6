import { describe, expect, it } from "vitest";
import { logIn, readLine } from "../support/local-run.ts";
import { accessibilityFaults, goTo, signIn, type Dashboard } from "../support/dashboard.ts";

const HTML = { Accept: "text/html,*/*" };

const UUID = "0199b1de-0000-7000-8000-000000000001";

export function describeShell(dashboard: Dashboard) {
  const get = (path: string, headers: Record<string, string> = HTML) =>
    fetch(dashboard.address() + path, { headers, redirect: "manual" });

  describe("the URL of the service", () => {
    it("serves the dashboard to a browser's navigation, with a policy that allows no inline script or style", async () => {
      for (const path of ["/", "/login", `/p/${UUID}`, "/accept-invitation"]) {
        const response = await get(path);
        expect([path, response.status]).toEqual([path, 200]);
        expect(await response.text()).toContain('<div id="app">');
        const policy = response.headers.get("Content-Security-Policy") ?? "";
        expect(policy).toContain("default-src 'none'");
        expect(policy).not.toContain("unsafe");
        expect(response.headers.get("Cache-Control")).toBe("no-cache");
      }
    });

    it("keeps its responses to links in mails, API calls and the API page, even in a browser", async () => {
      const answers = [
        ["/api/v1/nothing", 404, "json"],
        ["/api/v1/projects", 401, "json"],
        [`/c/${UUID}/x.y`, 400, "json"],
        ["/t/nothing", 404, "json"],
        [`/unsubscribe/${UUID}/${UUID}`, 404, "html"],
        [`/preferences/${UUID}`, 404, ""],
        [`/f/${UUID}/nothing`, 404, "json"],
        [`/confirm/${UUID}/nothing`, 404, "json"],
        [`/hooks/clerk/${UUID}`, 405, "json"],
        [`/archive/${UUID}/${UUID}/nothing`, 404, "json"],
        [`/webhooks/bounces/${UUID}`, 405, "json"],
        ["/health", 200, "json"],
        ["/version", 200, "json"],
        ["/docs", 200, "html"],
        ["/docs/nothing", 404, ""],
        ["/dashboard/assets/nothing.js", 404, ""],
      ] as const;
      for (const [path, status, type] of answers) {
        const response = await get(path);
        expect([path, response.status]).toEqual([path, status]);
        expect([path, response.headers.get("Content-Type") ?? ""]).toEqual([
          path,
          expect.stringContaining(type),
        ]);
        expect(await response.text()).not.toContain('<div id="app">');
      }
    });

    it("answers programs as before, and never answers a write with a page", async () => {
      expect((await get("/", { Accept: "*/*" })).status).toBe(404);
      expect((await get("/login", { Accept: "application/json" })).status).toBe(404);
      const write = await fetch(`${dashboard.address()}/login`, { method: "POST", headers: HTML });
      expect(write.status).toBe(404);
    });
  });

  describe("a session in the dashboard", () => {
    const credentials = () => {
      const run = dashboard.run();
      return { email: readLine(run, "Email"), password: readLine(run, "Password") };
    };

    it("starts at the requested page, and ends with a click", async () => {
      const page = await dashboard.open(`/p/${dashboard.projectId()}`, { session: "" });
      await page.waitForURL(/\/login\?next=/);
      const { email, password } = credentials();
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill("a wrong password");
      await signIn(page.getByRole("button", { name: "Sign in" }));
      await page.getByText("Wrong email or password.").waitFor();
      await page.getByLabel("Password").fill(password);
      await signIn(page.getByRole("button", { name: "Sign in" }));
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/p/${dashboard.projectId()}`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(/\/login/);
    });

    it("never redirects to another site after the login", async () => {
      const page = await dashboard.open("/login?next=//evil.example/", { session: "" });
      const { email, password } = credentials();
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(password);
      await signIn(page.getByRole("button", { name: "Sign in" }));
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      expect(page.url()).toContain(dashboard.address());
    });

    it("asks for the password in a dialog when it ends, and loses nothing that was typed", async () => {
      const { password } = credentials();
      const session = await logIn(dashboard.run());
      const { workspaces } = await dashboard.call<{ workspaces: { id: string }[] }>(
        "GET",
        "/auth/me",
      );
      const page = await dashboard.open(`/w/${workspaces[0]?.id}`, { session });
      await page.getByRole("button", { name: "New project" }).click();
      await page.getByLabel("Name").fill("Typed before the session ended");
      await dashboard.call("POST", "/auth/logout", undefined, session);
      await page.getByRole("button", { name: "Create project" }).click();
      const dialog = page.getByRole("dialog", { name: "Your session has ended" });
      await dialog.getByLabel("Password").fill(password);
      await page.route("**/api/v1/auth/login", (route) => route.abort(), { times: 1 });
      await dialog.getByRole("button", { name: "Sign in" }).click();
      await dialog.getByText("The service does not respond.").waitFor();
      await signIn(dialog.getByRole("button", { name: "Sign in" }));
      await dialog.waitFor({ state: "detached" });
      expect(await page.getByLabel("Name").inputValue()).toBe("Typed before the session ended");
    });
  });

  describe("a confirmation dialog", () => {
    it("can be cancelled before the service responds, warns that the action may still happen, and blocks no other", async () => {
      const { id } = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Asked" });
      const topics = `/projects/${id}/topics`;
      for (const name of ["News", "Offers", "Tips"]) await dashboard.call("POST", topics, { name });
      const page = await dashboard.open(`/p/${id}/audience/topics`);
      const dialog = page.getByRole("dialog");
      const confirm = async (name: string) => {
        await page.getByRole("button", { name: `Delete: ${name}` }).press("Enter");
        await dialog.getByRole("textbox").fill(name);
        await page.keyboard.press("Enter");
      };
      await page.route(`**${topics}/*`, () => undefined, { times: 1 });
      const asked = page.waitForRequest((request) => request.method() === "DELETE");
      await confirm("News");
      await asked;
      const ended = page.waitForEvent("requestfailed", (one) => one.method() === "DELETE");
      await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
      await page.getByText("the action may still take effect").waitFor();
      await ended;
      await page.route(`**${topics}`, () => undefined); // the list, loaded anew
      await confirm("Offers");
      await page.getByText("Offers was deleted.").waitFor();
      await confirm("Tips");
      await page.getByText("Tips was deleted.").waitFor();
      expect(await dashboard.call("GET", topics)).toMatchObject({
        topics: [{ name: "News" }],
      });
    });
  });

  describe("the dialog to stop a broadcast", () => {
    it("stays open, and can be confirmed, while an earlier pause or resumption completes", async () => {
      const { id } = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Ending" });
      const broadcast = await dashboard.call<{ id: string }>("POST", `/projects/${id}/broadcasts`, {
        name: "News",
        subject: "News",
        html_body: "<p>Hello</p>",
      });
      const page = await dashboard.open("/account");
      const path = `**/broadcasts/${broadcast.id}`;
      await page.route(path, async (route) => {
        if (!route.request().url().includes("/api/")) return route.continue();
        const response = await route.fetch();
        return route.fulfill({ response, json: { ...(await response.json()), state: "paused" } });
      });
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      await page.route(`${path}/resume`, async (route) => {
        await held;
        await route.fulfill({ json: {} });
      });
      await goTo(page, `/p/${id}/broadcasts/${broadcast.id}`);
      await page.getByRole("button", { name: /^Resume/ }).click();
      await page.locator("[aria-busy=true]").waitFor();
      await page.getByRole("button", { name: /^Cancel broadcast/ }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox").fill("News");
      const end = dialog.getByRole("button", { name: /^Cancel broadcast/ });
      expect(await end.getAttribute("aria-busy")).toBe(null);
      letGo();
      await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
      expect(await dialog.getByRole("textbox").inputValue()).toBe("News");
    });
  });

  describe("the keyboard", () => {
    it("opens the palette with Ctrl+K, finds a project by its name and navigates to it, to a new broadcast in it, and to its settings", async () => {
      const page = await dashboard.open("/account");
      await page.getByRole("heading", { name: "Account" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to a page or a project" }).fill("demo");
      await page.getByRole("option", { name: "Demo" }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("new broadcast");
      await page.getByRole("option", { name: "New broadcast" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "New broadcast" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("settings webhooks");
      await page.getByRole("option", { name: "Webhooks Settings", selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    });

    it("finds templates, broadcasts and subscribers of the project with Ctrl+K, and loads nothing before", async () => {
      const { id } = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Found" });
      const made = (path: string, body: unknown) =>
        dashboard.call<{ id: string }>("POST", `/projects/${id}/${path}`, body);
      const body = { subject: "", html_body: "<p>Hello</p>" };
      await made("templates", { name: "Zebra letter", ...body });
      await made("broadcasts", { name: "Quagga news", ...body });
      await made("subscribers", { email: "okapi@example.com", name: "Olga Okapi" });
      const page = await dashboard.open(`/p/${id}`);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.waitForLoadState("networkidle");
      const calls: string[] = [];
      page.on("request", (request) => calls.push(request.url()));
      const find = async (search: string) => {
        await page.keyboard.press("Control+k");
        await page.locator("[role=combobox]:focus").waitFor();
        await page.keyboard.type(search);
      };
      await find("");
      expect(calls.filter((url) => /api.*(templates|broadcasts|subscribers)/.test(url))).toEqual(
        [],
      );
      await page.keyboard.press("Escape");
      await page.getByRole("combobox").waitFor({ state: "detached" });
      for (const [search, found, heading] of [
        ["zebra", "Zebra letter Template", "Zebra letter"],
        ["news quag", "Quagga news Broadcast", "Quagga news"],
        ["okapi@", "okapi@example.com Olga Okapi", "okapi@example.com"],
        ["olga", "okapi@example.com Olga Okapi", "okapi@example.com"],
      ] as const) {
        await find(search);
        await page.getByRole("option", { name: found, selected: true }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
      }
    });

    it("aborts a search whose text changes, and reports what was not found and what failed", async () => {
      const page = await dashboard.open(`/p/${dashboard.projectId()}`);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.route(/search=slow/, () => undefined);
      await page.route(/search=refused/, (route) =>
        route.fulfill({ status: 400, json: { error: "search: is refused" } }),
      );
      const asked = page.waitForRequest(/search=slow/);
      const ended = page.waitForEvent("requestfailed", (one) => one.url().includes("search=slow"));
      await page.keyboard.press("Control+k");
      const box = page.getByRole("combobox", { name: "Find a page, a template" });
      await box.fill("slow");
      await asked;
      await page.getByText("Searching…").waitFor();
      await box.fill("nothing-is-called-this");
      await ended;
      await page.getByText("No matches.").waitFor();
      await box.fill("refused");
      await page.getByRole("alert").getByText("search: is refused").waitFor();
    });

    it("submits a form once, however often Enter is pressed before the response, and its dialog stays open until then", async () => {
      const workspace = { name: "Enter" };
      const { id } = await dashboard.call<{ id: string }>("POST", "/workspaces", workspace);
      const page = await dashboard.open(`/w/${id}`);
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      let posts = 0;
      await page.route("**/api/v1/projects", async (route) => {
        if (route.request().method() === "POST") {
          posts++;
          await held;
        }
        await route.continue();
      });
      await page.getByRole("button", { name: "New project" }).first().click();
      const dialog = page.getByRole("dialog");
      const name = dialog.getByLabel("Name");
      await name.fill("Once");
      await name.press("Enter");
      const create = dialog.locator("button[aria-busy=true]");
      await create.waitFor();
      expect(await create.getAttribute("aria-disabled")).toBe("true");
      await dialog.getByRole("button", { name: "Close" }).waitFor({ state: "detached" });
      await name.press("Enter");
      await create.press("Enter");
      letGo();
      await page.waitForURL(/\/start$/);
      expect(posts).toBe(1);
    });

    it("navigates to a new project while its list is still loading", async () => {
      const workspace = { name: "Ahead" };
      const { id } = await dashboard.call<{ id: string }>("POST", "/workspaces", workspace);
      const page = await dashboard.open(`/w/${id}`);
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "New project" }).first().click();
      await dialog.getByLabel("Name").fill("Next");
      await page.route(`**/workspaces/${id}/projects`, () => undefined);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/start$/);
    });

    it("returns the focus to the button of a dialog, or to the content if the focused element is gone", async () => {
      const project = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Focus" });
      await dashboard.call("POST", `/projects/${project.id}/topics`, { name: "News" });
      const page = await dashboard.open(`/p/${project.id}/audience/topics`);
      const focused = () =>
        page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.id");
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Change: News" }).press("Enter");
      await dialog.getByLabel("Name").waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await expect.poll(focused).toBe("Change: News");
      await page.getByRole("button", { name: "Delete: News" }).press("Enter");
      await dialog.getByRole("textbox").fill("News");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "No topics yet" }).waitFor();
      await expect.poll(focused).toBe("content");
      await page.getByRole("link", { name: "All people" }).press("Enter");
      await page.getByRole("heading", { name: "Audience", level: 1 }).waitFor();
      await expect.poll(focused).toBe("content");
      await page.getByRole("link", { name: "Log", exact: true }).press("Enter");
      await page.getByRole("status").getByText("Log", { exact: true }).waitFor();
    });

    it("lists its shortcuts with a question mark", async () => {
      const page = await dashboard.open(`/p/${dashboard.projectId()}`);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.keyboard.press("?");
      await page.getByRole("dialog").getByText("Go to Overview").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    });

    it("has no shortcuts without Ctrl once they are switched off, and has them again when switched on", async () => {
      const page = await dashboard.open(`/p/${dashboard.projectId()}/broadcasts`);
      const create = page.getByRole("button", { name: "New broadcast" });
      const key = create.locator("kbd");
      const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      const isOn = dialog.getByLabel("Use single keys as shortcuts");
      const open = page.getByRole("button", { name: "Keyboard shortcuts" });
      await key.waitFor();
      await open.click();
      await isOn.uncheck();
      await dialog.getByText("Go to Overview").waitFor({ state: "detached" });
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await key.waitFor({ state: "detached" });
      await page.reload();
      await create.waitFor();
      await page.keyboard.press("?");
      await page.keyboard.press("g");
      await page.keyboard.press("o");
      await page.keyboard.press("n");
      // the key with Ctrl comes after all of them, and still works
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Find a page, a template" }).waitFor();
      expect(await dialog.count()).toBe(0);
      expect(new URL(page.url()).pathname).toMatch(/\/broadcasts$/);
      await page.keyboard.press("Escape");
      await open.click();
      await isOn.check();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await dialog.getByText("Go to Overview").waitFor();
    });
  });
}
