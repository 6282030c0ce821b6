/* What strangers may write into an audience: by public keys and by the waitlist (API reference §4.1). */
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { expireRequests } from "../../../src/services/subscribers/index.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { transferFiles } from "../../support/transfer-files.ts";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";
import { DAY, EVERY_FIVE_MINUTES, HOUR, MINUTE, standingClock } from "../../support/times.ts";

const NOON = Date.UTC(2026, 4, 5, 12);
const clock = standingClock(NOON);
const WAKE_QUEUE = { sendBatch: async () => {} } as unknown as Service["env"]["WAKE_QUEUE"];
/** The answer of Cloudflare's siteverify, and the questions to it. */
let verdict: (signal: AbortSignal) => Response | Promise<Response> = () => new Response("");
const asked: unknown[] = [];
const service = createService(
  { WAKE_QUEUE, WEBHOOK_QUEUE },
  {
    now: () => clock.now,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      asked.push([request.method, request.url, await request.json()]);
      return verdict(init?.signal ?? AbortSignal.abort());
    },
  },
);
const owner = await service.newOwner();
const address = () => `${unique("joins")}@any.test`;

async function newList(settings: object = {}) {
  const { id } = await owner.newProject(CAPTURING);
  const path = `/projects/${id}`;
  const save = (changed: object) => owner.put(`${path}/audience-settings`, changed);
  expect(await save({ joins_per_day: 2, ...settings })).toMatchObject({ status: 200 });
  const withKey = async (type: string) => {
    const { body } = await owner.post(`${path}/api-keys`, { name: type, type });
    return service.withKey(String(body["key"]));
  };
  const [pk, sdk] = [await withKey("pk"), await withKey("sdk")];
  return {
    id,
    path,
    save,
    join: (email = address(), more: object = {}) => pk.post("/join", { email, ...more }),
    joinBySecret: (email = address()) => sdk.post("/join", { email }),
    wait: (email = address()) => service.anonymous.post(`${path}/waitlist`, { email }),
    add: (body: object) => owner.post(`${path}/subscribers`, { email: address(), ...body }),
    subscribers: () => allRows("select email from subscribers where project_id = ?", id),
    statusOf: async (email: string) => {
      const found = "select status from subscribers where project_id = ? and email = ?";
      return (await allRows(found, id, email))[0]?.["status"];
    },
    counters: async () =>
      (
        await allRows(
          `select subscribers_active as active, subscribers_pending as pending,
            subscribers_unsubscribed as unsubscribed,
            (select coalesce(sum(n), 0) from unsubscription_counts u
              where u.project_id = c.project_id and grain = 'day') as left
          from project_counters c where project_id = ?`,
          id,
        )
      )[0],
    mails: () => allRows("select id from pending_mails where project_id = ?", id),
  };
}

/** Looks at all requests anew: the clock of each test begins at noon. */
const runAnew = async () => {
  await service.env.KV.delete("requests:place");
  await runScheduled(await service.deps(), EVERY_FIVE_MINUTES);
};

