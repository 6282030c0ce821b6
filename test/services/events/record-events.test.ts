/* Events of people (API reference §12.17). */
import { describe, expect, it } from "vitest";
import { forgetEvents } from "../../../src/services/events/index.ts";
import { allRows, insertRow, type Row } from "../../support/rows.ts";
import { createService, unique, type Client } from "../../support/service.ts";
import { DAY_MS } from "../../support/tracking/mails.ts";

const woken: unknown[] = [];
const WAKE_QUEUE = {
  sendBatch: async (messages: Iterable<{ body: unknown }>) =>
    void woken.push(...Array.from(messages, ({ body }) => body)),
} as unknown as Queue;
const clock = { aheadMs: 0 };
const service = createService(
  { WAKE_QUEUE, DEPLOYMENT_MODE: "self_hosted" }, // in the cloud, the quota is another row a call
  { now: () => Date.now() + clock.aheadMs },
);
const owner = await service.newOwner();

async function newProject(by: Client = owner) {
  const { id, key } = await by.newProject();
  const path = `/projects/${id}`;
  const api = service.withKey(key);
  const add = async (email = `${unique("ann")}@any.test`, more: object = {}) => {
    const { body } = await api.post(`${path}/subscribers`, { email, ...more });
    return { id: String(body["id"]), email };
  };
  return {
    id,
    api,
    add,
    path,
    record: (body: unknown, headers = {}) => api.post(`${path}/events`, body, headers),
    events: () =>
      allRows<{ name: string; data: string; subscriber_id: string; occurred_at: number }>(
        "select * from events where project_id = ? order by seq",
        id,
      ),
  };
}

/** Stores an active automation with this trigger. */
const newAutomation = (projectId: string, trigger: Row, more: Row = {}) =>
  insertRow("automations", {
    id: crypto.randomUUID(),
    project_id: projectId,
    name: "Any",
    state: "active",
    version: 1,
    definition: "{}",
    trigger_key: "",
    ...trigger,
    reentry_ms: null,
    created_at: 0,
    updated_at: 0,
    ...more,
  });

describe("recording events", () => {
  it("stores an event of a subscriber by address or id, and lists them latest first", async () => {
    const { record, add, api, path } = await newProject();
    const ann = await add();
    const yesterday = new Date(Date.now() - DAY_MS).toISOString();
    const old = { name: "viewed", subscriber_id: ann.id, occurred_at: yesterday };
    const answer = await record({
      name: "purchased",
      email: ann.email.toUpperCase(),
      data: { total: 42, items: ["a"] },
    });
    expect(answer).toMatchObject({ status: 202, body: { accepted: 1, unknown: 0 } });
    expect((await record(old)).body).toEqual({ accepted: 1, unknown: 0 });
    const list = `${path}/subscribers/${ann.id}/events`;
    const { body } = await api.get<{ events: Row[] }>(list);
    expect(body.events).toMatchObject([
      { name: "purchased", data: { total: 42, items: ["a"] } },
      { name: "viewed", data: {}, occurred_at: yesterday },
    ]);
    const named = await api.get<{ events: Row[] }>(`${list}?name=viewed`);
    expect(named.body.events).toHaveLength(1);
    const first = await api.get<{ events: Row[]; next: string }>(`${list}?limit=1&after=`);
    const second = await api.get<{ events: Row[] }>(`${list}?limit=1&after=${first.body.next}`);
    expect([...first.body.events, ...second.body.events]).toEqual(body.events);
    expect(second.body).toMatchObject({ next: null });
  });

  it.each([["a list"], ["an object"]])(
    "stores 1,000 events of %s in their order in one write of two rows each",
    async (form) => {
      const { record, add, events } = await newProject();
      const people = [await add(), await add()];
      const list = Array.from({ length: 1_000 }, (_, n) => ({
        name: `n${n}`,
        email: people[n % 2]?.email,
      }));
      await record({ name: "first", email: people[0]?.email }); // the key notes its use
      service.d1.reset();
      const { body } = await record(form === "a list" ? list : { events: list });
      expect(body).toEqual({ accepted: 1_000, unknown: 0 });
      expect(service.d1.rowsWritten).toBe(2_000);
      expect((await events()).map(({ name }) => name)).toEqual([
        "first",
        ...list.map(({ name }) => name),
      ]);
    },
  );

  it("costs two round trips and two rows without automations, and wakes nobody", async () => {
    const { record, add, id } = await newProject();
    const { email } = await add();
    await newAutomation(id, { trigger_type: "event", trigger_key: "other" });
    const event = { name: "purchased", email };
    await record(event);
    woken.length = 0;
    service.d1.reset();
    await record(event);
    const { roundTrips, rowsWritten, rowsRead } = service.d1;
    expect([roundTrips, rowsWritten]).toEqual([2, 2]);
    expect(rowsRead).toBeLessThan(25);
    expect(woken).toEqual([]);
  });

  it("starts a run and wakes the sender when an automation waits for the event", async () => {
    const { record, add, id } = await newProject();
    const ann = await add();
    await newAutomation(id, { trigger_type: "event", trigger_key: "purchased" });
    woken.length = 0;
    await record({ name: "purchased", subscriber_id: ann.id, data: { total: 9 } });
    expect(woken).toEqual([{ type: "wake", projectId: id }]);
    expect(
      await allRows("select subscriber_id, data from automation_runs where project_id = ?", id),
    ).toEqual([{ subscriber_id: ann.id, data: '{"total":9}' }]);
  });

  it("takes events at /track with a secret key, and not with a public one", async () => {
    const { add, path, events } = await newProject();
    const ann = await add();
    const made = async (type: string) => {
      const { body } = await owner.post(`${path}/api-keys`, { name: type, type });
      return service.withKey(String(body["key"]));
    };
    const event = { name: "purchased", email: ann.email };
    const [secret, stranger] = [await made("sdk"), await made("pk")];
    expect(await secret.post("/track", [event, { ...event, email: "x@any.test" }])).toMatchObject({
      status: 202,
      body: { success: true, data: { accepted: 1, unknown: 1 } },
    });
    expect(await secret.post("/track", { name: "" })).toMatchObject({
      status: 400,
      body: { success: false },
    });
    expect((await stranger.post("/track", event)).status).toBe(403);
    expect(await events()).toHaveLength(1);
  });

  it("is stored once per Idempotency-Key", async () => {
    const { record, add, events } = await newProject();
    const { email } = await add();
    const once = { "Idempotency-Key": unique("order") };
    for (let n = 0; n < 2; n++)
      expect((await record({ name: "purchased", email }, once)).body).toEqual({
        accepted: 1,
        unknown: 0,
      });
    expect(await events()).toHaveLength(1);
  });
});

