/*
 * One subscriber with its mails, the search, edits, and changes of many (API reference §12.1).
 */
import { describe, expect, it } from "vitest";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { broadcastLogId } from "../../../src/services/email-log/index.ts";
import { runBatch } from "../../../src/db/client.ts";
import { logEntry } from "../../support/log-entry.ts";
import { testLicense } from "../../support/license.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { createService, unique } from "../../support/service.ts";

interface Subscriber {
  id: string;
  email: string;
  name: string;
  status: string;
  metadata: Record<string, unknown>;
  unsubscribed_at: string | null;
  updated_at: string;
}
interface List {
  subscribers: Subscriber[];
  total: number;
}

const service = createService(await testLicense("pro"));
const owner = await service.newOwner();

async function newList() {
  const project = await owner.newProject();
  const path = `/projects/${project.id}/subscribers`;
  const add = async (body: Record<string, unknown>) => {
    const { status, body: added } = await owner.post<Subscriber>(path, body);
    expect(status).toBe(201);
    return added;
  };
  const list = async (query: string) => (await owner.get<List>(`${path}?${query}`)).body;
  const emails = async (query: string) =>
    (await list(query)).subscribers.map(({ email }) => email.split("@")[0]);
  const patch = (id: string, body: unknown) =>
    owner.request<Subscriber>("PATCH", `${path}/${id}`, body);
  const bulk = (body: unknown) => owner.post(`${path}/bulk`, body);
  return { ...project, path, add, list, emails, patch, bulk };
}

/** The counters of a project, which must be the counts of its rows. */
async function countsOf(projectId: string) {
  const statuses = ["active", "pending", "unsubscribed"];
  const columns = statuses.map((status) => `subscribers_${status} as ${status}`).join();
  const counted = statuses.map(
    (status) => `count(*) filter (where status = '${status}') as ${status}`,
  );
  const [counters] = await allRows(
    `select ${columns} from project_counters where project_id = ?`,
    projectId,
  );
  const [rows] = await allRows(
    `select ${counted.join()} from subscribers where project_id = ?`,
    projectId,
  );
  expect(counters).toEqual(rows);
  return rows;
}

describe("the search of subscribers", () => {
  it("matches a part of an email or name in any common spelling, and nothing else", async () => {
    const { add, emails, list } = await newList();
    await add({ email: "ann@any.test", name: "Zoe" });
    await add({ email: "bob@any.test", name: "Mary Anna Lee", status: "pending" });
    await add({ email: "cyd@any.test", name: "ANNE ÖZIL" });
    await add({ email: "joann@other.test", name: "Jo" });
    await add({ email: "x_%@any.test" });
    const other = await newList();
    await other.add({ email: "ann@any.test" });
    for (const search of ["ann", "Ann", "ANN", "%20ann%20"])
      expect(await emails(`search=${search}`)).toEqual(["joann", "cyd", "bob", "ann"]);
    expect(await list("search=ann&status=pending")).toMatchObject({ total: 1 });
    expect(await emails("search=ann&sort=email")).toEqual(["ann", "bob", "cyd", "joann"]);
    expect(await emails("search=lee")).toEqual(["bob"]);
    expect(await emails("search=%C3%B6zil")).toEqual(["cyd"]);
    expect(await emails("search=OTHER.test")).toEqual(["joann"]);
    expect(await emails("search=_%25")).toEqual(["x_%"]);
    expect(await list("search=nobody")).toEqual({ subscribers: [], total: 0 });
  });

  it("matches only beginnings in a project of over 10,000 subscribers", async () => {
    const { id, add, emails } = await newList();
    await add({ email: "ann@any.test", name: "Lee Zoe" });
    await add({ email: "joann@any.test", name: "Zoe Lee" });
    await allRows(
      "update project_counters set subscribers_active = 10001 where project_id = ?",
      id,
    );
    expect(await emails("search=ann")).toEqual(["ann"]);
    expect(await emails("search=lee")).toEqual(["ann"]);
  });

  it("says why an address gets no mail, in the list, as CSV and of one subscriber", async () => {
    const { id: projectId, path, add, list } = await newList();
    const { id } = await add({ email: "gone@any.test" });
    await add({ email: "here@any.test" });
    const at = `/projects/${projectId}/suppressions`;
    await owner.post(at, { emails: ["gone@any.test"], reason: "hard_bounce" });
    const other = await newList();
    await owner.post(`/projects/${other.id}/suppressions`, { emails: ["here@any.test"] });
    const { subscribers } = await list("");
    expect(subscribers).toMatchObject([
      { email: "here@any.test", suppressed: null },
      { email: "gone@any.test", status: "active", suppressed: "hard_bounce" },
    ]);
    expect((await owner.get(`${path}/${id}`)).body).toMatchObject({ suppressed: "hard_bounce" });
  });

  it("sorts by time or email, and rejects an order that would scan the entire list", async () => {
    const { path, add, emails } = await newList();
    for (const email of ["b@any.test", "c@any.test", "a@any.test"]) await add({ email });
    expect(await emails("")).toEqual(["a", "c", "b"]);
    expect(await emails("sort=created_at")).toEqual(["b", "c", "a"]);
    expect(await emails("sort=email&limit=2&offset=1")).toEqual(["b", "c"]);
    expect(await emails("sort=-email")).toEqual(["c", "b", "a"]);
    for (const query of ["sort=name", "sort=email&status=active", `search=${"a".repeat(255)}`])
      expect((await owner.get(`${path}?${query}`)).status).toBe(400);
  });
});

