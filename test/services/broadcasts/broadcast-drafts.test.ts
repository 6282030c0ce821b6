/* Broadcasts as drafts: how they are edited, started, undone and launched. The test drives the clock. */
import { describe, expect, it } from "vitest";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { expectNobodyLost, hasNobodyTwice, stalledApp } from "../../support/broadcasting.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { AFTER_UNDO_MS, ANYWAY, draftWorld, type Draft } from "../../support/drafting.ts";
import { deathOfWorker } from "../../support/refusals.ts";

describe("a draft", () => {
  it("is listed only in its own state, can be changed and deleted, and sends no mail", async () => {
    const { owner, at, one, news, id, pass } = await draftWorld(2);
    const ids = async (query: string) =>
      (await owner.get<{ broadcasts: Draft[] }>(at + query)).body.broadcasts.map((row) => row.id);
    expect(await ids("?state=draft")).toEqual([id]);
    expect(await ids("")).not.toContain(id);
    expect(await ids("?state=scheduled")).toEqual([]);
    const changed = await owner.request<Draft>("PATCH", one, {
      subject: "Own",
      variables: { issue: 7 },
    });
    expect(changed.body).toMatchObject({ subject: "Own", variables: { issue: 7 }, state: "draft" });
    await pass(120_000);
    expect(await news.received()).toEqual([]);
    expect((await owner.request("DELETE", one)).status).toBe(204);
    expect((await owner.get(one)).status).toBe(404);
  });

  it("keeps the change of one tab from overwriting that of another one", async () => {
    const { owner, one } = await draftWorld(0);
    const tag = (await owner.get(one)).headers.get("ETag") ?? "";
    const patch = (name: string) =>
      owner.request<Draft>("PATCH", one, { name }, { "If-Match": tag });
    const answers = await Promise.all([patch("first"), patch("second")]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]));
    const [won] = answers.filter(({ status }) => status === 200);
    expect((await owner.get<Draft>(one)).body.name).toBe(won?.body.name);
    expect((await owner.request("DELETE", one, undefined, { "If-Match": tag })).status).toBe(412);
    expect((await owner.post(`${one}/start`, undefined, { "If-Match": tag })).status).toBe(412);
  });

  it("loses no field when people change different ones at once", async () => {
    const { owner, one } = await draftWorld(0);
    const changes = [{ name: "N" }, { subject: "S" }, { max_delay_minutes: 5 }];
    const all = await Promise.all(changes.map((change) => owner.request("PATCH", one, change)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await owner.get(one)).body).toMatchObject({
      name: "N",
      own_subject: "S",
      max_delay_minutes: 5,
    });
  });

  it("references only things of its own project, and has either a template or its own content", async () => {
    const { owner, at, one, news } = await draftWorld(0);
    const other = await owner.newProject();
    const foreign = await owner.post<Draft>(`/projects/${other.id}/templates`, {
      name: "x",
      html_body: "x",
    });
    const stranger = { template_id: foreign.body.id };
    expect((await owner.post(at, { name: "n", ...stranger })).status).toBe(404);
    expect((await owner.request("PATCH", one, stranger)).status).toBe(404);
    expect(
      (await owner.get(`/projects/${other.id}/broadcasts/${one.split("/").at(-1)}`)).status,
    ).toBe(404);
    const both = { template_id: news.templateId, html_body: "<p>x</p>" };
    expect((await owner.request("PATCH", one, both)).status).toBe(400);
    const own = { template_id: "", subject: "Own", html_body: "<p>Hi</p>" };
    expect((await owner.request<Draft>("PATCH", one, own)).body).toMatchObject({
      template_id: null,
      html_body: "<p>Hi</p>",
    });
    expect((await owner.request("PATCH", one, { html_body: "{{#if" })).status).toBe(400);
  });

  it.each([
    [
      { send_at: "tomorrow" },
      "send_at: must be an RFC 3339 timestamp, such as 2026-01-31T00:00:00Z",
    ],
    [{ send_at: 7 }, "send_at: must be a string"],
    [{ send_at: "9999-12-31T23:59:59-01:00" }, "send_at: must be in the years 0 to 9999 (UTC)"],
    [{ send_at: "0000-01-01T00:00:00+01:00" }, "send_at: must be in the years 0 to 9999 (UTC)"],
    [{ per_hour: 1e300 }, `per_hour: must be at most ${Number.MAX_SAFE_INTEGER}`],
    [{ time_zone: "Mars" }, "time_zone: is not a time zone such as Europe/Berlin"],
    [{ topic_id: "News" }, "topic_id: must be a UUID"],
    [{ subject: "a\nb" }, "subject: must be a single line"],
  ])("explains what a field must be: %j", async (change, error) => {
    const { owner, at, one } = await draftWorld(0);
    const refused = { status: 400, body: { error } };
    expect(await owner.request("PATCH", one, change)).toMatchObject(refused);
    expect(await owner.post(at, { name: "n", ...change })).toMatchObject(refused);
  });

  it("is copied under as much of a long name as fits, without splitting a character", async () => {
    for (const [length, kept] of [
      [190, 190],
      [191, 191],
      [192, 192],
    ] as const) {
      const { owner, one } = await draftWorld(0, { name: `${"n".repeat(length)}😀` });
      const { body } = await owner.post<Draft>(`${one}/duplicate`, {});
      const ending = length <= 191 ? "😀 (copy)" : " (copy)";
      expect(body.name).toBe(`${"n".repeat(kept)}${ending}`);
    }
  });

  it("is copied with all its fields except the time to send at", async () => {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const { owner, one, look, exec } = await draftWorld(0, {
      send_at: sendAt,
      variables: { a: 1 },
    });
    const copy = await owner.post<Draft>(`${one}/duplicate`, {});
    expect(copy.status).toBe(201);
    const { id, name, ...rest } = copy.body;
    const { id: from, name: _name, ...original } = await look();
    expect(id).not.toBe(from);
    expect(name).toBe("May (copy)");
    expect(rest).toMatchObject({
      ...original,
      send_at: null,
      created_at: rest["created_at"],
      updated_at: rest["updated_at"],
    });
    // A broadcast that was no draft, such as one of an import, keeps its audience in its columns.
    const topicId = crypto.randomUUID();
    await exec(
      `update broadcasts set kind = 'broadcast', state = 'done', plan = null, status = 'unsubscribed', source = 'landing',
        topic_id = ?, audience_where = 'tag:vip or tag:new', per_hour = 9 where id = ?`,
      topicId,
      from,
    );
    const audience = {
      topic_id: topicId,
      where: "source:landing and (tag:vip or tag:new)",
      variables: { a: 1 },
      per_hour: 9,
    };
    expect(await look()).toMatchObject(audience);
    for (const [verb, body] of [
      ["duplicate", {}],
      ["resend", { to: "joined" }],
    ] as const) {
      const other = await owner.post<Draft>(`${one}/${verb}`, body);
      expect(other.body).toMatchObject(audience);
      expect(
        await allRows("select status, name from broadcasts where id = ?", other.body.id),
      ).toEqual([
        { status: "unsubscribed", name: verb === "resend" ? "May (again)" : "May (copy)" },
      ]);
    }
  });

  it("is started only once, and sent again only after it has ended", async () => {
    const { owner, one, start } = await draftWorld(0, { subject: "Hi" });
    const again = () => owner.post(`${one}/start`, { accept: [] });
    const resend = () => owner.post(`${one}/resend`, { to: "joined" });
    const told = async (answer: ReturnType<typeof again>) => {
      const { status, body } = await answer;
      return [status, body];
    };
    const refused = (state: string) => [409, { code: `broadcast_is_${state}` }];
    expect(await told(resend())).toMatchObject(refused("draft"));
    expect((await start()).status).toBe(202);
    expect(await told(resend())).toMatchObject(refused("scheduled"));
    expect(await told(again())).toMatchObject(refused("scheduled"));
  });

  it("leaves the frequency cap to the start of the copy", async () => {
    const { owner, one, exec, id } = await draftWorld(0);
    const begin = (where: string, source: string | null) =>
      exec(
        "update broadcasts set kind = 'broadcast', state = 'done', plan = null, source = ?, audience_where = ? where id = ?",
        source,
        where,
        id,
      );
    const whereOfCopy = async (verb = "duplicate", body = {}) =>
      (await owner.post<Draft>(`${one}/${verb}`, body)).body["where"];
    await begin("not mailed:7d", null);
    expect(await whereOfCopy()).toBeNull();
    expect(await whereOfCopy("resend", { to: "not_opened" })).toBeNull();
    await begin("not mailed:7d and not mailed:3d", "landing");
    expect(await whereOfCopy()).toBe("source:landing");
    await begin("tag:vip and not mailed:7d", null);
    expect(await whereOfCopy()).toBe("tag:vip and not mailed:7d");
  });
});

