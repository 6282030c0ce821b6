/* Events in an import, and automations of the project that imports them (API reference §9.9). */
import { describe, expect, it } from "vitest";
import { forgetEvents } from "../../../src/services/events/index.ts";
import { measuredBytes } from "../../../src/services/storage/quota.ts";
import { allRows, type Row } from "../../support/rows.ts";
import { CAPTURING, createService } from "../../support/service.ts";
import { DAY, iso } from "../../support/times.ts";
import { changed, rowsOfKind, transferFiles } from "../../support/transfer-files.ts";

const service = createService({ WORKSPACE_STORAGE_BYTES: "100000000" });
const deps = await service.deps();
const owner = await service.newOwner();
const { exportOf, forget, load } = transferFiles(service, owner);

const automation = (trigger: object) => ({
  name: "Thanks",
  trigger,
  steps: [{ id: "rest", type: "wait", for: "1 day" }],
  goal: { event: "purchased" },
  reentry: "never",
});
const ON_EVENT = { type: "event", event: "purchased" };

async function newAutomation(projectId: string, trigger: object) {
  const at = `/projects/${projectId}/automations`;
  const { body } = await owner.post<{ id: string }>(at, automation(trigger));
  expect(await owner.post(`${at}/${body.id}/start`)).toMatchObject({ status: 200 });
  return `${at}/${body.id}`;
}

const buy = (projectId: string, events: object[]) =>
  owner.post(
    `/projects/${projectId}/events`,
    events.map((event) => ({ name: "purchased", email: "ann@list.test", ...event })),
  );

/** Makes a project whose Ann has bought something under a live automation. */
async function newShop(events: object[]) {
  const { id } = await owner.newProject(CAPTURING);
  await newAutomation(id, ON_EVENT);
  await owner.post(`/projects/${id}/subscribers`, { email: "ann@list.test" });
  expect((await buy(id, events)).body).toMatchObject({ accepted: events.length });
  return id;
}

/** Exports such a project, and removes it, as a service elsewhere sees its file. */
async function newFile(events: object[] = [{ data: { total: 80 } }]) {
  const id = await newShop(events);
  const lines = await exportOf(id);
  await forget(id);
  return lines;
}

const eventsOf = (projectId: string) =>
  allRows("select * from events where project_id = ? order by seq", projectId);
const runsOf = (projectId: string) =>
  allRows("select * from automation_runs where project_id = ?", projectId);

