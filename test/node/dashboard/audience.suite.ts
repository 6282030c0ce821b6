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
    it("moves a list in: looks first, corrects the columns, imports, and hands back the rejected rows", async () => {
      const projectId = await newProject();
      const page = await dashboard.open(`/p/${projectId}/audience`);
      await page.getByRole("heading", { name: "Nobody yet" }).waitFor();
      await page.getByRole("link", { name: "Import a list" }).click();
      await page.getByLabel("Drop a CSV file here, or choose one").setInputFiles({
        name: "people.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(
          `Address;Who\nann@example.com;${MARKUP}\nno address;Ben\ncem@example.com;=1+1\n`,
        ),
      });
      await page.getByText("No service is known that writes these columns.").waitFor();
      await page.getByLabel("Email").selectOption("Address");
      await page.getByLabel("Name").selectOption("Who");
      await page.getByLabel("Status of the rows").selectOption("active");
      await page.getByRole("button", { name: "Import now" }).click();
      await page.getByRole("heading", { name: "Done" }).waitFor();
      await page.getByText("no valid address").waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download the rejected rows" }).click(),
      ]);
      const saved = await readFile(await download.path(), "utf8");
      expect(saved).toBe(`line,email,reason\r\n3,"no address",invalid_syntax`);
      await page.getByRole("link", { name: "Open the audience" }).click();
      await page.getByRole("link", { name: "ann@example.com" }).waitFor();
      await page.getByText(MARKUP, { exact: true }).last().waitFor();
      expect(await page.getByRole("row").count()).toBe(3);
    });

    it("shows a person with their consents, and asks for the address before it deletes them", async () => {
      const projectId = await newProject();
      const path = `/projects/${projectId}`;
      const person = await dashboard.call<{ id: string }>("POST", `${path}/subscribers`, {
        email: "ann@example.com",
        name: MARKUP,
        metadata: { note: MARKUP },
      });
      await dashboard.call("POST", `${path}/topics`, { name: "Product news" });
      const page = await dashboard.open(`/p/${projectId}/audience/${person.id}`);
      await page.getByText("Product news: never asked").waitFor();
      await page.getByRole("button", { name: "Product news: Subscribe" }).click();
      await page.getByText("Product news: subscribed").first().waitFor();
      await page.getByText("History").click();
      await page.getByText("Product news: subscribed (member)").waitFor();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByLabel("Type “ann@example.com” to confirm.").fill("ann@example.com");
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("heading", { name: "Nobody yet" }).waitFor();
    });
  });
}
