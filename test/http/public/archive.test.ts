/* The public archive of broadcasts (API reference §13.10). */
import { describe, expect, it } from "vitest";
import { AFTER_UNDO_MS, draftWorld } from "../../support/drafting.ts";
import { allRows } from "../../support/rows.ts";
import { HOUR_MS } from "../../../src/lib/durations.ts";

const EVERY_FIELD = `<html lang="fr"><body><p>[{{email}}{{name}}{{subscriber_id}}{{metadata.city}}{{#each metadata}}{{@key}}{{this}}{{/each}}]</p>
<p>{{#if name}}Dear {{name}}{{else}}Dear reader{{/if}}, issue {{broadcast.issue}}</p>
<p>{{#each this}}{{@key}};{{/each}}</p><img src="https://img.test/spacer.png" width="1"><img src="https://img.test/a.png?x=1&amp;y=2" alt="">
<a href="https://a.test/x" data-track="off">more</a>
<a href="{{unsubscribe_url}}">Leave</a> <a href="{{view_url}}">View</a> <a href="{{unsubscribe_link}}">Leave</a></body></html>`;
const OWN = {
  template_id: undefined,
  subject: "May {{name}}",
  preview_text: "For {{email}} & <all>",
  html_body: EVERY_FIELD,
  variables: { issue: 7 },
};

interface State {
  in_archive: boolean | null;
  has_archive: boolean;
  url: string | null;
}

/** A project with a topic, its subscribers, and a draft to it. */
async function topicWorld(fields: object = {}, topic: object = { public_archive: true }) {
  const world = await draftWorld(3, { ...OWN, ...fields });
  // Pages are cached until the next multiple of five minutes, which no test may cross by chance.
  world.clock.aheadMs += 300_000 - (Date.now() % 300_000);
  const { owner, news, service } = world;
  const made = await owner.post(`${news.path}/topics`, { name: "News & <more>", ...topic });
  const topicId = String(made.body["id"]);
  await allRows(
    `insert into topic_consents (topic_id, subscriber_id, state, since, by)
     select ?, id, 'subscribed', 1, 'api' from subscribers where project_id = ?`,
    topicId,
    news.id,
  );
  await allRows(
    'update subscribers set metadata = \'{"city":"Bonn"}\' where project_id = ?',
    news.id,
  );
  await owner.request("PATCH", world.one, { topic_id: topicId });
  const send = async (draft = world.one) => {
    await owner.post(`${draft}/start`, { accept: ["similar_broadcast", "empty_audience"] });
    await world.pass(AFTER_UNDO_MS);
    expect((await owner.get(draft)).body).toMatchObject({ state: "done" });
  };
  const another = async (more: object) => {
    const body = { name: "Next", ...OWN, topic_id: topicId, ...more };
    const { body: draft } = await owner.post<{ id: string }>(`${news.path}/broadcasts`, body);
    await send(`${news.path}/broadcasts/${draft.id}`);
    return draft.id;
  };
  const at = `/archive/${news.id}`;
  const textOf = async (path = "") => (await service.fetch(at + path)).text();
  const statusOf = async (path = "") => (await service.fetch(at + path)).status;
  const set = (in_archive: boolean | null, id = world.id) =>
    owner.put<State>(`${news.path}/broadcasts/${id}/archive`, { in_archive });
  /** Lets the caches forget. */
  const later = () => {
    world.clock.aheadMs += 300_000;
  };
  return { ...world, topicId, send, another, archive: at, textOf, statusOf, set, later };
}

