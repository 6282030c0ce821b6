/* What becomes of automations when projects move and go, and when people do (API reference §12.18). */
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { continuePurges } from "../../../src/services/project-removal/index.ts";
import { automationWorlds, mail } from "../../support/automation-worlds.ts";
import { allRows } from "../../support/rows.ts";
import { changed, rowsOfKind, transferFiles } from "../../support/transfer-files.ts";
import { newFullProject } from "../../support/transfer-world.ts";

const { service, owner, newWorld } = await automationWorlds();

describe("an import of a project", () => {
  const { exportOf, forget, load } = transferFiles(service, owner);

  it("has automations as drafts of their first version, whatever the file says about them", async () => {
    const { act, project, patch, add } = await newWorld({ type: "joined" });
    await act("start");
    await patch({ steps: [mail("hi"), mail("ho")], goal: { event: "bought" } });
    await add();
    const lines = await exportOf(project.id);
    expect(rowsOfKind(lines, "automation_runs")).toEqual([]);
    await forget(project.id);
    const { id } = await owner.newProject();
    const forged = { trigger_type: "manual", trigger_key: "x", reentry_ms: 0 };
    expect(await load(id, changed(lines, "automations", forged))).toMatchObject({ status: 200 });
    const stored =
      "select state, version, started_at, trigger_type, trigger_key, reentry_ms from automations where project_id = ?";
    expect(await allRows(stored, id)).toEqual([
      {
        state: "draft",
        version: 1,
        started_at: null,
        trigger_type: "joined",
        trigger_key: "",
        reentry_ms: null,
      },
    ]);
    const broken = {
      definition: { trigger: { type: "joined" }, steps: [mail("A")], reentry: "never" },
    };
    expect(await load(id, changed(lines, "automations", broken))).toMatchObject({ status: 400 });
  });

  it("makes no broadcast a mail of an automation", async () => {
    const { id: victim } = await newWorld();
    const from = await newFullProject(service, owner);
    const lines = await exportOf(from.id);
    await forget(from.id);
    const { id } = await owner.newProject();
    const forged = changed(lines, "broadcasts", {
      automation_id: victim,
      automation_version: 1,
      step_id: "hi",
    });
    expect(await load(id, forged)).toMatchObject({ status: 200 });
    expect(await allRows("select id from broadcasts where automation_id = ?", victim)).toEqual([]);
  });
});

describe("people and projects that go", () => {
  it("leave no data of their events, and erased people no run", async () => {
    const { act, add, path, id } = await newWorld({ type: "joined" });
    await act("start");
    const people = [await add(), await add(), await add()];
    await allRows(
      "update automation_runs set data = '{\"card\":1}', due_at = null where automation_id = ?",
      id,
    );
    const [ann, ben, cy] = people;
    await owner.delete(`${path}/subscribers/${ann}`);
    await owner.post(`${path}/subscribers/bulk`, { action: "delete", ids: [ben] });
    const { body } = await owner.get<{ email: string }>(`${path}/subscribers/${cy}`);
    await owner.post(`${path}/erasures`, { email: body.email });
    expect(
      await allRows("select data, due_at from automation_runs where automation_id = ?", id),
    ).toEqual([ann, ben].map(() => ({ data: null, due_at: 0 })));
  });

  it("are purged with their automations", async () => {
    const { act, add, path, id, project } = await newWorld({ type: "joined" });
    await act("start");
    await add();
    await allRows("insert into automation_counts values (?, 1, '', 'in', 1)", id);
    expect((await owner.delete(path)).status).toBe(204);
    const deps = await service.deps();
    await continuePurges(deps);
    for (const table of ["automation_runs", "automation_versions", "automation_counts"])
      expect(await allRows(`select 1 from ${table} where automation_id = ?`, id)).toEqual([]);
    for (const table of ["automations", "broadcasts", "project_purges"])
      expect(await allRows(`select 1 from ${table} where project_id = ?`, project.id)).toEqual([]);
  });

  it("leave no runs of a deleted automation beyond the next night", async () => {
    const { act, add, one, id } = await newWorld({ type: "joined" });
    await act("start");
    await add();
    await act("stop");
    await allRows(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 10100)
       insert into automation_runs (automation_id, id, project_id, subscriber_id, version, step, moves, goal_met, mails, entered_at, moved_at)
       select ?1, 'r' || i, ?1, 's' || i, 1, '', 0, 0, '[]', 1, 1 from n`,
      id,
    );
    const left = () =>
      allRows("select count(*) as n from automation_runs where automation_id = ?", id);
    await owner.delete(one);
    expect(await left()).toEqual([{ n: 101 }]);
    await runScheduled(await service.deps(), "17 3 * * *");
    expect(await left()).toEqual([{ n: 0 }]);
  });

  it("do not keep more than 10,000 runs of a stopped automation from ending, due or not", async () => {
    const { act, id } = await newWorld({ type: "joined" });
    await act("start");
    await allRows(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 10100)
       insert into automation_runs (automation_id, id, project_id, subscriber_id, version, step, moves, due_at, goal_met, mails, entered_at, moved_at)
       select ?1, 'r' || i, ?1, 's' || i, 1, '', 0, iif(i < 500, 1, null), 0, '[]', 1, 1 from n`,
      id,
    );
    const open = () =>
      allRows(
        "select count(*) as n from automation_runs where automation_id = ? and ended_at is null",
        id,
      );
    await act("stop");
    expect(await open()).toEqual([{ n: 100 }]);
    await runScheduled(await service.deps(), "*/5 * * * *");
    expect(await open()).toEqual([{ n: 0 }]);
  });
});
