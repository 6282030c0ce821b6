/* Calls that count what they change do not count the runs that this starts. */
import { expect, it } from "vitest";
import { automationWorld, wait } from "../../support/automating.ts";

it("counts subscribers alone when their change lets them into automations", async () => {
  const { owner, news, subscribe, runs } = await automationWorld({
    steps: [wait("pause")],
    trigger: { type: "tag_added", tag: "vip" },
    reentry: "always",
  });
  const people = await subscribe(2);
  const change = { action: "add_tags", tags: ["vip"], ids: people };
  const tagged = await owner.post(`${news.path}/subscribers/bulk`, change);
  expect(tagged).toMatchObject({ status: 200, body: { changed: 2 } });
  expect(await runs()).toHaveLength(2);
  const imported = await owner.post(`${news.path}/subscribers/import`, [
    { email: `new.${news.from}`, tags: ["vip"] },
  ]);
  expect(imported.body).toMatchObject({ imported: 1 });
  expect(await runs()).toHaveLength(3);
});
