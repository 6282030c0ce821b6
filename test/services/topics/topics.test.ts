/* Topics: consent by stream, and the settings of the audience. */
import { describe, expect, it } from "vitest";
import { sql } from "drizzle-orm";
import { continuePurges } from "../../../src/services/project-removal/index.ts";
import { consentCondition, purgeTopics } from "../../../src/services/topics/index.ts";
import { allRows } from "../../support/rows.ts";
import { createService, unique } from "../../support/service.ts";

// A resolver that fails rejects nobody from an import.
const service = createService({}, { fetch: async () => Response.json({ Status: 2 }) });
const owner = await service.newOwner();

interface Consents {
  topics: { topic_id: string; name: string; state: string | null; by: string | null }[];
  history: { topic_name: string; action: string; by: string; at: string }[];
}

/** Creates a project with some topics and one subscriber. */
async function newAudience(...names: string[]) {
  const project = await owner.newProject();
  const path = `/projects/${project.id}`;
  const ids: string[] = [];
  for (const name of names)
    ids.push(String((await owner.post(`${path}/topics`, { name })).body["id"]));
  const email = `${unique("reader")}@any.test`;
  const subscriber = String((await owner.post(`${path}/subscribers`, { email })).body["id"]);
  const at = `${path}/subscribers/${subscriber}/topics`;
  return {
    ...project,
    path,
    ids,
    subscriber,
    set: (consents: object, by = owner) => by.put(at, consents),
    consents: async () => (await owner.get<Consents>(at)).body,
  };
}

const unknownTopic = (path: string) => ({
  status: 400,
  body: { details: [{ path, code: "no_such_topic", params: { name: "Nowhere" } }] },
});

