/* Conditions on events (API reference §12.9). */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import {
  compileWhere,
  formatCondition,
  parseCondition,
  parseOfAutomation,
} from "../../../src/services/segments/index.ts";
import { insertRow } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { DAY_MS } from "../../support/tracking/mails.ts";

const service = createService();
const owner = await service.newOwner();
const { db, newId } = await service.deps();

/** Stores a subscriber with events: their names, and how many days ago each was. */
async function newPerson(projectId: string, name: string, events: [string, ...number[]][]) {
  const { body } = await owner.post(`/projects/${projectId}/subscribers`, {
    email: `${name}@any.test`,
    name,
  });
  for (const [event, ...days] of events)
    for (const ago of days)
      await insertRow("events", {
        project_id: projectId,
        subscriber_id: body["id"],
        name: event,
        data: "{}",
        occurred_at: Date.now() - ago * DAY_MS,
        received_at: Date.now(),
      });
  return String(body["id"]);
}

describe("a condition on events", () => {
  it.each([
    ["event:purchased", { field: "event:purchased", op: "exists", values: [] }],
    ["event:a.b:c-d_e in 12h", { field: "event:a.b:c-d_e", op: "within", values: ["12h"] }],
    ["event:purchased>2", { field: "event:purchased", op: ">", values: ["2"] }],
    ["event:purchased<=0 in 90d", { field: "event:purchased", op: "<=", values: ["0", "90d"] }],
    ["event.total>100", { field: "event.total", op: ">", values: ["100"] }],
    ['event."the total":*', { field: "event.the total", op: "exists", values: [] }],
    ["event.plan:pro,free", { field: "event.plan", op: "is", values: ["pro", "free"] }],
    ["metadata.event:x", { field: "metadata.event", op: "is", values: ["x"] }],
  ])("reads %s, writes it as it was, and has a JSON form", (text, json) => {
    expect(parseOfAutomation(text)).toEqual(json);
    expect(formatCondition(parseOfAutomation(json))).toBe(text);
  });

  it.each([
    ["EVENT = purchased", "event:purchased"],
    ["event!=purchased", "not event:purchased"],
    ["event:purchased > 02 IN 30D and tag:vip", "event:purchased>2 in 30d and tag:vip"],
    ["(event:a in 4w)or event:b", "event:a in 4w or event:b"],
  ])("reads %s as %s", (text, written) => {
    expect(formatCondition(parseCondition(text))).toBe(written);
  });

  it.each([
    ["event", "at character 6: expected an operator after event"],
    ["event>2", "at character 6: expected an operator after event"],
    ["event:", "at character 7: expected the name of an event"],
    ['event:"a b"', "at character 7: expected the name of an event"],
    [`event:${"n".repeat(65)}`, "at character 1: the name of an event must be 1 to 64 letters"],
    ["event:a>x", "at character 1: event:a is compared with a whole number up to 1000"],
    ["event:a>1001", "event:a is compared with a whole number up to 1000"],
    ["event:a in 91d", "at character 1: the longest span of event:a is 90d"],
    ["event:a>2 in x", "event:a takes a span of hours, days or weeks"],
    ["event:a in", 'at character 9: expected "and", "or" or the end'],
    ["event:a,b", 'at character 8: expected "and", "or" or the end'],
    ["event.total>100", "event.total is the data of the event that starts an automation"],
    ["not (tag:a or event.total:*)", "event.total is the data of the event"],
  ])("refuses %s", (text, error) => {
    expect(() => parseCondition(text)).toThrow(error);
  });

  it.each([
    [{ field: "event:a", op: "begins", values: ["x"] }, "event:a takes a number and a span"],
    [{ field: "event:a", op: ">", values: ["1", "2d", "3d"] }, "event:a needs one value"],
    [{ field: "event:a", op: "exists", values: ["x"] }, "event:a takes no value here"],
    [{ field: "event:a' or 1=1", op: "exists" }, "the name of an event must be"],
    [{ field: "event", op: "is", values: ["a"] }, "there is no field event"],
  ])("refuses %j", (json, error) => {
    expect(() => parseCondition(json)).toThrow(error);
  });

  it("finds the people whose events it counts, of their own project alone", async () => {
    const { id } = await owner.newProject();
    const other = await owner.newProject();
    await newPerson(id, "often", [["bought", 1, 2, 40]]);
    await newPerson(id, "once", [
      ["bought", 60],
      ["seen", 1],
    ]);
    await newPerson(id, "never", [["seen", 1, 2, 3]]);
    const stranger = await newPerson(other.id, "stranger", []);
    await insertRow("events", {
      project_id: id, // names a person of another project
      subscriber_id: stranger,
      name: "bought",
      data: "{}",
      occurred_at: Date.now(),
      received_at: 0,
    });
    const found = async (where: string, projectId = id) => {
      const { body } = await owner.post<{ count: number; sample: { name: string }[] }>(
        `/projects/${projectId}/segments/preview`,
        { where },
      );
      return body.sample.map(({ name }) => name).toSorted();
    };
    expect(await found("event:bought")).toEqual(["often", "once"]);
    expect(await found("not event:bought")).toEqual(["never"]);
    expect(await found("event:bought in 30d")).toEqual(["often"]);
    expect(await found("event:bought>1")).toEqual(["often"]);
    expect(await found("event:bought>=1 in 50d")).toEqual(["often"]);
    expect(await found("event:bought>2 in 30d")).toEqual([]);
    expect(await found("event:bought<2")).toEqual(["never", "once"]);
    expect(await found("event:bought<=2 in 30d and event:seen")).toEqual(["never", "once"]);
    expect(await found("event:Bought")).toEqual([]);
    expect(await found("event:bought", other.id)).toEqual([]);
  });

  it("reads at most one more entry of an index than the number it compares with", async () => {
    const { id } = await owner.newProject();
    await newPerson(id, "busy", [["seen", ...Array.from({ length: 200 }, (_, n) => n / 10)]]);
    const rowsRead = async (where: string) => {
      const query = sql`select id from subscribers where project_id = ${id}
        and ${compileWhere(id, where, Date.now())}`;
      const { meta, results } = await db.run(query);
      expect(results).toHaveLength(1);
      return meta.rows_read;
    };
    expect(await rowsRead("event:seen")).toBeLessThanOrEqual(3);
    expect(await rowsRead("event:seen>4 in 30d")).toBeLessThanOrEqual(8);
  });
});

