/*
 * The look at a draft before its start. Links lead to the receiver of webhooks, over real sockets:
 * each of its ports is a host of its own, and the names of `pages` stand for them.
 */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import costs from "../../../docs/limits-and-costs.md?raw";
import { runBatch } from "../../../src/db/client.ts";
import * as cost from "../../../src/lib/cost-of-mail.ts";
import { DEFAULT_LIMITS } from "../../../src/lib/rates/sending-limits.ts";
import { selectProjectBroadcast } from "../../../src/services/broadcasts/index.ts";
import { membersOf } from "../../../src/services/broadcasts/queries.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { estimate } from "../../../src/services/preflight/estimate.ts";
import { probeLink } from "../../../src/services/preflight/probe-link.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { logEntry } from "../../support/log-entry.ts";
import { ports } from "../../support/ports.ts";
import { DOH_URL } from "../../support/resolver.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { CAPTURING, createService, unique } from "../../support/service.ts";
import { DAY, HOUR } from "../../support/times.ts";
import { trackingEvent } from "../../support/tracking/mails.ts";
import { endpoint, received } from "../../support/webhooks/received.ts";

const clock = { aheadMs: 0 };
/** The requests of the service, and public names that lead to the receiver. */
const asked: string[] = [];
const toReceiver: typeof fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : String(input));
  asked.push(url.href);
  if (url.hostname === "pages.example") {
    url.protocol = "http:";
    url.host = `127.0.0.1:${ports.webhooks[0]}`;
  }
  return globalThis.fetch(url, init);
};
const now = () => Date.now() + clock.aheadMs;
const service = createService({ DOH_URL }, { now, fetch: toReceiver });
const guarded = createService({ ALLOW_PRIVATE_TARGETS: "false" }, { now, fetch: toReceiver });
const owner = await service.newOwner();

interface Problem {
  code: string;
  grade: string;
  message: string;
  fix_in: string;
  broadcast_id?: string;
}
interface Preflight {
  recipients: Record<string, number>;
  problems: Problem[];
  looked_at: { subscribers: number; links: number };
  expected: { mails: number; seconds: number; pace: string; cost_usd: number; log_bytes: number };
}

const GOOD = {
  subject: "May",
  html_body: '<p>Hello <a href="{{unsubscribe_link}}">leave</a></p>',
  text_body: "Hello {{unsubscribe_link}}",
};

/** The subscribers of all projects. */
let all = 0;