/** A draft beside a topic and a segment that it does not name yet. */
async function namingWorld() {
  const world = await draftWorld(1, { subject: "Hi" });
  const { owner, news, one, service } = world;
  const make = async (things: string, body: object) =>
    String((await owner.post(`${news.path}/${things}`, body)).body["id"]);
  const topic = await make("topics", { name: "News" });
  const segment = await make("segments", { name: "Friends", where: "tag:friend" });
  const remove = (things: "topics" | "segments") =>
    owner.delete(`${news.path}/${things}/${things === "topics" ? topic : segment}`);
  const name = (fields: object) => owner.request("PATCH", one, fields);
  /** Deletes a row behind the first round trip whose SQL begins to write a draft. */
  const deleteBefore = (write: string, row: string, id: string) => {
    service.d1.before = async (sql) => {
      if (!sql.some((statement) => statement.startsWith(write))) return;
      service.d1.before = undefined;
      await world.exec(`delete from ${row} where id = ?`, id);
    };
  };
  return { ...world, topic, segment, make, remove, name, deleteBefore };
}

describe("a topic or segment that a draft references", () => {
  it("cannot be deleted before the draft begins to send or references another, and 409 lists the drafts", async () => {
    const { owner, at, one, topic, segment, remove, name, start, pass } = await namingWorld();
    const refused = (thing: "topic" | "segment", names: unknown) => ({
      status: 409,
      body: { code: `${thing}_in_use`, params: { names } },
    });
    await name({ topic_id: topic, segment_id: segment });
    expect(await remove("topics")).toMatchObject(refused("topic", '"May"'));
    expect(await remove("segments")).toMatchObject(refused("segment", '"May"'));
    expect((await start()).status).toBe(202);
    expect(await remove("topics")).toMatchObject(refused("topic", '"May"'));
    expect(await remove("segments")).toMatchObject(refused("segment", '"May"'));
    for (const n of [1, 2, 3, 4, 5, 6])
      await owner.post(at, { name: `"${n}"`, topic_id: topic, exclude_segment_ids: [segment] });
    const newest = [6, 5, 4, 3, 2].map((n) => JSON.stringify(`"${n}"`)).join(", ");
    const names = { code: "and_more", params: { names: newest, count: 2 } };
    expect(await remove("topics")).toMatchObject(refused("topic", names));
    expect(await remove("segments")).toMatchObject(refused("segment", names));
    await pass(AFTER_UNDO_MS);
    const { body } = await owner.get<{ broadcasts: Draft[] }>(`${at}?state=draft`);
    for (const { id } of body.broadcasts) await owner.delete(`${at}/${id}`);
    expect(await owner.get(one)).toMatchObject({ body: { state: "done" } });
    expect([(await remove("topics")).status, (await remove("segments")).status]).toEqual([
      204, 204,
    ]);
    expect([(await remove("topics")).status, (await remove("segments")).status]).toEqual([
      404, 404,
    ]);
  });

  it("is never referenced by a draft that is written while it is deleted", async () => {
    const { owner, at, one, topic, segment, make, name, look, deleteBefore, news } =
      await namingWorld();
    deleteBefore('insert into "broadcasts"', "topics", topic);
    expect(await owner.post(at, { name: "June", topic_id: topic })).toMatchObject({ status: 409 });
    deleteBefore('update "broadcasts"', "segments", segment);
    expect(await name({ exclude_segment_ids: [segment] })).toMatchObject({
      status: 404,
      body: { error: "segment not found" },
    });
    const { body } = await owner.get<{ broadcasts: Draft[] }>(`${at}?state=draft`);
    expect(body.broadcasts).toHaveLength(1);
    expect(await look()).toMatchObject({ topic_id: null, exclude_segment_ids: [] });
    const made = await allRows(
      "select target_id from audit_entries where scope_id = ? and action = 'broadcast.create'",
      news.id,
    );
    expect(made).toHaveLength(1);
    const other = await make("topics", { name: "Another" });
    expect((await name({ topic_id: other })).status).toBe(200);
    expect((await owner.post(`${one}/duplicate`, {})).status).toBe(201);
  });

  it("is 404 when starting a copy that references it after it was deleted, and no mail is sent", async () => {
    const { owner, at, one, topic, name, start, pass, remove, news } = await namingWorld();
    await name({ topic_id: topic });
    await start();
    await pass(AFTER_UNDO_MS);
    expect((await remove("topics")).status).toBe(204);
    const copy = await owner.post<Draft>(`${one}/duplicate`, {});
    expect(copy.body).toMatchObject({ topic_id: topic, state: "draft" });
    const accept = ["broken_audience", "empty_audience", "similar_broadcast"];
    expect(await owner.post(`${at}/${copy.body.id}/start`, { accept })).toMatchObject({
      status: 404,
      body: { error: "topic not found" },
    });
    expect(await news.received()).toEqual([]);
  });
});

