import { describe, expect, it } from "vitest";
import { accessibilityFaults, overflows, type Dashboard } from "../support/dashboard.ts";

export function describeSegments(dashboard: Dashboard): void {
  async function newAudience() {
    const { id } = await dashboard.call<{ id: string }>("POST", "/projects", { name: "Segments" });
    const people = ["ann", "ben", "cem"].map((name) => ({ email: `${name}@example.com`, name }));
    const tagged = people.map((one, n) => ({ ...one, tags: n < 2 ? ["vip"] : [] }));
    await dashboard.call("POST", `/projects/${id}/subscribers/import`, tagged);
    return id;
  }

  describe("segments", () => {
    it("are built by choosing, with a live count and a group of rules, and read as text and back", async () => {
      const projectId = await newAudience();
      const page = await dashboard.open(`/p/${projectId}/audience/segments`);
      await page.getByRole("button", { name: "New segment" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Readers");
      await dialog.getByText("Add a rule to see who matches.").waitFor();
      await dialog.getByRole("button", { name: "Add a rule" }).click();
      const rule = dialog.getByRole("group", { name: "Rule 1" });
      await rule.getByLabel("Field").selectOption("Tag");
      await rule.getByLabel("Value").selectOption("vip");
      await dialog.getByText("2 people match.").waitFor();
      await dialog.getByText("ann, ann@example.com").waitFor();
      await dialog.getByRole("button", { name: "Add a group" }).click();
      const group = dialog.getByRole("group", { name: "Group of rules" });
      const inner = (number: number) => group.getByRole("group", { name: `Rule ${number}` });
      await inner(1).getByLabel("Field").selectOption("Broadcast opened");
      await inner(1).getByLabel("Comparison").selectOption("never");
      await group.getByRole("button", { name: "Add a rule" }).click();
      await inner(2).getByLabel("Field").selectOption("Email address");
      await inner(2).getByLabel("Comparison").selectOption("contains");
      await inner(2).getByLabel("Value").fill("ben");
      await group
        .getByRole("combobox", { name: "People match" })
        .selectOption("all of these rules");
      await dialog.getByText("1 person matches.").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await overflows(page)).toBe(false);
      await page.setViewportSize({ width: 1_280, height: 800 });
      await dialog.getByRole("button", { name: "Edit as text" }).click();
      const text = dialog.getByLabel("Condition");
      expect(await text.inputValue()).toBe("tag:vip and not opened:* and email:*ben*");
      await text.fill("tag:vip or (not city:Bonn and created");
      await dialog.getByText("at character 38: expected an operator after created").waitFor();
      await text.fill("tag:vip or (not metadata.city:Bonn and created>2020-01-31)");
      await dialog.getByText("3 people match.").waitFor();
      await dialog.getByRole("button", { name: "Edit as rules" }).click();
      expect(await inner(1).getByLabel("Field key").inputValue()).toBe("city");
      expect(await inner(2).getByLabel("Value").inputValue()).toBe("2020-01-31");
      await inner(1).getByRole("button", { name: "Remove this rule" }).click();
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Tag is vip or Date added after 2020-01-31").waitFor();
      await page.getByRole("cell", { name: "3", exact: true }).waitFor();
      const { segments } = await dashboard.call<{ segments: { where: string }[] }>(
        "GET",
        `/projects/${projectId}/segments`,
      );
      expect(segments.map(({ where }) => where)).toEqual(["tag:vip or created>2020-01-31"]);
    });

    it("count events of people, in words and on a phone", async () => {
      const projectId = await newAudience();
      const events = ["ann", "ann", "ben"].map((name) => ({
        name: "order.paid",
        email: `${name}@example.com`,
      }));
      await dashboard.call("POST", `/projects/${projectId}/events`, events);
      const page = await dashboard.open(`/p/${projectId}/audience/segments`);
      await page.getByRole("button", { name: "New segment" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").first().fill("Buyers");
      await dialog.getByRole("button", { name: "Add a rule" }).click();
      const rule = dialog.getByRole("group", { name: "Rule 1" });
      await rule.getByLabel("Field").selectOption("Event");
      await rule.getByLabel("Name of the event").fill("order.paid");
      await dialog.getByText("2 people match.").waitFor();
      await rule.getByLabel("times").fill("2");
      await dialog.getByText("1 person matches.").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await overflows(page)).toBe(false);
      await page.setViewportSize({ width: 1_280, height: 800 });
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Event order.paid at least 2 times in the last 30 days").waitFor();
    });

    it("name what is wrong with a text once, in the user's language", async () => {
      const page = await dashboard.open(`/p/${await newAudience()}/audience/segments`);
      await page.evaluate("localStorage.setItem('postrider.language', 'de')");
      await page.reload();
      await page.getByRole("button", { name: "Neues Segment" }).first().click();
      await page.getByRole("button", { name: "Als Text bearbeiten" }).click();
      await page.getByLabel("Bedingung").fill("tag");
      await page.getByText("Zeichen 4: nach „tag“ fehlt ein Operator, wie in tag:vip").waitFor();
      expect(await page.getByText("fehlt ein Operator").count()).toBe(1);
      expect(await page.getByText("where").count()).toBe(0);
      await page.getByLabel("Bedingung").fill("topic:News");
      await page.getByText("Das Projekt hat kein Thema „News“").waitFor();
      expect(await page.getByText("where").count()).toBe(0);
      await page.getByLabel("Bedingung").fill("tag:gold");
      await page.getByText("Keine Person passt.").waitFor();
    });
  });
}
