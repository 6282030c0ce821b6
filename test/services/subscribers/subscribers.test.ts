import { describe, expect, it } from "vitest";
import { resubscribe, unsubscribe } from "../../../src/services/subscribers/index.ts";
import { DOH_URL } from "../../support/resolver.ts";
import { nested } from "../../support/nested.ts";
import { createService, unique } from "../../support/service.ts";

interface Subscriber {
  id: string;
  email: string;
  status: string;
  unsubscribed_at: string | null;
  updated_at: string;
}
interface List {
  subscribers: Subscriber[];
  total: number;
}

const STATUSES = ["active", "pending", "unsubscribed"] as const;

/**
 * Nesting deep enough to end any recursion; written as a string because JSON.stringify recurses.
 */
const DEEP = `{"email":"a@any.test","metadata":${'{"a":'.repeat(100_000)}{}${"}".repeat(100_001)}`;

let clock = Date.now();
/** Advances by a second with every reading, so that "newest first" has one right answer. */
const now = () => (clock += 1_000);

const service = createService({ DOH_URL });
const owner = await service.newOwner();
/** The same world with a clock that only moves forward. */
const ticking = createService({}, { now });
const address = (word = "sub") => `${unique(word)}@any.test`;

async function newList() {
  const project = await owner.newProject();
  const path = `/projects/${project.id}/subscribers`;
  const add = async (body: Record<string, unknown> = {}) => {
    const answer = await owner.post<Subscriber>(path, { email: address(), ...body });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const list = async (query = "") => (await owner.get<List>(`${path}${query}`)).body;
  const patch = (id: string, body: unknown) =>
    owner.request<Subscriber>("PATCH", `${path}/${id}`, body);
  return { ...project, path, add, list, patch };
}

/** Counters of a project and the counts of its rows, which must always agree. */
async function countsOf(projectId: string) {
  const counters = await service.env.DB.prepare(
    "select subscribers_active as active, subscribers_pending as pending, subscribers_unsubscribed as unsubscribed from project_counters where project_id = ?",
  )
    .bind(projectId)
    .first<Record<string, number>>();
  const { results } = await service.env.DB.prepare(
    "select status, count(*) as n from subscribers where project_id = ? group by status",
  )
    .bind(projectId)
    .all<{ status: string; n: number }>();
  const table = { active: 0, pending: 0, unsubscribed: 0 };
  for (const { status, n } of results) Object.assign(table, { [status]: n });
  expect(counters).toEqual(table);
  return table;
}

describe("POST /projects/{id}/subscribers", () => {
  it("adds a subscriber, active by default", async () => {
    const { id, path } = await newList();
    const email = address();
    const answer = await owner.post(path, { email, name: " Ann " });
    expect(answer.status).toBe(201);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      project_id: id,
      email,
      name: "Ann",
      status: "active",
      metadata: {},
      tags: [],
      subscribed_at: time,
      unsubscribed_at: null,
      created_at: time,
      updated_at: time,
    });
    expect(await countsOf(id)).toEqual({ active: 1, pending: 0, unsubscribed: 0 });
  });

  it("accepts each of the three statuses and stores the time if it starts unsubscribed", async () => {
    const { id, add } = await newList();
    for (const status of STATUSES) {
      const subscriber = await add({ status });
      expect(subscriber.status).toBe(status);
      expect(subscriber.unsubscribed_at === null).toBe(status !== "unsubscribed");
    }
    expect(await countsOf(id)).toEqual({ active: 1, pending: 1, unsubscribed: 1 });
  });

  it("trims and lower-cases the email", async () => {
    const { add } = await newList();
    const email = address();
    expect((await add({ email: `  ${email.toUpperCase()} ` })).email).toBe(email);
  });

  it("answers 409 to an email of the project in any case and status, and accepts it in another project", async () => {
    const { id, path, add } = await newList();
    const { email } = await add({ status: "unsubscribed" });
    const again = await owner.post(path, { email: email.toUpperCase(), name: "Other" });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ error: "a subscriber with this email already exists" });
    expect(await countsOf(id)).toEqual({ active: 0, pending: 0, unsubscribed: 1 });
    const other = await newList();
    await other.add({ email });
  });

  it("adds an email once, even for simultaneous requests", async () => {
    const { id, path } = await newList();
    const email = address();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => owner.post(path, { email })),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array(11).fill(409)]);
    expect(await countsOf(id)).toEqual({ active: 1, pending: 0, unsubscribed: 0 });
  });

  it("stores metadata, and its source in a separate column if it is a string", async () => {
    const { id, add } = await newList();
    const metadata = { source: "landing", nested: { "quote'": ['"', 1, null] } };
    expect(await add({ metadata })).toMatchObject({ metadata });
    expect(await add({ metadata: { source: 7 } })).toMatchObject({ metadata: { source: 7 } });
    const { results } = await service.env.DB.prepare(
      "select source from subscribers where project_id = ? order by source",
    )
      .bind(id)
      .all();
    expect(results.map(({ source }) => source)).toEqual(["", "landing"]);
  });

  it.each([
    ["an invalid email", { email: "no address" }, /^email: is not an email address/],
    ["a line break in the email", { email: "a@any.test\r\nBcc: b@any.test" }, /^email: /],
    ["no email", {}, /^email: /],
    ["an unknown status", { email: "a@any.test", status: "confirmed" }, /^status: /],
    ["metadata that is no object", { email: "a@any.test", metadata: [] }, /^metadata: /],
    [
      "metadata of more than 8,192 characters",
      { email: "a@any.test", metadata: { a: "x".repeat(8_192) } },
      /^metadata: must have at most/,
    ],
    [
      "metadata of 21 levels",
      { email: "a@any.test", metadata: nested(21) },
      "metadata: must not be nested deeper than 20 levels",
    ],
    ["metadata of very many levels", DEEP, "the body is nested deeper than 100 levels"],
  ])("answers 400 to %s", async (_what, body, error) => {
    const { id, path } = await newList();
    const answer = await owner.post(path, body);
    expect(answer.status).toBe(400);
    expect(answer.body["error"]).toMatch(error);
    expect(await countsOf(id)).toEqual({ active: 0, pending: 0, unsubscribed: 0 });
  });
});

