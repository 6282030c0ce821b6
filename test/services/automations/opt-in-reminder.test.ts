/* The ready-made reminder to confirm, from the form to the confirmation (docs/automations.md). */
import PostalMime from "postal-mime";
import { expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { manualService, newNewsletter, workOff } from "../../support/broadcasting.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { DAY, EVERY_MINUTE } from "../../support/times.ts";

interface ReadyMade {
  key: string;
  description: string;
  steps: { type: string; subject: string }[];
}

const { service, clock } = manualService();
const owner = await service.newOwner();
const news = await newNewsletter(service, owner);
const deps = await service.deps();

const reminder = async () => {
  const { body } = await owner.get<{ automations: ReadyMade[] }>(
    `${news.path}/automations/ready-made?language=en`,
  );
  const [found] = body.automations.filter(({ key }) => key === "opt_in_reminder");
  const { key: _key, description: _description, ...definition } = found ?? {};
  return definition;
};

it("a reminder carries the link that confirms, and stops once it has", async () => {
  await owner.put(`${news.path}/audience-settings`, { double_opt_in: true });
  const key = await owner.post(`${news.path}/api-keys`, { name: "page", type: "pk" });
  const made = await owner.post(`${news.path}/automations`, await reminder());
  const started = await owner.post(`${news.path}/automations/${String(made.body["id"])}/start`);
  expect(started.status).toBe(200);

  const email = `joins.${news.from}`;
  const page = service.withKey(String(key.body["key"]));
  expect((await page.request("POST", "/join", { email })).status).toBe(201);
  const pass = async (ms: number) => {
    clock.aheadMs += ms;
    await runScheduled(deps, EVERY_MINUTE);
    await workOff(deps, news.id);
    return receivedMessages({ from: news.from });
  };
  expect(await pass(0)).toHaveLength(1);
  // The link of the first mail ends after seven days.
  const [, last] = await pass(2 * DAY);
  const { html = "", text = "" } = await PostalMime.parse(last?.raw ?? "");
  const [link = ""] = /http\S*\/confirm\/[\w.-]+/.exec(text) ?? [];
  expect(link).not.toBe("");
  expect(html).toContain(`href="${link}"`); // not tracked: a tracked link would store the token

  await pass(4 * DAY);
  const pressed = await service.fetch(link, { method: "POST", body: "" });
  expect(await pressed.text()).toContain("You are subscribed");
  const people = "select status from subscribers where project_id = ?";
  expect(await allRows(people, news.id)).toEqual([{ status: "active" }]);
  expect(await pass(10 * DAY)).toHaveLength(2);
  const runs = "select outcome from automation_runs where project_id = ?";
  expect(await allRows(runs, news.id)).toEqual([{ outcome: "goal" }]);
});
