/*
 * The routes that the key-based API shares with the project-scoped API (API reference §17):
 * topics, consents, segments and drafts. The rules behind them have tests with their services.
 */
import { describe, expect, it } from "vitest";
import { KEYED_ROUTES } from "../../../src/http/keyed/index.ts";
import { DOH_URL } from "../../support/resolver.ts";
import { CAPTURING, createService, unique, type Client } from "../../support/service.ts";
import { keyedRefusal as refusal } from "../../support/refusals.ts";

/** A queue that delivers nothing: a started broadcast stays as it is. */
const QUIET = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue<never>;
const service = createService({ WAKE_QUEUE: QUIET, DOH_URL });
const owner = await service.newOwner();

interface Wrapped {
  success: boolean;
  data: Record<string, unknown>;
}

async function newProject() {
  const { id, key } = await owner.newProject(CAPTURING);
  const path = `/projects/${id}`;
  const newKey = async (type: string, more: object = {}) => {
    const given = { name: type, type, ...more };
    const { body } = await owner.post<{ key: string }>(`${path}/api-keys`, given);
    return service.withKey(body.key);
  };
  const sdk = await newKey("sdk");
  /** Makes a call of the key-based API, and returns the `data` of its answer. */
  const call = async (method: string, at: string, body?: unknown) => {
    const answer = await sdk.request<Wrapped>(method, at, body);
    if (!answer.body.success) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  /** Reads the same thing in the project-scoped API. */
  const twin = async (at: string) => (await owner.get(`${path}${at}`)).body;
  return { path, sk: service.withKey(key), sdk, newKey, call, twin };
}

const own = await newProject();
const neighbour = await newProject();
const shared = KEYED_ROUTES.slice(5);
const text = (value: unknown) => String(value);

/** One thing of each kind, with the place of each of its routes. */
async function newThings({ path, call }: typeof own) {
  const email = `${unique("reader")}@any.test`;
  const subscriber = await owner.post(`${path}/subscribers`, { email, metadata: { plan: "gold" } });
  const topic = await call("POST", "/topics", { name: unique("topic") });
  const segment = await call("POST", "/segments", { name: unique("segment"), where: "plan:gold" });
  const draft = await call("POST", "/broadcasts", {
    name: unique("draft"),
    subject: "Hi",
    html_body: "<a href='{{unsubscribe_link}}'>leave</a>",
    topic_id: topic["id"],
    segment_id: segment["id"],
  });
  const ids: Record<string, string> = {
    ":topicId": text(topic["id"]),
    ":segmentId": text(segment["id"]),
    ":broadcastId": text(draft["id"]),
    ":subscriber": text(subscriber.body["id"]),
  };
  const at = (route: string) => route.replace(/:\w+/, (name) => ids[name] ?? name);
  return { ids, at, email, topicName: text(topic["name"]) };
}

/** The limits that both APIs share. */
const OTHER_LIMITS: Record<string, string> = {
  "/broadcasts/:broadcastId/start": "broadcast_start",
  "/broadcasts/:broadcastId/preflight": "preflight",
  "/track": "keyed_track",
};

describe("a route of both APIs", () => {
  const knock = (client: Client, { method, path }: (typeof shared)[number]) =>
    client.request(method, path, method === "GET" ? undefined : {});

  it("accepts only secret keys of this API, in its envelope and without CORS", async () => {
    expect(shared.length).toBeGreaterThan(20);
    const pk = await own.newKey("pk");
    for (const route of shared) {
      expect([route.path, route.auth, route.anyOrigin]).toEqual([route.path, "secret", false]);
      expect(await knock(service.anonymous, route)).toEqual(refusal(401));
      expect(await knock(owner, route)).toEqual(refusal(401));
      expect(await knock(own.sk, route)).toEqual(refusal(401, expect.stringContaining("sdk_")));
      expect(await knock(pk, route)).toEqual(refusal(403, expect.stringContaining("sdk_")));
    }
  });

  it("counts 60 reads and 60 other calls a minute, or the limit of the key", async () => {
    const slow = await own.newKey("sdk", { rate_limit_per_minute: 1 });
    for (const [method, at] of [
      ["GET", "/topics"],
      ["POST", "/topics"],
    ] as const) {
      expect((await own.sdk.request(method, at)).headers.get("RateLimit-Limit")).toBe("60");
      expect((await slow.request(method, at)).status).not.toBe(429);
      expect(await slow.request(method, at)).toEqual(refusal(429));
    }
    for (const { method, path, limit } of shared) {
      const usual = method === "GET" ? "keyed_read" : "keyed_write";
      expect([method, path, limit]).toEqual([method, path, OTHER_LIMITS[path] ?? usual]);
    }
  });

  it("answers 404 for a resource of another project, and does not change it", async () => {
    const { at, ids, topicName } = await newThings(own);
    const places = ["/topics", "/segments", "/broadcasts?state=draft"];
    const all = async () => JSON.stringify(await Promise.all(places.map(own.twin)));
    const consents = () => own.twin(`/subscribers/${ids[":subscriber"]}/topics`);
    const [before, given] = [await all(), await consents()];
    const bodies: Record<string, object> = {
      PUT: { [topicName]: "subscribed" },
      PATCH: { name: "Taken" },
      POST: { variant: "A", to: "joined" },
    };
    const ofThings = shared.filter(({ path }) => path.includes(":"));
    expect(ofThings.length).toBeGreaterThan(15);
    for (const { method, path } of ofThings)
      expect([method, path, await neighbour.sdk.request(method, at(path), bodies[method])]).toEqual(
        [method, path, refusal(404)],
      );
    expect(await all()).toBe(before);
    expect(await consents()).toEqual(given);
  });

  it("creates a resource once per Idempotency-Key", async () => {
    const { sdk } = await newProject();
    const headers = { "Idempotency-Key": unique("key") };
    for (const [at, body] of [
      ["/topics", { name: "News" }],
      ["/segments", { name: "Readers", where: "opened:90d" }],
      ["/broadcasts", { name: "May" }],
    ] as const) {
      const key = { "Idempotency-Key": unique("key") };
      const first = await sdk.post(at, body, key);
      expect(first.status).toBe(201);
      expect((await sdk.post(at, body, key)).body).toEqual(first.body);
      expect(await sdk.post(at, { ...body, name: "Other" }, key)).toEqual(refusal(409));
    }
    const { body } = await sdk.post<Wrapped>("/broadcasts", { name: "June" });
    const copy = `/broadcasts/${text(body.data["id"])}/duplicate`;
    const made = await sdk.post(copy, {}, headers);
    expect(await sdk.post(copy, {}, headers)).toMatchObject({ status: 201, body: made.body });
  });
});

describe("topics, consents and segments in the key-based API", () => {
  it("have the shapes of the project-scoped API inside the envelope", async () => {
    const { call, twin, path, sdk } = await newProject();
    const topic = await call("POST", "/topics", { name: "News", description: "Monthly" });
    expect(await twin(`/topics/${text(topic["id"])}`)).toEqual(topic);
    const renamed = await call("PATCH", `/topics/${text(topic["id"])}`, { name: "Product news" });
    expect(await call("GET", "/topics")).toEqual({
      topics: [{ ...renamed, subscribers: { count: 0, more: false } }],
    });
    expect(renamed).toEqual({ ...topic, name: "Product news", updated_at: renamed["updated_at"] });
    expect(await sdk.post("/topics", { name: "Product news" })).toEqual(refusal(409));

    await owner.post(`${path}/subscribers`, { email: "ann@any.test", tags: ["vip"] });
    const segment = await call("POST", "/segments", { name: "VIP", where: "tag:vip" });
    expect(await twin(`/segments/${text(segment["id"])}`)).toEqual(segment);
    const changed = await call("PATCH", `/segments/${text(segment["id"])}`, { where: "tag:x" });
    expect(await call("GET", "/segments")).toEqual({ segments: [changed] });
    const { body } = await owner.post(`${path}/segments/preview`, { where: "tag:vip" });
    expect(body).toMatchObject({ count: 1, sample: [{ email: "ann@any.test" }] });
    expect(await call("POST", "/segments/preview", { where: "tag:vip" })).toEqual(body);
    expect(await sdk.post("/segments/preview", { where: "tag:" })).toEqual(
      refusal(400, expect.stringMatching(/^where: at character 5: /)),
    );

    for (const at of [`/topics/${text(topic["id"])}`, `/segments/${text(segment["id"])}`]) {
      const first = { "If-Match": (await sdk.get(at)).headers.get("ETag") ?? "" };
      expect((await sdk.request("PATCH", at, { name: "Mine" }, first)).status).toBe(200);
      expect(await sdk.request("PATCH", at, { name: "Late" }, first)).toEqual(refusal(412));
      const gone = await sdk.delete(at);
      expect([gone.status, gone.headers.get("Content-Type")]).toEqual([204, null]);
      expect(await sdk.get(at)).toEqual(refusal(404));
    }
  });

  it("identify a subscriber by id or by email, and record the key as the source of a consent", async () => {
    const { call, twin, sdk } = own;
    const { ids, email, topicName } = await newThings(own);
    const byId = `/subscribers/${ids[":subscriber"]}/topics`;
    const byEmail = `/subscribers/${encodeURIComponent(` ${email.toUpperCase()}`)}/topics`;
    const stateIn = (data: Record<string, unknown>) =>
      (data["topics"] as Record<string, unknown>[]).find(({ name }) => name === topicName);
    const joined = await call("PUT", byEmail, { [topicName]: "subscribed" });
    expect(stateIn(joined)).toMatchObject({ state: "subscribed", by: "api" });
    expect([await call("GET", byId), await call("GET", byEmail)]).toEqual([joined, joined]);
    expect(await twin(byId)).toEqual(joined);
    const left = await call("PUT", byId, { [ids[":topicId"] ?? ""]: "unsubscribed" });
    expect(stateIn(left)).toMatchObject({ state: "unsubscribed" });
    expect(await sdk.put(byEmail, { nowhere: "subscribed" })).toEqual(refusal(400));
    const gone = refusal(404, "subscriber not found");
    for (const client of [sdk, neighbour.sdk]) {
      const at = client === sdk ? "/subscribers/nobody%40any.test/topics" : byEmail;
      expect(await client.get(at)).toEqual(gone);
      expect(await client.put(at, { [topicName]: "subscribed" })).toEqual(gone);
    }
  });
});

describe("drafts in the key-based API", () => {
  it("are written, listed by state, read, copied and deleted as in the project-scoped API", async () => {
    const { call, twin, sdk } = await newProject();
    const draft = await call("POST", "/broadcasts", { name: "May", subject: "Hi", text_body: "x" });
    const at = `/broadcasts/${text(draft["id"])}`;
    const read = await sdk.get<Wrapped>(at);
    expect(await twin(at)).toEqual(draft);
    expect(read.body.data).toMatchObject({ ...draft, broadcastId: draft["id"], state: "draft" });
    const first = { "If-Match": read.headers.get("ETag") ?? "" };
    expect((await sdk.request("PATCH", at, { subject: "Hello" }, first)).status).toBe(200);
    expect(await sdk.request("PATCH", at, { subject: "Late" }, first)).toEqual(refusal(412));
    const { broadcasts } = await call("GET", "/broadcasts?state=draft");
    expect(broadcasts).toMatchObject([{ id: draft["id"], name: "May" }]);
    expect(await call("GET", "/broadcasts")).toMatchObject({ broadcasts: [], total: 0 });
    const copy = await call("POST", `${at}/duplicate`, { name: "June" });
    expect(copy).toMatchObject({ name: "June", own_subject: "Hello", state: "draft" });
    expect((await sdk.delete(at)).status).toBe(204);
    expect(await sdk.get(at)).toEqual(refusal(404, "broadcast not found"));
  });

  it("start when their problems are accepted, and become drafts again on undo or cancel", async () => {
    const { call, sdk } = await newProject();
    const draft = await call("POST", "/broadcasts", { name: "May", subject: "Hi", text_body: "x" });
    const at = `/broadcasts/${text(draft["id"])}`;
    const { problems, recipients } = await call("POST", `${at}/preflight`);
    expect(recipients).toMatchObject({ total: 0 });
    const stops = (problems as Record<string, string>[]).filter(({ grade }) => grade === "stop");
    const refused = await sdk.post(`${at}/start`, {});
    expect(refused).toMatchObject({ status: 409, body: { success: false } });
    expect(refused.body["problems"]).toEqual(stops);
    const accept = stops.map(({ code }) => code);
    for (const back of ["undo", "cancel"]) {
      const started = await sdk.post<Wrapped>(`${at}/start`, { accept });
      expect([started.status, started.body.data]).toEqual([
        202,
        { broadcast_id: draft["id"], starts_at: expect.stringMatching(/Z$/) },
      ]);
      expect((await call("GET", "/broadcasts?state=scheduled"))["broadcasts"]).toHaveLength(1);
      expect(await call("POST", `${at}/${back}`)).toMatchObject({ state: "draft" });
    }
    expect(await sdk.post(`${at}/undo`)).toEqual(refusal(409));
  });

  it("do not change the responses of POST /broadcast, whose broadcasts can be paused", async () => {
    const { call, sdk } = await newProject();
    const html = "<a href='{{unsubscribe_link}}'>leave</a>";
    const { broadcastId } = await call("POST", "/broadcast", { subject: "Hi", html });
    const at = `/broadcasts/${text(broadcastId)}`;
    for (const [action, state] of [
      ["pause", "paused"],
      ["resume", "sending"],
      ["cancel", "cancelled"],
    ])
      expect(await call("POST", `${at}/${action}`)).toMatchObject({ id: broadcastId, state });
    const old =
      "broadcastId subject state sent failed bounced suppressed error createdAt finishedAt";
    expect(Object.keys(await call("GET", at))).toEqual(old.split(" "));
    expect(await sdk.post(`${at}/resume`)).toEqual(refusal(409));
  });
});