describe("the events of an import", () => {
  it("are those of the export and start nothing, and later ones start what they should", async () => {
    const at = deps.now() - DAY;
    const lines = await newFile([
      { data: { total: 80, by: ["Ö"] }, occurred_at: iso(at) },
      { data: {}, occurred_at: iso(at) },
    ]);
    expect(rowsOfKind(lines, "events")).toMatchObject([
      { name: "purchased", data: { total: 80, by: ["Ö"] }, occurred_at: at },
      { name: "purchased", data: {}, occurred_at: at },
    ]);
    const { id } = await owner.newProject(CAPTURING);
    const path = `/projects/${id}`;
    expect(await load(id, lines)).toMatchObject({ status: 200, body: { rows: { events: 2 } } });
    const list = await owner.get<{ subscribers: { id: string }[] }>(`${path}/subscribers`);
    const [ann] = list.body.subscribers;
    const { body } = await owner.get(`${path}/subscribers/${ann?.id}/events`);
    expect(body).toMatchObject({
      events: [
        { data: {}, occurred_at: iso(at) },
        { data: { total: 80, by: ["Ö"] }, occurred_at: iso(at) },
      ],
    });
    const bought = await owner.post(`${path}/segments/preview`, { where: "event:purchased>1" });
    expect(bought.body).toMatchObject({ count: 1 });
    const { automations } = (
      await owner.get<{ automations: { id: string; state: string }[] }>(`${path}/automations`)
    ).body;
    expect(automations).toMatchObject([{ state: "draft" }]);
    await owner.post(`${path}/automations/${automations[0]?.id}/start`);
    expect(await runsOf(id)).toEqual([]);
    await buy(id, [{}]);
    expect(await runsOf(id)).toHaveLength(1);
  });

  it("count in the storage of the workspace, and are added once by two imports at a time", async () => {
    const lines = await newFile();
    const { id } = await owner.newProject(CAPTURING);
    let beside: Awaited<ReturnType<typeof load>> | undefined;
    service.d1.before = async (statements) => {
      if (!statements.some((text) => text.includes("insert into events"))) return;
      service.d1.before = undefined;
      beside = await load(id, lines);
    };
    expect(await load(id, lines)).toMatchObject({ status: 200 });
    expect(beside).toMatchObject({ status: 200 });
    expect(await eventsOf(id)).toHaveLength(1);
    const [measured] = await deps.db.all<Row>(measuredBytes(id));
    const counter = "select stored_bytes from project_counters where project_id = ?";
    const [noted] = await allRows(counter, id);
    expect(noted?.["stored_bytes"]).toBe(Object.values(measured ?? {})[0]);
  });

  it("have people of the project, are no older than 90 days, and come from no future", async () => {
    const elsewhere = await newShop([{}]);
    const [stranger] = await eventsOf(elsewhere);
    const lines = await newFile([{}, {}, {}]);
    const now = deps.now();
    const edited = changed(lines, "events", (_, n) =>
      n === 0
        ? { subscriber_id: stranger?.["subscriber_id"] }
        : { received_at: n === 1 ? now - 91 * DAY : now + 365 * DAY },
    );
    const { id } = await owner.newProject(CAPTURING);
    expect(await load(id, edited)).toMatchObject({ status: 200 });
    const [stored, ...others] = await eventsOf(id);
    expect(stored?.["subscriber_id"]).not.toBe(stranger?.["subscriber_id"]);
    expect(stored?.["received_at"]).toBeLessThanOrEqual(deps.now());
    expect(others).toEqual([]);
    await forgetEvents({ ...deps, now: () => deps.now() + 91 * DAY });
    expect(await eventsOf(id)).toEqual([]);
  });

  it("obey the rules of the call that records them", async () => {
    const lines = await newFile();
    const { id } = await owner.newProject();
    for (const [field, value] of [
      ["name", "not a name"],
      ["data", "text"],
      ["data", { long: "x".repeat(4_097) }],
      ["subscriber_id", "ann"],
      ["occurred_at", "today"],
    ] as const) {
      const answer = await load(id, changed(lines, "events", { [field]: value }));
      expect(answer, field).toMatchObject({ status: 400 });
      expect(JSON.stringify(answer.body)).toContain(field);
      expect(await eventsOf(id)).toEqual([]);
    }
  });

  it("are read in pages, two rows each", async () => {
    const id = await newShop([{}]);
    await allRows(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 1200)
      insert into events (project_id, subscriber_id, name, data, occurred_at, received_at)
      select project_id, subscriber_id, 'seen', '{}', i / 7, received_at from events, n where project_id = ?`,
      id,
    );
    service.d1.reset();
    const rows = rowsOfKind(await exportOf(id), "events");
    expect(service.d1.rowsRead).toBeLessThan(2 * 1_201 + 100);
    expect(rows).toHaveLength(1_201);
    expect(new Set(rows.map((row) => row["seq"])).size).toBe(1_201);
  });
});

describe("an import into a project with an active automation", () => {
  it.each([
    ["an event", ON_EVENT],
    ["a new subscriber", { type: "joined" }],
  ])("waits until one that starts with %s is paused, and starts nothing", async (_, trigger) => {
    const lines = await newFile();
    const { id } = await owner.newProject(CAPTURING);
    const at = await newAutomation(id, trigger);
    const refused = { status: 409, body: { code: "automation_active" } };
    expect(await load(id, lines)).toMatchObject(refused);
    expect(await allRows("select 1 from subscribers where project_id = ?", id)).toEqual([]);
    expect((await owner.post(`${at}/pause`)).status).toBe(200);
    expect(await load(id, lines)).toMatchObject({ status: 200, body: { done: true } });
    expect(await eventsOf(id)).toHaveLength(1);
    expect((await owner.post(`${at}/start`)).status).toBe(200);
    expect(await runsOf(id)).toEqual([]);
    expect(await load(id, lines)).toMatchObject({ status: 200, body: { done: true } });
  });

  it("breaks off when one starts on the way, and goes on when it is paused", async () => {
    const lines = await newFile();
    const { id } = await owner.newProject(CAPTURING);
    const end = lines.findLastIndex((line) => line["subscribers"]);
    expect(await load(id, lines.slice(0, end + 1))).toMatchObject({ status: 400 });
    const at = await newAutomation(id, ON_EVENT);
    expect(await load(id, lines)).toMatchObject({ status: 409 });
    expect(await eventsOf(id)).toEqual([]);
    await owner.post(`${at}/pause`);
    expect(await load(id, lines)).toMatchObject({ status: 200, body: { done: true } });
    expect(await eventsOf(id)).toHaveLength(1);
    expect(await runsOf(id)).toEqual([]);
  });
});