describe("GET /projects/{id}/subscribers", () => {
  it("shows pages, newest first, with the total", async () => {
    const { path } = await newList();
    const added: string[] = [];
    for (const status of [...STATUSES, ...STATUSES]) {
      const { body } = await post(path, { email: address(), status });
      added.unshift(body.id);
    }
    const page = await owner.get<List>(`${path}?limit=4&offset=1`);
    expect(page.body.total).toBe(6);
    expect(page.body.subscribers.map(({ id }) => id)).toEqual(added.slice(1, 5));
    const rest = await owner.get<List>(`${path}?offset=5`);
    expect(rest.body.subscribers.map(({ id }) => id)).toEqual(added.slice(5));
    expect((await owner.get<List>(`${path}?offset=6`)).body).toEqual({ subscribers: [], total: 6 });
  });

  it("filters by status", async () => {
    const { list, add } = await newList();
    await add({ status: "pending" });
    await add();
    const pending = await list("?status=pending");
    expect(pending.total).toBe(1);
    expect(pending.subscribers.map(({ status }) => status)).toEqual(["pending"]);
    expect(await list("?status=unsubscribed")).toEqual({ subscribers: [], total: 0 });
  });

  it("has pages of 50 by default and 200 at most, and counts without reading the table", async () => {
    const { path, list } = await newList();
    const rows = Array.from({ length: 230 }, (_, at) => ({ email: `${at}-${address()}` }));
    await owner.post(`${path}/import`, rows);
    expect((await list()).subscribers).toHaveLength(50);
    const full = await list("?limit=100000");
    expect(full.subscribers).toHaveLength(200);
    expect(full.total).toBe(230);
    service.d1.reset();
    await list("?limit=1");
    expect(service.d1.roundTrips).toBe(2);
    expect(service.d1.rowsRead).toBeLessThan(15);
  });

  it.each(["limit=0", "limit=-1", "limit=ten", "offset=-1", "status=confirmed"])(
    "answers 400 to ?%s",
    async (query) => {
      const { path } = await newList();
      expect((await owner.get(`${path}?${query}`)).status).toBe(400);
    },
  );

  it("treats an empty limit, offset or status as omitted", async () => {
    const { path, list, add } = await newList();
    await add({ status: "pending" });
    await add();
    expect((await owner.get(`${path}?limit=&offset=&status=`)).body).toEqual(await list());
    expect((await list("?limit=")).subscribers).toHaveLength(2);
  });
});