const statusOfCall = async (answer: Promise<{ status: number }>) => (await answer).status;
describe("the daily limit of public signups", () => {
  it("refuses further signups until midnight UTC, before it stores or emails anything", async () => {
    const { join, wait, subscribers, mails } = await newList({ double_opt_in: true });
    expect([await statusOfCall(join()), await statusOfCall(wait())]).toEqual([201, 200]);
    clock.now = NOON + 11.5 * HOUR;
    const refused = await join();
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { success: false, code: "joins_used_up" },
    ]);
    expect(refused.headers.get("Retry-After")).toBe("1800");
    const left = await wait();
    expect([left.status, left.body]).toMatchObject([429, { code: "joins_used_up" }]);
    expect(left.headers.get("Retry-After")).toBe("1800");
    expect([(await subscribers()).length, (await mails()).length]).toEqual([2, 2]);
    clock.now = NOON + 12 * HOUR;
    expect([await statusOfCall(join()), await statusOfCall(wait())]).toEqual([201, 200]);
    expect(await statusOfCall(wait())).toBe(429);
  });

  it("does not apply to secret keys and members, whose joins do not count", async () => {
    const { join, joinBySecret, add } = await newList();
    expect([await statusOfCall(joinBySecret()), await statusOfCall(add({}))]).toEqual([201, 201]);
    expect([await statusOfCall(join()), await statusOfCall(join())]).toEqual([201, 201]);
    expect(await statusOfCall(join())).toBe(429);
    expect([await statusOfCall(joinBySecret()), await statusOfCall(add({}))]).toEqual([201, 201]);
  });

  it("counts only joins that change something", async () => {
    const { path, join, add, save } = await newList({ joins_per_day: 4 });
    await owner.post(`${path}/topics`, { name: "News" });
    const [here, left] = [address(), address()];
    await add({ email: here });
    await add({ email: left, status: "unsubscribed" });
    for (let n = 0; n < 5; n += 1) expect(await statusOfCall(join(here))).toBe(409);
    expect(await statusOfCall(join(here, { topics: ["None"] }))).toBe(400);
    expect(await statusOfCall(join(left))).toBe(201);
    expect(await statusOfCall(join(here, { topics: ["News"] }))).toBe(201);
    await save({ double_opt_in: true });
    const asked = address();
    expect(await statusOfCall(join(asked))).toBe(201);
    expect(await statusOfCall(join(asked))).toBe(409); // asks for the mail once more
    expect(await statusOfCall(join())).toBe(429);
  });

  it("refuses addresses on the list as well, so that it does not reveal who is on it", async () => {
    const { join, wait, add, mails } = await newList({ double_opt_in: true });
    const known = ["active", "pending", "unsubscribed"].map((status) => [status, address()]);
    for (const [status, email] of known) await add({ email, status });
    expect([await statusOfCall(join()), await statusOfCall(join())]).toEqual([201, 201]);
    for (const [, email] of known)
      expect([await statusOfCall(join(email)), await statusOfCall(wait(email))]).toEqual([
        429, 429,
      ]);
    expect(await mails()).toHaveLength(2);
  });

  it("applies to concurrent joins, both new ones and those of unsubscribed people", async () => {
    const { join, wait, add, subscribers } = await newList({ joins_per_day: 3 });
    const left = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const email = address();
        await add({ email, status: "unsubscribed" });
        return email;
      }),
    );
    const answers = await Promise.all([
      ...left.map((email) => join(email)),
      ...Array.from({ length: 4 }, () => wait()),
    ]);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    const [counted] = await allRows(
      `select sum(status <> 'unsubscribed') as n from subscribers where project_id in (
        select project_id from subscribers where email = ?)`,
      String((await subscribers())[0]?.["email"]),
    );
    expect(counted).toEqual({ n: 3 });
  });

  it("costs a join no round trip and one written row", async () => {
    const { join, joinBySecret } = await newList();
    const costs = [];
    for (const run of [joinBySecret, join]) {
      service.d1.reset();
      expect(await statusOfCall(run())).toBe(201);
      costs.push({ roundTrips: service.d1.roundTrips, rows: service.d1.rowsWritten });
    }
    const [secret = { roundTrips: 0, rows: 0 }, stranger] = costs;
    expect(stranger).toEqual({ ...secret, rows: secret.rows + 1 });
  });

  it("is 5,000 unless the audience settings change it", async () => {
    const { path, save } = await newList();
    for (const joins_per_day of [0, 1_000_001, 1.5, null])
      expect(await statusOfCall(save({ joins_per_day }))).toBe(400);
    expect((await save({ joins_per_day: 1_000_000 })).body).toMatchObject({
      joins_per_day: 1_000_000,
    });
    const other = await owner.newProject();
    const { body } = await owner.get(`/projects/${other.id}/audience-settings`);
    expect(body).toMatchObject({ joins_per_day: 5_000 });
    expect((await owner.get(`${path}/audience-settings`)).body).toMatchObject({
      joins_per_day: 1_000_000,
    });
  });
});

