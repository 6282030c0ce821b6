/* People whom a segment or a date lets in. */
import { describe, expect, it } from "vitest";
import { automationWorld, wait, type AutomationWorld } from "../../support/automating.ts";
import { allRows } from "../../support/rows.ts";
import { DAY, HOUR, MINUTE } from "../../support/times.ts";

const steps = [wait("pause", "365 days")];

const setMetadata = (id: string, metadata: object) =>
  allRows("update subscribers set metadata = ? where id = ?", JSON.stringify(metadata), id);

const inside = async ({ runs }: AutomationWorld) =>
  (await runs()).map(({ subscriber_id: id }) => id);

describe("a segment", () => {
  it("lets in whoever matches, each hour and page by page, and nobody twice", async () => {
    let segmentId = "";
    const world = await automationWorld(
      () => ({ steps, trigger: { type: "segment", segment_id: segmentId } }),
      async (projectId, owner) => {
        const made = await owner.post<{ id: string }>(`/projects/${projectId}/segments`, {
          name: "Numbered",
          where: "name:n*",
        });
        segmentId = made.body.id;
      },
    );
    const { subscribe, pass } = world;
    const people = await subscribe(1_100);
    await allRows("update subscribers set status = 'unsubscribed' where id = ?", people[7]);
    await pass(MINUTE);
    expect(await inside(world)).toEqual(people.filter((_, n) => n !== 7));
    const [late] = await subscribe(1);
    await pass(HOUR - 2 * MINUTE);
    expect(await inside(world)).not.toContain(late);
    await pass(3 * MINUTE);
    expect(await inside(world)).toHaveLength(1_100);
    expect(await inside(world)).toContain(late);
  });

  it("that was deleted pauses its automation", async () => {
    const segment = crypto.randomUUID();
    const world = await automationWorld({
      steps,
      trigger: { type: "segment", segment_id: segment },
    });
    await world.pass(MINUTE);
    const [automation] = await allRows(
      "select state, reasons ->> '$[0].code' as code from automations where id = ?",
      world.id,
    );
    expect(automation).toEqual({ state: "paused", code: "not_found" });
  });
});

describe("a date", () => {
  it("lets people in on their day, days before it, and on each anniversary", async () => {
    const trigger = { type: "date", field: "birthday", days: -7, yearly: true } as const;
    const world = await automationWorld({ steps, trigger });
    const { clock, subscribe, pass } = world;
    Object.assign(clock, { stoppedAt: Date.parse("2027-02-21T10:00:00Z"), aheadMs: 0 });
    const [born = "", leap = "", other = "", time = ""] = await subscribe(4);
    await setMetadata(born, { birthday: "1990-02-28" });
    await setMetadata(leap, { birthday: "1992-02-29" });
    await setMetadata(other, { birthday: "1990-03-01" });
    await setMetadata(time, { birthday: "1990-02-28T08:00:00Z" });
    await pass(MINUTE);
    expect(await inside(world)).toEqual([born, leap, time]);
    await pass(DAY);
    expect(await inside(world)).toEqual([born, leap, other, time]);
  });

  it("without `yearly` lets people in on that day alone", async () => {
    const world = await automationWorld({
      steps,
      trigger: { type: "date", field: "trial_ends", days: 1 },
    });
    const { clock, subscribe, pass } = world;
    Object.assign(clock, { stoppedAt: Date.parse("2027-02-21T10:00:00Z"), aheadMs: 0 });
    const [ended = "", earlier = ""] = await subscribe(2);
    await setMetadata(ended, { trial_ends: "2027-02-20" });
    await setMetadata(earlier, { trial_ends: "2026-02-20" });
    await pass(MINUTE);
    expect(await inside(world)).toEqual([ended]);
  });
});
