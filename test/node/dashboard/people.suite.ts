import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { accessibilityFaults, goTo, signIn, type Dashboard } from "../support/dashboard.ts";
import { logIn, readJson, readLine } from "../support/local-run.ts";

/** Names that would be more than text on a page that does not escape them. */
const HOSTILE = "<img src=hostile onerror=alert(1)>$&";
const GUESTS = `Guests ${HOSTILE}`;
const VERA = `Vera ${HOSTILE}`;

export function describePeople(dashboard: Dashboard) {
  /** Returns the newest mail to an address as text, as soon as it is there. */
  const mailTo = async (to: string): Promise<string> => {
    const inbox = readLine(dashboard.run(), "Inbox");
    for (;;) {
      const list = await readJson<{ messages: { id: string; to: string[] }[] }>(
        await fetch(`${inbox}api/messages`),
      );
      const mail = list.messages.find((one) => one.to.includes(to));
      if (mail) {
        const response = await fetch(`${inbox}api/messages/${mail.id}`);
        return (await readJson<{ text: string }>(response)).text;
      }
      await delay(100);
    }
  };
  const newWorkspace = () =>
    dashboard.call<{ id: string }>("POST", "/workspaces", { name: GUESTS });

  /** Opens the pages with something to change, and looks if each action says why it is off. */
  const saysWhy = async (hers: Page, workspaceId: string) => {
    const made = async (path: string, body: unknown) =>
      (await dashboard.call<{ id: string }>("POST", path, body)).id;
    const project = await made("/projects", { name: "Shop", workspace_id: workspaceId });
    const person = await made(`/projects/${project}/subscribers`, { email: "ann@example.com" });
    await made(`/projects/${project}/topics`, { name: "News" });
    const actions: Record<string, string[]> = {
      [`/w/${workspaceId}/members`]: ["Invite", "Delete workspace"],
      [`/p/${project}/audience`]: ["Add person", "Tags", "Delete"],
      [`/p/${project}/audience/topics`]: ["New topic", "Change: News"],
      [`/p/${project}/audience/${person}`]: ["Save", "Download all data", "Erase all data"],
      [`/p/${project}/suppressions`]: ["Add addresses"],
      [`/p/${project}/settings/general`]: ["Save", "Delete project"],
      [`/p/${project}/settings/bounces`]: ["Change URL", "Save"],
      [`/p/${project}/settings/keys`]: ["New key"],
      [`/p/${project}/settings/webhooks`]: ["Add webhook"],
      [`/p/${project}/settings/data`]: ["Download export", "Import"],
    };
    for (const [path, names] of Object.entries(actions)) {
      await goTo(hers, path);
      if (names.includes("Tags")) await hers.getByLabel("Select all", { exact: true }).check();
      for (const name of names) {
        const button = hers.getByRole("button", { name, exact: true, includeHidden: true }).first();
        const title = await button.getAttribute("title");
        expect([path, name, title]).toEqual([path, name, expect.stringContaining("is Viewer")]);
      }
    }
    await hers.getByText(`Your role in ${GUESTS} is Viewer`).waitFor();
  };

  describe("members", () => {
    it("join by an invitation with any name and address, and a viewer is told why they may create nothing", async () => {
      const { id } = await newWorkspace();
      const address = `vera'&{{name}}${id}@example.com`;
      const page = await dashboard.open(`/w/${id}/members`);
      await page.getByLabel("Email").fill(address);
      await page.getByLabel("Role", { exact: true }).selectOption("viewer");
      await page.getByRole("button", { name: "Invite" }).click();
      await page.getByText(`An invitation is on its way to ${address}.`).waitFor();
      await page.getByRole("button", { name: `Withdraw the invitation for ${address}` }).waitFor();
      expect(await page.locator("img").count()).toBe(0);
      const link = /\S+\/accept-invitation#token=\S+/.exec(await mailTo(address))?.[0];

      const hers = await dashboard.open(
        new URL(link ?? "").href.replace(/^.*?\/accept/, "/accept"),
        {
          session: "",
        },
      );
      await hers.getByText(`invited you to ${GUESTS} with the role Viewer.`).waitFor();
      await hers.getByLabel("Your name").fill(VERA);
      await hers.getByLabel("Password").fill("correct horse battery");
      const lookUps: string[] = [];
      hers.on("request", (request) => {
        if (request.url().endsWith("/look-up")) lookUps.push(request.url());
      });
      await signIn(hers.getByRole("button", { name: "Accept" }), "invitations/accept");
      const create = hers.getByRole("button", { name: "New project" });
      await create.waitFor();
      expect(await create.getAttribute("aria-disabled")).toBe("true");
      expect(await create.getAttribute("title")).toContain("Viewer");
      await goTo(hers, `/w/${id}/audit`);
      await hers.getByText("Only owners and admins can read the audit log.").waitFor();
      await saysWhy(hers, id);
      expect(lookUps).toEqual([]); // each would count as a token
      await hers.getByTitle(address).waitFor();
      expect(await hers.locator("img").count()).toBe(0);

      await page.reload();
      await page.getByRole("button", { name: `Remove ${VERA}` }).click();
      await page.getByLabel(`Type “${VERA}” to confirm.`).fill(VERA);
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await page.getByText(`${VERA} is no longer a member.`).waitFor();
      expect(await page.locator("img").count()).toBe(0);
    });

    it("who have an account and are signed out sign in where they accept", async () => {
      const { id } = await newWorkspace();
      const run = dashboard.run();
      const [email, password] = [readLine(run, "Email"), readLine(run, "Password")];
      const guest = { email: `guest-${Date.now()}@example.com`, name: "Guest" };
      await dashboard.call("POST", `/workspaces/${id}/users`, {
        ...guest,
        password,
        role: "admin",
      });
      expect(email).not.toBe(guest.email);
      const next = await newWorkspace();
      const invitation = { email: guest.email, role: "viewer" };
      await dashboard.call("POST", `/workspaces/${next.id}/invitations`, invitation);
      const token = /accept-invitation#token=(\S+)/.exec(await mailTo(guest.email))?.[1];
      const page = await dashboard.open(`/accept-invitation#token=${token}`, { session: "" });
      await page.getByText(`You already have an account with ${guest.email}.`).waitFor();
      const accept = page.getByRole("button", { name: "Accept" });
      await signIn(accept, "invitations/accept");
      await page.getByText(`You are not signed in as ${guest.email}.`).waitFor();
      await page.getByLabel("Password").fill("a wrong password");
      await signIn(accept);
      await page.getByText("Wrong email or password.").waitFor();
      await page.getByLabel("Password").fill(password);
      await signIn(accept);
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      await goTo(page, `/w/${next.id}/members`);
      await page.getByText("Your role in").waitFor();
    });

    it("who leave a workspace are sent to their own, not to a project of the one they left", async () => {
      const { id } = await newWorkspace();
      const email = `left-${Date.now()}@example.com`;
      const password = "correct horse battery";
      const user = { email, name: "Left", password, role: "admin" };
      await dashboard.call("POST", `/workspaces/${id}/users`, user);
      const project = { name: "Not theirs any more", workspace_id: id };
      const { id: projectId } = await dashboard.call<{ id: string }>("POST", "/projects", project);
      const session = await logIn(dashboard.run(), email, password);
      const page = await dashboard.open(`/p/${projectId}`, { session });
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.getByRole("button", { name: "Choose a project:" }).click();
      await page.getByRole("menuitem", { name: GUESTS }).click();
      await page.getByRole("link", { name: "Members" }).click();
      await page.getByRole("button", { name: "Leave" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox").fill(GUESTS);
      await dialog.getByRole("button", { name: "Leave" }).press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
    });

    it("leave traces in the audit log, whose filter is kept in the URL", async () => {
      const { id } = await newWorkspace();
      const page = await dashboard.open(`/w/${id}/audit`);
      const created = page.getByRole("cell", { name: "Created the workspace" });
      await created.waitFor();
      await page.getByLabel("Action").selectOption("Renamed the workspace");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.getByText("No entries").waitFor();
      await page.waitForURL(/action=workspace\.rename/);
      await page.goBack();
      await created.waitFor();
      await page.getByLabel("Until").fill("2026-01-31");
      await page.keyboard.press("Enter");
      await page.getByText("No entries").waitFor();
      await page.waitForURL(/to=2026-01-31/);
    });

    it("get another role only by a button, and a user who gave up their own rights sees that at once", async () => {
      const { id } = await newWorkspace();
      const guest = { email: `ida-${Date.now()}@example.com`, name: "Ida", role: "owner" };
      const password = "a long enough password";
      await dashboard.call("POST", `/workspaces/${id}/users`, { ...guest, password });
      const roles = async () => {
        const path = `/workspaces/${id}/members`;
        const { members } = await dashboard.call<{ members: { role: string }[] }>("GET", path);
        return members.map(({ role }) => role);
      };
      const session = await logIn(dashboard.run(), guest.email, password);
      const page = await dashboard.open(`/w/${id}/members`, { session });
      const select = page.getByLabel("Role of Ida", { exact: true });
      const save = page.getByRole("button", { name: "Save the role of Ida" });
      await select.focus();
      for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
      await expect.poll(() => select.inputValue()).toBe("admin");
      await save.waitFor();
      for (const key of ["ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
      await save.waitFor({ state: "detached" });
      for (const key of ["ArrowDown", "End", "Enter"]) await page.keyboard.press(key);
      await save.waitFor();
      expect(await roles()).toEqual(["owner", "owner"]);
      await save.click();
      await page.getByText("Ida is now viewer.").waitFor();
      await page.getByText(`Your role in ${GUESTS} is Viewer`).waitFor();
      expect((await roles()).toSorted()).toEqual(["owner", "viewer"]);
    });

    it("take over all tabs of a browser when they sign in from one of them", async () => {
      const { id } = await newWorkspace();
      const password = "a long enough password";
      const guest = { email: `kim-${Date.now()}@example.com`, name: "Kim", password };
      await dashboard.call("POST", `/workspaces/${id}/users`, { ...guest, role: "viewer" });
      const page = await dashboard.open(`/w/${id}/members`);
      await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
      const tab = await page.context().newPage();
      await tab.goto("/login");
      await tab.getByLabel("Email").fill(guest.email);
      await tab.getByLabel("Password").fill(password);
      await signIn(tab.getByRole("button", { name: "Sign in" }));
      await page.getByRole("link", { name: "Kim" }).waitFor();
      expect(new URL(page.url()).pathname).not.toBe(`/w/${id}/members`);
    });

    it("are invited one after another: what is typed during a request stays", async () => {
      const { id } = await newWorkspace();
      const page = await dashboard.open(`/w/${id}/members`);
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      await page.route(`**/workspaces/${id}/invitations`, async (route) => {
        if (route.request().method() === "POST") await held;
        await route.continue();
      });
      const field = page.getByLabel("Email");
      await field.fill("ann@example.com");
      await page.getByRole("button", { name: "Invite" }).click();
      await field.fill("ben@example.com");
      letGo();
      await page.getByText("An invitation is on its way to ann@example.com.").waitFor();
      await page.getByLabel("Withdraw the invitation for ann@example.com").waitFor();
      expect(await field.inputValue()).toBe("ben@example.com");
    });

    it("are removed in a dialog of their own, without the error of the previous one", async () => {
      const { id } = await newWorkspace();
      const password = "correct horse battery";
      for (const name of ["Ida", "Jo"]) {
        const user = { email: `${name}-${Date.now()}@example.com`, name, password, role: "admin" };
        await dashboard.call("POST", `/workspaces/${id}/users`, user);
      }
      const page = await dashboard.open(`/w/${id}/members`);
      await page.route(`**/workspaces/${id}/members/*`, (route) =>
        route.fulfill({ status: 409, json: { error: "not now", code: "conflict" } }),
      );
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Remove Ida" }).click();
      await dialog.getByRole("textbox").fill("Ida");
      await dialog.getByRole("button", { name: "Remove" }).click();
      await dialog.getByText("not now").waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Remove Jo" }).click();
      await dialog.getByRole("textbox").waitFor();
      expect(await dialog.getByText("not now").count()).toBe(0);
      await dialog.getByRole("button", { name: "Cancel" }).click();
    });

    it("lose a workspace only after its name is typed", async () => {
      const { id } = await newWorkspace();
      const page = await dashboard.open(`/w/${id}/members`);
      await page.getByRole("button", { name: "Delete workspace" }).click();
      const dialog = page.getByRole("dialog");
      const remove = dialog.getByRole("button", { name: "Delete workspace" });
      await remove.waitFor();
      expect(await remove.getAttribute("aria-disabled")).toBe("true");
      await dialog.getByLabel(`Type “${GUESTS}” to confirm.`).fill(GUESTS);
      await remove.click();
      await page.waitForURL((url) => !url.pathname.includes(id));
      const me = await dashboard.call<{ workspaces: { id: string }[] }>("GET", "/auth/me");
      expect(me.workspaces.map((workspace) => workspace.id)).not.toContain(id);
    });
  });

  describe("a long list", () => {
    const COUNT = 205;
    const at = new Date().toISOString();
    /** Answers a list as the service does: at most 200 entries with a limit, all without one. */
    const answerLong = (page: Page, path: string, list: (entries: object[]) => unknown) =>
      page.route(path, (route) => {
        const query = new URL(route.request().url()).searchParams;
        const limit = query.has("limit") ? Math.min(Number(query.get("limit")), 200) : COUNT;
        const from = Number(query.get("offset"));
        const entries = Array.from({ length: COUNT }, (_, n) => ({
          id: `id-${n}`,
          user_id: `id-${n}`,
          name: `Entry ${n}`,
          email: `entry-${n}@example.com`,
          role: "viewer",
          type: "sk",
          prefix: "sk_",
          last_used_at: null,
          joined_at: at,
          created_at: at,
          expires_at: at,
        }));
        return route.fulfill({ json: list(entries.slice(from, from + limit)) });
      });

    it("of projects, members, invitations or keys shows its last entry, too", async () => {
      const { id } = await newWorkspace();
      const page = await dashboard.open("/account");
      await answerLong(page, "**/workspaces/*/projects*", (entries) => entries);
      await answerLong(page, "**/workspaces/*/members*", (members) => ({ members }));
      await answerLong(page, "**/workspaces/*/invitations*", (invitations) => ({ invitations }));
      await answerLong(page, "**/projects/*/api-keys*", (api_keys) => ({ api_keys }));
      await answerLong(page, "**/api/v1/projects?scope=all*", (entries) => entries);
      await goTo(page, `/w/${id}`);
      await page.getByRole("link", { name: "Entry 204" }).waitFor();
      await goTo(page, `/w/${id}/members`);
      await page.getByLabel("Role of Entry 204").waitFor();
      await page.getByLabel("Withdraw the invitation for entry-204@example.com").waitFor();
      await goTo(page, `/p/${dashboard.projectId()}/settings/keys`);
      await page.getByLabel("Revoke: Entry 204").waitFor();
      await goTo(page, "/account/service");
      await page.getByRole("option", { name: "Entry 204" }).waitFor({ state: "attached" });
    });

    it("of dead letters leads to its next page", async () => {
      const page = await dashboard.open("/account");
      await page.route("**/service/dead-letters?*", (route) => {
        const isFirst = new URL(route.request().url()).searchParams.get("after") === "";
        const letter = { id: "1", queue: "mail", bytes: 1, failed_at: at, replayed_at: null };
        const [type, next] = isFirst ? ["the first message", "cursor"] : ["the last message", null];
        const dead_letters = [{ ...letter, type, preview: null, expires_at: at }];
        return route.fulfill({ json: { dead_letters, total: 51, waiting: 51, next } });
      });
      await goTo(page, "/account/service");
      await page.getByText("the first message").waitFor();
      await page.getByRole("button", { name: "Next page" }).click();
      await page.getByText("the last message").waitFor();
    });
  });

  describe("the account", () => {
    it("of the operator changes the sender of service email only by a button", async () => {
      const page = await dashboard.open("/account");
      const saves: unknown[] = [];
      await page.route("**/api/v1/service/mail", async (route) => {
        if (route.request().method() === "GET") return route.continue();
        const body = route.request().postDataJSON();
        saves.push(body);
        return route.fulfill({ json: { project_id: body.project_id ?? null, ready: true } });
      });
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      await page.route(/\/api\/v1\/projects(?:\?|$)/, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto("/account/service");
      await page.getByRole("heading", { name: "Dead letters" }).waitFor();
      const sender = page.getByLabel("Sending project");
      expect(await sender.count()).toBe(0); // an option that leaves takes the focus with it
      letGo();
      await sender.focus();
      for (const key of ["ArrowDown", "Home", "Enter"]) await page.keyboard.press(key);
      const save = page.getByRole("button", { name: "Save" });
      await save.waitFor();
      expect(saves).toEqual([]);
      await save.click();
      await page.getByText("The sending project is saved.").waitFor();
      expect(saves).toEqual([{}]);
    });

    it("lists its sessions and revokes one of them", async () => {
      const run = dashboard.run();
      const other = await logIn(run);
      const page = await dashboard.open("/account");
      const rows = page.getByRole("region", { name: "Sessions" }).getByRole("row");
      await rows.nth(1).waitFor();
      const before = await rows.count();
      await page.getByRole("button", { name: "End the session on" }).first().click();
      await page.getByText("The session has ended.").waitFor();
      await expect.poll(() => rows.count()).toBe(before - 1);
      await page.getByLabel("Action").selectOption("user.session_ended");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.waitForURL(/action=user\.session_ended/);
      await page.getByRole("region", { name: "Audit log" }).getByRole("row").nth(1).waitFor();
      await expect(dashboard.call("GET", "/auth/me", undefined, other)).rejects.toThrow();
    });

    it("creates an access token for one project, shows it once, and ends it", async () => {
      const projectName = `Press ${Date.now()}`;
      await dashboard.call("POST", "/projects", { name: projectName });
      const page = await dashboard.open("/account");
      await page.getByRole("button", { name: "New access token" }).click();
      const dialog = page.getByRole("dialog");
      const name = `Deploy ${Date.now()}`;
      await dialog.getByLabel("Name").fill(name);
      await dialog.getByLabel("Expires").selectOption("In 30 days");
      await dialog.getByLabel("Only the projects that you select").check();
      const create = dialog.getByRole("button", { name: "Create access token" });
      expect(await create.getAttribute("aria-disabled")).toBe("true");
      const choice = dialog.getByRole("group", { name: "Only the projects that you select" });
      await choice.getByLabel(projectName).check();
      expect(await accessibilityFaults(page)).toEqual([]);
      await create.click();
      const shown = dialog.getByLabel("Access token", { exact: true });
      const token = (await shown.textContent()) ?? "";
      expect(token).toMatch(/^pat_[0-9A-Za-z]{43}$/);
      const base = new URL(page.url()).origin;
      const ask = (path: string) =>
        fetch(`${base}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
      expect((await ask("/workspaces")).status).toBe(403);
      await dialog.getByRole("button", { name: "I have stored it" }).click();
      const row = page.getByRole("region", { name: "Access tokens" }).getByRole("row", { name });
      await row.getByText("1 project").waitFor();
      expect(await page.getByText(token).count()).toBe(0);
      await row.getByRole("button", { name: `End ${name}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "End", exact: true }).click();
      await page.getByText(`${name} has ended.`).waitFor();
      await row.waitFor({ state: "detached" });
      expect((await ask("/auth/me")).status).toBe(401);
    });

    it("signs in to confirm the login of a program for one project, or declines it", async () => {
      const device = async () => {
        const body = { name: `CLI ${HOSTILE}` };
        type Begun = Record<"device_code" | "user_code" | "verification_uri_complete", string>;
        return dashboard.call<Begun>("POST", "/auth/device", body, "");
      };
      const poll = ({ device_code }: { device_code: string }) =>
        dashboard.call<{ access_token: string }>("POST", "/auth/device/token", { device_code }, "");
      const name = `Press ${Date.now()}`;
      const project = await dashboard.call<{ id: string }>("POST", "/projects", { name });
      const begun = await device();
      const { pathname, hash } = new URL(begun.verification_uri_complete);
      const page = await dashboard.open(pathname + hash, { session: "" });
      await page.getByLabel("Email").fill(readLine(dashboard.run(), "Email"));
      await page.getByLabel("Password").fill(readLine(dashboard.run(), "Password"));
      await signIn(page.getByRole("button", { name: "Sign in" }));
      await page
        .getByLabel("Code")
        .and(page.locator(`[value="${begun.user_code}"]`))
        .waitFor();
      await signIn(page.getByRole("button", { name: "Continue" }), "device/look-up");
      await page.getByText(`CLI ${HOSTILE} wants to act as you`).waitFor();
      await page.getByText(begun.user_code, { exact: true }).waitFor();
      expect(await page.locator("img").count()).toBe(0);
      await page.getByLabel("Only the projects that you select").check();
      const confirm = page.getByRole("button", { name: "Confirm" });
      expect(await confirm.getAttribute("aria-disabled")).toBe("true");
      await page.getByLabel(name).check();
      expect(await accessibilityFaults(page)).toEqual([]);
      await signIn(confirm, "device/answer");
      await page.getByText(`CLI ${HOSTILE} is signed in.`).waitFor();
      const { access_token } = await poll(begun);
      const headers = { Authorization: `Bearer ${access_token}` };
      const projects = await fetch(`${dashboard.address()}/api/v1/projects`, { headers });
      expect(await readJson(projects)).toMatchObject([{ id: project.id }]);

      const other = await device();
      const again = await dashboard.open("/device");
      await again.getByLabel("Code").fill(other.user_code.toLowerCase());
      await signIn(again.getByRole("button", { name: "Continue" }), "device/look-up");
      await signIn(again.getByRole("button", { name: "Decline" }), "device/answer");
      await again.getByText("was not signed in.").waitFor();
      await expect(poll(other)).rejects.toThrow("access_denied");
      await again.reload();
      await again.getByLabel("Code").fill(other.user_code);
      await signIn(again.getByRole("button", { name: "Continue" }), "device/look-up");
      await again.getByText("This code is unknown or no longer valid").waitFor();
    });

    it("gets another name at once, and another address by the link in an email to it", async () => {
      const { id } = await newWorkspace();
      const [email, fresh] = [
        `before-${Date.now()}@example.com`,
        `after-${Date.now()}@example.com`,
      ];
      const password = "correct horse battery";
      await dashboard.call("POST", `/workspaces/${id}/users`, { email, name: "Ada", password });
      const page = await dashboard.open("/login", { session: "" });
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(password);
      await signIn(page.getByRole("button", { name: "Sign in" }));
      await page.waitForURL((url) => url.pathname !== "/login");
      await goTo(page, "/account");
      await page.getByRole("button", { name: "Change name" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill(VERA);
      await dialog.getByLabel("Name").press("Enter");
      await page.getByText(VERA).first().waitFor();
      await page.getByRole("button", { name: "Change email address" }).click();
      await dialog.getByLabel("New email address").fill(fresh);
      await dialog.getByLabel("Current password").fill("a wrong password");
      await dialog.getByRole("button", { name: "Send link" }).click();
      await dialog.getByText("is wrong").first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByLabel("Current password").fill(password);
      await dialog.getByRole("button", { name: "Send link" }).click();
      await page.getByText(`A link is on its way to ${fresh}.`).waitFor();
      await page.getByText(email).first().waitFor();
      const link = /\S+\/confirm-address#token=\S+/.exec(await mailTo(fresh))?.[0] ?? "";
      await page.goto(link);
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByRole("link", { name: "Continue" }).click();
      await goTo(page, "/account");
      await page.getByText(fresh).first().waitFor();
    });

    it("keeps the selected theme", async () => {
      const page = await dashboard.open("/account");
      await page.getByLabel("Colors").selectOption("dark");
      await page.reload();
      await page.getByRole("heading", { name: "Account" }).waitFor();
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    });
  });
}