describe("a condition on the data of an event", () => {
  it.each<[string, unknown, boolean]>([
    ["event.total>100", { total: 100.5 }, true],
    ["event.total>100", { total: 100 }, false],
    ["event.total>100", {}, false],
    ["not event.total>100", {}, true],
    ["event.plan:PRO", { plan: "pro" }, true],
    ["event.items:b", { items: ["a", "b"] }, true],
    ["event.at<2026-01-31", { at: "2026-01-30" }, true],
    ["event.total>100", null, false],
    ["not event.total:*", null, true],
  ])("is %s for %j: %s", async (where, data, isMet) => {
    const { id } = await owner.newProject();
    await newPerson(id, newId(), []);
    const event = sql`(select ${data === null ? null : JSON.stringify(data)})`;
    const fits = compileWhere(id, where, Date.now(), undefined, event);
    const rows = await db.all<{ fits: number }>(
      sql`select ${fits} as fits from subscribers where project_id = ${id}`,
    );
    expect(rows).toEqual([{ fits: isMet ? 1 : 0 }]);
  });

  it("is 400 outside of automations", async () => {
    const { id } = await owner.newProject();
    for (const where of ["event.total>100", { field: "event.total", op: ">", values: ["1"] }])
      for (const path of ["segments/preview", "segments"])
        expect(await owner.post(`/projects/${id}/${path}`, { name: "Any", where })).toMatchObject({
          status: 400,
          body: {
            details: [
              {
                code: "invalid_condition",
                params: { reason: { code: "event_outside_automation" } },
              },
            ],
          },
        });
    expect(() => compileWhere(id, "event.total>100", 0)).toThrow(
      "only conditions of an automation",
    );
  });
});
