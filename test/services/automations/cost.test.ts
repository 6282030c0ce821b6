/* What moves cost in D1, and what they leave to the next invocation. */
import { expect, it } from "vitest";
import { runAutomations } from "../../../src/services/automations/index.ts";
import { sweepBroadcasts } from "../../../src/services/broadcasts/index.ts";
import { automationWorld, mail, startAutomation, wait } from "../../support/automating.ts";
import { allRows } from "../../support/rows.ts";
import { DAY } from "../../support/times.ts";

const SERIES = [mail("one"), wait("first"), mail("two"), wait("second"), mail("three")];

it("takes at most 3 rows written a person and step, and 10 round trips for 1,000 moves", async () => {
  const { service, deps, clock, news, subscribe, happen, runs } = await automationWorld({
    steps: SERIES,
  });
  const people = await subscribe(1_000);
  const entry = await happen("signed_up", people);
  const entered = (entry.meta.rows_written ?? 0) - 2 * people.length; // without the events
  const costs = [];
  for (let move = 0; move < 3; move += 1) {
    service.d1.reset();
    const budget = { statements: 150 };
    await runAutomations(deps, news.id, budget);
    const { roundTrips, rowsWritten } = service.d1;
    costs.push({ roundTrips, rowsWritten, statements: 150 - budget.statements });
    clock.aheadMs += DAY;
  }
  expect((await runs()).filter(({ outcome }) => outcome !== "completed")).toEqual([]);
  const written = costs.reduce((sum, { rowsWritten }) => sum + rowsWritten, entered);
  expect(entered).toBe(3 * people.length);
  // A move writes a run and its entry by due time, and ends with the run alone; chunks and counts
  // are a few rows a page.
  expect(costs).toEqual([
    { roundTrips: 7, rowsWritten: 2_014, statements: 18 },
    { roundTrips: 7, rowsWritten: 2_012, statements: 18 },
    { roundTrips: 7, rowsWritten: 1_012, statements: 18 },
  ]);
  expect(written / (people.length * SERIES.length)).toBeLessThan(1.61);
});

it("reads a few rows a person, however many are inside", async () => {
  const { service, clock, subscribe, happen, work } = await automationWorld({ steps: SERIES });
  const people = await subscribe(2_000);
  const entry = await happen("signed_up", people);
  expect((entry.meta.rows_read ?? 0) / people.length).toBeLessThan(20);
  for (let move = 0; move < 2; move += 1) {
    service.d1.reset();
    await work();
    // Moves, and the mails with their log.
    expect(service.d1.rowsRead / people.length).toBeLessThan(60);
    clock.aheadMs += DAY;
  }
});

it("leaves moves to the next run of the sender once it has used 150 statements", async () => {
  const { deps, news, subscribe, happen, runs, work } = await automationWorld({
    steps: [wait("pause")],
  });
  await happen("signed_up", await subscribe(600));
  const budget = { statements: 1 };
  expect(await runAutomations(deps, news.id, budget)).toBeLessThanOrEqual(deps.now());
  expect((await runs()).filter(({ step }) => step === "pause")).toHaveLength(0);
  await work();
  expect((await runs()).filter(({ step }) => step === "pause")).toHaveLength(600);
});

it("adds nothing to the minute sweep while none of its mails is due", async () => {
  const { service, deps, news, id } = await automationWorld({ steps: [mail("one")] });
  const sweep = async () => {
    service.d1.reset();
    await sweepBroadcasts(deps);
    return service.d1.rowsRead;
  };
  const before = await sweep();
  await allRows(
    `with recursive n(i) as (select 2 union all select i + 1 from n where i <= 500)
      insert into broadcasts (id, project_id, kind, state, subject, html_body, text_body, status, log_key, cutoff_id, planned_id,
        plan_due_at, created_at, plan, automation_id, automation_version, step_id)
      select hex(randomblob(16)), ?, 'automation', 'sending', 'Hi', '', '', 'active', '', '~', '~', 1, 1, '{}', ?, i, 'one' from n`,
    news.id,
    id,
  );
  expect(await sweep()).toBe(before);
});

it("lets automations take turns, a page each", async () => {
  const { deps, news, definition, subscribe, happen, runs } = await automationWorld({
    steps: [wait("pause")],
  });
  await happen("signed_up", await subscribe(1_100));
  const trigger = { type: "event", event: "bought" } as const;
  const other = await startAutomation(news.id, { ...definition, trigger });
  await happen("bought", await subscribe(1));
  await runAutomations(deps, news.id, { statements: 12 });
  expect((await runs()).filter(({ step }) => step === "pause")).toHaveLength(500);
  const others = await allRows("select step from automation_runs where automation_id = ?", other);
  expect(others).toEqual([{ step: "pause" }]);
});