describe("a cursor of the list of subscribers", () => {
  it("continues in its own order, and is 400 in another one", async () => {
    const { path, add, list } = await newList();
    for (const name of ["b", "c", "a"]) await add({ email: `${name}@any.test` });
    const sorts = ["", "-created_at", "created_at", "email", "-email"];
    const page = (sort: string, after: unknown) =>
      owner.get(`${path}?sort=${sort}&limit=1&after=${String(after)}`);
    for (const sort of sorts) {
      const { body } = await page(sort, "");
      for (const other of sorts) {
        const isSame = (other || "-created_at") === (sort || "-created_at");
        const answer = await page(other, body["next"]);
        expect([sort, other, answer.status]).toEqual([sort, other, isSame ? 200 : 400]);
        if (!isSame)
          expect(answer.body).toMatchObject({ error: "after: is not a cursor of this order" });
      }
    }
    expect(await list("")).toMatchObject({ total: 3 });
  });

  it("from a list sorted by email is invalid in the list by key", async () => {
    const { id, path, add } = await newList();
    const secret = { name: "secret", type: "sdk" };
    const made = await owner.post<{ key: string }>(`/projects/${id}/api-keys`, secret);
    const sdk = service.withKey(made.body.key);
    for (const name of ["b", "a"]) await add({ email: `${name}@any.test` });
    const next = async (sort: string) =>
      String((await owner.get(`${path}?sort=${sort}&limit=1&after=`)).body["next"]);
    const byKey = async (sort: string) =>
      (await sdk.get(`/subscribers?after=${await next(sort)}`)).status;
    expect([await byKey("-created_at"), await byKey("email")]).toEqual([200, 400]);
  });
});

describe("GET /projects/{id}/subscribers/{subscriberId}", () => {
  it("shows the subscriber with its newest mails, those of broadcasts included", async () => {
    const { id, key, path, add } = await newList();
    const email = `${unique("to")}@any.test`;
    const { id: subscriberId } = await add({ email, name: "Ann" });
    const deps = await service.deps();
    const now = deps.now();
    const broadcast = { id: deps.newId(), logKey: "key", createdAt: now - 60_000 };
    await insertRow("broadcasts", {
      id: broadcast.id,
      project_id: id,
      subject: "News",
      html_body: "",
      text_body: "",
      status: "active",
      state: "done",
      log_key: broadcast.logKey,
      cutoff_id: "",
      planned_id: "",
      plan_due_at: 1,
      created_at: broadcast.createdAt,
    });
    const news = broadcastLogId(broadcast, subscriberId);
    const entries = [
      logEntry(id, { sentAt: now - 50_000, id: news, broadcastId: broadcast.id, toEmail: email }),
      logEntry(id, { sentAt: now - 40_000, toEmail: email, status: "failed", error: "no" }),
      logEntry(id, { sentAt: now - 30_000, toEmail: "other@any.test" }),
      logEntry(id, { sentAt: now - 200 * 86_400_000, toEmail: email }),
    ];
    for (const entry of entries) await runBatch(deps.db, appendLog(deps, id, [entry]));
    for (const client of [owner, service.withKey(key)]) {
      service.d1.reset();
      const { body } = await client.get(`${path}/${subscriberId}`);
      expect(service.d1.roundTrips).toBe(2);
      expect(service.d1.rowsRead).toBeLessThan(60);
      expect(body).toMatchObject({
        id: subscriberId,
        email,
        recent_mails: [
          { status: "failed", error: "no", broadcast_id: null },
          { id: news, status: "sent", broadcast_id: broadcast.id },
        ],
      });
    }
    expect((await owner.get(`${path}/${crypto.randomUUID()}`)).status).toBe(404);
    const other = await newList();
    expect((await owner.get(`${other.path}/${subscriberId}`)).status).toBe(404);
  });
});