/** Posts with the advancing clock. */
async function post(path: string, body: unknown) {
  const response = await ticking.fetch(`/api/v1${path}`, {
    method: "POST",
    headers: { Cookie: owner.cookie, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return { body: await response.json<Subscriber>() };
}

describe("PATCH /projects/{id}/subscribers/{subscriberId}", () => {
  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
    "changes a subscriber from %s to %s",
    async (from, to) => {
      const { id, add, patch } = await newList();
      const before = await add({ status: from });
      const { status, body } = await patch(before.id, { status: to });
      expect(status).toBe(200);
      expect(body.status).toBe(to);
      if (from === to) expect(body).toEqual(before);
      if (to === "unsubscribed") expect(body.unsubscribed_at).not.toBeNull();
      expect(await countsOf(id)).toEqual({ active: 0, pending: 0, unsubscribed: 0, [to]: 1 });
    },
  );

  it("keeps the time of the last unsubscribe when the subscriber returns", async () => {
    const { add, patch } = await newList();
    const { id } = await add();
    const left = await patch(id, { status: "unsubscribed" });
    const back = await patch(id, { status: "active" });
    expect(back.body.unsubscribed_at).toBe(left.body.unsubscribed_at);
  });

  it("counts correctly when many requests change one subscriber at once", async () => {
    const { id, add, patch } = await newList();
    const subscriber = await add();
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        patch(subscriber.id, { status: STATUSES[at % STATUSES.length] }),
      ),
    );
    const counts = await countsOf(id);
    expect(counts.active + counts.pending + counts.unsubscribed).toBe(1);
  });

  it("answers 404 to an unknown subscriber and to one of another project, which stays unchanged", async () => {
    const mine = await newList();
    const other = await newList();
    const { id } = await other.add();
    expect((await mine.patch(id, { status: "unsubscribed" })).status).toBe(404);
    expect((await mine.patch(crypto.randomUUID(), { status: "active" })).body).toMatchObject({
      error: "subscriber not found",
    });
    expect(await countsOf(other.id)).toEqual({ active: 1, pending: 0, unsubscribed: 0 });
    expect(await countsOf(mine.id)).toEqual({ active: 0, pending: 0, unsubscribed: 0 });
  });

  it.each([{}, { status: "confirmed" }, { status: null }])("answers 400 to %j", async (body) => {
    const { add, patch } = await newList();
    expect((await patch((await add()).id, body)).status).toBe(400);
  });
});

describe("DELETE /projects/{id}/subscribers/{subscriberId}", () => {
  it("removes the subscriber and frees the email", async () => {
    const { id, path, add, list } = await newList();
    const { id: subscriberId, email } = await add({ status: "pending" });
    expect((await owner.delete(`${path}/${subscriberId}`)).status).toBe(204);
    expect(await list()).toEqual({ subscribers: [], total: 0 });
    expect((await owner.delete(`${path}/${subscriberId}`)).status).toBe(404);
    expect(await countsOf(id)).toEqual({ active: 0, pending: 0, unsubscribed: 0 });
    await add({ email });
  });

  it("removes nothing of another project", async () => {
    const mine = await newList();
    const other = await newList();
    const { id } = await other.add();
    expect((await owner.delete(`${mine.path}/${id}`)).status).toBe(404);
    expect(await countsOf(other.id)).toEqual({ active: 1, pending: 0, unsubscribed: 0 });
  });
});

