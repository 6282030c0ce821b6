/* What an export and an erasure do with the automations that a person has gone through. */
import { expect, it } from "vitest";
import { automationWorld, mail, wait } from "../../support/automating.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { DAY_MS } from "../../support/tracking/mails.ts";

const STEPS = [mail("one"), wait("first"), mail("two")];

it("exports the runs of a person with their mails, and none once they are erased", async () => {
  const { owner, news, id, subscribe, happen, work, pass } = await automationWorld({
    steps: [mail("one"), wait("first")],
    reentry: "always",
  });
  const other = await automationWorld({ steps: STEPS });
  const [ann = "", ben = ""] = await subscribe(2);
  await happen("signed_up", [ann], { card: "1234" });
  await work();
  await pass(DAY_MS);
  await pass(DAY_MS);
  await happen("signed_up", [ann, ben]);
  await work();
  const theirs = { subscriber_id: ann, version: 1, step: "one", moves: 1, goal_met: 0 };
  const times = { mails: "[]", entered_at: 1, moved_at: 1 };
  await insertRow("automation_runs", {
    ...theirs,
    ...times,
    id: "theirs",
    automation_id: other.id,
    project_id: other.news.id,
  });
  const at = `${news.path}/subscribers/${ann}`;
  const { body } = await owner.get<{ email: string; automation_runs: object[] }>(
    `${at}/export?after=`,
  );
  const time = expect.stringMatching(/^20/);
  const run = {
    automation_id: id,
    automation_name: "Series",
    entered_at: time,
    mails: [{ step: "one", at: time }],
  };
  expect(body.automation_runs).toEqual([
    { ...run, ended_at: null, outcome: null, step: "first", data: {} },
    { ...run, ended_at: time, outcome: "completed", step: "first", data: { card: "1234" } },
  ]);
  const byAddress = `${news.path}/address-export?email=${body.email}&after=`;
  const exported = async () => (await owner.get<typeof body>(byAddress)).body.automation_runs;
  expect(await exported()).toEqual(body.automation_runs);
  expect((await owner.delete(`${at}?erase=true`)).status).toBe(204);
  expect(await exported()).toEqual([]);
  const left = "select automation_id from automation_runs where subscriber_id = ?";
  expect(await allRows(left, ann)).toEqual([{ automation_id: other.id }]);
});

it("erases the mails of automations before it scans the log, and deletes runs and events", async () => {
  const { service, owner, news, id, subscribe, happen, work, runs, counts } = await automationWorld(
    { steps: STEPS },
  );
  const [ann = "", ben = ""] = await subscribe(2);
  await happen("signed_up", [ann, ben], { card: "1234" });
  await work();
  service.d1.before = (statements) => {
    if (statements.some((text) => text.includes("log_entries_by_status")))
      throw new Error("no scan yet");
  };
  expect((await owner.delete(`${news.path}/subscribers/${ann}?erase=true`)).status).toBe(204);
  service.d1.before = undefined;
  const logged = "select to_email = '' as erased from logged_mails where project_id = ? order by 1";
  expect(await allRows(logged, news.id)).toEqual([{ erased: 0 }, { erased: 1 }]);
  expect((await runs()).map((run) => run.subscriber_id)).toEqual([ben]);
  expect(await allRows("select subscriber_id from events where project_id = ?", news.id)).toEqual([
    { subscriber_id: ben },
  ]);
  expect(await counts()).toMatchObject({
    " in": 2,
    "first in": 2,
    "first out": 1,
    "first deleted": 1,
  });
  expect((await owner.get(`${news.path}/automations/${id}`)).body).toMatchObject({
    people: { entered: 2, inside: 1, ended: 1 },
  });
});

it("deletes any number of runs, and leaves those of others and of other projects", async () => {
  const { owner, news, id, subscribe } = await automationWorld({ steps: STEPS });
  const other = await automationWorld({ steps: STEPS });
  const [ann = "", ben = ""] = await subscribe(2);
  const add = (automation: string, project: string, person: string, n: number) =>
    allRows(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?4)
       insert into automation_runs (automation_id, id, project_id, subscriber_id, version, step, moves, goal_met, mails, entered_at, moved_at, ended_at)
       select ?1, ?3 || i, ?2, ?3, 1, '', 1, 0, '[]', 1, 1, 1 from n`,
      automation,
      project,
      person,
      n,
    );
  await add(id, news.id, ann, 1_200);
  await add(id, news.id, ben, 1);
  await add(other.id, other.news.id, ann, 1);
  expect((await owner.delete(`${news.path}/subscribers/${ann}?erase=true`)).status).toBe(204);
  const left =
    "select automation_id, subscriber_id from automation_runs where automation_id in (?, ?)";
  expect(await allRows(`${left} order by subscriber_id = ?`, id, other.id, ann)).toEqual([
    { automation_id: id, subscriber_id: ben },
    { automation_id: other.id, subscriber_id: ann },
  ]);
});