describe("an event of somebody unknown", () => {
  const name = "signed.up";

  it("is counted and not stored, without create", async () => {
    const { record, add, events } = await newProject();
    const { email } = await add();
    const list = [
      { name, email },
      { name, email: "nobody@any.test" },
      { name, subscriber_id: crypto.randomUUID() },
    ];
    expect((await record(list)).body).toEqual({ accepted: 1, unknown: 2 });
    expect(await events()).toHaveLength(1);
  });

  it("adds an active subscriber with the default topics and create: active", async () => {
    const { record, api, path, events } = await newProject();
    await api.post(`${path}/topics`, { name: "News", is_default: true });
    const email = `${unique("new")}@any.test`;
    const list = [
      { name, email, create: "active" },
      { name: "again", email },
    ];
    expect((await record(list)).body).toEqual({ accepted: 2, unknown: 0 });
    const found = await api.get<{ subscribers: Row[] }>(`${path}/subscribers`);
    expect(found.body.subscribers).toMatchObject([{ email, status: "active" }]);
    const [event] = await events();
    const consents = await api.get(`${path}/subscribers/${event?.subscriber_id}/topics`);
    expect(consents.body).toMatchObject({ topics: [{ name: "News", state: "subscribed" }] });
    const [counted] = await allRows(
      "select subscribers_active as n from project_counters where project_id = ?",
      event && Reflect.get(event, "project_id"),
    );
    expect(counted).toEqual({ n: 1 });
  });

  it("asks a person with create: pending to confirm, once, and nobody whom the project knows", async () => {
    const { record, add, id, events } = await newProject();
    const known = await add(undefined, { status: "unsubscribed" });
    const email = `${unique("new")}@any.test`;
    woken.length = 0;
    const both = [email, known.email].map((one) => ({ name, email: one, create: "pending" }));
    for (let n = 0; n < 2; n++)
      expect((await record(both)).body).toEqual({ accepted: 2, unknown: 0 });
    expect(woken).toContainEqual({ type: "wake", projectId: id });
    const [event] = await events();
    expect(
      await allRows(
        "select subscriber_id, data from pending_mails where project_id = ? and kind <> 'service'",
        id,
      ),
    ).toEqual([{ subscriber_id: event?.subscriber_id, data: '{"confirm":"none"}' }]);
    expect(
      await allRows("select status from subscribers where project_id = ? order by status", id),
    ).toEqual([{ status: "pending" }, { status: "unsubscribed" }]);
    expect(
      await allRows("select action from consent_events where project_id = ?", id),
    ).toContainEqual({ action: "requested" });
  });

  it("is not added if the project has erased the address", async () => {
    const { record, add, id, events } = await newProject();
    const { email, id: subscriberId } = await add();
    await record({ name, email });
    await owner.delete(`/projects/${id}/subscribers/${subscriberId}?erase=true`);
    expect(await events()).toEqual([]);
    expect((await record({ name, email, create: "active" })).body).toEqual({
      accepted: 0,
      unknown: 1,
    });
  });
});