describe("access to subscribers", () => {
  it("lets the project's API key add, list and import, and nothing else", async () => {
    const { key, path, add } = await newList();
    const { id } = await add();
    const client = service.withKey(key);
    expect((await client.post(path, { email: address() })).status).toBe(201);
    expect((await client.get<List>(path)).body.total).toBe(2);
    expect((await client.post(`${path}/import`, [])).status).toBe(200);
    expect((await client.request("PATCH", `${path}/${id}`, { status: "pending" })).status).toBe(
      401,
    );
    expect((await client.delete(`${path}/${id}`)).status).toBe(401);
    const other = await newList();
    expect((await client.get(other.path)).status).toBe(403);
  });

  it.each([
    ["viewer", 403],
    ["developer", 201],
    ["member", 201],
    ["admin", 201],
  ])("lets the role %s read, and answers %i when it adds", async (role, status) => {
    const person = await service.newOwner();
    const project = await person.newProject();
    await service.env.DB.prepare(
      "update workspace_members set role = ? where workspace_id = (select workspace_id from projects where id = ?)",
    )
      .bind(role, project.id)
      .run();
    const path = `/projects/${project.id}/subscribers`;
    expect((await person.get(path)).status).toBe(200);
    expect((await person.post(path, { email: address() })).status).toBe(status);
    const imported = await person.post(`${path}/import`, []);
    expect(imported.status).toBe(status === 201 ? 200 : status);
  });

  it("answers 401 without a session, 404 to an unknown project and 403 to another owner's", async () => {
    const { path } = await newList();
    const stranger = await service.newOwner();
    expect((await service.anonymous.get(path)).status).toBe(401);
    expect((await owner.get(`/projects/${crypto.randomUUID()}/subscribers`)).status).toBe(404);
    expect((await stranger.get(path)).status).toBe(403);
    expect((await stranger.post(path, { email: "wrong" })).status).toBe(403);
  });
});

describe("the unsubscribe link of a mail", () => {
  it("unsubscribes a subscriber of any status, once", async () => {
    const { id, add } = await newList();
    const deps = await service.deps();
    for (const status of ["active", "pending"]) {
      const { id: subscriberId, email } = await add({ status });
      const left = { found: true, facts: { email, status: "unsubscribed" } };
      const first = await unsubscribe(deps, id, subscriberId);
      expect(first).toMatchObject(left);
      expect(first).toMatchObject({ facts: { undoable: { statusBefore: status } } });
      expect(await unsubscribe(deps, id, subscriberId)).toEqual(first);
    }
    expect(await countsOf(id)).toEqual({ active: 0, pending: 0, unsubscribed: 2 });
  });

  it("can be undone, without an effect on subscribers who never unsubscribed", async () => {
    const { id, add, list } = await newList();
    const deps = await service.deps();
    const pending = await add({ status: "pending" });
    const gone = await add();
    const left = await unsubscribe(deps, id, gone.id);
    const undoable = left.found ? left.facts.undoable : undefined;
    if (!undoable) throw new Error("cannot be undone");
    expect(await resubscribe(deps, id, pending.id, undoable)).toMatchObject({
      facts: { status: "pending" },
    });
    const stale = { ...undoable, at: undoable.at - 1 };
    expect(await resubscribe(deps, id, gone.id, stale)).toMatchObject({
      facts: { status: "unsubscribed" },
    });
    expect(await resubscribe(deps, id, gone.id, undoable)).toMatchObject({
      facts: { status: "active", lastLeftAt: undoable.at },
    });
    const [back] = (await list("?status=active")).subscribers;
    expect(back).toMatchObject({
      id: gone.id,
      unsubscribed_at: new Date(undoable.at).toISOString(),
    });
    expect(await countsOf(id)).toEqual({ active: 1, pending: 1, unsubscribed: 0 });
  });

  it("matches no subscriber under a wrong project or id, and changes nothing", async () => {
    const { id, add } = await newList();
    const other = await newList();
    const deps = await service.deps();
    const subscriber = await add();
    expect(await unsubscribe(deps, other.id, subscriber.id)).toEqual({ found: false });
    expect(await unsubscribe(deps, id, "nobody")).toEqual({ found: false });
    expect(await countsOf(id)).toEqual({ active: 1, pending: 0, unsubscribed: 0 });
  });

  it("costs one round trip", async () => {
    const { id, add } = await newList();
    const subscriber = await add();
    const deps = await service.deps();
    service.d1.reset();
    await unsubscribe(deps, id, subscriber.id);
    expect(service.d1.roundTrips).toBe(1);
  });
});
