import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Dashboard } from "../support/dashboard.ts";

const MARKUP = `<img src=x onerror="document.title='broken'">`;

export function describeAudience(dashboard: Dashboard) {
  const newProject = async () => {
    const { id } = await dashboard.call<{ id: string }>("POST", "/projects", { name: MARKUP });
    return id;
  };

  describe("the audience", () => {
    it("imports a long list from Excel: previews it, corrects the columns, imports it in parts with all rows of an address in the same part, and returns all rejected rows", async () => {
      const projectId = await newProject();
      await dashboard.call("POST", `/projects/${projectId}/topics`, { name: "News" });
      const page = await dashboard.open(`/p/${projectId}/audience`);
      await page.getByRole("heading", { name: "No people yet" }).waitFor();
      await page.getByRole("link", { name: "Import contacts" }).click();
      const bad = Array.from({ length: 5_099 }, (_, n) => `no address ${n};;on`);
      const rows = [`ann@example.com;M\u00fcller;on`, ...bad, `cem@example.com;${MARKUP};on`];
      const file = ["Address;Who;State", ...rows, "ann@example.com;;unsubscribed"].join("\r\n");
      await page.getByLabel("Drop a CSV file here, or choose one").setInputFiles({
        name: "people.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(file, "latin1"),
      });
      await page.getByText("people.csv (Windows-1252)").waitFor();
      await page.getByLabel("Who contains").selectOption("Full name");
      await page.getByLabel("State contains").selectOption("Status: who unsubscribed");
      await page.getByLabel("on", { exact: true }).selectOption("active");
      await page.getByLabel("News").check();
      await page.getByRole("button", { name: "Looks right, continue" }).click();
      await page.getByRole("heading", { name: "Preview: 5,102 rows" }).waitFor();
      await page.getByRole("button", { name: "Import now" }).click();
      await page.getByRole("heading", { name: "Import complete" }).waitFor();
      await page.getByText("not a valid address").first().waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download rejected rows" }).click(),
      ]);
      const saved = (await readFile(await download.path(), "utf8")).split("\r\n");
      expect(saved).toHaveLength(5_100);
      expect(saved[0]).toBe("line,email,reason");
      expect(saved.at(-1)).toBe(`5101,"no address 5098",invalid_syntax`);
      await page.getByRole("link", { name: "Send them a broadcast" }).click();
      await page.waitForURL(/broadcasts\/new\?where=import%3A[\da-f-]{36}$/);
      await page.getByRole("link", { name: "Audience", exact: true }).click();
      await page.getByRole("link", { name: "cem@example.com" }).waitFor();
      await page.getByText(MARKUP, { exact: true }).last().waitFor();
      expect(await page.getByRole("row").count()).toBe(3);
      expect(await page.getByRole("button", { name: "Unsubscribe" }).count()).toBe(0);
      await page.getByLabel("Select cem@example.com").check();
      await page.getByRole("button", { name: "Unsubscribe" }).click();
      await page.getByText("1 person updated.").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("row", { name: /cem.* Active/ }).waitFor();
      const path = `/projects/${projectId}/subscribers`;
      const { subscribers } = await dashboard.call<{ subscribers: { id: string }[] }>("GET", path);
      const [cem] = subscribers.filter((one) => "email" in one && one.email === "cem@example.com");
      expect(subscribers).toContainEqual(
        expect.objectContaining({ name: "M\u00fcller", status: "unsubscribed" }),
      );
      expect(await dashboard.call("GET", `${path}/${cem?.id}/topics`)).toMatchObject({
        topics: [{ name: "News", state: "subscribed" }],
      });
    });

    it("discards an interrupted import when a choice changes, and imports the whole list with the new choice", async () => {
      const projectId = await newProject();
      const page = await dashboard.open(`/p/${projectId}/audience/import`);
      const rows = Array.from({ length: 5_000 }, (_, n) => `no address ${n}`);
      let isDown = true;
      await page.route("**/api/v1/**/audience/import", async (route) => {
        const isWrite = !route.request().postDataJSON().dry_run;
        if (isWrite && isDown) await route.fulfill({ status: 503, json: { error: "is down" } });
        else await route.continue();
      });
      await page.getByLabel("Drop a CSV file here, or choose one").setInputFiles({
        name: "people.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(["Email", ...rows, "ann@example.com"].join("\n")),
      });
      const looked = page.getByRole("heading", { name: "Preview: 5,001 rows" });
      const next = page.getByRole("button", { name: "Looks right, continue" });
      const importNow = page.getByRole("button", { name: "Import now" });
      await page.getByText("Yes, they agreed").click();
      await next.click();
      await looked.waitFor();
      await importNow.click();
      const again = page.getByRole("button", { name: "Try again" });
      await again.waitFor();
      await page.getByRole("button", { name: "Change columns" }).click();
      await page.getByText("Not yet").click();
      await next.click();
      await expect.poll(() => again.count()).toBe(0);
      await looked.waitFor();
      isDown = false;
      await importNow.click();
      await page.getByRole("heading", { name: "Import complete" }).waitFor();
      expect(await dashboard.call("GET", `/projects/${projectId}/subscribers`)).toMatchObject({
        subscribers: [{ email: "ann@example.com", status: "pending" }],
      });
    });

    it("changes and undoes the subscribers selected when it started, and keeps those selected meanwhile", async () => {
      const project = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Shop" });
      const at = `/projects/${project.id}/subscribers`;
      const { id } = await dashboard.call<{ id: string }>("POST", at, { email: "ann@example.com" });
      await dashboard.call("POST", at, { email: "ben@example.com" });
      const page = await dashboard.open(`/p/${project.id}/audience`);
      let answer = () => {};
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route(`**/api/v1${at}/bulk`, async (route) => {
        await held;
        await route.continue();
      });
      const ann = page.getByLabel("Select ann@example.com");
      await ann.check();
      await page.getByRole("button", { name: "Unsubscribe" }).click();
      await page.locator("button[aria-busy=true]").first().waitFor();
      await ann.uncheck();
      await page.getByLabel("Select ben@example.com").check();
      answer();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("1 person selected").waitFor();
      const read = () => dashboard.call<{ status: string }>("GET", `${at}/${id}`);
      await expect.poll(async () => (await read()).status).toBe("active");
    });

    it("undoes a topic change for its own subscriber, even from another subscriber's page", async () => {
      const project = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Shop" });
      const at = `/projects/${project.id}`;
      await dashboard.call("POST", `${at}/topics`, { name: "News" });
      const made = (email: string) =>
        dashboard.call<{ id: string }>("POST", `${at}/subscribers`, { email, topics: ["News"] });
      const [ann, ben] = [await made("ann@example.com"), await made("ben@example.com")];
      const page = await dashboard.open(`/p/${project.id}/audience/${ben.id}`);
      await page.getByText("News: subscribed").first().waitFor();
      await page.keyboard.press("Control+k");
      const find = page.getByRole("combobox", { name: "Find a page, a template" });
      await find.fill("ann@example.com");
      await page.getByRole("option", { name: "ann@example.com" }).click();
      await page.getByRole("heading", { name: "ann@example.com" }).waitFor();
      await page.getByRole("button", { name: "News: Unsubscribe" }).click();
      await page.getByText("News: unsubscribed").first().waitFor();
      await page.evaluate("history.back()");
      await page.getByRole("heading", { name: "ben@example.com" }).waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      const read = (id: string) => dashboard.call("GET", `${at}/subscribers/${id}/topics`);
      const subscribed = { topics: [{ name: "News", state: "subscribed" }] };
      await expect.poll(() => read(ann.id)).toMatchObject(subscribed);
      expect(await read(ben.id)).toMatchObject(subscribed);
    });

    it("keeps every column of a list from Excel: as names, tags, topics and fields with their types, and finds its people again", async () => {
      const projectId = await newProject();
      const path = `/projects/${projectId}`;
      await dashboard.call("POST", `${path}/topics`, { name: "News", is_default: true });
      const people = Array.from({ length: 200 }, (_, n) =>
        [`J\u00f6rg ${n}`, "M\u00fcller", `kunde${n}@example.com`, "Gro\u00df & S\u00f6hne"]
          .concat(n % 2 ? "K\u00f6ln" : "Berlin", `${(n % 28) + 1}.03.2021`, `1.${200 + n},50`)
          .join(";"),
      );
      const lines = ["Vorname;Nachname;E-Mail;Firma;Stadt;Kunde seit;Umsatz", ...people];
      const file = [...lines, people[0], "Eva;Berg;eva@;;;;"].join("\r\n");
      const page = await dashboard.open(`/p/${projectId}/audience/import`);
      await page.getByLabel("Drop a CSV file here, or choose one").setInputFiles({
        name: "Kunden 2026.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(file, "latin1"),
      });
      const uses = page.getByRole("listitem").filter({ has: page.getByRole("combobox") });
      const chosen = async () =>
        Promise.all(
          (await page.getByLabel(/ contains$/).all()).map((select) => select.inputValue()),
        );
      await expect
        .poll(chosen)
        .toEqual(["first_name", "last_name", "email", "field", "field", "field", "field"]);
      await page.getByText("J\u00f6rg 0 \u00b7 J\u00f6rg 1 \u00b7 J\u00f6rg 2").waitFor();
      await uses.nth(6).getByLabel("Field name").fill("Umsatz in Euro");
      const next = page.getByRole("button", { name: "Looks right, continue" });
      expect(await next.getAttribute("aria-disabled")).toBe("true");
      expect(await page.getByLabel("News").isChecked()).toBe(true);
      await page.getByText("Yes, they agreed").click();
      await page.getByLabel("Tags").first().fill("Messe");
      await next.click();
      await page.getByRole("heading", { name: "Preview: 202 rows" }).waitFor();
      const skipped = page.getByRole("list", { name: "Skipped" });
      await skipped.getByText("1 more than once in this file").waitFor();
      await skipped.getByText("1 not a valid address").waitFor();
      await page
        .getByText("These fields will be created: Vorname, Nachname, Firma, Stadt,")
        .waitFor();
      await page.getByRole("button", { name: "Import now" }).click();
      await page.getByRole("heading", { name: "Import complete" }).waitFor();
      await page.getByRole("link", { name: "View these people" }).click();
      await page.getByText("People from the import Kunden 2026").waitFor();
      await page.getByText("200 people", { exact: true }).waitFor();
      const { fields } = await dashboard.call<{ fields: Record<string, string>[] }>(
        "GET",
        `${path}/fields`,
      );
      expect(fields.map(({ label, type }) => `${label} ${type}`).toSorted()).toEqual([
        "Firma choice",
        "Kunde seit date",
        "Nachname choice",
        "Stadt choice",
        "Umsatz in Euro number",
        "Vorname text",
      ]);
      const find = `${path}/subscribers?search=kunde7@`;
      expect(await dashboard.call("GET", find)).toMatchObject({
        subscribers: [
          {
            name: "J\u00f6rg 7 M\u00fcller",
            status: "active",
            tags: ["messe"],
            metadata: {
              first_name: "J\u00f6rg 7",
              last_name: "M\u00fcller",
              Firma: "Gro\u00df & S\u00f6hne",
              Stadt: "K\u00f6ln",
              kunde_seit: "2021-03-08",
              Umsatz: "1207.50",
            },
          },
        ],
      });
      const where = "topic:News and metadata.Umsatz>=1390 and metadata.kunde_seit<2021-03-20";
      const preview = await dashboard.call("POST", `${path}/segments/preview`, { where });
      expect(preview).toMatchObject({ count: 4 });
      await page.getByLabel("Select all matches").check();
      await page.getByRole("button", { name: "Topics" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("combobox", { name: "Topic" }).selectOption("News");
      await dialog.getByRole("button", { name: "Remove from topic" }).click();
      await page.getByText("200 people updated.").waitFor();
      await page.goto(new URL(`/p/${projectId}/audience/topics`, page.url()).href);
      await page.getByRole("button", { name: "Add everyone: News" }).click();
      await dialog.getByText("200 people are not subscribed to it yet.").waitFor();
      await dialog.getByRole("button", { name: "Subscribe 200 people" }).click();
      await page.getByText("200 people updated.").waitFor();
    });

    it("asks before leaving a page with a running import, and continues it", async () => {
      const projectId = await newProject();
      const page = await dashboard.open(`/p/${projectId}/audience/import`);
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      await page.route("**/api/v1/**/audience/import", async (route) => {
        if (!route.request().postDataJSON().dry_run) await held;
        await route.continue();
      });
      await page.getByLabel("Drop a CSV file here, or choose one").setInputFiles({
        name: "people.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("Email\nann@example.com"),
      });
      await page.getByText("Yes, they agreed").click();
      await page.getByRole("button", { name: "Looks right, continue" }).click();
      await page.getByRole("button", { name: "Import now" }).click();
      await page.getByRole("heading", { name: "Importing" }).waitFor();
      await page.getByRole("link", { name: "All people" }).click();
      const dialog = page.getByRole("dialog", { name: "Stop the import?" });
      await dialog.getByRole("button", { name: "Cancel" }).click();
      letGo();
      await page.getByRole("heading", { name: "Import complete" }).waitFor();
      await page.getByRole("link", { name: "All people" }).click();
      await page.getByRole("heading", { name: "Audience", level: 1 }).waitFor();
    });

    it("keeps the focus in a filter that is applied, clears the fields with the URL, and leads back from a page whose subscribers are gone", async () => {
      const projectId = await newProject();
      const people = Array.from({ length: 51 }, (_, n) => ({ email: `p${n}@example.com` }));
      await dashboard.call("POST", `/projects/${projectId}/subscribers/import`, people);
      const page = await dashboard.open(`/p/${projectId}/audience`);
      await page.getByText("51 people", { exact: true }).waitFor();
      const status = page.getByLabel("Status");
      await status.focus();
      await status.selectOption("unsubscribed");
      await page.getByRole("heading", { name: "No matches" }).waitFor();
      expect(await page.evaluate("document.activeElement.tagName")).toBe("SELECT");
      const search = page.getByLabel("Search by email or name");
      await page.getByRole("button", { name: "Clear" }).click();
      await page.getByText("51 people", { exact: true }).waitFor();
      await search.fill("5@exam");
      await page.waitForURL(/search=5%40exam/);
      await page.getByText("5 people", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Email" }).click();
      await page.waitForURL(/sort=email/);
      await page.getByRole("row").nth(1).getByRole("link", { name: "p15@example.com" }).waitFor();
      await page.getByRole("link", { name: "Audience", exact: true }).click();
      await page.getByText("51 people", { exact: true }).waitFor();
      expect(await search.inputValue()).toBe("");
      await page.getByRole("button", { name: "Next page" }).click();
      await expect.poll(() => page.getByRole("row").count()).toBe(2);
      const last = page.getByRole("row").nth(1).getByRole("link").first();
      const id = (await last.getAttribute("href"))?.split("/").at(-1);
      await dashboard.call("DELETE", `/projects/${projectId}/subscribers/${id}`);
      await page.reload();
      await page.getByRole("heading", { name: "This page is now empty" }).waitFor();
      await page.getByRole("button", { name: "First page" }).click();
      await page.getByText("50 people", { exact: true }).waitFor();
    });

    it("shows a subscriber with their consents and undoes a change of these, offers the choice if they unsubscribed meanwhile so that they stay unsubscribed, keeps what is typed during a save, and asks for the address before it deletes them", async () => {
      const projectId = await newProject();
      const path = `/projects/${projectId}`;
      const person = await dashboard.call<{ id: string }>("POST", `${path}/subscribers`, {
        email: "ann@example.com",
        name: MARKUP,
        metadata: { note: MARKUP },
      });
      await dashboard.call("POST", `${path}/topics`, { name: "Product news" });
      await dashboard.call("POST", `/projects/${projectId}/events`, {
        name: "order.paid",
        subscriber_id: person.id,
        data: { total: 42 },
      });
      const page = await dashboard.open(`/p/${projectId}/audience/${person.id}`);
      await page.getByRole("row", { name: 'order.paid {"total":42}' }).waitFor();
      await page.getByText("Product news: not subscribed").waitFor();
      await page.getByRole("button", { name: "Product news: Subscribe" }).click();
      await page.getByText("Product news: subscribed").first().waitFor();
      await page.getByText("History").click();
      await page.getByText("Product news: subscribed (by a team member)").waitFor();
      const toasts = page.getByRole("status");
      await toasts.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Product news: unsubscribed (by a team member)").waitFor();
      await page.getByRole("button", { name: "Product news: Subscribe" }).waitFor();
      expect(await dashboard.call("GET", `${path}/subscribers/${person.id}/topics`)).toMatchObject({
        topics: [{ name: "Product news", state: "unsubscribed" }],
      });
      await toasts.getByRole("button", { name: "Close" }).click();
      expect(await toasts.getByRole("button").count()).toBe(0);
      await dashboard.call("PATCH", `${path}/subscribers/${person.id}`, { status: "unsubscribed" });
      await page.getByLabel("Name").fill("Ann");
      await page.getByRole("button", { name: "Save" }).dispatchEvent("click"); // or a refetch found it
      await page.getByRole("button", { name: "Keep mine" }).click();
      await expect.poll(() => page.getByLabel("Status").inputValue()).toBe("unsubscribed");
      const typed = Promise.withResolvers<void>();
      await page.route(`**${path}/subscribers/${person.id}`, async (route) => {
        if (route.request().method() === "PATCH") await typed.promise;
        await route.continue();
      });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByLabel("note", { exact: true }).fill("kept");
      typed.resolve();
      await page.getByText("Saved.").waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.getByLabel("note", { exact: true }).inputValue()).toBe("kept");
      const left = await dashboard.call("GET", `${path}/subscribers/${person.id}`);
      expect(left).toMatchObject({
        name: "Ann",
        status: "unsubscribed",
        metadata: { note: MARKUP },
      });
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByLabel("Type “ann@example.com” to confirm.").fill("ann@example.com");
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("heading", { name: "No people yet" }).waitFor();
    });

    it("shows the data of people as fields: makes a key a field, adds one by hand, takes typed values, and keeps nested data and the chosen columns", async () => {
      const projectId = await newProject();
      const path = `/projects/${projectId}`;
      const metadata = { city: "K\u00f6ln", spent: 12.5, tags: { a: 1 } };
      const person = await dashboard.call<{ id: string }>("POST", `${path}/subscribers`, {
        email: "ann@example.com",
        metadata,
      });
      await dashboard.call("POST", `${path}/suppressions`, {
        emails: ["ann@example.com"],
        reason: "hard_bounce",
      });
      const page = await dashboard.open(`/p/${projectId}/audience/${person.id}`);
      await page.getByText("This address is on the suppression list").waitFor();
      await page.getByRole("button", { name: "Turn into a field: city" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("City");
      await dialog.getByLabel("Type").selectOption("choice");
      await dialog.getByLabel("Choices").fill("Berlin\nK\u00f6ln");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      const city = page.getByLabel("City");
      await expect.poll(() => city.inputValue()).toBe("K\u00f6ln");
      await page.getByRole("button", { name: "New field" }).click();
      await dialog.getByLabel("Name").fill("Customer since");
      expect(await dialog.getByLabel("Key", { exact: true }).inputValue()).toBe("customer_since");
      await dialog.getByLabel("Type").selectOption("date");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByLabel("Customer since").fill("2024-03-01");
      await page.getByLabel("spent", { exact: true }).fill("20");
      await city.selectOption("Berlin");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").last().waitFor();
      await expect
        .poll(() => dashboard.call("GET", `${path}/subscribers/${person.id}`))
        .toMatchObject({
          metadata: { city: "Berlin", spent: 20, tags: { a: 1 }, customer_since: "2024-03-01" },
        });
      await page.getByRole("link", { name: "Fields" }).click();
      await page.getByRole("row", { name: /City.*One of several choices: Berlin, K.ln/ }).waitFor();
      const { id: automationId } = await dashboard.call<{ id: string }>(
        "POST",
        `${path}/automations`,
        { name: "Berliners", trigger: { type: "manual", where: "city:Berlin" }, steps: [] },
      );
      await page.getByRole("button", { name: "Change: City" }).click();
      await dialog.getByText("Automation: Berliners").waitFor();
      await dialog.getByRole("link", { name: "Berliners" }).click();
      await page.waitForURL(`**/automations/${automationId}`);
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Audience", exact: true }).click();
      const row = page.getByRole("row", { name: /ann@example.com/ });
      await expect.poll(() => row.textContent()).toMatch(/Suppressed.*Hard bounce.*Berlin.*2024/);
      await page.getByRole("button", { name: "Columns" }).click();
      await dialog.getByLabel("City").uncheck();
      await page.keyboard.press("Escape");
      await page.reload();
      await page.getByRole("columnheader", { name: "Customer since" }).waitFor();
      expect(await page.getByRole("columnheader", { name: "City" }).count()).toBe(0);
    });

    it("tags everyone who matches the filters at that moment, pages through them by their tag, saves them as CSV, and keeps another user's concurrent change of their segment", async () => {
      const projectId = await newProject();
      const people = Array.from({ length: 51 }, (_, n) => ({ email: `reader${n}@example.com` }));
      await dashboard.call("POST", `/projects/${projectId}/subscribers/import`, people);
      await dashboard.call("POST", `/projects/${projectId}/subscribers`, {
        email: "x@example.com",
      });
      const page = await dashboard.open(`/p/${projectId}/audience?search=reader`);
      await page.getByText("51 people", { exact: true }).waitFor();
      await page.getByLabel("Select all matches").check();
      await page.getByRole("button", { name: "Tags" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Tags").first().fill("VIP, ");
      await page.keyboard.press("Enter");
      await dialog.getByRole("button", { name: "Add these tags" }).click();
      await page.getByText("51 people updated.").waitFor();
      await page.getByRole("link", { name: "vip" }).first().click();
      await page.waitForURL(/audience\?tag=vip$/);
      const chooseAll = page.getByLabel("Select all matches");
      await chooseAll.check();
      await page.goBack();
      await page.getByText("51 people", { exact: true }).waitFor();
      expect(await chooseAll.isChecked()).toBe(false);
      await page.goForward();
      await page.waitForURL(/audience\?tag=vip$/);
      await page.getByRole("button", { name: "Next page" }).click();
      await page.waitForURL(/after=/);
      await expect.poll(() => page.getByRole("row").count()).toBe(2);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download as CSV" }).click(),
      ]);
      const segment = { name: "VIPs", where: "tag:vip" };
      const segments = `/projects/${projectId}/segments`;
      const { id } = await dashboard.call<{ id: string }>("POST", segments, segment);
      const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
      expect(lines).toHaveLength(52);
      expect(lines.join()).not.toContain("x@example.com");
      await page.getByRole("link", { name: "Segments" }).click();
      await page.getByRole("button", { name: "Tags: VIPs" }).click();
      await page.getByText("All people in VIPs").waitFor();
      await dialog.getByLabel("Tags").first().fill("gold");
      await dialog.getByRole("button", { name: "Add these tags" }).click();
      await dialog.waitFor({ state: "detached" });
      const path = `/projects/${projectId}/subscribers?tag=gold`;
      expect(await dashboard.call("GET", path)).toMatchObject({ total: 51 });
      await page.getByRole("button", { name: "Change: VIPs" }).click();
      await dialog.getByLabel("Name").fill("Gold");
      await dashboard.call("PATCH", `${segments}/${id}`, { where: "tag:gold" });
      const save = dialog.getByRole("button", { name: "Save" });
      await save.click();
      await dialog.getByRole("button", { name: "Keep mine" }).click();
      await save.click();
      await dialog.waitFor({ state: "detached" });
      expect(await dashboard.call("GET", `${segments}/${id}`)).toMatchObject({
        name: "Gold",
        where: "tag:gold",
      });
    });

    it("exports all data of a person and erases it once the address is typed, and explains what stays", async () => {
      const projectId = await newProject();
      const email = "ann@example.com";
      const { id } = await dashboard.call<{ id: string }>(
        "POST",
        `/projects/${projectId}/subscribers`,
        { email, tags: ["vip"] },
      );
      const page = await dashboard.open(`/p/${projectId}/audience/${id}`);
      await page.getByRole("button", { name: "Remove the tag vip" }).click();
      await page.getByLabel("Tags").first().fill("beta");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download all data" }).click(),
      ]);
      const kept = JSON.parse(await readFile(await download.path(), "utf8"));
      expect(kept).toMatchObject({ email, subscriber: { tags: ["beta"] }, mails: [] });
      await page.getByRole("button", { name: "Erase all data" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("heading", { name: "What is kept" }).waitFor();
      const erase = dialog.getByRole("button", { name: "Erase all data" });
      expect(await erase.getAttribute("aria-disabled")).toBe("true");
      await dialog.getByLabel(`Type “${email}” to confirm.`).fill(email);
      await erase.click();
      await page.getByRole("heading", { name: "No people yet" }).waitFor();
      await page.getByRole("link", { name: "Privacy" }).click();
      await page.getByText("1 erased so far.").waitFor();
    });
  });
}