describe("PATCH /projects/{id}/subscribers/{subscriberId}", () => {
  it("changes email, name and metadata, and keeps fields that are not given", async () => {
    const { add, patch, list } = await newList();
    const { id } = await add({ email: "a@any.test", name: "A", metadata: { source: "x", n: 1 } });
    const named = await patch(id, { name: "Ann" });
    expect(named.body).toMatchObject({ email: "a@any.test", name: "Ann", metadata: { n: 1 } });
    const { body } = await patch(id, { email: " Ann@Any.test", metadata: { source: "y" } });
    expect(body).toMatchObject({ email: "ann@any.test", name: "Ann", metadata: { source: "y" } });
    expect((await patch(id, { email: "ann@any.test" })).body).toEqual(body);
    const [row] = await allRows("select source from subscribers where id = ?", id);
    expect(row).toEqual({ source: "y" });
    expect((await patch(id, {})).status).toBe(400);
    expect((await patch(id, { email: "nobody" })).status).toBe(400);
    expect((await list("search=ann")).total).toBe(1);
  });

  it("answers 409 to an email of another subscriber, and changes nothing, not even the status", async () => {
    const { id: projectId, add, patch, list } = await newList();
    await add({ email: "taken@any.test" });
    const { id } = await add({ email: "mine@any.test", name: "Mine" });
    const before = await list("");
    const change = { email: "Taken@any.test", name: "Other", status: "unsubscribed" };
    const { status, body } = await patch(id, change);
    expect([status, body]).toMatchObject([
      409,
      { error: "a subscriber with this email already exists" },
    ]);
    expect(await list("")).toEqual(before);
    expect(await countsOf(projectId)).toMatchObject({ active: 2, unsubscribed: 0 });
  });

  it("gives an email to one of two racing edits", async () => {
    const { add, patch } = await newList();
    const [one, two] = [await add({ email: "1@any.test" }), await add({ email: "2@any.test" })];
    const answers = await Promise.all(
      [one, two].map(({ id }) => patch(id, { email: "3@any.test" })),
    );
    const refused = answers.filter(({ status }) => status === 409);
    expect([answers.length, refused.length]).toEqual([2, 1]);
    expect(answers.find(({ status }) => status === 200)?.body.email).toBe("3@any.test");
  });

  it("keeps the status with a new email, and ends the undo available to the former address", async () => {
    const { id: projectId, add, patch } = await newList();
    const { id } = await add({ email: "old@any.test" });
    await service.fetch(`/unsubscribe/${projectId}/${id}`, { method: "POST" });
    const held = "select status_before from subscribers where id = ?";
    expect(await allRows(held, id)).toEqual([{ status_before: "active" }]);
    const { body } = await patch(id, { email: "new@any.test" });
    expect(body).toMatchObject({ email: "new@any.test", status: "unsubscribed" });
    expect(await allRows(held, id)).toEqual([{ status_before: null }]);
  });
});