describe("a request to confirm", () => {
  const DOUBLE = { double_opt_in: true, joins_per_day: 100 };

  it("expires after 30 days, and deletes the person with their history", async () => {
    const { id, path, join, wait, statusOf, counters } = await newList(DOUBLE);
    await owner.post(`${path}/topics`, { name: "News" });
    const hook = await newWebhook(id);
    const [one, other, late] = [address(), address(), address()];
    await join(one, { topics: ["News"], metadata: { a: 1 } });
    await wait(other);
    clock.now = NOON + MINUTE;
    await join(late);
    const before = (await hook.types()).length;
    clock.now = NOON + 30 * DAY;
    await runAnew();
    expect([await statusOf(one), await statusOf(other)]).toEqual(["pending", "pending"]);
    clock.now = NOON + 30 * DAY + 1;
    await runAnew();
    expect(await counters()).toEqual({ active: 0, pending: 1, unsubscribed: 0, left: 0 });
    expect(await statusOf(late)).toBe("pending");
    const left = await allRows(
      `select (select count(*) from subscribers where project_id = ?1) as people,
        (select count(distinct subscriber_id) from consent_events where project_id = ?1) as histories,
        (select count(*) from topic_consents c join topics t on t.id = c.topic_id where t.project_id = ?1) as consents`,
      id,
    );
    expect(left).toEqual([{ people: 1, histories: 1, consents: 0 }]);
    expect(await hook.types()).toHaveLength(before);
    expect(await statusOfCall(join(one))).toBe(201);
  });

  it("restores the earlier unsubscription of people who had unsubscribed", async () => {
    const { id, join, add, counters } = await newList(DOUBLE);
    const hook = await newWebhook(id, ["subscriber.unsubscribed"]);
    const email = address();
    const { body } = await add({ email });
    await service.fetch(`/unsubscribe/${id}/${String(body["id"])}`, { method: "POST" });
    const row = async () =>
      (await allRows("select status, unsubscribed_at from subscribers where email = ?", email))[0];
    expect(await row()).toEqual({ status: "unsubscribed", unsubscribed_at: NOON });
    clock.now = NOON + DAY;
    await join(email);
    expect(await counters()).toEqual({ active: 0, pending: 1, unsubscribed: 0, left: 1 });
    clock.now = NOON + 31 * DAY + 1;
    await runAnew();
    expect(await row()).toEqual({ status: "unsubscribed", unsubscribed_at: NOON });
    expect(await counters()).toEqual({ active: 0, pending: 0, unsubscribed: 1, left: 1 });
    expect(await hook.types()).toEqual(["subscriber.unsubscribed", "subscriber.unsubscribed"]);
  });

  it("does not expire for people who were not asked, have answered or were asked again", async () => {
    const { path, save, join, wait, add, statusOf } = await newList({ joins_per_day: 100 });
    const [waits, added, set, confirmed, again] = Array.from({ length: 5 }, address);
    await wait(waits);
    await add({ email: added, status: "pending" });
    const { body } = await add({ email: set });
    await owner.request("PATCH", `${path}/subscribers/${String(body["id"])}`, {
      status: "pending",
    });
    await save({ double_opt_in: true });
    const ids: string[] = [];
    for (const email of [confirmed, again]) {
      await join(email);
      const found = await allRows("select id from subscribers where email = ?", String(email));
      ids.push(`${path}/subscribers/${String(found[0]?.["id"])}`);
    }
    clock.now = NOON + DAY;
    const setStatus = (at: string | undefined, status: string) =>
      owner.request("PATCH", String(at), { status });
    await setStatus(ids[0], "active");
    await setStatus(ids[1], "unsubscribed");
    clock.now = NOON + 2 * DAY;
    await join(again);
    clock.now = NOON + 32 * DAY;
    await runAnew();
    const statuses = await Promise.all(
      [waits, added, set, confirmed, again].map((email) => statusOf(String(email))),
    );
    expect(statuses).toEqual(["pending", "pending", "pending", "active", "pending"]);
    clock.now = NOON + 32 * DAY + 1;
    await runAnew();
    expect(await statusOf(String(again))).toBe("unsubscribed");
  });

  it("is found once, by an index, and costs nothing after that", async () => {
    const lists = await Promise.all(Array.from({ length: 21 }, () => newList(DOUBLE)));
    for (const { join } of lists) await join();
    const expired = async () => {
      const states = await Promise.all(lists.map(({ subscribers }) => subscribers()));
      return states.filter((people) => people.length === 0).length;
    };
    clock.now = NOON + 31 * DAY;
    await runAnew();
    const first = await expired();
    expect([first > 0, first <= 20]).toEqual([true, true]);
    const deps = await service.deps();
    for (let n = 0; n < 5; n += 1) await expireRequests(deps);
    expect(await expired()).toBe(21);
    const statements: string[] = [];
    service.d1.reset();
    service.d1.before = (sql) => statements.push(...sql);
    await expireRequests(deps);
    service.d1.before = undefined;
    expect([statements.length, service.d1.rowsRead]).toEqual([1, 1]);
    const [statement = ""] = statements;
    const values = Array.from(statement.matchAll(/\?/g), () => "");
    const plan = await allRows(`explain query plan ${statement}`, ...values);
    expect(plan.map(({ detail }) => detail)).toEqual([
      "SEARCH e USING INDEX consent_events_requested (id>? AND id<?)",
      "CORRELATED SCALAR SUBQUERY 1",
      "SEARCH s USING PRIMARY KEY (id=?)",
    ]);
  });
});