describe("an event that is refused", () => {
  const email = "ann@any.test";
  const name = "purchased";
  const deep = Array.from({ length: 25 }).reduce<object>((inner) => ({ inner }), {});
  const far = new Date(Date.now() + 10 * 60_000).toISOString();
  const long = new Date(Date.now() - 91 * DAY_MS).toISOString();

  it.each<[string, unknown, string]>([
    ["a name with a space", { name: "a b", email }, "name"],
    ["a name with a line break", { name: "a\r\nb", email }, "name"],
    ["a long name", { name: "n".repeat(65), email }, "name"],
    ["no person", { name }, ""],
    ["two persons", { name, email, subscriber_id: crypto.randomUUID() }, ""],
    ["data that is no object", { name, email, data: [1] }, "data"],
    ["large data", { name, email, data: { text: "x".repeat(4_096) } }, "data"],
    ["deep data", { name, email, data: deep }, "data"],
    ["the future", [{ name, email, occurred_at: far }], "0.occurred_at"],
    ["long ago", { events: [{ name, email, occurred_at: long }] }, "events.0.occurred_at"],
    ["an empty list", [], ""],
    ["a long list", Array.from({ length: 1_001 }, () => ({ name, email })), ""],
    ["no object", "1", ""],
  ])("names the field of %s", async (_what, body, path) => {
    const { record, events } = await newProject();
    const answer = await record(body);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
    expect(await events()).toEqual([]);
  });

  it("refuses events whose numbers do not fit into a parameter of the database", async () => {
    const { id, key } = await owner.newProject();
    const one = `{"name":"x","email":"x@any.test","data":{"a":[${"1e20,".repeat(170)}0]}}`;
    const answer = await service.fetch(`/api/v1/projects/${id}/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: `[${one},${`${one},`.repeat(998)}${one}]`,
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: "payload_too_large" });
  });

  it("refuses __proto__ in the data", async () => {
    const { record } = await newProject();
    const answer = await record(`{"name":"a","email":"a@any.test","data":{"__proto__":{"a":1}}}`);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: "data.__proto__" }] } });
  });

  it("is not stored for another project's subscriber, nor with its key", async () => {
    const [mine, other] = [await newProject(), await newProject(await service.newOwner())];
    const { id: subscriberId } = await other.add();
    expect((await mine.record({ name, subscriber_id: subscriberId })).body).toEqual({
      accepted: 0,
      unknown: 1,
    });
    const answer = await mine.api.post(`${other.path}/events`, { name, email });
    expect(answer).toMatchObject({ status: 403, body: { code: "key_of_other_project" } });
    const list = await mine.api.get(`${mine.path}/subscribers/${subscriberId}/events`);
    expect(list.status).toBe(404);
    expect(await other.events()).toEqual([]);
  });
});

describe("events", () => {
  it("go with a deleted subscriber and a deleted project", async () => {
    const { record, add, api, path, id, events } = await newProject();
    const [ann, bob, eve] = [await add(), await add(), await add()];
    await record([ann, bob, eve].map(({ email }) => ({ name: "seen", email })));
    await owner.delete(`${path}/subscribers/${ann.id}`);
    await api.post(`${path}/subscribers/bulk`, { action: "delete", filter: { search: bob.email } });
    expect((await events()).map((event) => event.subscriber_id)).toEqual([eve.id]);
    expect((await owner.delete(`/projects/${id}`)).status).toBe(204);
    expect(await events()).toEqual([]);
  });

  it("are in the export of a person", async () => {
    const { record, add, path } = await newProject();
    const { id, email } = await add();
    await record({ name: "seen", email, data: { page: "/" } });
    for (const at of [`subscribers/${id}/export?after=`, `address-export?email=${email}&after=`])
      expect((await owner.get(`${path}/${at}`)).body).toMatchObject({
        events: [{ name: "seen", data: { page: "/" } }],
      });
  });

  it("are forgotten 90 days after their receipt", async () => {
    const { record, add, events } = await newProject();
    const { email } = await add();
    await record(Array.from({ length: 1_000 }, () => ({ name: "old", email })));
    await record([{ name: "old", email }]);
    clock.aheadMs = 89 * DAY_MS;
    const { email: late } = await add();
    await record({ name: "new", email: late });
    clock.aheadMs = 91 * DAY_MS;
    await forgetEvents(await service.deps());
    clock.aheadMs = 0;
    expect((await events()).map(({ name }) => name)).toEqual(["new"]);
  });
});