describe("the start of a draft", () => {
  it("sends no mail for 15 seconds, in which it can be undone", async () => {
    const { owner, one, news, start, look, pass, clock, work, deps, id } = await draftWorld(3);
    const before = Date.now() + clock.aheadMs;
    const started = await start();
    expect(started.status).toBe(202);
    expect(Date.parse(started.body.starts_at)).toBeGreaterThanOrEqual(before + 15_000);
    expect(await look()).toMatchObject({ state: "scheduled" });
    expect((await start()).status).toBe(409);
    await planBroadcast(deps, id); // a message that comes too early
    await work();
    expect(await news.received()).toEqual([]);
    expect((await owner.post<Draft>(`${one}/undo`)).body).toMatchObject({ state: "draft" });
    await pass(AFTER_UNDO_MS);
    expect(await news.received()).toEqual([]);
    expect((await owner.post(`${one}/undo`)).status).toBe(409);
    await start();
    expect((await owner.post<Draft>(`${one}/cancel`)).body).toMatchObject({ state: "draft" });
    await start();
    await pass(AFTER_UNDO_MS);
    expect(await look()).toMatchObject({ state: "done", sent: 3, subject: "For {{name}}" });
    expect((await owner.post(`${one}/undo`)).status).toBe(409);
    expect((await owner.request("PATCH", one, { name: "late" })).status).toBe(409);
    expect((await owner.request("DELETE", one)).status).toBe(409);
  });

  it("freezes the content and fills in the variables of the broadcast", async () => {
    const { owner, news, one, start, pass, look, service } = await draftWorld(2, {
      variables: { issue: 7 },
      subject: "Issue {{broadcast.issue}} of {{broadcast.name}}",
    });
    const template = `${news.path}/templates/${news.templateId}`;
    const filled = "number {{broadcast.issue}} of {{broadcast.name}}";
    await owner.put(template, {
      html_body: `<p>As HTML ${filled}</p>`,
      text_body: `As text ${filled}`,
    });
    expect((await owner.get(`${one}/content`)).status).toBe(409);
    await start();
    await owner.put(template, { html_body: "<p>another text</p>" });
    expect((await owner.get(`${one}/content`)).body).toEqual({
      variant: null,
      subject: "Issue {{broadcast.issue}} of {{broadcast.name}}",
      preheader: "",
      html_body: `<p>As HTML ${filled}</p>`,
      text_body: `As text ${filled}`,
    });
    await pass(AFTER_UNDO_MS);
    expect(await look()).toMatchObject({ state: "done", sent: 2 });
    const { results } = await service.env.DB.prepare(
      "select subject from logged_mails where project_id = ?",
    )
      .bind(news.id)
      .all();
    expect(results).toEqual([{ subject: "Issue 7 of May" }, { subject: "Issue 7 of May" }]);
    const [mail] = await receivedMessages({ from: news.from });
    for (const part of ["HTML", "text"]) expect(mail?.text).toContain(`As ${part} number 7 of May`);
    const copy = await owner.post<Draft>(
      `${news.path}/broadcasts/${(await look()).id}/duplicate`,
      {},
    );
    expect(copy.body).toMatchObject({ template_id: news.templateId, html_body: null });
  });

  it("has its own preview text, sender name and address for replies, which copies and resends keep", async () => {
    const mine = {
      preview_text: "Issue {{broadcast.issue}} & more for {{email}}",
      from_name: "Ann of News",
      reply_to: "ann@reply.test",
    };
    const world = await draftWorld(1, { ...mine, variables: { issue: 7 } });
    const { owner, one, news, start, pass, look } = world;
    expect(await look()).toMatchObject(mine);
    for (const [field, value] of [
      ["preview_text", "a\r\nBcc: b@c.example"],
      ["preview_text", "{{#if"],
      ["from_name", "Ann\r\nBcc: b@c.example"],
      ["reply_to", "a@b.example\r\nBcc: b@c.example"],
      ["reply_to", "not an address"],
    ] as const)
      expect([field, await owner.request("PATCH", one, { [field]: value })]).toMatchObject([
        field,
        { status: 400, body: { error: expect.stringContaining(field) } },
      ]);
    const copy = await owner.post<Draft>(`${one}/duplicate`, {});
    expect(copy.body).toMatchObject(mine);
    const { id } = copy.body;
    const test = await owner.post(`${news.path}/broadcasts/${id}/test`, { to: [`t-${news.from}`] });
    expect(test.status).toBe(200);
    await start();
    await pass(AFTER_UNDO_MS);
    const mails = await receivedMessages({ from: news.from });
    expect(mails).toHaveLength(2);
    for (const { text, to } of mails) {
      expect(text).toMatch(/^From: Ann of News </m);
      expect(text).toMatch(/^Reply-To: ann@reply\.test/m);
      expect(text).toContain(`Issue 7 &amp; more for ${to[0]}`);
    }
    const again = await owner.post<Draft>(`${one}/resend`, { to: "joined" });
    expect(again.body).toMatchObject(mine);
    const cleared = { preview_text: "", from_name: "", reply_to: "" };
    const plain = await owner.request<Draft>("PATCH", `${news.path}/broadcasts/${id}`, cleared);
    expect(plain.body).toMatchObject({ preview_text: null, from_name: null, reply_to: null });
  });

  it("rejects a draft that cannot be sent, and says why", async () => {
    const { owner, at, start, one } = await draftWorld(1, {
      send_at: new Date(Date.now() - 3_600_000).toISOString(),
    });
    expect(await start()).toMatchObject({ status: 400, body: { error: "send_at: has passed" } });
    await owner.request("PATCH", one, { send_at: "", template_id: "" });
    expect((await start()).body.error).toBe("subject: is required");
    const empty = await owner.post<Draft>(at, { name: "e", subject: "S" });
    expect((await owner.post(`${at}/${empty.body.id}/start`)).status).toBe(400);
    await owner.request("PATCH", one, { subject: "S", html_body: "<p>x</p>" });
    expect((await start()).status).toBe(202);
  });
});