const idsIn = (html: string) =>
  [...html.matchAll(/\/archive\/[\w-]{36}\/([\w-]{36})"/g)].map(([, id]) => id);

describe("the archive of a project", () => {
  it("lists what was sent to a topic with an archive, and nothing before that", async () => {
    const { send, textOf, id, owner, news, topicId, later, another } = await topicWorld({}, {});
    expect(await textOf()).toContain("This page does not exist");
    await owner.request("PATCH", `${news.path}/topics/${topicId}`, { public_archive: true });
    later();
    const empty = await textOf();
    expect(empty).toContain("No emails yet.");
    await send();
    expect(await textOf()).toBe(empty);
    later();
    const list = await textOf();
    expect(idsIn(list)).toEqual([id]);
    for (const text of ["News &amp; &lt;more&gt;", "For  &amp; &lt;all&gt;", ">May</a>"])
      expect(list).toContain(text);
    const next = await another({ subject: "June" });
    later();
    expect(idsIn(await textOf())).toEqual([next, id]);
    expect(idsIn(await textOf("?q=jUn"))).toEqual([next]);
    expect(idsIn(await textOf("?q=%25"))).toEqual([]);
    expect(await textOf("?q=%3Cb%3E")).toContain("No subject contains “&lt;b&gt;”");
    await owner.request("PATCH", `${news.path}/topics/${topicId}`, { public_archive: false });
    later();
    expect(await textOf()).toContain("This page does not exist");
  });

  it("shows a broadcast with its own variables and those of nobody", async () => {
    const { send, textOf, id } = await topicWorld();
    await send();
    const page = await textOf(`/${id}`);
    expect(page).toContain("<p>[]</p>");
    expect(page).toContain("Dear reader, issue 7");
    expect(page).toContain("<p>broadcast;</p>");
    expect(page.match(/<a href="">/g)).toHaveLength(3);
    expect(page).toContain('a[href=""]{display:none!important}');
    expect(page).not.toMatch(
      /@postrider|n[0-2]\b|Bonn|\/t\/|\/c\/|preferences|unsubscribe|data-track/,
    );
    expect(page).toContain("<title>May</title>");
    expect(page).toMatch(/^<!doctype html><html lang="fr">/);
  });

  it("names itself to search engines and previews", async () => {
    const { send, service, archive, id } = await topicWorld();
    await send();
    const answer = await service.fetch(`${archive}/${id}`);
    const page = await answer.text();
    const base = `${(await service.deps()).config.baseUrl}${archive}`;
    for (const tag of [
      `<link rel="canonical" href="${base}/${id}">`,
      '<meta property="og:title" content="May">',
      '<meta property="og:description" content="For &amp; &lt;all&gt;">',
      '<meta property="og:image" content="https://img.test/a.png?x=1&amp;y=2">',
      `<a href="${base}">All emails`,
    ])
      expect(page).toContain(tag);
    expect(answer.headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; .* sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation$/,
    );
    const list = await service.fetch(archive);
    expect(await list.text()).toContain(`<link rel="canonical" href="${base}" />`);
    for (const { headers } of [answer, list]) {
      expect(headers.get("X-Robots-Tag")).toBeNull();
      expect(headers.get("Cache-Control")).toMatch(/^public, max-age=(\d+), s-maxage=\1$/);
    }
    expect(list.headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; style-src 'sha/,
    );
    expect(await (await service.fetch(`${archive}?q=x`)).text()).toContain('content="noindex"');
  });

  it("links to an open form, first to one that offers a topic with an archive", async () => {
    const { textOf, owner, news, topicId, later } = await topicWorld();
    const other = await owner.post(`${news.path}/topics`, { name: "Other" });
    const made = async (more: object) =>
      String(
        (await owner.post(`${news.path}/forms`, { name: "F", title: "F", ...more })).body["id"],
      );
    const linked = async () => {
      later();
      return /<a href="\/f\/([\w-]{36})">Sign up<\/a>/.exec(await textOf())?.[1];
    };
    expect(await linked()).toBeUndefined();
    await made({ is_open: false });
    expect(await linked()).toBeUndefined();
    const any = await made({ topics: [other.body["id"]] });
    expect(await linked()).toBe(any);
    const best = await made({ topics: [other.body["id"], topicId] });
    expect(await linked()).toBe(best);
    await owner.request("PATCH", `${news.path}/forms/${best}`, { is_open: false });
    expect(await linked()).toBe(any);
  });

  it("has its link above a mail in the colors of the brand", async () => {
    const { send, textOf, id, owner, news } = await topicWorld();
    await owner.request("PATCH", `${news.path}/brand`, { accent: "#7a1f5c" });
    await send();
    expect(await textOf(`/${id}`)).toContain(".postrider-archive{--act:#7a1f5c;");
  });

  it("answers from the cache for at most five minutes, at one round trip without it", async () => {
    const { send, service, archive, textOf, statusOf, id, set, later, clock } = await topicWorld();
    await send();
    for (const path of ["", `/${id}`, "/feed.xml"]) {
      service.d1.reset();
      const first = await textOf(path);
      expect([path, service.d1.roundTrips]).toEqual([path, 1]);
      expect(await textOf(path)).toBe(first);
      expect([path, service.d1.roundTrips]).toEqual([path, 1]);
    }
    expect((await set(null)).body).toMatchObject({ in_archive: null, url: expect.any(String) });
    const hidden = await set(false);
    expect(hidden.body).toMatchObject({ in_archive: false, has_archive: true, url: null });
    clock.aheadMs += 100_000;
    const { headers } = await service.fetch(`${archive}/${id}`);
    const left = Number(/max-age=(\d+)/.exec(headers.get("Cache-Control") ?? "")?.[1]);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(300);
    later();
    expect([await statusOf(`/${id}`), idsIn(await textOf())]).toEqual([404, []]);
    expect(await textOf("/feed.xml")).not.toContain("<entry>");
  });

  it("leaves out what went to a part of the topic until somebody adds it", async () => {
    const { send, another, textOf, statusOf, id, set, later, owner, news } = await topicWorld({
      where: "metadata.city:Bonn",
    });
    await send();
    const excluded = await owner.post(`${news.path}/segments`, {
      name: "Paris",
      where: "metadata.city:Paris",
    });
    const part = await another({ exclude_segment_ids: [excluded.body["id"]] });
    const whole = await another({});
    const none = await another({ topic_id: null });
    expect(idsIn(await textOf())).toEqual([whole]);
    for (const one of [id, part, none]) expect(await statusOf(`/${one}`)).toBe(404);
    expect((await set(true)).body).toMatchObject({ in_archive: true, url: expect.any(String) });
    expect((await set(true, none)).body).toMatchObject({ has_archive: false, url: null });
    await set(false, whole);
    later();
    expect(idsIn(await textOf())).toEqual([id]);
    await set(null);
    await set(null, whole);
    later();
    expect(idsIn(await textOf())).toEqual([whole]);
    const audited = await allRows(
      "select target_id, metadata from audit_entries where scope_id = ? and action = 'broadcast.archive' order by id desc",
      news.id,
    );
    expect(audited).toHaveLength(5);
    expect(audited[0]).toEqual({ target_id: whole, metadata: '{"in_archive":"by rule"}' });
  });

  it("includes the project's frequency cap, but no resend, draft or unfinished broadcast", async () => {
    const { send, textOf, id, owner, news, one, pass } = await topicWorld();
    await owner.put(`${news.path}/audience-settings`, { min_days_between_broadcasts: 1 });
    expect(idsIn(await textOf())).toEqual([]);
    await send();
    await news.subscribe(1, () => `late.${news.from}`);
    const [late] = await allRows("select id from subscribers where email = ?", `late.${news.from}`);
    await allRows(
      `insert into topic_consents select topic_id, ?, state, since, by from topic_consents
       where topic_id = (select topic_id from broadcasts where id = ?) limit 1`,
      late?.["id"],
      id,
    );
    const { body } = await owner.post(`${one}/resend`, { to: "joined" });
    const again = `${news.path}/broadcasts/${String(body["id"])}`;
    await owner.post(`${again}/start`, { accept: ["similar_broadcast"] });
    await pass(AFTER_UNDO_MS);
    await pass(HOUR_MS);
    expect((await owner.get(again)).body).toMatchObject({ state: "done", sent: 1 });
    expect(idsIn(await textOf())).toEqual([id]);
  });

  it("shows the first variant of an A/B test, and then the winner", async () => {
    const ab = {
      variants: [{ subject: "First" }, { subject: "Second" }],
      share: 100,
      wait_hours: 1,
      by: "manual",
    };
    const { start, pass, owner, one, textOf, id, look } = await topicWorld({ ab });
    await start();
    await pass(AFTER_UNDO_MS);
    await owner.post(`${one}/winner`, { variant: "B" });
    await pass(0);
    await pass(60_000);
    expect(await look()).toMatchObject({ state: "done" });
    expect(await textOf()).toContain(">Second</a>");
    expect(await textOf(`/${id}`)).toContain("<title>Second</title>");
  });

  it("of one project shows no broadcast of another, and no unknown one", async () => {
    const [ours, theirs] = [await topicWorld(), await topicWorld()];
    await ours.send();
    await theirs.send();
    expect(await ours.statusOf(`/${ours.id}`)).toBe(200);
    for (const path of [`/${theirs.id}`, `/${crypto.randomUUID()}`, "/x", "/x/y"])
      expect([path, await ours.statusOf(path)]).toEqual([path, 404]);
    for (const id of [crypto.randomUUID(), "x", "%00"])
      expect([id, (await ours.service.fetch(`/archive/${id}`)).status]).toEqual([id, 404]);
    expect(idsIn(await ours.textOf())).toEqual([ours.id]);
    const stranger = `${theirs.news.path}/broadcasts/${ours.id}/archive`;
    expect((await theirs.owner.put(stranger, { in_archive: true })).status).toBe(404);
    expect((await ours.owner.get<State>(`${ours.one}/archive`)).body.in_archive).toBeNull();
  });

  it("has pages of twenty, and reads them by an index", async () => {
    const { send, textOf, news, id, later } = await topicWorld();
    await send();
    const columns = await allRows("select name from pragma_table_info('broadcasts')");
    const names = columns
      .map(({ name }) => String(name))
      .filter((name) => !["id", "created_at"].includes(name));
    await allRows(
      `insert into broadcasts (id, created_at, ${names.join(", ")})
       select substr(broadcasts.id, 1, 33) || printf('%03x', counted.value), created_at - counted.value, ${names.map((name) => `broadcasts.${name}`).join(", ")}
       from broadcasts join json_each(?) counted where broadcasts.id = ?`,
      JSON.stringify(Array.from({ length: 25 }, (_, n) => n + 1)),
      id,
    );
    later();
    const first = idsIn(await textOf());
    const second = idsIn(await textOf("?page=2"));
    expect([first.length, second.length, first[0]]).toEqual([20, 6, id]);
    expect(new Set([...first, ...second]).size).toBe(26);
    expect(await textOf("?page=2")).toContain(
      `href="${(await textOf()).match(/canonical" href="([^"]+)"/)?.[1]}"`,
    );
    for (const page of ["0", "-1", "x", "99999"])
      expect(idsIn(await textOf(`?page=${page}`))).toEqual(first);
    expect(await textOf("/feed.xml").then((feed) => feed.match(/<entry>/g))).toHaveLength(20);
    const plan = await allRows(
      `explain query plan select 1 from broadcasts where project_id = ? and kind = 'broadcast'
       and state = 'done' and topic_id is not null order by created_at desc`,
      news.id,
    );
    expect(JSON.stringify(plan)).toContain("broadcasts_of_topics");
  });
});

describe("a feed", () => {
  it("has ids that never change, an author, and only characters that XML allows", async () => {
    const { send, service, archive, id, news } = await topicWorld({
      subject: "A \u0001& <b> \u{1f600}",
    });
    await send();
    const answer = await service.fetch(`${archive}/feed.xml`);
    expect(answer.headers.get("Content-Type")).toBe("application/atom+xml; charset=utf-8");
    const feed = await answer.text();
    for (const part of [
      `<id>urn:uuid:${news.id}</id>`,
      `<entry><id>urn:uuid:${id}</id><title>A &amp; &lt;b&gt; \u{1f600}</title>`,
      "<author><name>",
      "<summary>For  &amp; &lt;all&gt;</summary>",
    ])
      expect(feed).toContain(part);
    const [, updated] = /<updated>([^<]+)/.exec(feed) ?? [];
    expect(new Date(updated ?? "").toISOString()).toBe(updated);
  });
});