describe("POST /projects/{id}/subscribers/bulk", () => {
  it("sets the status of the chosen ids of the project, counts them and notifies webhooks once each", async () => {
    const { id: projectId, add, bulk, list } = await newList();
    await owner.post(`/projects/${projectId}/webhooks`, { url: "https://hook.test/in" });
    const added = [];
    for (let n = 0; n < 3; n++) added.push(await add({ email: `${n}@any.test` }));
    const other = await newList();
    const foreign = await other.add({ email: "f@any.test" });
    const ids = [...added.slice(0, 2), foreign].map(({ id }) => id);
    const change = { action: "set_status", status: "unsubscribed", ids };
    expect((await bulk(change)).body).toEqual({ changed: 2, more: false });
    expect((await bulk(change)).body).toEqual({ changed: 0, more: false });
    expect(await countsOf(projectId)).toEqual({ active: 1, pending: 0, unsubscribed: 2 });
    expect(await countsOf(other.id)).toMatchObject({ active: 1 });
    const { subscribers } = await list("status=unsubscribed");
    for (const { unsubscribed_at: at } of subscribers) expect(at).not.toBeNull();
    const events = await allRows(
      "select distinct event_id, payload from webhook_deliveries where project_id = ? and event_type = 'subscriber.unsubscribed'",
      projectId,
    );
    const told = events.map(({ payload }) => JSON.parse(String(payload)).data.id);
    expect(new Set(told)).toEqual(new Set(ids.slice(0, 2)));
    expect(told).toHaveLength(2);
  });

  it("changes at most 1,000 matches of a filter, reports that more are left, and continues", async () => {
    const { id: projectId, path, bulk } = await newList();
    const rows = Array.from({ length: 1_300 }, (_, n) => ({
      email: `p${n}@any.test`,
      name: `N${n}`,
    }));
    await owner.post(`${path}/import`, rows);
    const pending = { action: "set_status", status: "pending", filter: { status: "active" } };
    expect((await bulk(pending)).body).toEqual({ changed: 1_000, more: true });
    expect((await bulk(pending)).body).toEqual({ changed: 300, more: false });
    expect(await countsOf(projectId)).toEqual({ active: 0, pending: 1_300, unsubscribed: 0 });
    const some = { action: "delete", filter: { search: "p12" } };
    expect((await bulk(some)).body).toEqual({ changed: 111, more: false });
    expect((await bulk({ action: "delete", filter: { all: true } })).body).toMatchObject({
      more: true,
    });
    expect((await bulk({ action: "delete", filter: { all: true } })).body).toMatchObject({
      more: false,
    });
    expect(await countsOf(projectId)).toEqual({ active: 0, pending: 0, unsubscribed: 0 });
  });

  it("reaches all matches of a search, beyond the 1,000 of the list, in repeated calls", async () => {
    const { id: projectId, path, bulk } = await newList();
    const rows = Array.from({ length: 1_200 }, (_, n) => ({
      email: `p${n}@any.test`,
      name: `Na${n}`,
    }));
    await owner.post(`${path}/import`, rows);
    for (const search of ["p", "na"]) {
      const filter = { search };
      const status = search === "p" ? "pending" : "active";
      for (const change of [
        { action: "set_status", status },
        { action: "add_tags", tags: [`found-${search}`] },
      ]) {
        expect((await bulk({ ...change, filter })).body).toEqual({ changed: 1_000, more: true });
        expect((await bulk({ ...change, filter })).body).toEqual({ changed: 200, more: false });
      }
    }
    expect(await countsOf(projectId)).toEqual({ active: 1_200, pending: 0, unsubscribed: 0 });
    const rest = { action: "delete", filter: { search: "p9", status: "pending" } };
    expect((await bulk(rest)).body).toEqual({ changed: 0, more: false });
  });

  it.each([
    [{ action: "delete" }, "ids: give either ids or filter"],
    [
      { action: "delete", filter: {} },
      "filter: at least one of status, search, tag, import, where, all is required",
    ],
    [{ action: "delete", ids: [], filter: { all: true } }, "ids: give either ids or filter"],
    [{ action: "set_status", ids: [] }, "status: is required"],
    [{ action: "delete", status: "active", ids: [] }, "status: must be omitted with delete"],
    [{ action: "delete", ids: ["1"] }, "ids.0: must be a UUID"],
    [{ action: "delete", ids: Array(1_001).fill("") }, "ids: must have at most 1000 entries"],
  ])("answers 400 to %j", async (body, error) => {
    const { bulk } = await newList();
    expect(await bulk(body)).toMatchObject({ status: 400, body: { error } });
  });
});