describe("a topic", () => {
  it("is created, read, renamed and deleted, and its name is unique in its project", async () => {
    const { path, ids } = await newAudience("Product news");
    const at = `${path}/topics/${ids[0]}`;
    const again = await owner.post(`${path}/topics`, { name: "Product news" });
    expect([again.status, again.body["code"]]).toEqual([409, "topic_exists"]);
    await owner.post(`${path}/topics`, { name: "Digest" });
    expect((await owner.request("PATCH", at, { name: "Digest" })).status).toBe(409);
    const renamed = await owner.request("PATCH", at, { name: "News", description: "Monthly" });
    expect(renamed.body).toMatchObject({ id: ids[0], name: "News", description: "Monthly" });
    expect((await owner.get(at)).body).toEqual(renamed.body);
    const { body } = await owner.get<{ topics: { name: string }[] }>(`${path}/topics`);
    expect(body.topics.map(({ name }) => name)).toEqual(["Digest", "News"]);
    expect((await owner.delete(at)).status).toBe(204);
    expect((await owner.get(at)).status).toBe(404);
  });

  it("may not have the name of another topic in another case, which would make conditions ambiguous", async () => {
    const { path, ids, id } = await newAudience("News", "Ärzte");
    const named = (name: string) => owner.post(`${path}/topics`, { name });
    const patch = (topic: string, change: object) =>
      owner.request("PATCH", `${path}/topics/${topic}`, change);
    const taken = (name: string) => ({
      status: 409,
      body: { code: "topic_exists", params: { name } },
    });
    expect(await named("news")).toMatchObject(taken("News"));
    expect(await named("ÄRZTE")).toMatchObject(taken("Ärzte"));
    const other = String((await named("Digest")).body["id"]);
    const renamed = await patch(other, { name: "NEWS" });
    expect(renamed).toMatchObject(taken("News"));
    expect((await patch(ids[0] ?? "", { name: "NEWS" })).status).toBe(200);
    const kept = await patch(other, { name: "digest", description: "Weekly" });
    expect(kept).toMatchObject({ status: 200, body: { name: "digest", description: "Weekly" } });
    expect((await owner.post(`/projects/${id}/topics`, { name: "news" })).status).toBe(409);
  });

  it("may not have an id as its name, and a project has at most 50 of them", async () => {
    const { path } = await newAudience();
    const named = (name: string) => owner.post(`${path}/topics`, { name });
    const error = "name: must not be a UUID";
    for (const name of [crypto.randomUUID(), crypto.randomUUID().toUpperCase()])
      expect(await named(name)).toMatchObject({ status: 400, body: { error } });
    const statuses: number[] = [];
    for (let n = 0; n < 51; n++) statuses.push((await named(`T${n}`)).status);
    expect(statuses).toEqual([...Array(50).fill(201), 409]);
  });

  it("is listed with the number of its subscribers, who are counted up to a bound", async () => {
    const { path, ids, set } = await newAudience("News", "Digest", "Empty");
    await set({ News: "subscribed", Digest: "unsubscribed" });
    const other = await newAudience("News");
    await other.set({ News: "subscribed" });
    const list = async () => {
      const { body } = await owner.get<{ topics: object[] }>(`${path}/topics`);
      return body.topics;
    };
    expect(await list()).toMatchObject([
      { name: "Digest", subscribers: { count: 0, more: false } },
      { name: "Empty", subscribers: { count: 0, more: false } },
      { name: "News", subscribers: { count: 1, more: false } },
    ]);
    await allRows(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3400)
        insert into topic_consents (topic_id, subscriber_id, state, since, by)
        select ?, printf('s%05d', i), 'subscribed', 0, 'api' from n`,
      ids[0],
    );
    service.d1.reset();
    expect((await list()).at(-1)).toMatchObject({ subscribers: { count: 3_333, more: true } });
    expect(service.d1.roundTrips).toBe(2); // access, and the list
    expect(service.d1.rowsRead).toBeLessThan(3_600);
  });

  it("is public unless it says otherwise", async () => {
    const { path, ids } = await newAudience("News");
    const at = `${path}/topics/${ids[0]}`;
    expect((await owner.get(at)).body).toMatchObject({ visibility: "public" });
    const change = (visibility: string) => owner.request("PATCH", at, { visibility });
    expect((await change("hidden")).status).toBe(400);
    expect((await change("private")).body).toMatchObject({ visibility: "private" });
    expect((await owner.request("PATCH", at, { name: "Old" })).status).toBe(200);
    await owner.post(`${path}/topics`, { name: "Team", visibility: "private" });
    await owner.post(`${path}/topics`, { name: "Zoo" });
    const { body } = await owner.get<{ topics: object[] }>(`${path}/topics`);
    expect(body.topics).toMatchObject([
      { name: "Old", visibility: "private" },
      { name: "Team", visibility: "private" },
      { name: "Zoo", visibility: "public" },
    ]);
    const audited = await allRows(
      "select metadata from audit_entries where target_id = ? and action = 'topic.update'",
      ids[0],
    );
    expect(audited.map(({ metadata }) => JSON.parse(String(metadata)))).toContainEqual({
      visibility: "private",
    });
  });

  it("of another project is not found and changes nothing", async () => {
    const [mine, theirs] = [await newAudience("A"), await newAudience("B")];
    const at = `${mine.path}/topics/${theirs.ids[0]}`;
    expect((await owner.get(at)).status).toBe(404);
    expect((await owner.request("PATCH", at, { name: "C" })).status).toBe(404);
    expect((await owner.request("PATCH", at, { visibility: "private" })).status).toBe(404);
    expect((await owner.delete(at)).status).toBe(404);
    const set = await mine.set({ [theirs.ids[0] ?? ""]: "subscribed", A: "subscribed" });
    expect([set.status, (await mine.consents()).topics[0]?.state]).toEqual([400, null]);
    const stranger = `${mine.path}/subscribers/${theirs.subscriber}/topics`;
    expect((await owner.put(stranger, { A: "subscribed" })).status).toBe(404);
    expect((await owner.get(stranger)).status).toBe(404);
    expect(await allRows("select * from topic_consents where topic_id = ?", mine.ids[0])).toEqual(
      [],
    );
  });

  it("is deleted with its consents, but not with their history", async () => {
    const { path, ids, set, consents } = await newAudience("A", "B");
    await set({ A: "subscribed", B: "subscribed" });
    await owner.delete(`${path}/topics/${ids[0]}`);
    await purgeTopics(await service.deps());
    const left = await allRows(
      "select topic_id from topic_consents where topic_id in (?, ?)",
      ids[0],
      ids[1],
    );
    expect(left).toEqual([{ topic_id: ids[1] }]);
    expect((await consents()).history.map((event) => event.topic_name).toSorted()).toEqual([
      "A",
      "B",
    ]);
  });
});

describe("the consents of a subscriber", () => {
  it("refer to a topic by id or name, keep the others, and have a history", async () => {
    const { ids, key, set, consents } = await newAudience("Digest", "Product news");
    expect((await consents()).topics.map(({ state }) => state)).toEqual([null, null]);
    await set({ [String(ids[1]).toUpperCase()]: "subscribed" });
    await set({ Digest: "subscribed" }, service.withKey(key));
    await set({ "Product news": "unsubscribed", Digest: "subscribed" });
    const { topics, history } = await consents();
    expect(topics).toMatchObject([
      { topic_id: ids[0], name: "Digest", state: "subscribed", by: "api" },
      { topic_id: ids[1], name: "Product news", state: "unsubscribed", by: "member" },
    ]);
    expect(history.map(({ topic_name, action, by }) => [topic_name, action, by])).toEqual([
      ["Product news", "unsubscribed", "member"],
      ["Digest", "subscribed", "api"],
      ["Product news", "subscribed", "member"],
    ]);
  });

  it("let a broadcast mail only subscribers of its topic", async () => {
    const { id, ids, path, set } = await newAudience("A", "B");
    const others = ["no answer", "no"].map(() => `${unique("other")}@any.test`);
    const added = await Promise.all(
      others.map((email) => owner.post(`${path}/subscribers`, { email })),
    );
    await set({ A: "subscribed", B: "unsubscribed" });
    const no = String(added[1]?.body["id"]);
    await owner.put(`${path}/subscribers/${no}/topics`, { A: "unsubscribed" });
    const { db } = await service.deps();
    const mailed = (topicId = "") =>
      db.all<{ n: number }>(
        sql`select count(*) as n from subscribers where project_id = ${id} and ${consentCondition(topicId)}`,
      );
    const counts = await Promise.all([...ids, crypto.randomUUID()].map(mailed));
    expect(counts.flat()).toEqual([{ n: 1 }, { n: 0 }, { n: 0 }]);
  });

  it("have a history that also records each status that the project sets, individually and in bulk", async () => {
    const { path, subscriber, consents } = await newAudience();
    const at = `${path}/subscribers/${subscriber}`;
    for (const status of ["unsubscribed", "unsubscribed", "active"])
      await owner.request("PATCH", at, { status });
    const bulk = { action: "set_status", status: "unsubscribed", ids: [subscriber] };
    for (let n = 0; n < 2; n++) await owner.post(`${path}/subscribers/bulk`, bulk);
    const steps = (await consents()).history.toReversed();
    expect(steps.map(({ topic_name, action, by }) => [topic_name, action, by])).toEqual([
      [null, "unsubscribed", "member"],
      [null, "subscribed", "member"],
      [null, "unsubscribed", "member"],
    ]);
  });

  it("are set for many at once, for those with a different one, and for no one in another project", async () => {
    const [{ id, path, subscriber }, theirs] = [
      await newAudience("A", "B"),
      await newAudience("A"),
    ];
    for (let n = 0; n < 2; n++)
      await owner.post(`${path}/subscribers`, { email: `${unique("other")}@any.test` });
    const bulk = (more: object) =>
      owner.post(`${path}/subscribers/bulk`, { action: "set_topics", ...more });
    const topics = { A: "subscribed", B: "unsubscribed" };
    const one = await bulk({ ids: [subscriber, theirs.subscriber], topics });
    expect(one.body).toEqual({ changed: 1, more: false });
    expect((await bulk({ filter: { status: "pending" }, topics })).body["changed"]).toBe(0);
    expect((await bulk({ filter: { all: true }, topics })).body["changed"]).toBe(2);
    expect((await bulk({ filter: { search: "reader" }, topics })).body["changed"]).toBe(0);
    const states = await allRows(
      `select t.name, c.state, count(*) as n from topic_consents c join topics t on t.id = c.topic_id
        where t.project_id = ? group by 1, 2 order by 1`,
      id,
    );
    expect(states).toEqual([
      { name: "A", state: "subscribed", n: 3 },
      { name: "B", state: "unsubscribed", n: 3 },
    ]);
    expect((await theirs.consents()).topics).toMatchObject([{ state: null }]);
    const filter = { all: true };
    for (const refused of [
      { filter },
      { filter, topics: {} },
      { filter, topics: { C: "subscribed" } },
    ])
      expect((await bulk(refused)).status).toBe(400);
  });

  it("are not brought back in bulk for those who left by themselves", async () => {
    const { id, path, ids, subscriber, consents, set } = await newAudience("A");
    await set({ A: "unsubscribed" });
    const change = { action: "set_topics", topics: { A: "subscribed" }, filter: { all: true } };
    const bulk = async () => (await owner.post(`${path}/subscribers/bulk`, change)).body;
    expect(await bulk()).toEqual({ changed: 1, more: false });
    await allRows(
      "update topic_consents set state = 'unsubscribed', by = 'page' where topic_id = ? and subscriber_id = ?",
      ids[0],
      subscriber,
    );
    expect(await bulk()).toEqual({ changed: 0, more: false });
    const { body } = await owner.post<{ id: string }>(`${path}/subscribers`, {
      email: `${unique("new")}@any.test`,
    });
    expect(await bulk()).toEqual({ changed: 1, more: false });
    expect((await consents()).topics).toMatchObject([{ state: "unsubscribed", by: "page" }]);
    const who = await owner.get<Consents>(`${path}/subscribers/${body.id}/topics`);
    expect(who.body.topics).toMatchObject([{ state: "subscribed", by: "member" }]);
    expect(id).not.toBe("");
  });

  it("are given by default to new subscribers whose call names none, except unsubscribed ones", async () => {
    const { id, path, ids } = await newAudience("A", "B");
    const change = { is_default: true };
    const changed = await owner.request("PATCH", `${path}/topics/${ids[1]}`, change);
    expect(changed.body).toMatchObject({ name: "B", is_default: true });
    const at = (word: string) => `${word}@${id}.test`;
    await owner.post(`${path}/subscribers`, { email: at("created") });
    await owner.post(`${path}/subscribers`, { email: at("chose"), topics: ["A"] });
    await owner.post(`${path}/subscribers`, { email: at("refused"), topics: [] });
    await owner.post(`${path}/subscribers`, { email: at("gone"), status: "unsubscribed" });
    await owner.post(`${path}/subscribers/import`, [
      { email: at("created") },
      { email: at("row") },
      { email: at("none"), topics: [] },
      { email: at("named"), topics: ["A"] },
      { email: at("out"), status: "unsubscribed" },
    ]);
    const file = `Email;Lists\n${at("listed")};\n${at("picked")};A\n`;
    const mapping = { email: "Email", topics: "Lists" };
    await owner.post(`${path}/audience/import`, { file, mapping, status: "active" });
    await owner.post(`${path}/waitlist`, { email: at("waits") });
    const consents = await allRows(
      `select s.email, t.name, c.state, c.by from topic_consents c join topics t on t.id = c.topic_id
        join subscribers s on s.id = c.subscriber_id where t.project_id = ? order by 1`,
      id,
    );
    expect(consents.map(({ email, name, by }) => [email, name, by])).toEqual([
      [at("chose"), "A", "member"],
      [at("created"), "B", "member"],
      [at("listed"), "B", "import"],
      [at("named"), "A", "import"],
      [at("picked"), "A", "import"],
      [at("row"), "B", "import"],
      [at("waits"), "B", "waitlist"],
    ]);
  });

  it("are imported with the rows, and an unknown topic rejects the import before it writes", async () => {
    const { id, path, ids } = await newAudience("A", "B");
    const [a, b, c, d] = ["a", "b", "c", "d"].map((word) => `${unique(word)}@any.test`);
    const load = (body: unknown, type = "application/json") =>
      owner.request("POST", `${path}/subscribers/import`, body, { "Content-Type": type });
    const rows = [{ email: a, topics: ["A", ids[0], "B"] }, { email: b }, { email: a, topics: [] }];
    expect((await load(rows)).body).toMatchObject({ imported: 2, skipped: 1 });
    expect((await load(`email,topics\n${c},"[""B""]"\n`, "text/csv")).body["imported"]).toBe(1);
    expect(await load([{ email: d }, { email: a, topics: ["A", "Nowhere"] }])).toMatchObject(
      unknownTopic("row 1: topics.1"),
    );
    const file = `email,topics\n${d},\n\n${a},"[""Nowhere""]"\n`;
    expect(await load(file, "text/csv")).toMatchObject(unknownTopic("line 4: topics.0"));
    const consents = await allRows(
      `select s.email, t.name, c.by from topic_consents c join topics t on t.id = c.topic_id
        join subscribers s on s.id = c.subscriber_id where t.project_id = ? order by 1, 2`,
      id,
    );
    expect(consents).toEqual([
      { email: a, name: "A", by: "import" },
      { email: a, name: "B", by: "import" },
      { email: c, name: "B", by: "import" },
    ]);
    expect(await allRows("select 1 from subscribers where email = ?", d)).toEqual([]);
  });

  it("change for all named topics or for none", async () => {
    const { path, set, consents } = await newAudience("A");
    const topics = { A: "subscribed", Nowhere: "subscribed" };
    expect(await set(topics)).toMatchObject(unknownTopic("Nowhere"));
    const many = { action: "set_topics", topics, filter: { all: true } };
    expect(await owner.post(`${path}/subscribers/bulk`, many)).toMatchObject(
      unknownTopic("topics.Nowhere"),
    );
    for (const body of [{}, { A: "maybe" }, []]) expect((await set(body)).status).toBe(400);
    expect(await consents()).toMatchObject({ topics: [{ state: null }], history: [] });
  });

  it.each(["one by one", "in bulk", "with their project"])(
    "are deleted with the subscriber, removed %s",
    async (how) => {
      const { id, path, ids, subscriber, set } = await newAudience("A");
      await set({ A: "subscribed" });
      if (how === "one by one") await owner.delete(`${path}/subscribers/${subscriber}`);
      else if (how === "in bulk")
        await owner.post(`${path}/subscribers/bulk`, { action: "delete", ids: [subscriber] });
      else await owner.delete(path);
      const deps = await service.deps();
      await continuePurges(deps);
      await purgeTopics(deps);
      const left = await allRows(
        `select 'consent' from topic_consents where topic_id = ?1
          union all select 'event' from consent_events where project_id = ?2
          union all select 'purge' from project_purges where project_id = ?2
          union all select 'purge' from topic_purges where topic_id = ?1`,
        ids[0],
        id,
      );
      expect(left).toEqual([]);
    },
  );
});

describe("the settings of the audience", () => {
  it("have defaults, change one by one, and reject unknown ones", async () => {
    const { path } = await newAudience();
    const at = `${path}/audience-settings`;
    const defaults = {
      double_opt_in: false,
      confirmation_template_id: null,
      form_text: "",
      language: "en",
      min_days_between_broadcasts: 0,
      automations: { quiet_hours: null, max_per_week: 0 },
      click_ip_days: 30,
      joins_per_day: 5_000,
      turnstile: false,
      turnstile_site_key: "",
    };
    expect((await owner.get(at)).body).toEqual(defaults);
    await owner.put(at, { double_opt_in: true, language: "de" });
    const saved = await owner.put(at, { min_days_between_broadcasts: 3, form_text: "News" });
    const expected = { ...defaults, double_opt_in: true, language: "de", form_text: "News" };
    expect(saved.body).toEqual({ ...expected, min_days_between_broadcasts: 3 });
    const tooRare = { min_days_between_broadcasts: 91 }; // no condition looks back so far
    for (const body of [
      {},
      { language: "xx" },
      { double_optin: true },
      { click_ip_days: -1 },
      tooRare,
    ])
      expect((await owner.put(at, body)).status).toBe(400);
    const unknown = await owner.put(at, { double_optin: true });
    expect(unknown.body).toMatchObject({ error: "must not have double_optin" }); // and is not empty
    const stale = await owner.request("PUT", at, { language: "fr" }, { "If-Match": '"1"' });
    expect([stale.status, (await owner.get(at)).body]).toEqual([412, saved.body]);
  });

  it("accept a confirmation template only if it belongs to the project and contains the confirmation link", async () => {
    const [mine, theirs] = [await newAudience(), await newAudience()];
    const at = `${mine.path}/audience-settings`;
    const template = async (path: string, html_body: string) =>
      (await owner.post(`${path}/templates`, { name: unique("t"), html_body })).body["id"];
    const link = "<a href='{{confirm_url}}'>Yes</a>";
    const put = (id: unknown) => owner.put(at, { confirmation_template_id: id });
    for (const id of [await template(theirs.path, link), await template(mine.path, "<p>Hi</p>")])
      expect((await put(id)).body).toMatchObject({
        details: [{ path: "confirmation_template_id", code: "not_confirmation_template" }],
      });
    const id = await template(mine.path, link);
    expect((await put(id)).body["confirmation_template_id"]).toBe(id);
    expect((await put("")).body["confirmation_template_id"]).toBeNull();
  });
});
