import { readFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { accessibilityFaults, goTo, type Dashboard } from "../support/dashboard.ts";
import { logIn } from "../support/local-run.ts";

/** Returns an export as that of another service: its ids are new ones. */
function fromElsewhere(file: Uint8Array, ids: string[]): Buffer {
  let text = gunzipSync(file).toString();
  for (const id of ids) text = text.replaceAll(id, crypto.randomUUID());
  return gzipSync(text);
}

export function describeSettings(dashboard: Dashboard) {
  const newProject = async () =>
    (await dashboard.call<{ id: string }>("POST", "/projects", { name: "Settings" })).id;

  describe("the settings", () => {
    it("turn the counting of clicks off, and set a campaign parameter", async () => {
      const { id } = await dashboard.call<{ id: string }>("POST", "/projects", {
        name: "Uncounted",
      });
      const page = await dashboard.open(`/p/${id}/settings/tracking`);
      await page.getByLabel("Count clicks").uncheck();
      await page.getByLabel("utm_source").fill("news");
      expect(await accessibilityFaults(page)).toEqual([]);
      const saved = page.waitForResponse(
        (answer) => answer.url().includes("mail-settings") && answer.request().method() !== "GET",
      );
      await page.getByRole("button", { name: "Save" }).first().click();
      expect((await saved).status()).toBe(200);
      expect(await dashboard.call("GET", `/projects/${id}/mail-settings`)).toMatchObject({
        tracking: { opens: true, clicks: false },
        utm: { source: "news" },
      });
    });

    it("export and import a project: the file is recognized first, and a rejection writes nothing", async () => {
      const [from, to] = [await newProject(), await newProject()];
      const person = { email: "ann@example.com" };
      const { id } = await dashboard.call<{ id: string }>(
        "POST",
        `/projects/${from}/subscribers`,
        person,
      );
      const page = await dashboard.open(`/p/${from}/settings/data`);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download export" }).click(),
      ]);
      const file = await readFile(await download.path());
      await page.goto(`/p/${to}/settings/data`);
      const choose = (buffer: Buffer) =>
        page
          .getByLabel("Export file")
          .setInputFiles({ name: "project.ndjson.gz", mimeType: "application/gzip", buffer });
      const importIt = page.getByRole("button", { name: "Import" });
      await choose(Buffer.from("no export"));
      await page.getByText("This is not an export").waitFor();
      expect(await importIt.getAttribute("aria-disabled")).toBe("true");
      await choose(file);
      await page.getByText(/^Export of/).waitFor();
      await importIt.click();
      await page.getByText("it continues where it stopped").waitFor();
      const path = `/projects/${to}/subscribers`;
      expect(await dashboard.call("GET", path)).toMatchObject({ total: 0 });
      await choose(fromElsewhere(file, [from, id]));
      await page.getByText(/^Export of/).waitFor();
      await importIt.click();
      await page.getByText("The import is complete.").waitFor();
      expect(await dashboard.call("GET", path)).toMatchObject({ subscribers: [person] });
    });

    it("keep the download of an export in place while the counts load", async () => {
      const page = await dashboard.open("/account");
      let answer = () => {};
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route("**/api/v1/projects/*/*", async (route) => {
        await held;
        await route.continue();
      });
      await goTo(page, `/p/${await newProject()}/settings/data`);
      const button = page.getByRole("button", { name: "Download export" });
      await page.getByText("The log keeps emails").waitFor();
      const before = await button.boundingBox();
      answer();
      await page.getByText("Emails in the log").waitFor();
      expect(await button.boundingBox()).toEqual(before);
    });

    it("explain why an export is rejected", async () => {
      const id = await newProject();
      const page = await dashboard.open(`/p/${id}/settings/data`);
      const button = page.getByRole("button", { name: "Download export" });
      await button.waitFor();
      // a slow browser would take longer than the minute that the limit is for
      await page.evaluate(
        `Promise.all(Array.from({ length: 5 }, () => fetch("/api/v1/projects/${id}/export"))).then(() => null)`,
      );
      await button.press("Enter");
      const alert = page.getByRole("alert");
      await alert.getByText("Too many requests").waitFor();
      await page.context().clearCookies();
      await alert.getByRole("button", { name: "Try again" }).press("Enter");
      await alert.getByText("Your session has ended").waitFor();
      await page.context().setOffline(true);
      await alert.getByRole("button", { name: "Try again" }).press("Enter");
      await alert.getByText("The service does not respond").waitFor();
    });

    it("report a failed import if its response is not a report, and do not upload the file again", async () => {
      const page = await dashboard.open(`/p/${await newProject()}/settings/data`);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download export" }).click(),
      ]);
      const file = await download.path();
      for (const body of ["<p>Log in first</p>", "null", "{}"]) {
        let uploads = 0;
        await page.route("**/api/v1/projects/*/import", async (route) => {
          uploads++;
          await route.fulfill({ status: uploads > 1 ? 400 : 200, body });
        });
        await page.reload();
        await page.getByLabel("Export file").setInputFiles(file);
        await page.getByText(/^Export of/).waitFor();
        // the file has moved the button, and a click may go to where it was
        await page.getByRole("button", { name: "Import" }).press("Enter");
        await page.getByText("it continues where it stopped").waitFor();
        expect(uploads, body).toBe(1);
        await page.unrouteAll();
      }
    });

    it("ask before leaving the page during an import, and then stop the import", async () => {
      const projectId = await newProject();
      const page = await dashboard.open(`/p/${projectId}/settings/data`);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download export" }).click(),
      ]);
      await page.route("**/api/v1/projects/*/import", () => undefined);
      await page.getByLabel("Export file").setInputFiles(await download.path());
      await page.getByText(/^Export of/).waitFor();
      await page.getByRole("button", { name: "Import" }).press("Enter");
      await page.getByRole("progressbar").waitFor();
      await page.getByRole("link", { name: "Log", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Stop the import?" });
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("progressbar").waitFor();
      await page.getByRole("link", { name: "Log", exact: true }).click();
      const ended = page.waitForEvent("requestfailed", (one) => one.url().endsWith("/import"));
      await dialog.getByRole("button", { name: "Stop and leave" }).click();
      await page.getByRole("heading", { name: "Log", level: 1 }).waitFor();
      await ended;
    });

    it("test the bounce mailbox step by step, and accept a template with the link for confirmations", async () => {
      const projectId = await newProject();
      const mailbox = {
        enabled: true,
        host: "127.0.0.1",
        port: 9,
        user: "ann",
        password: "secret",
      };
      await dashboard.call("PUT", `/projects/${projectId}/bounce-imap`, mailbox);
      for (const [name, html_body] of [
        ["Confirm", '<a href="{{confirm_url}}">Yes</a>'],
        ["Letter", "<p>Hello</p><!-- {{confirm_url}} -->"],
      ])
        await dashboard.call("POST", `/projects/${projectId}/templates`, { name, html_body });
      const page = await dashboard.open(`/p/${projectId}/settings/bounces`);
      await page.getByText("Set up", { exact: true }).waitFor();
      await page.locator("summary").filter({ hasText: "in a mailbox" }).click();
      await page.getByRole("button", { name: "Test mailbox" }).click();
      await page.getByText("The mailbox cannot be read.").waitFor();
      await page.locator("ol").getByRole("listitem").filter({ hasText: "Connect" }).waitFor();
      await goTo(page, `/p/${projectId}/settings/consent`);
      const select = page.getByLabel("Confirmation email template");
      await select.selectOption("Confirm");
      expect(await select.getByRole("option", { name: "Letter (lacks" }).isDisabled()).toBe(true);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      const saved = await dashboard.call<{ confirmation_template_id: string | null }>(
        "GET",
        `/projects/${projectId}/audience-settings`,
      );
      expect(saved.confirmation_template_id).toMatch(/^[0-9a-f-]{36}$/);
    });

    it("save the return path and the rules of bounces apart, and show no limit as such", async () => {
      const projectId = await newProject();
      const page = await dashboard.open(`/p/${projectId}/settings/bounces`);
      await page.locator("summary").filter({ hasText: "Email Routing" }).click();
      await page.getByLabel("Return path").fill("bounces+{token}@bounce.example.com");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Set up", { exact: true }).waitFor();
      await page.getByText("Advanced", { exact: true }).click();
      const inARow = page.getByLabel("Sender rejections in a row");
      await inARow.fill("0");
      await inARow.blur();
      expect(await inARow.inputValue()).toBe("");
      expect(await inARow.getAttribute("placeholder")).toBe("No limit");
      const complaints = page.getByLabel("Complaints, in percent");
      await complaints.clear();
      await complaints.pressSequentially("0.05");
      await page.getByRole("button", { name: "Save" }).last().click();
      await expect
        .poll(() => dashboard.call("GET", `/projects/${projectId}/bounce-settings`))
        .toMatchObject({
          return_path: "bounces+{token}@bounce.example.com",
          brakes: { sender_refusals_in_a_row: 0, complaint_pct: 0.05 },
        });
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it("give each provider its URL for bounces, and save the key with which it signs", async () => {
      const projectId = await newProject();
      const page = await dashboard.open(`/p/${projectId}/settings/bounces`);
      await page.getByText("Ready", { exact: true }).click();
      const provider = page.getByLabel("Email provider");
      await provider.selectOption("Brevo");
      await page.getByText(`/webhooks/bounces/${projectId}/brevo?token=`).waitFor();
      expect(await page.getByRole("button", { name: "Save key" }).count()).toBe(0);
      await provider.selectOption("Resend");
      await page.getByText(`/webhooks/bounces/${projectId}/resend?token=`).waitFor();
      await page.getByLabel("Signing secret").fill("whsec_dGVzdA==");
      await page.getByRole("button", { name: "Save key" }).click();
      await page.getByText("A key is saved.").waitFor();
      await page.getByText("Set up", { exact: true }).waitFor();
      await provider.selectOption("Amazon SES");
      await page.getByLabel("ARN of the topic").fill("arn:aws:s3:::bucket");
      await page.getByRole("button", { name: "Save key" }).click();
      await page.locator("input[aria-invalid=true]").waitFor();
      expect(
        await dashboard.call("GET", `/projects/${projectId}/bounce-webhook/signatures`),
      ).toMatchObject({ has_resend_signing_key: true, sns_topic_arn: "" });
    });

    it("show what Supabase needs, save its secret and templates, and show why a call failed", async () => {
      const projectId = await newProject();
      const path = `/projects/${projectId}`;
      const { id: signup } = await dashboard.call<{ id: string }>("POST", `${path}/templates`, {
        name: "Our sign-up",
      });
      const page = await dashboard.open(`/p/${projectId}/settings/hooks`);
      const card = page.locator("section").filter({ hasText: "Supabase Auth" }).first();
      await card.getByText("/hooks/supabase/").waitFor();
      await page.getByText("/hooks/clerk/").waitFor();
      await card.getByText("Last call: Never").waitFor();
      await card.getByLabel("Secret").fill("v1,whsec_short");
      await card.getByRole("button", { name: "Save secret" }).click();
      await card.locator("input[aria-invalid=true]").waitFor();
      await card.getByLabel("Secret").fill(`v1,whsec_${btoa("the secret of a hook")}`);
      await card.getByRole("button", { name: "Save secret" }).click();
      await card.getByText("A secret is saved.").waitFor();
      await card.getByText("Templates", { exact: true }).click();
      await card.getByLabel("Sign-up").selectOption("Our sign-up");
      await card.getByRole("button", { name: "Save templates" }).click();
      const readHook = () => dashboard.call<{ url: string }>("GET", `${path}/auth-hooks/supabase`);
      // "Saved." may still be that of the secret.
      await expect.poll(readHook).toMatchObject({ has_secret: true, templates: { signup } });
      const hook = await readHook();
      await fetch(hook.url, { method: "POST", body: "{}" });
      await page.reload();
      await card.getByText("The signature is missing, wrong or older than five minutes").waitFor();
    });

    it("keep the quiet hours and the weekly limit of automations, and name a wrong time", async () => {
      const projectId = await newProject();
      const stored = () =>
        dashboard.call<{ automations: object }>("GET", `/projects/${projectId}/audience-settings`);
      const page = await dashboard.open(`/p/${projectId}/settings/consent`);
      const quiet = page.getByLabel("Quiet hours for automations");
      const from = page.getByLabel("From", { exact: true });
      const until = page.getByLabel("Until", { exact: true });
      const zone = page.getByLabel("Time zone", { exact: true });
      const most = page.getByLabel("Most emails of automations to one person in seven days");
      const save = page.getByRole("button", { name: "Save" });
      await quiet.check();
      expect(await from.inputValue()).toBe("22:00");
      await from.fill("21:30");
      await until.fill("07:15");
      await zone.selectOption({ index: 1 }); // that of the browser
      await most.fill("3");
      expect(await accessibilityFaults(page)).toEqual([]);
      await save.click();
      await page.getByText("Saved.").waitFor();
      const own = Intl.DateTimeFormat().resolvedOptions().timeZone; // the browser has the same
      const saved = {
        quiet_hours: { from: "21:30", to: "07:15", zone: own },
        max_per_week: 3,
      };
      expect((await stored()).automations).toEqual(saved);
      await page.reload();
      await quiet.and(page.locator(":checked")).waitFor();
      const shown = [from, until, zone, most].map((field) => field.inputValue());
      expect(await Promise.all(shown)).toEqual(["21:30", "07:15", own, "3"]);

      await until.fill("");
      await save.click();
      await until.and(page.locator(":focus:invalid")).waitFor(); // the browser says what is missing
      await until.fill("23:59");
      await page.route("**/audience-settings", (route) => {
        const body = route.request().postData()?.replace("23:59", "24:00"); // no field accepts it
        return route.continue(body === undefined ? {} : { postData: body });
      });
      await save.click();
      await until.and(page.locator("[aria-invalid=true]")).waitFor();
      const named = await until.getAttribute("aria-describedby");
      const fault = "Must be a time of day such as 09:30.";
      expect(await page.locator(`[id="${named}"]`).innerText()).toBe(fault);
      expect((await stored()).automations).toEqual(saved);
      await quiet.uncheck();
      await most.fill("");
      await save.click();
      await page.getByRole("alert").waitFor({ state: "detached" });
      await expect
        .poll(async () => (await stored()).automations)
        .toEqual({ quiet_hours: null, max_per_week: 0 });
    });

    it("never silently overwrite another user's changes: the second to save chooses, and other settings are no conflict", async () => {
      const projectId = await newProject();
      const path = `/projects/${projectId}/audience-settings`;
      const stored = () => dashboard.call<object>("GET", path);
      const page = await dashboard.open(`/p/${projectId}/settings/consent`);
      const words = page.getByLabel("Text of your form");
      const save = page.getByRole("button", { name: "Save" });
      await words.fill("Once a week");
      await dashboard.call("PUT", `/projects/${projectId}`, { name: "Renamed" });
      await save.click();
      await page.getByText("Saved.").waitFor();
      expect(await stored()).toMatchObject({ form_text: "Once a week" });

      await words.fill("Mine");
      await dashboard.call("PUT", path, { form_text: "Theirs", language: "fr" });
      await save.click();
      await page.getByText("Someone else saved this in the meantime").waitFor();
      expect(await stored()).toMatchObject({ form_text: "Theirs" });
      await page.getByRole("button", { name: "Keep mine" }).click();
      await save.click();
      await expect.poll(stored).toMatchObject({ form_text: "Mine", language: "fr" });

      await words.fill("Mine again");
      await dashboard.call("PUT", path, { form_text: "Theirs again" });
      await save.click();
      await page.getByRole("button", { name: "Take theirs" }).click();
      await expect.poll(() => words.inputValue()).toBe("Theirs again");
    });

    it("ask before unsaved settings are lost, but not once they are saved", async () => {
      const page = await dashboard.open(`/p/${await newProject()}/settings/consent`);
      const words = page.getByLabel("Text of your form");
      await words.fill("Once a week");
      const log = page.getByRole("link", { name: "Log", exact: true });
      await log.click();
      const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await words.inputValue()).toBe("Once a week");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      await log.click();
      await page.getByRole("heading", { name: "Log", level: 1 }).waitFor();
    });

    it("ask once for all forms of a page, even before a sign-out, and store nothing on leaving", async () => {
      const session = await logIn(dashboard.run());
      const at = `/p/${await newProject()}/settings/sending`;
      const page = await dashboard.open(at, { session });
      const stores: string[] = [];
      page.on("request", (request) => {
        if (request.method() !== "GET" && !request.url().endsWith("/auth/logout"))
          stores.push(request.url());
      });
      const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
      const leave = dialog.getByRole("button", { name: "Leave" });
      const hourly = page.getByLabel("Emails per hour");
      await page.getByLabel("Sender name").fill("Typed");
      await hourly.fill("7");
      await page.getByRole("link", { name: "Log", exact: true }).click();
      await leave.click();
      await page.getByRole("heading", { name: "Log", level: 1 }).waitFor();
      await page.goBack();
      await hourly.fill("");
      await hourly.pressSequentially("8"); // an emptied field shows no zero
      const signOut = page.getByRole("button", { name: "Sign out" });
      await signOut.click();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await hourly.inputValue()).toBe("8");
      await signOut.click();
      await leave.click();
      await page.waitForURL(/\/login/);
      expect(stores).toEqual([]);
    });

    it("of a project whose deletion completes late do not navigate away from a page opened meanwhile", async () => {
      const projectId = await newProject();
      const page = await dashboard.open(`/p/${projectId}/settings/general`);
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      await page.route(`**/api/v1/projects/${projectId}`, async (route) => {
        if (route.request().method() === "DELETE") await held;
        await route.continue();
      });
      await page.getByRole("button", { name: "Delete project" }).click();
      const dialog = page.getByRole("dialog");
      const name = dialog.getByRole("textbox");
      await name.fill("Settings");
      await name.press("Enter");
      await dialog.locator("[type=submit][aria-busy=true]").waitFor();
      await page.evaluate(`history.pushState({}, "", "/account")`);
      await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
      letGo();
      await page.getByText("Settings was deleted.").waitFor();
      expect(new URL(page.url()).pathname).toBe("/account");
    });

    it("show the secret of a new webhook until its button is pressed, even if it cannot be copied, and delete a webhook only after its URL is typed", async () => {
      const page = await dashboard.open(`/p/${await newProject()}/settings/webhooks`);
      await page.getByRole("button", { name: "Add webhook" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("URL").fill("https://example.com/hook");
      await dialog.getByRole("button", { name: "Add webhook" }).click();
      await dialog.getByText(/^[0-9a-f]{64}$/).waitFor();
      await page.keyboard.press("Escape");
      await page.mouse.click(5, 400);
      await dialog.getByText(/^[0-9a-f]{64}$/).waitFor();
      await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))");
      await dialog.getByRole("button", { name: "Copy" }).click();
      await dialog.getByText("The browser does not allow copying here.").waitFor();
      await dialog.getByRole("button", { name: "I have stored it" }).click();
      await page.getByRole("link", { name: "https://example.com/hook" }).click();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      const remove = dialog.getByRole("button", { name: "Delete" });
      await remove.waitFor();
      expect(await remove.getAttribute("aria-disabled")).toBe("true");
      await dialog.getByLabel("to confirm.").fill("https://example.com/hook");
      await remove.click();
      await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    });

    it("show a new key and a new secret at once, even while the list is still loading", async () => {
      const projectId = await newProject();
      const page = await dashboard.open("/account");
      for (const [list, field, typed, button, secret] of [
        ["api-keys", "Name", "Shop", /^(New|Create) key$/, /^sk_\S+$/],
        ["webhooks", "URL", "https://example.com/hook", "Add webhook", /^[0-9a-f]{64}$/],
      ] as const) {
        await page.goto(`/p/${projectId}/settings/${list.replace("api-", "")}`);
        await page.getByRole("heading", { name: /^No (API keys|keys|webhooks) yet/ }).waitFor();
        await page.route(`**/projects/${projectId}/${list}`, async (route) => {
          if (route.request().method() !== "GET") await route.continue();
        });
        await page.getByRole("button", { name: button }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel(field, { exact: true }).fill(typed);
        await dialog.getByRole("button", { name: button }).click();
        await dialog.getByText(secret).waitFor();
      }
    });

    it("make a test key, whose mails the log marks", async () => {
      const projectId = dashboard.projectId();
      const page = await dashboard.open(`/p/${projectId}/settings/keys`);
      await page.getByRole("button", { name: "New key" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name", { exact: true }).fill(`Try ${crypto.randomUUID()}`);
      await dialog.getByLabel("Type").selectOption("sk_test");
      await dialog.getByText("never sent").waitFor();
      await dialog.getByLabel("send:broadcast").waitFor({ state: "detached" });
      await dialog.getByRole("button", { name: "Create key" }).click();
      const key = await dialog.getByText(/^sk_test_\w+$/).textContent();
      const to = `try-${crypto.randomUUID()}@example.com`;
      const mail = { to, subject: "A try", html_body: "<p>Hello</p>" };
      const path = `/projects/${projectId}/send`;
      const bearer = { Authorization: `Bearer ${key}` };
      const sent = await dashboard.call<{ id: string }>("POST", path, mail, "", bearer);
      await page.goto(`/p/${projectId}/log?to_email=${encodeURIComponent(to)}`);
      await page
        .getByRole("row")
        .filter({ hasText: to })
        .getByText("Test", { exact: true })
        .waitFor();
      await page.goto(`/p/${projectId}/log/${sent.id}`);
      await page.getByText("The email was a test: no mail server got it.").waitFor();
    });

    it("lead from an empty later page of a list to the first one", async () => {
      const projectId = await newProject();
      const path = `/projects/${projectId}/webhooks`;
      const endpoint = { url: "https://example.com/hook" };
      const { id } = await dashboard.call<{ id: string }>("POST", path, endpoint);
      const page = await dashboard.open("/account");
      const empty = { deliveries: [], entries: [], logs: [], total: 0, next: null };
      await page.route(/api.*after=gone/, (route) => route.fulfill({ json: empty }));
      for (const at of [`settings/webhooks/${id}`, "settings/audit", "log"]) {
        await page.goto(`/p/${projectId}/${at}?after=gone`);
        await page.getByRole("heading", { name: "This page is now empty" }).waitFor();
        await page.getByRole("button", { name: "First page" }).last().click();
        await page.waitForURL((url) => !url.searchParams.has("after"));
      }
    });

    it("explain for each delivery separately why it is not sent again", async () => {
      const path = `/projects/${await newProject()}/webhooks`;
      const endpoint = { url: "https://example.com/hook" };
      const { id } = await dashboard.call<{ id: string }>("POST", path, endpoint);
      const page = await dashboard.open("/account");
      await page.route(`**${path}/${id}/deliveries?*`, (route) => {
        const created_at = new Date().toISOString();
        const delivery = { status: "failed", attempts: 1, created_at };
        const deliveries = ["opened", "clicked"].map((event) => ({
          ...delivery,
          id: event,
          event_type: `email.${event}`,
        }));
        return route.fulfill({ json: { deliveries } });
      });
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      await page.route(`**${path}/${id}/deliveries/*/replay`, async (route) => {
        await held;
        const event = route.request().url().split("/").at(-2);
        await route.fulfill({ status: 409, json: { error: `${event} is gone` } });
      });
      await goTo(page, `/p/${path.split("/")[2]}/settings/webhooks/${id}`);
      for (const event of ["opened", "clicked"])
        await page.getByRole("button", { name: `Deliver again: email.${event}` }).press("Enter");
      await page.locator("[aria-busy=true]").nth(1).waitFor();
      letGo();
      for (const event of ["opened", "clicked"])
        await page
          .getByRole("row")
          .filter({ hasText: `email.${event}` })
          .getByText(`${event} is gone`)
          .waitFor();
      expect(await page.getByText("on an earlier page").count()).toBe(0);
    });

    it("show that a new delivery to a webhook arrived without a reload, and resend it once, however often the button is pressed before the response", async () => {
      const path = `/projects/${await newProject()}/webhooks`;
      const endpoint = { url: "https://example.com/hook" };
      const { id } = await dashboard.call<{ id: string }>("POST", path, endpoint);
      const page = await dashboard.open("/account");
      let status = "pending";
      await page.route(`**${path}/${id}/deliveries?*`, (route) => {
        const created_at = new Date().toISOString();
        const delivery = { id: "1", event_type: "webhook.test", status, attempts: 0, created_at };
        return route.fulfill({ json: { deliveries: [delivery] } });
      });
      await goTo(page, `/p/${path.split("/")[2]}/settings/webhooks/${id}`);
      await page.getByRole("cell", { name: "waiting" }).waitFor();
      status = "delivered";
      await page.getByRole("cell", { name: "delivered" }).waitFor();
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      let replays = 0;
      await page.route(`**${path}/${id}/deliveries/1/replay`, async (route) => {
        replays++;
        await held;
        await route.fulfill({ status: 202, json: { id: "2" } });
      });
      const again = page.getByRole("button", { name: /^Deliver again: webhook\.test, .*\d{4}/ });
      await again.click();
      await again.and(page.locator("[aria-busy=true]")).waitFor();
      await again.press("Enter");
      letGo();
      await page.getByText("It is being delivered again.").waitFor();
      expect(replays).toBe(1);
    });
  });
}