/** A project with a draft, and short ways to its calls. */
async function draftWorld(content: object = {}, people: object[] = [{}], sender: object = {}) {
  const project = await owner.newProject({ ...CAPTURING, ...sender });
  const path = `/projects/${project.id}`;
  let count = 0;
  const subscribe = async (row: object) => {
    count += 1;
    all += 1;
    await insertRow("subscribers", {
      id: `01a10000-0000-7000-8000-${String(all).padStart(12, "0")}`,
      project_id: project.id,
      email: `r${count}@any.test`,
      name: "Ann",
      status: "active",
      metadata: "{}",
      source: "",
      subscribed_at: 1,
      created_at: 1,
      updated_at: 1,
      ...row,
    });
  };
  for (const row of people) await subscribe(row);
  const newDraft = async (fields: object) => {
    const made = await owner.post<{ id: string }>(`${path}/broadcasts`, {
      name: "May",
      ...GOOD,
      subject: unique("May"),
      ...fields,
    });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const id = await newDraft(content);
  const preflight = (draft = id) => owner.post<Preflight>(`${path}/broadcasts/${draft}/preflight`);
  const start = (body: object | undefined, draft = id, headers = {}) =>
    owner.post<{ error: string; problems: Problem[] }>(
      `${path}/broadcasts/${draft}/start`,
      body,
      headers,
    );
  const codes = async (draft = id) =>
    (await preflight(draft)).body.problems.map(({ grade, code }) => `${grade} ${code}`);
  const subscribers = () =>
    allRows<{ id: string }>(
      "select id from subscribers where project_id = ? order by id",
      project.id,
    );
  return {
    subscribers,
    projectId: project.id,
    path,
    id,
    newDraft,
    preflight,
    start,
    codes,
    subscribe,
  };
}

const link = (url: string) => `<a href="${url}">page</a><a href="{{unsubscribe_link}}">leave</a>`;

describe("the pre-flight of a draft", () => {
  it("counts active subscribers, excluded ones, and the rest, one statement at a time", async () => {
    const world = await draftWorld({}, [{}, {}, {}, { status: "unsubscribed" }, {}]);
    await owner.post(`${world.path}/suppressions`, { emails: ["r2@any.test"] });
    await world.preflight();
    service.d1.reset();
    const { status, body, headers } = await world.preflight();
    expect([status, service.d1.roundTrips, service.d1.rowsWritten]).toEqual([200, 4, 0]);
    expect(headers.get("ETag")).toMatch(/^"\d+"$/);
    expect(body.recipients).toEqual({
      active: 4,
      suppressed: 1,
      without_consent: 0,
      too_soon: 0,
      total: 3,
    });
    expect(body.looked_at).toEqual({ subscribers: 3, links: 0 });
    expect(body.expected).toEqual({
      mails: 3,
      seconds: 1,
      pace: "speed",
      cost_usd: 0.01,
      log_bytes: 3 * cost.BYTES_OF_MAIL,
    });
    expect(body.problems.filter(({ grade }) => grade === "stop")).toEqual([]);
  });

  it("counts each excluded subscriber only under the first reason, in the order of the start", async () => {
    const world = await draftWorld({}, [
      ...Array.from({ length: 6 }, () => ({ source: "landing" })),
      {},
    ]);
    const ids = (await world.subscribers()).map(({ id }) => id);
    const topic = await owner.post<{ id: string }>(`${world.path}/topics`, { name: "News" });
    const topicId = topic.body.id;
    for (const id of [0, 2, 3, 4, 5].map((n) => ids[n]))
      await insertRow("topic_consents", {
        topic_id: topicId,
        subscriber_id: id,
        state: "subscribed",
        since: 1,
        by: "api",
      });
    const settings = { min_days_between_broadcasts: 3 };
    expect((await owner.put(`${world.path}/audience-settings`, settings)).status).toBe(200);
    await insertRow("subscriber_mailings", {
      project_id: world.projectId,
      at: now() - 2 * DAY,
      first_id: ids[1],
      last_id: ids[2],
      ids: JSON.stringify([ids[1], ids[2]]),
    });
    await owner.post(`${world.path}/suppressions`, { emails: ["r1@any.test"] });
    const id = await world.newDraft({ where: "source:landing", topic_id: topicId });
    service.d1.reset();
    const { body } = await world.preflight(id);
    expect(body.recipients).toEqual({
      active: 6,
      suppressed: 1,
      without_consent: 1,
      too_soon: 1,
      total: 3,
    });
    expect([body.looked_at.subscribers, service.d1.roundTrips]).toEqual([3, 4]);
    expect((await world.start({}, id)).status).toBe(202);
    const { db } = await service.deps();
    const [started] = await selectProjectBroadcast(db, world.projectId, id);
    if (!started) throw new Error("the broadcast is gone");
    const { from, where } = membersOf(started);
    const audience = await db.all<{ email: string }>(sql`select email from ${from} where ${where}`);
    expect(audience.map(({ email }) => email).toSorted()).toEqual(
      ["r1@any.test", "r4@any.test", "r5@any.test", "r6@any.test"], // the first is suppressed
    );
  });

  it("reports a condition that can no longer be evaluated, and counts no recipients", async () => {
    const world = await draftWorld();
    const segment = crypto.randomUUID();
    await insertRow("segments", {
      id: segment,
      project_id: world.projectId,
      name: "Landing",
      condition: "source:landing",
      created_at: 1,
      updated_at: 1,
    });
    const id = await world.newDraft({ segment_id: segment });
    await allRows("delete from segments where id = ?", segment);
    const { body } = await world.preflight(id);
    expect(body.problems.filter(({ grade }) => grade === "stop")).toMatchObject([
      { code: "broken_audience", params: { reason: { code: "not_found" } }, fix_in: "audience" },
    ]);
    expect(body.recipients["total"]).toBe(0);
    expect((await world.start({ accept: ["broken_audience"] }, id)).status).toBe(404);
  });

  it("checks each variant of an A/B test, and only subscribers who did not open what it resends", async () => {
    const world = await draftWorld({}, [{}, {}, {}]);
    const ab = { variants: [{ subject: unique("A") }, { subject: "{{metadata.none}}" }] };
    const trial = await world.newDraft({ ab });
    const { body } = await world.preflight(trial);
    expect(body.problems.find(({ code }) => code === "no_content")?.message).toBe(
      "variant B: the email has no subject",
    );
    const people = await world.subscribers();
    const entries = people.map(({ id }) =>
      logEntry(world.projectId, { sentAt: now(), broadcastId: trial, subscriberId: id }),
    );
    const deps = await service.deps();
    await runBatch(deps.db, appendLog(deps, world.projectId, entries.slice(0, 2)));
    await recordEvents(deps, [trackingEvent("open", entries[0]?.id ?? "", now())]);
    await allRows("update broadcasts set created_at = 0 where id = ?", trial);
    await allRows(
      `update broadcasts set plan = json_set(plan, '$.resend', json(?)) where id = ?`,
      JSON.stringify({ of: trial, to: "not_opened" }),
      world.id,
    );
    expect((await world.preflight()).body.recipients["active"]).toBe(1);
  });

  it("reads its audience once, and at most 4,100 additional rows", async () => {
    const world = await draftWorld({}, []);
    await allRows(
      `insert into subscribers (id, project_id, email, name, status, metadata, source, subscribed_at, created_at, updated_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
        select printf('01a20000-0000-7000-8000-%012d', i), ?, 'p' || i || '@any.test', '', 'active', '{}', '', 1, 1, 1 from n`,
      world.projectId,
    );
    service.d1.reset();
    const { body } = await world.preflight();
    expect([body.recipients["total"], body.looked_at.subscribers]).toEqual([3_000, 2_000]);
    expect(service.d1.rowsRead).toBeLessThan(2 * 3_000 + 4_100);
  });

  it("reports the variables that real recipients lack, with their number, except those tested by a block", async () => {
    const metadata = (value: object) => ({ metadata: JSON.stringify(value) });
    const world = await draftWorld(
      {
        html_body:
          "{{name}} {{metadata.city}} {{#if metadata.code}}{{metadata.code}}{{/if}} {{broadcast.issue}} " +
          "{{broadcast.gone}} {{nme}} {{unsubscribe_link}}",
        variables: { issue: 7 },
      },
      [metadata({ city: "Bonn" }), { name: "" }, metadata({ city: "" }), metadata({ city: 0 })],
    );
    const { body } = await world.preflight();
    const missing = body.problems.filter(({ code }) => code === "missing_variable");
    expect(missing.map(({ message }) => message)).toEqual([
      "{{broadcast.gone}} is empty for every recipient: nothing sets it",
      "{{nme}} is empty for every recipient: nothing sets it",
      "{{metadata.city}} is empty for 2 of 4 recipients checked, such as r3@any.test, r2@any.test",
      "{{name}} is empty for 1 of 4 recipients checked, such as r2@any.test",
    ]);
    expect(missing[0]).toMatchObject({ grade: "warning", fix_in: "content" });
  });

  it("finds faults of the content, each once", async () => {
    const plain = await draftWorld({ html_body: "<img src=x><img src=y><p>Hi</p>", text_body: "" });
    expect(await plain.codes()).toEqual(
      expect.arrayContaining([
        "warning no_unsubscribe_link",
        "hint no_text_part",
        "hint image_without_alt",
      ]),
    );
    const large = await plain.newDraft({ html_body: `${"x ".repeat(53_000)}{{unsubscribe_link}}` });
    expect(await plain.codes(large)).toContain("warning clipped");
    const huge = `{{#each metadata.many}}${"x".repeat(2_000)}{{/each}}{{unsubscribe_link}}`;
    await plain.subscribe({ metadata: JSON.stringify({ many: Array(600).fill(1) }) });
    const found = await plain.codes(await plain.newDraft({ html_body: huge }));
    expect(found).toContain("stop too_large");
    expect(found).not.toContain("warning clipped");
    const empty = await plain.newDraft({ html_body: "", text_body: "" });
    expect(await plain.codes(empty)).toContain("stop broken_content");
  });

  it("finds an empty audience, a similar broadcast within a day and an auto-paused one", async () => {
    const world = await draftWorld({ subject: "Same" }, [{}]);
    const second = await world.newDraft({ subject: " same " });
    expect(await world.codes()).not.toContain("stop similar_broadcast");
    expect((await world.start(undefined)).status).toBe(202);
    expect(await world.codes()).not.toContain("stop similar_broadcast");
    expect(await world.codes(second)).toContain("stop similar_broadcast");
    const inTwoDays = new Date(now() + 2 * DAY).toISOString();
    const later = await world.newDraft({ subject: "same", send_at: inTwoDays });
    expect(await world.codes(later)).not.toContain("stop similar_broadcast");
    await allRows(
      `update broadcasts set kind = 'broadcast', state = 'paused', created_at = ?, reasons = '[{"code":"server_error","message":"too many bounces"}]' where id = ?`,
      now(),
      world.id,
    );
    expect(await world.codes(second)).toEqual(
      expect.arrayContaining(["stop similar_broadcast", "warning paused_broadcast"]),
    );
    expect(await world.codes(later)).not.toContain("stop similar_broadcast");
    const { problems } = (await world.preflight(second)).body;
    const others = problems.filter(({ fix_in }) => fix_in === "broadcast");
    expect(others.map(({ broadcast_id }) => broadcast_id)).toEqual([world.id, world.id]);
    expect(others.at(-1)).toMatchObject({ params: { reason: { code: "server_error" } } });
    clock.aheadMs += DAY + HOUR;
    expect(await world.codes(second)).not.toContain("stop similar_broadcast");
    clock.aheadMs = 0;
    await owner.post(`${world.path}/suppressions`, { emails: ["r1@any.test"] });
    expect(await world.codes(second)).toContain("stop empty_audience");
  });

  it("finds what the server and the storage do not allow", async () => {
    const world = await draftWorld({}, [{}, {}, {}]);
    await owner.put(`${world.path}/sending`, { max_per_day: 2 });
    const { body } = await world.preflight();
    expect(body.problems.find(({ code }) => code === "daily_limit")).toEqual({
      code: "daily_limit",
      params: { limit: 2, free: 2, mails: 3 },
      grade: "warning",
      message: expect.stringContaining("leaves room for 2 of 3 emails today"),
      fix_in: "server",
    });
    expect(body.expected).toMatchObject({ pace: "max_per_day", seconds: DAY / 1_000 });
    await allRows("update storage set bytes = 9600000000, level = 'full', measured_at = ?", now());
    expect(await world.codes()).toContain("stop storage_full");
    await allRows("update storage set bytes = 9499999999, level = 'urgent'");
    expect(await world.codes()).toContain("warning storage_short");
    await allRows("update storage set bytes = 0, level = 'ok', measured_at = 0");
    const bare = await owner.newProject();
    const made = await owner.post<{ id: string }>(`/projects/${bare.id}/broadcasts`, {
      name: "x",
      ...GOOD,
    });
    const answer = await owner.post<Preflight>(
      `/projects/${bare.id}/broadcasts/${made.body.id}/preflight`,
    );
    expect(answer.body.problems.map(({ code }) => code)).toContain("no_sender");
  });

  it("reports what the DNS lacks for the sender: a problem as a warning, a warning as a hint", async () => {
    const found = async (fromEmail: string) => {
      const world = await draftWorld({}, [{}], { fromEmail });
      const { problems } = (await world.preflight()).body;
      expect((await world.start({})).status).toBe(202); // neither of them stops it
      return problems
        .filter(({ fix_in }) => fix_in === "sender")
        .map(({ grade, code, message }) => [grade, code, message.split(":")[0]]);
    };
    expect(await found("ann@sound.test")).toEqual([]);
    expect(await found("ann@weak.test")).toEqual([
      ["warning", "sender_problem", "spf of weak.test"],
      ["hint", "sender_warning", "dmarc of weak.test"],
    ]);
  });

  it("requests each link once, and reports those that are broken or not https", async () => {
    const [good, gone, shy] = [unique("good"), `${unique("gone")}?a space`, unique("shy")];
    const world = await draftWorld({
      html_body: [
        endpoint(`ok/${good}`),
        endpoint(`ok/${good}#part`),
        endpoint(`status/404/${gone}`, 1),
        endpoint(`status/403/${shy}`, 2),
        "/relative",
        "{{metadata.own}}",
        "mailto:ann@any.test",
      ]
        .map(link)
        .join(""),
    });
    const { body } = await world.preflight();
    expect(body.looked_at.links).toBe(3);
    const about = (code: string) => body.problems.find((one) => one.code === code)?.message;
    expect(about("broken_link")).toBe(
      `broken links: ${endpoint(`status/404/${gone}`, 1)} (its server returns 404)`,
    );
    expect(about("link_unclear")).toContain("its server returns 403 to automated requests");
    expect(about("link_not_https")).toMatch(
      /^links without HTTPS: http:[^,]+, http:[^,]+, http:[^,]+$/,
    );
    expect(about("invalid_link")).toContain("invalid links: /relative (the link is relative");
    const { requests } = await received(good);
    expect(requests.map(({ method }) => method)).toEqual(["HEAD"]);
  });

  it("checks 50 links, and reports the others as unclear", async () => {
    const name = unique("many");
    const links = Array.from({ length: 52 }, (_, n) => link(endpoint(`ok/${n}/${name}`)));
    const world = await draftWorld({ html_body: links.join("") });
    const { body } = await world.preflight();
    expect(body.looked_at.links).toBe(50);
    expect(body.problems.find(({ code }) => code === "link_unclear")?.message).toContain(
      `${endpoint(`ok/51/${name}`)} (only the first 50 links are checked)`,
    );
    const { requests, most } = await received(name);
    expect([requests.length, most <= 5]).toEqual([50, true]);
  });

  it("is rejected for a broadcast that is sending, and for one of another project", async () => {
    const world = await draftWorld();
    const other = await draftWorld();
    const foreign = await owner.post(`${other.path}/broadcasts/${world.id}/preflight`);
    expect(foreign.status).toBe(404);
    await allRows(
      "update broadcasts set kind = 'broadcast', state = 'sending' where id = ?",
      world.id,
    );
    expect((await world.preflight()).status).toBe(409);
  });
});

describe("a link probe", async () => {
  const deps = await service.deps();
  const strict = await guarded.deps();
  const look = (path: string) => probeLink(deps, endpoint(path), AbortSignal.timeout(20_000));
  const broken = (code: string) => ({ kind: "broken", why: expect.objectContaining({ code }) });

  it("follows at most three redirects", async () => {
    const goTo = (target: string) => `goto/${encodeURIComponent(target)}/${unique("hop")}`;
    const two = endpoint(goTo(endpoint(goTo(endpoint(`redirect/${unique("end")}`)))));
    expect(await probeLink(deps, two, AbortSignal.timeout(20_000))).toEqual({ kind: "good" });
    const three = endpoint(goTo(two));
    expect(await probeLink(deps, three, AbortSignal.timeout(20_000))).toEqual(
      broken("too_many_redirects"),
    );
  });

  it("requests one byte if a server does not support HEAD, and reads no body", async () => {
    const name = unique("no-head");
    expect(await look(`status/405,206/${name}`)).toEqual({ kind: "good" });
    const { requests } = await received(name);
    expect(requests.map(({ method, headers }) => [method, headers["range"]])).toEqual([
      ["HEAD", undefined],
      ["GET", "bytes=0-0"],
    ]);
    expect(await look(`endless/200/${unique("endless")}`)).toEqual({ kind: "good" });
  });

  it("distinguishes broken pages from servers that do not answer bots", async () => {
    expect(await look(`status/410/${unique("gone")}`)).toEqual(broken("link_status"));
    expect(await look(`status/500/${unique("down")}`)).toEqual(broken("link_status"));
    expect(await look(`close/${unique("close")}`)).toEqual(broken("link_unreachable"));
    expect(await look(`status/429/${unique("busy")}`)).toMatchObject({ kind: "unclear" });
    const slow = probeLink(deps, endpoint(`hang/${unique("hang")}`), AbortSignal.timeout(200));
    expect(await slow).toMatchObject({ kind: "unclear", why: { code: "link_slow" } });
  });

  it("never requests an address that is not public, neither at first nor after a redirect", async () => {
    const name = unique("inside");
    const inside = [
      `http://127.0.0.1:${ports.webhooks[1]}/ok/${name}`,
      "http://169.254.169.254/latest/meta-data",
      `http://[::ffff:7f00:1]:${ports.webhooks[1]}/ok/${name}`,
      "http://localhost/",
    ];
    for (const target of inside) {
      asked.length = 0;
      const end = AbortSignal.timeout(20_000);
      expect(await probeLink(strict, target, end)).toMatchObject({ kind: "broken" });
      expect(asked).toEqual([]);
      const outside = `https://pages.example/goto/${encodeURIComponent(target)}/${unique("hop")}`;
      expect(await probeLink(strict, outside, end)).toMatchObject({
        kind: "broken",
        why: { code: "link_not_public", params: { reason: { code: expect.any(String) } } },
      });
      expect(asked).toEqual([outside]);
    }
    expect((await received(name)).requests).toEqual([]);
  });
});

describe("a start with a problem of the highest grade", () => {
  it("requires its code in accept, and starts nothing without it", async () => {
    const world = await draftWorld({ html_body: link("/relative") }, []);
    const refused = await world.start(undefined);
    expect([refused.status, refused.body.problems.map(({ code }) => code)]).toEqual([
      409,
      ["empty_audience", "invalid_link"],
    ]);
    expect(refused.body.problems[1]).toMatchObject({ grade: "stop", fix_in: "content" });
    expect((await world.start({ accept: ["empty_audience"] })).status).toBe(409);
    const state = () => allRows("select state from broadcasts where id = ?", world.id);
    expect(await state()).toEqual([{ state: "draft" }]);
    const accepted = await world.start({ accept: ["empty_audience", "invalid_link"] });
    expect([accepted.status, await state()]).toEqual([202, [{ state: "scheduled" }]]);
  });

  it("is rejected for a change of a scheduled broadcast that introduces it, unless accept contains it", async () => {
    const world = await draftWorld({ send_at: new Date(now() + DAY).toISOString() });
    const change = (body: object) =>
      owner.request<{ problems?: Problem[]; html_body: string }>(
        "PATCH",
        `${world.path}/broadcasts/${world.id}`,
        body,
      );
    expect((await world.start({ accept: [] })).status).toBe(202);
    const broken = { html_body: link("/relative") };
    for (const [body, code] of [
      [broken, "invalid_link"],
      [{ where: "tag:nobody" }, "empty_audience"],
      [{ ...broken, accept: ["empty_audience"] }, "invalid_link"],
    ] as const) {
      const refused = await change(body);
      const codes = refused.body.problems?.map((one) => one.code);
      expect([refused.status, codes]).toEqual([409, [code]]);
    }
    const fixed = () => allRows("select html_body, state from broadcasts where id = ?", world.id);
    expect(await fixed()).toEqual([{ html_body: GOOD.html_body, state: "scheduled" }]);
    expect((await change({ accept: ["invalid_link"] })).status).toBe(400);
    const accepted = await change({ ...broken, accept: ["invalid_link"] });
    expect([accepted.status, accepted.body.html_body]).toEqual([200, broken.html_body]);
    expect((await change({ name: "June" })).status).toBe(200);
    const variants = [{ subject: unique("A") }, { subject: unique("B") }];
    expect((await change({ ab: { variants }, html_body: link("/other") })).status).toBe(409);
    expect((await change({ ab: { variants } })).status).toBe(200); // the link is as before
    expect((await change({ html_body: link("/other") })).status).toBe(409);
    expect((await change({ html_body: GOOD.html_body })).status).toBe(200);
  });

  it("cannot accept problems that no start can ignore", async () => {
    const world = await draftWorld({ html_body: "", text_body: "" });
    const all = { accept: ["broken_content", "no_content", "no_sender", "empty_audience"] };
    expect((await world.start(all)).status).toBe(400);
    expect((await world.start({}, world.id, { "If-Match": '"1"' })).status).toBe(412);
    expect((await world.start({ accept: ["anything"] })).status).toBe(400);
  });

  it("makes no requests to links or resolvers, and takes three round trips", async () => {
    const name = unique("unasked");
    const world = await draftWorld({ html_body: link(endpoint(`ok/${name}`)) });
    await world.preflight();
    asked.length = 0;
    service.d1.reset();
    expect((await world.start({ accept: [] })).status).toBe(202);
    expect([asked, service.d1.roundTrips]).toEqual([[], 3]);
  });
});

describe("the estimate", () => {
  const spread = { perHour: null, warmUpFirstDay: null, isByTimeZone: false };
  const use = { lastHour: 0, lastDay: 0 };

  it("has the figures of docs/limits-and-costs.md", () => {
    expect(costs).toContain(`cost **$${cost.DOLLARS_OF_MILLION_MAILS}**`);
    expect(costs).toMatch(
      new RegExp(`\\| broadcast, 40 % of the emails opened +\\| ${cost.BYTES_OF_MAIL} `),
    );
    expect(costs).toMatch(new RegExp(`\\| 50 ms +\\| ${cost.MAILS_A_SECOND} \\(`));
  });

  it("uses the slowest of the paces, and counts what the windows have used", () => {
    const of = (mails: number, limits: object, choice: object = {}, used: object = {}) => {
      const all = { ...DEFAULT_LIMITS, ...limits };
      const { pace, seconds } = estimate(mails, all, { ...use, ...used }, { ...spread, ...choice });
      return [pace, seconds];
    };
    expect(of(0, {})).toEqual(["speed", 0]);
    expect(of(7_700, {})).toEqual(["speed", 100]);
    expect(of(7_700, { maxConnections: 1 })).toEqual(["speed", 400]);
    expect(of(7_700, { maxPerSecond: 10 })).toEqual(["max_per_second", 770]);
    expect(of(900, { maxPerHour: 1_000 })).toEqual(["speed", 12]);
    expect(of(901, { maxPerHour: 1_000 })).toEqual(["max_per_hour", 3_600]);
    expect(of(900, { maxPerHour: 1_000 }, {}, { lastHour: 1 })).toEqual(["max_per_hour", 3_600]);
    expect(of(1_801, { maxPerDay: 1_000 })).toEqual(["max_per_day", 2 * 86_400]);
    expect(of(1_000, {}, { perHour: 500 })).toEqual(["per_hour", 7_200]);
    expect(of(100, {}, { warmUpFirstDay: 100 })).toEqual(["speed", 2]);
    expect(of(300, {}, { warmUpFirstDay: 100 })).toEqual(["warm_up", 86_400]);
    expect(of(301, {}, { warmUpFirstDay: 100 })).toEqual(["warm_up", 2 * 86_400]);
    expect(of(1, {}, { isByTimeZone: true })).toEqual(["time_zones", 26 * 3_600]);
  });

  it("costs $5.56 for a million mails, and a cent for any", () => {
    const dollars = (mails: number) => estimate(mails, DEFAULT_LIMITS, use, spread).costUsd;
    expect([0, 1, 1_000_000].map(dollars)).toEqual([0, 0.01, 5.56]);
  });
});
