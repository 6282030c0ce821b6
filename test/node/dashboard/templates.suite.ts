import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  accessibilityFaults,
  contrastFaults,
  goTo,
  overflows,
  type Dashboard,
} from "../support/dashboard.ts";
import { readJson, readLine } from "../support/local-run.ts";
import { newSendingProject } from "../support/sending-project.ts";

interface Inbox {
  messages: { id: string; subject: string; to: string[] }[];
}

/** A text that would run where something takes it for HTML. */
const HOSTILE = `"><img src=x onerror="document.title='run'"><script>document.title='run'</script>`;

/** An HTML block that tries to run, to leave the page, and to hide the methods of its document. */
const BREAKING_OUT = `<img name="addEventListener" alt="" src="data:," onerror="top.document.title='run'">
<script>top.document.title='run'</script><meta http-equiv="refresh" content="0;url=/away">
<form action="/away" target="_top"><input name="closest"><button>Press</button></form>
<form action="/away" target="_top"><input name="a" aria-label="Other field"></form>
<a href="/away" target="_top">Leave</a>`;

export function describeTemplates(dashboard: Dashboard) {
  /** Makes a project, and returns the paths of its pages and of its API, and its templates. */
  const newProject = async () => {
    const id = await newSendingProject(dashboard, "Templates");
    const path = `/projects/${id}`;
    return {
      id,
      path,
      at: `/p/${id}/templates`,
      make: (fields: object) => dashboard.call<{ id: string }>("POST", `${path}/templates`, fields),
      read: (templateId: string) =>
        dashboard.call<Record<string, string>>("GET", `${path}/templates/${templateId}`),
    };
  };
  const saved = (page: Page) => page.getByText("All changes are saved.").waitFor();
  /** Makes a template of blocks, from the list of templates, and names it. */
  const newOfBlocks = async (page: Page, name: string) => {
    await page.getByRole("button", { name: "New template" }).click();
    await page.getByRole("button", { name: /^Blocks/ }).click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("list", { name: "Blocks" }).waitFor();
    await page.keyboard.press("Control+s");
    await saved(page);
  };
  /** The document in the frame of the preview that is shown. */
  const mailIn = (page: Page) => page.frameLocator("iframe[title='Preview of the email']").last();

  describe("the template editors", () => {
    it("save the preview text, and what a template does not count", async () => {
      const { at, make, path } = await newProject();
      const { id } = await make({ name: "Quiet", subject: "Hi", html_body: "<p>Hi</p>" });
      const page = await dashboard.open(`${at}/${id}`);
      await page.getByRole("textbox", { name: "Preview text (optional)" }).fill("In short");
      await page.getByRole("region", { name: "Preview" }).getByText("Hi In short").waitFor();
      await page.getByText("More options").click();
      await page.getByLabel("Count opens").selectOption("Off");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("Control+s");
      await saved(page);
      const stored = await dashboard.call("GET", `${path}/templates/${id}`);
      expect(stored).toMatchObject({ preheader: "In short", tracking: { opens: false } });
    });

    it("are found among many by name or subject, page by page, with the search in the URL", async () => {
      const { id } = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Many" });
      await Promise.all(
        Array.from({ length: 27 }, (_, n) =>
          dashboard.call("POST", `/projects/${id}/templates`, {
            name: `Letter ${n}`,
            subject: n === 3 ? "Harbour" : "News",
          }),
        ),
      );
      const page = await dashboard.open(`/p/${id}/templates`);
      const rows = page.getByRole("list", { name: "Templates" }).getByRole("listitem");
      await expect.poll(() => rows.count()).toBe(24);
      await page.getByRole("button", { name: "Next page" }).click();
      await expect.poll(() => rows.count()).toBe(3);
      const search = page.getByLabel("Name or subject contains");
      await search.fill("hb");
      await search.press("Home");
      await search.press("ArrowRight");
      await search.pressSequentially("ar");
      expect(await search.inputValue()).toBe("harb");
      await page.getByRole("link", { name: "Letter 3", exact: true }).waitFor();
      await page.reload();
      await expect.poll(() => rows.count()).toBe(1);
      await search.fill("ship");
      await page.getByRole("heading", { name: "No matches" }).waitFor();
      await page.getByRole("link", { name: "Templates", exact: true }).click();
      await expect.poll(() => rows.count()).toBe(24);
      expect(await search.inputValue()).toBe("");
    });

    it("create a mail from blocks, move them by keyboard and by dragging, and send it; texts stay texts", async () => {
      const { id, at, read } = await newProject();
      const page = await dashboard.open(at);
      await newOfBlocks(page, HOSTILE);
      await page.getByLabel("Subject", { exact: true }).fill(`Blocks ${HOSTILE}`);

      const blocks = page.getByRole("list", { name: "Blocks" });
      await blocks.getByRole("button", { name: /^Heading Our news/ }).click();
      await page.getByLabel("Heading text").fill(`Hi {{name}} ${HOSTILE}`);
      await blocks.getByRole("button", { name: /^Text / }).click();
      const text = page.getByRole("textbox", { name: "Text", exact: true });
      await text.click();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Plain and ");
      await page.keyboard.press("Control+b");
      await page.keyboard.type("bold");
      await page.getByRole("button", { name: "Add block" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Image" }).click();
      await page.getByLabel("Image URL").fill("javascript:alert(1)");
      await page.getByText("An image needs a URL that begins with https://.").waitFor();
      await page.getByLabel("Image URL").fill("https://images.example/a.png?b=1&c=2");

      const order = () =>
        blocks.locator("> li[data-block] [aria-expanded]:not([aria-haspopup])").allInnerTexts();
      const first = async () => (await order()).map((one) => one.split(/\s/)[0]);
      expect(await first()).toEqual(["Heading", "Text", "Image", "Button", "Divider", "Footer"]);
      await page.getByRole("button", { name: /^Move Image/ }).focus();
      await page.keyboard.press("ArrowDown");
      expect(await first()).toEqual(["Heading", "Text", "Button", "Image", "Divider", "Footer"]);
      const handle = page.getByRole("button", { name: /^Move Button/ });
      await handle.dragTo(blocks.locator("> li[data-drop='0']"));
      expect(await first()).toEqual(["Button", "Heading", "Text", "Image", "Divider", "Footer"]);
      await page.getByRole("button", { name: "Add block" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Columns" }).click();
      const column = page.getByRole("list", { name: "Column 2" });
      await page
        .getByRole("button", { name: /^Move Divider/ })
        .dragTo(column.locator("> li[data-drop]"));
      await column.getByText("Divider", { exact: true }).waitFor();
      await page.getByRole("button", { name: /^Actions for Columns/ }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: "Remove" }).waitFor();
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      await column.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo" }).click();
      await column.getByText("Divider", { exact: true }).waitFor();

      await mailIn(page).getByText(`Hi ${HOSTILE}`).waitFor();
      await page.keyboard.press("Control+s");
      await saved(page);
      await page.reload();
      await blocks.waitFor();
      expect(await first()).toEqual(["Button", "Heading", "Text", "Image", "Columns", "Footer"]);
      await blocks.getByRole("button", { name: /^Columns/ }).click();
      await column.getByText("Divider", { exact: true }).waitFor();

      await page.getByRole("button", { name: "Send test email" }).click();
      await page.getByRole("dialog").getByLabel("To").fill(`${id}@example.com`);
      await page.getByRole("dialog").getByRole("button", { name: "Send test email" }).click();
      await page.getByText("The server accepted the email.").waitFor();
      const inbox = readLine(dashboard.run(), "Inbox");
      const { messages } = await readJson<Inbox>(await fetch(`${inbox}api/messages`));
      const mail = messages.find(({ to }) => to.includes(`${id}@example.com`));
      expect(mail?.subject).toBe(`Blocks ${HOSTILE}`);
      const { html_body } = await read(new URL(page.url()).pathname.split("/").at(-1) ?? "");
      expect(html_body).toContain("Hi {{name}} &quot;&gt;&lt;img src=x");
      expect(html_body).toContain("Plain and <strong>bold</strong>");
      expect(html_body).toContain('src="https://images.example/a.png?b=1&amp;c=2"');
      expect(await page.title()).not.toBe("run");
    });

    it("open the block that is clicked in the preview, whatever the HTML in the mail tries", async () => {
      const { at, make } = await newProject();
      const page = await dashboard.open(at);
      await newOfBlocks(page, "Clicked");
      const blocks = page.getByRole("list", { name: "Blocks" });
      const open = blocks.locator("> li[data-block] [aria-expanded=true]");
      const focused = () => page.evaluate("document.activeElement.value");
      await page.getByRole("button", { name: "Add block" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "HTML" }).click();
      await page.getByLabel("HTML", { exact: true }).fill(BREAKING_OUT);
      await mailIn(page).getByText("Press").waitFor();
      await expect.poll(() => page.locator("iframe").count()).toBe(1); // a new frame replaces it
      await mailIn(page).getByRole("heading", { name: "Our news" }).click();
      await expect.poll(() => open.allInnerTexts()).toEqual([expect.stringMatching(/^Heading/)]);
      expect(await focused()).toBe("Our news");
      const place = page.url();
      for (const name of ["Press", "Leave"]) {
        await mailIn(page).getByText(name).click();
        await expect.poll(() => open.allInnerTexts()).toEqual([expect.stringMatching(/^HTML/)]);
        await mailIn(page).getByRole("heading", { name: "Our news" }).click();
        await expect.poll(() => open.allInnerTexts()).toEqual([expect.stringMatching(/^Heading/)]);
      }
      await mailIn(page).getByLabel("Other field").press("Enter"); // submits without a click
      await mailIn(page).getByText("Unsubscribe").click();
      await expect.poll(() => open.allInnerTexts()).toEqual([expect.stringMatching(/^Footer/)]);
      expect([page.url(), await page.title()]).toEqual([place, expect.not.stringContaining("run")]);
      expect(
        page
          .frames()
          .slice(1)
          .map((frame) => new URL(frame.url()).pathname),
      ).toEqual([expect.stringMatching(/\/templates\/preview$/)]);
      const sandbox = () => page.locator("iframe").last().getAttribute("sandbox");
      expect(await sandbox()).toBe("allow-same-origin");
      const { id } = await make({ name: "Code", html_body: "<p>By hand</p>" });
      await goTo(page, `${at}/${id}`);
      await mailIn(page).getByText("By hand").waitFor();
      expect(await sandbox()).toBe("");
    });

    it("fold columns, and unfold them for a block within that is clicked in the preview", async () => {
      const { at } = await newProject();
      const page = await dashboard.open(at);
      await newOfBlocks(page, "Folded");
      await page.getByRole("button", { name: "Add block" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Columns" }).click();
      const column = page.getByRole("list", { name: "Column 1" });
      await page.getByRole("button", { name: "Add block" }).first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Heading" }).click();
      await page.getByLabel("Heading text").fill("Inside");
      const inside = column.getByRole("button", { name: "Heading Inside", exact: true });
      await inside.click(); // closes its fields, not the columns
      const name = (await inside.locator(".truncate").boundingBox())?.width ?? 0;
      const needed = (await inside.getByText("Inside").boundingBox())?.width ?? Infinity;
      expect(name).toBeGreaterThan(needed);
      const preview = page.getByRole("region", { name: "Preview" });
      expect((await preview.boundingBox())?.width).toBeGreaterThan(500);
      expect(await inside.getAttribute("aria-expanded")).toBe("false");
      const actions = column.getByRole("button", { name: "Actions for Heading: Inside" });
      await actions.click();
      await page.getByRole("menuitem", { name: "Duplicate" }).click();
      await expect.poll(() => inside.count()).toBe(2);
      await column
        .getByRole("button", { name: /^Actions/ })
        .first()
        .press("Enter");
      await page.getByRole("menuitem", { name: "Remove" }).click();
      await expect.poll(() => inside.count()).toBe(1);
      await page.getByRole("button", { name: /^Heading Our news/ }).click();
      await column.waitFor({ state: "detached" });
      await mailIn(page).getByRole("heading", { name: "Inside" }).click();
      await column.waitFor();
      expect(await page.evaluate("document.activeElement.value")).toBe("Inside");
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it("save a block under a name, and insert it into another mail", async () => {
      const { id } = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Saved" });
      const page = await dashboard.open(`/p/${id}/templates`);
      const dialog = page.getByRole("dialog");
      await newOfBlocks(page, "First");
      await page.getByRole("button", { name: /^Heading Our news/ }).click();
      await page.getByLabel("Heading text").fill("Harbour news");
      await page.getByRole("button", { name: "Actions for Heading: Harbour news" }).click();
      await page.getByRole("menuitem", { name: "Save for other emails" }).click();
      expect(await dialog.getByLabel("Name").inputValue()).toBe("Harbour news");
      await dialog.getByLabel("Name").fill(HOSTILE);
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Save for other emails" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.keyboard.press("Control+s");
      await saved(page);

      await page.goto(`/p/${id}/templates`);
      await newOfBlocks(page, "Second");
      await page.getByRole("button", { name: "Add block" }).click();
      await dialog.getByRole("button", { name: HOSTILE, exact: true }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole("button", { name: HOSTILE, exact: true }).click();
      await mailIn(page).getByRole("heading", { name: "Harbour news" }).waitFor();
      await page.getByRole("button", { name: "Add block" }).click();
      const remove = dialog.getByRole("button", { name: `Delete ${HOSTILE}` });
      await remove.click();
      await dialog.getByText("in the menu of a block").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("button", { name: "Add block" }).click();
      await remove.waitFor();
      expect(await page.title()).not.toBe("run");
    });

    it("show the HTML of blocks that was edited manually, and lead back to the blocks", async () => {
      const page = await dashboard.open((await newProject()).at);
      await newOfBlocks(page, "By hand");
      await page.getByRole("button", { name: "Show HTML" }).click();
      const code = page.getByRole("textbox", { name: "HTML" });
      await code.click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("<!-- mine -->");
      await page.getByText("This HTML was changed by hand").waitFor();
      await page.getByRole("button", { name: "Go back to blocks" }).click();
      await page.getByRole("list", { name: "Blocks" }).waitFor();
      await saved(page);
    });

    it("complete variables of the audience, and mark problems while the user types", async () => {
      const { path, at, make } = await newProject();
      await dashboard.call("POST", `${path}/subscribers`, {
        email: "typed@example.com",
        name: "Tess",
        metadata: { favourite_tea: HOSTILE },
      });
      const field = { key: "cups", label: "Cups a day", type: "number" };
      await dashboard.call("POST", `${path}/fields`, field);
      const { id } = await make({ name: "Typed", html_body: "<p>x</p>" });
      const page = await dashboard.open(`${at}/${id}`);
      const code = page.getByRole("textbox", { name: "HTML" });
      const tess = page.getByRole("option", { name: "Tess <typed@example.com>" });
      await tess.waitFor({ state: "attached" }); // the variables come with the people
      await code.click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("<b>{{metadata.fav");
      await page.getByRole("option", { name: /metadata\.favourite_tea/ }).click();
      await page.keyboard.press("Control+End");
      await page.getByRole("button", { name: "Insert variable" }).click();
      await page.getByLabel("Variable", { exact: true }).selectOption("metadata.cups");
      await page.getByLabel("If it is empty").fill("black & strong");
      await page.getByRole("button", { name: "Insert", exact: true }).click();
      await mailIn(page).getByText("black & strong").waitFor();
      await page.getByLabel("Preview as").selectOption({ label: "Tess <typed@example.com>" });
      await mailIn(page).getByText(HOSTILE).waitFor();
      await page.getByText("Values that your program sends").click();
      await page.getByRole("button", { name: "Add variable" }).click();
      await page.getByLabel("Name 1").fill("metadata.favourite_tea");
      await page.getByLabel("Value 1").fill("<i>Assam</i>");
      await mailIn(page).getByText("<i>Assam</i>").waitFor();
      await code.click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("{{#if nothing");
      await page.getByRole("region", { name: "Problems" }).getByText("Error").first().waitFor();
      expect(
        await page.locator(".cm-lintRange-error, .cm-lintPoint-error").count(),
      ).toBeGreaterThan(0);
      expect(await page.title()).not.toBe("run");
    });

    it("report problems in the user's language, and unknown ones in the service's words", async () => {
      const { path, at, make } = await newProject();
      const { id } = await make({ name: "Problems", html_body: "<p>{{colour}}</p>" });
      const { id: draftId } = await dashboard.call<{ id: string }>("POST", `${path}/broadcasts`, {
        name: "Problems",
        subject: "Hi",
        html_body: '<p>{{colour}}</p><a href="nonsense">one</a><a href="worse">two</a>',
      });
      const page = await dashboard.open(`${at}/${id}`);
      await page.evaluate("localStorage.setItem('postrider.language', 'de')");
      await page.reload();
      await page.getByText("Kein Empfänger hat die Variable „colour“.").waitFor();
      await page.route("**/api/v1/**/preflight", async (route) => {
        const response = await route.fetch();
        const answer = await response.json();
        const unknown = {
          code: "constructor",
          grade: "hint",
          message: "unheard",
          fix_in: "service",
        };
        await route.fulfill({
          response,
          json: { ...answer, problems: [...answer.problems, unknown] },
        });
      });
      await goTo(page, at.replace("templates", `broadcasts/${draftId}/preflight`));
      await page.getByText("{{colour}} ist für alle leer").waitFor();
      await page.getByText("Unheard.", { exact: true }).waitFor();
      const links = page.locator("p", { hasText: "Ungültige Links:" }).locator("+ ul > li");
      expect(await links.allInnerTexts()).toEqual([
        expect.stringMatching(/^nonsense/),
        expect.stringMatching(/^worse/),
      ]);
      expect(await page.getByRole("link", { name: "Zur E-Mail" }).count()).toBe(1);
      const words = "Der Textteil fehlt und wird aus dem HTML erzeugt.";
      expect(await page.getByText(words, { exact: true }).count()).toBe(0);
    });

    it("show mails with their own styles, without running scripts", async () => {
      const { at, make } = await newProject();
      const { id } = await make({
        name: "Styled",
        html_body: `<style>p{color:rgb(1,2,3)}@media (prefers-color-scheme: dark){p{color:rgb(9,8,7)}}</style><p style="margin:7px">Styled</p><script>document.querySelector("p").textContent="ran"</script>`,
      });
      const page = await dashboard.open(`${at}/${id}`, { isNew: true });
      const mail = mailIn(page).getByText("Styled");
      await mail.waitFor();
      const look = () =>
        mail.evaluate((element) => {
          // @ts-expect-error it runs in the browser
          const { color, margin } = getComputedStyle(element);
          return [color, margin];
        });
      expect(await look()).toEqual(["rgb(1, 2, 3)", "7px"]);
      await page.getByRole("button", { name: "Dark: off" }).click();
      await expect.poll(look).toEqual(["rgb(9, 8, 7)", "7px"]);
      expect(await page.evaluate("history.length")).toBeLessThan(3);
    });
  });

  describe("two tabs on one template", () => {
    it("lose nothing: the second save is a choice, what was typed outlives the page, and a restored version never silently overwrites anything", async () => {
      const { path, at, make, read } = await newProject();
      const { id } = await make({ name: "Shared", subject: "First", html_body: "<p>x</p>" });
      const [one, other] = [
        await dashboard.open(`${at}/${id}`),
        await dashboard.open(`${at}/${id}`),
      ];
      await other.getByLabel("Subject", { exact: true }).fill("Typed in the other tab");
      await one.getByLabel("Subject", { exact: true }).fill("Saved first");
      await one.keyboard.press("Control+s");
      await saved(one);
      await other.keyboard.press("Control+s");
      await other.getByText("Someone else saved this template").waitFor();
      expect(await read(id)).toMatchObject({ subject: "Saved first" });

      await other.reload();
      await other.getByText("Your unsaved changes from an earlier visit were restored.").waitFor();
      expect(await other.getByLabel("Subject", { exact: true }).inputValue()).toBe(
        "Typed in the other tab",
      );
      await other.getByRole("button", { name: "Compare" }).click();
      await other.getByRole("dialog").getByText("Saved first").waitFor();
      await other.getByRole("dialog").getByRole("button", { name: "Take theirs" }).click();
      expect(await other.getByLabel("Subject", { exact: true }).inputValue()).toBe("Saved first");
      await other.getByRole("button", { name: "Undo" }).click();
      await other.getByRole("button", { name: "Keep mine" }).click();
      await saved(other);
      expect(await read(id)).toMatchObject({ subject: "Typed in the other tab" });

      await one.goto(`${at}/${id}/history?part=text`);
      await one.getByText("Saved first").first().waitFor();
      await dashboard.call("PUT", `${path}/templates/${id}`, { text_body: "Theirs, meanwhile" });
      const bringBack = one.getByRole("button", { name: "Restore this version" });
      await bringBack.click();
      await one
        .getByRole("alert")
        .getByText("Someone else changed this in the meantime.")
        .waitFor();
      expect(await read(id)).toMatchObject({ text_body: "Theirs, meanwhile" });
      await one.getByText("Theirs, meanwhile").first().waitFor();
      await bringBack.click();
      await expect.poll(async () => (await read(id))["subject"]).toBe("Saved first");
    });
  });

  it("keeps what was typed in each of two tabs of one browser, even after they are closed", async () => {
    const { at, make, read } = await newProject();
    const { id } = await make({ name: "One browser", subject: "First", html_body: "<p>x</p>" });
    const one = await dashboard.open(`${at}/${id}`);
    const other = await one.context().newPage();
    await other.goto(`${at}/${id}`);
    await one.getByLabel("Subject", { exact: true }).fill("Typed in one");
    await other.getByLabel("Subject", { exact: true }).fill("Typed in the other");
    const back = "Your unsaved changes from an earlier visit were restored.";
    for (const [page, typed] of [
      [one, "Typed in one"],
      [other, "Typed in the other"],
    ] as const) {
      await page.reload();
      await page.getByText(back).waitFor();
      expect(await page.getByLabel("Subject", { exact: true }).inputValue()).toBe(typed);
    }
    await one.close();
    await other.getByRole("link", { name: "History" }).click();
    await other.getByRole("link", { name: "Back to editor" }).click();
    await other.getByText(back).waitFor();
    expect(await read(id)).toMatchObject({ subject: "First" });
  });

  it("shows the editors without an accessibility violation, in both themes", async () => {
    const { path, at, make } = await newProject();
    const { id } = await make({ name: "Accessible", html_body: "<p>{{name}}</p>" });
    await dashboard.call("PUT", `${path}/templates/${id}`, { subject: "Two" });
    const page = await dashboard.open(`${at}/${id}`, { width: 375 });
    const check = async () => {
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflows(page)).toBe(false);
      expect(await contrastFaults(page, "dark")).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
    };
    const html = page.getByRole("textbox", { name: "HTML" });
    await html.waitFor();
    await check();
    await page.goto(`${at}/${id}/history`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await html.waitFor();
    await check();
    await page.goto(at);
    await newOfBlocks(page, "Accessible blocks");
    await page.getByRole("button", { name: /^Text / }).click();
    await page.getByRole("textbox", { name: "Text", exact: true }).waitFor();
    await check();
  });
}