describe("a Turnstile secret", () => {
  const SECRET = "0x4AAAAAAA-secret-of-a-widget";
  const FROM = { "CF-Connecting-IP": "203.0.113.9" };
  const answer =
    (body: unknown, status = 200) =>
    () =>
      Response.json(body, { status });
  const refusal = (...codes: string[]) => answer({ success: false, "error-codes": codes });
  const never = (signal: AbortSignal) =>
    new Promise<Response>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("the caller gave up")));
    });

  async function newGuarded(settings: object = {}) {
    const list = await newList({ joins_per_day: 100, turnstile_secret: SECRET, ...settings });
    const made = await owner.post(`${list.path}/api-keys`, { name: "page", type: "pk" });
    const page = service.withKey(String(made.body["key"]));
    asked.length = 0;
    verdict = answer({ success: true, "error-codes": [], hostname: "example.com" });
    return {
      ...list,
      /** Joins in both ways. */
      joinTwice: (token: object) =>
        Promise.all([
          page.request("POST", "/join", { email: address(), ...token }, FROM),
          service.anonymous.post(`${list.path}/waitlist`, { email: address(), ...token }, FROM),
        ]),
    };
  }

  it("lets the public join with a token that Cloudflare accepts, under either name", async () => {
    const { joinTwice, subscribers } = await newGuarded();
    for (const name of ["turnstile_token", "cf-turnstile-response"])
      expect((await joinTwice({ [name]: "good" })).map(({ status }) => status)).toEqual([201, 200]);
    expect(await subscribers()).toHaveLength(4);
    const url = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
    const question = { secret: SECRET, response: "good", remoteip: "203.0.113.9" };
    expect(asked).toEqual(Array.from({ length: 4 }, () => ["POST", url, question]));
  });

  it("rejects a missing, invalid or long token before anything is written", async () => {
    const { joinTwice, subscribers, mails } = await newGuarded({ double_opt_in: true });
    const code = "turnstile_token_missing";
    for (const token of [{}, { turnstile_token: "" }])
      expect(await joinTwice(token)).toMatchObject([
        { status: 403, body: { success: false, code } },
        { status: 403, body: { code } },
      ]);
    expect(asked).toEqual([]);
    const rejected = { code: "turnstile_rejected" };
    for (const fault of ["invalid-input-response", "timeout-or-duplicate"]) {
      verdict = refusal(fault);
      expect(await joinTwice({ turnstile_token: "bad" })).toMatchObject([
        { status: 403, body: { success: false, ...rejected } },
        { status: 403, body: rejected },
      ]);
    }
    const long = await joinTwice({ turnstile_token: "x".repeat(2_049) });
    expect(long.map(({ status }) => status)).toEqual([400, 400]);
    expect([await subscribers(), await mails()]).toEqual([[], []]);
  });

  it.each<[string, typeof verdict]>([
    ["answers 500", answer({ success: true }, 500)],
    ["redirects", () => Response.redirect("https://example.com/")],
    ["answers no JSON", () => new Response("<html>")],
    ["answers without a verdict", answer({})],
    ["gives no reason", refusal()],
    ["rejects the secret", refusal("invalid-input-secret")],
    ["fails", refusal("invalid-input-response", "internal-error")],
    ["answers without end", () => new Response("x".repeat(20_000))],
    ["cannot be reached", () => Promise.reject(new Error("no route"))],
    ["hangs", never],
  ])("refuses joins with 503 while Cloudflare %s", async (_, given) => {
    const { joinTwice, subscribers } = await newGuarded();
    verdict = given;
    const code = "turnstile_unavailable";
    expect(await joinTwice({ turnstile_token: "any" })).toMatchObject([
      { status: 503, body: { success: false, code } },
      { status: 503, body: { code } },
    ]);
    expect(await subscribers()).toEqual([]);
  });

  it("does not apply to secret keys, and costs no round trip once it is removed", async () => {
    const { joinBySecret, wait, save, joinTwice } = await newGuarded();
    expect(await statusOfCall(joinBySecret())).toBe(201);
    service.d1.reset();
    expect(await statusOfCall(wait())).toBe(403);
    expect(service.d1.roundTrips).toBe(1);
    service.d1.reset();
    await joinTwice({ turnstile_token: "good" });
    expect(service.d1.roundTrips).toBe(4); // a join with its access check, and the waitlist
    expect((await save({ turnstile_secret: "" })).body).toMatchObject({ turnstile: false });
    asked.length = 0;
    service.d1.reset();
    expect(await statusOfCall(wait())).toBe(200);
    expect([service.d1.roundTrips, asked]).toEqual([1, []]);
  });

  it("is never returned, and is stored sealed for its project only", async () => {
    const { id, path, save } = await newGuarded();
    const settings = await owner.get(`${path}/audience-settings`);
    expect(settings.body).toMatchObject({ turnstile: true });
    expect((await save({ language: "de" })).body).toMatchObject({ turnstile: true });
    for (const turnstile_secret of [null, 7, "a\nb"])
      expect(await statusOfCall(save({ turnstile_secret }))).toBe(400);
    const stored = await allRows("select audience_settings from projects where id = ?", id);
    const audit = await allRows("select metadata from audit_entries where scope_id = ?", id);
    const exported = JSON.stringify(await transferFiles(service, owner).exportOf(id));
    expect(exported).toContain('"language":"de"');
    const sealed = String(
      JSON.parse(String(stored[0]?.["audience_settings"])).turnstileSecretSealed,
    );
    expect(sealed).toMatch(/^v1\./);
    for (const shown of [JSON.stringify([settings.body, stored, audit]), exported])
      expect(shown).not.toContain(SECRET);
    expect(exported).not.toContain(sealed);
    expect(JSON.stringify(audit)).toContain('\\"turnstile\\":true');
    const other = await newGuarded();
    const moved = "update projects set audience_settings = ? where id = ?";
    await service.env.DB.prepare(moved)
      .bind(JSON.stringify({ turnstileSecretSealed: sealed }), other.id)
      .run();
    const answers = await other.joinTwice({ turnstile_token: "good" });
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(asked).toEqual([]);
  });
});