describe("a scheduled broadcast", () => {
  it("starts at its minute, and includes changes made before", async () => {
    const { owner, one, news, start, look, pass, clock, service } = await draftWorld(2);
    const minutes = (n: number) => new Date(Date.now() + clock.aheadMs + n * 60_000).toISOString();
    await owner.request("PATCH", one, { send_at: minutes(30) });
    await start();
    await pass(29 * 60_000 - 30_000);
    expect(await look()).toMatchObject({ state: "scheduled" });
    const changed = await owner.request<Draft>("PATCH", one, {
      subject: "Later",
      send_at: minutes(20),
    });
    expect(changed.body).toMatchObject({ state: "scheduled", subject: "Later" });
    await pass(2 * 60_000);
    expect(await news.received()).toEqual([]);
    await pass(18 * 60_000 - 30_000);
    expect(await look()).toMatchObject({ state: "scheduled" });
    await pass(30_000);
    expect(await look()).toMatchObject({ state: "done", sent: 2, error: null });
    const { results } = await service.env.DB.prepare(
      "select distinct subject from logged_mails where project_id = ?",
    )
      .bind(news.id)
      .all();
    expect(results).toEqual([{ subject: "Later" }]);
  });

  it("that was missed starts late and says so, or not at all after its maximum delay", async () => {
    const late = await draftWorld(1);
    await late.start();
    await late.pass(3 * 3_600_000);
    expect(await late.look()).toMatchObject({ state: "done", error: "started 180 minutes late" });
    const missed = await draftWorld(1, { max_delay_minutes: 60 });
    await missed.start();
    await missed.pass(3 * 3_600_000);
    expect(await missed.look()).toMatchObject({
      state: "draft",
      starts_at: null,
      error: "not started: it was 180 minutes late",
    });
    expect(await missed.news.received()).toEqual([]);
    await missed.start();
    await missed.pass(AFTER_UNDO_MS);
    expect(await missed.look()).toMatchObject({ state: "done", sent: 1, error: null });
  });

  it("is sent once when every message is duplicated and workers launch it concurrently", async () => {
    const { id, deps, start, look, news, clock, work } = await draftWorld(5);
    await start();
    clock.aheadMs += AFTER_UNDO_MS;
    await Promise.all([planBroadcast(deps, id), planBroadcast(deps, id), planBroadcast(deps, id)]);
    await work();
    await planBroadcast(deps, id);
    await work();
    expect(await look()).toMatchObject({ state: "done", sent: 5 });
    expect(hasNobodyTwice(await news.received())).toBe(true);
  });

  it("is either undone or sent, never both, when the undo and the launch race", async () => {
    const { id, deps, start, look, news, clock, work, owner, one } = await draftWorld(5);
    await start();
    clock.aheadMs += AFTER_UNDO_MS;
    const [undone] = await Promise.all([owner.post(`${one}/undo`), planBroadcast(deps, id)]);
    await work();
    const isUndone = undone.status === 200;
    expect(await look()).toMatchObject({ state: isUndone ? "draft" : "done" });
    expect(await news.received()).toHaveLength(isUndone ? 0 : 5);
  });

  it.each([
    [1, "before"],
    [1, "after"],
    [2, "before"],
    [2, "after"],
  ] as const)(
    "loses no recipient and mails none twice when its starter crashes (write %i, %s it)",
    async (nth, when) => {
      const world = await draftWorld(5);
      const { id, start, look, pass, clock, queued } = world;
      await start();
      clock.aheadMs += AFTER_UNDO_MS;
      const meanwhile = () => Promise.reject(deathOfWorker("killed"));
      const killed = stalledApp(world, { nth, when, meanwhile });
      await expect(planBroadcast(killed, id)).rejects.toThrow("killed");
      queued.length = 0;
      await pass(60_000);
      await pass(60_000);
      expect(await look()).toMatchObject({ state: "done", sent: 5 });
      expect(await expectNobodyLost(world, 5)).toBe(0);
    },
  );

  it("to those who joined starts with 20 metadata comparisons, which fit into one D1 statement", async () => {
    const where = Array.from({ length: 10 }, () => "(key:a or not key:b)").join(" and ");
    const { owner, news, one, at, start, pass } = await draftWorld(2, { where });
    await start();
    await pass(AFTER_UNDO_MS);
    await news.subscribe(1, () => `new.${news.from}`);
    const settings = `${news.path}/audience-settings`;
    expect((await owner.put(settings, { min_days_between_broadcasts: 3 })).status).toBe(200);
    const again = await owner.post<Draft>(`${one}/resend`, { to: "joined", subject: "Again" });
    await owner.post(`${at}/${again.body.id}/start`, ANYWAY);
    await pass(AFTER_UNDO_MS);
    const { body } = await owner.get<Draft>(`${at}/${again.body.id}`);
    expect(body).toMatchObject({ state: "done", sent: 1, error: null });
  });
});
