/* Reading the audit trail (API reference §16.4); audit-verbs.test.ts checks its entries. */
import { env } from "cloudflare:test";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { auditStatement, type AuditAction } from "../../../src/services/audit/index.ts";
import { testLicense } from "../../support/license.ts";
import { createService, type Client } from "../../support/service.ts";
import { HOUR, iso } from "../../support/times.ts";

const START = Date.UTC(2026, 4, 10, 12);

const clock = { now: START };
const service = createService(await testLicense("pro"), { now: () => clock.now });
const deps = await service.deps();
let owner: Client;
beforeAll(async () => {
  owner = await service.newOwner();
});

interface AuditPage {
  entries: { id: string; user_id: string | null; action: string; target_id: string }[];
  total: number;
}

type Query = Record<string, string | number>;

function read(projectId: string, query: Query = {}, client = owner) {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  return client.get<AuditPage>(`/projects/${projectId}/audit-log?${search.toString()}`);
}

/** Writes entries into the trail of a scope, each at its time; target ids distinguish them. */
async function tell(
  scopeId: string,
  facts: { at: number; action?: AuditAction; target: string }[],
) {
  const ctx = {
    deps,
    actor: { kind: "system", job: "test" } as const,
    requestId: "",
    clientIp: "192.0.2.1",
    userAgent: "tests",
  };
  const statements = facts.map(({ at, action = "template.update", target }) => {
    clock.now = at;
    return auditStatement(ctx, { scopeId, action, targetId: target });
  });
  clock.now = START;
  await runBatch(deps.db, statements);
}

/** Project whose trail holds only the entries of a test. */
async function newTrail(): Promise<string> {
  const { body } = await owner.post<{ id: string }>("/projects", { name: "Trail" });
  await env.DB.prepare("delete from audit_entries where scope_id = ?").bind(body.id).run();
  return body.id;
}

describe("GET /projects/{id}/audit-log", () => {
  it("shows every field of an entry, with the address and agent of the caller", async () => {
    const { body: me } = await owner.get<{ user: { id: string } }>("/auth/me");
    const headers = {
      "CF-Connecting-IP": "203.0.113.9",
      "X-Forwarded-For": "198.51.100.1, 10.0.0.1",
      "User-Agent": "curl/8",
    };
    const { body } = await owner.post<{ id: string }>("/projects", { name: "Shop" }, headers);
    const answer = await read(body.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      entries: [
        {
          id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
          user_id: me.user.id,
          user_name: "Olive Owner",
          user_email: owner.email,
          action: "project.create",
          target_type: "project",
          target_id: body.id,
          metadata: { name: "Shop" },
          ip_address: "203.0.113.9",
          user_agent: "curl/8",
          created_at: iso(START),
        },
      ],
      total: 1,
    });
  });

  it("shows the first address of X-Forwarded-For only behind a trusted proxy", async () => {
    const trusting = createService({ TRUST_X_FORWARDED_FOR: "true" });
    const person = await trusting.newOwner();
    const headers = {
      "CF-Connecting-IP": "203.0.113.9",
      "X-Forwarded-For": "198.51.100.1, 10.0.0.1",
    };
    const { body } = await person.post<{ id: string }>("/projects", { name: "Shop" }, headers);
    const { results } = await env.DB.prepare(
      "select ip_address from audit_entries where scope_id = ?",
    )
      .bind(body.id)
      .all();
    expect(results).toEqual([{ ip_address: "198.51.100.1" }]);
  });

  it("names no user for an action by a key", async () => {
    const { id, key } = await owner.newProject();
    const rotated = await service.withKey(key).post(`/projects/${id}/bounce-webhook/rotate`);
    expect(rotated.status).toBe(200);
    const { body } = await read(id, { action: "bounce_token.rotate" });
    expect(body).toMatchObject({ entries: [{ user_id: null, metadata: {} }], total: 1 });
  });

  it("names no user for a failed login without an account", async () => {
    const nobody = { email: "nobody@people.test", password: "wrong horse" };
    expect((await service.anonymous.post("/auth/login", nobody)).status).toBe(401);
    const { results } = await env.DB.prepare(
      "select user_id, target_id from audit_entries where action = 'user.login_failed'",
    ).all();
    expect(results).toEqual([{ user_id: null, target_id: "" }]);
  });

  it("lists a login in each workspace the user chose, as the same entry, and a failed one only in the account", async () => {
    const person = await service.newOwner();
    const made = await person.post("/workspaces", { name: "Second" });
    const { body: me } = await person.get<{ user: { id: string }; workspaces: { id: string }[] }>(
      "/auth/me",
    );
    const from = clock.now + 1;
    for (const password of ["wrong horse", "correct horse"]) {
      clock.now += 1; // entries of one millisecond have no order
      await service.anonymous.post("/auth/login", { email: person.email, password });
    }
    const [first, second] = await Promise.all(
      me.workspaces.map(({ id }) =>
        person.get<AuditPage>(`/workspaces/${id}/audit-log?from=${encodeURIComponent(iso(from))}`),
      ),
    );
    expect(me.workspaces.map(({ id }) => id)).toContain(made.body["id"]);
    const entry = { user_id: me.user.id, target_type: "user", target_id: me.user.id };
    const logins = ["user.login", "user.login_failed"].map((action) => ({ ...entry, action }));
    expect(first?.body).toMatchObject({ total: 1, entries: logins.slice(0, 1) });
    expect(second?.body).toEqual(first?.body);
    const own = await person.get<AuditPage>("/auth/audit-log");
    expect(own.body).toMatchObject({ total: 2, entries: logins });
    expect(own.body.entries[0]).toEqual(first?.body.entries[0]);
  });

  it("keeps the login of a user without a workspace in the account only", async () => {
    const loner = await service.newOwner();
    const { body } = await loner.get<{ user: { id: string } }>("/auth/me");
    const id = body.user.id;
    await env.DB.prepare("delete from workspace_members where user_id = ?").bind(id).run();
    const { email } = loner;
    await service.anonymous.post("/auth/login", { email, password: "correct horse" });
    const { results } = await env.DB.prepare(
      "select scope_id, action from audit_entries where target_id = ?",
    )
      .bind(id)
      .all();
    expect(results).toEqual([{ scope_id: id, action: "user.login" }]);
  });

  it("shows nothing of another project and rejects API keys", async () => {
    const [mine, other] = [await newTrail(), await owner.newProject()];
    await tell(other.id, [{ at: START, target: "t" }]);
    expect((await read(mine)).body).toEqual({ entries: [], total: 0 });
    expect((await read(other.id, {}, service.withKey(other.key))).status).toBe(401);
  });

  it("pages newest first: 50 by default, 200 at most, without overlap or gap", async () => {
    const id = await newTrail();
    const facts = Array.from({ length: 430 }, (_, n) => ({ at: START + n, target: String(n) }));
    await tell(id, facts);
    const expected = facts.map(({ target }) => target).toReversed();
    const page = async (query: Query) => {
      const { body } = await read(id, query);
      expect(body.total).toBe(430);
      return body.entries.map(({ target_id }) => target_id);
    };
    expect(await page({})).toEqual(expected.slice(0, 50));
    expect(await page({ limit: 1, offset: 429 })).toEqual(expected.slice(429));
    for (const limit of [200, 201, 9_999])
      expect(await page({ limit })).toEqual(expected.slice(0, 200));
    expect(await page({ limit: 200, offset: 200 })).toEqual(expected.slice(200, 400));
    expect(await page({ limit: 200, offset: 400 })).toEqual(expected.slice(400));
    expect(await page({ offset: 430 })).toEqual([]);
    expect(await page({ offset: Number.MAX_SAFE_INTEGER })).toEqual([]);
  });

  it.each([
    ["limit", "0"],
    ["limit", "x"],
    ["offset", "-1"],
    ["from", "yesterday"],
    ["from", "2026-05-10"],
    ["to", "2026-02-30T00:00:00Z"],
  ])("answers 400 and names the field for %s=%s", async (field, value) => {
    expect(await read(await newTrail(), { [field]: value })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(`^${field}: `) },
    });
  });

  it("treats `from` as inclusive, `to` as exclusive and `action` as exact", async () => {
    const id = await newTrail();
    await tell(id, [{ at: START, target: "t" }]);
    const total = async (query: Query) => (await read(id, query)).body.total;
    expect(await total({ from: iso(START) })).toBe(1);
    expect(await total({ from: iso(START + 1) })).toBe(0);
    expect(await total({ to: iso(START) })).toBe(0);
    expect(await total({ to: iso(START + 1) })).toBe(1);
    expect(await total({ from: iso(START), to: iso(START) })).toBe(0);
    expect(await total({ from: iso(START + 5), to: iso(START - 5) })).toBe(0);
    expect(await total({ from: "2026-05-10T14:00:00.000+02:00" })).toBe(1);
    expect(await total({ from: "0000-01-01T00:00:00Z", to: "9999-12-31T23:59:59.999Z" })).toBe(1);
    expect(await total({ to: "1969-12-31T23:59:59Z" })).toBe(0);
    expect(await total({ action: "template.update" })).toBe(1);
    for (const action of ["template", "template.%", "TEMPLATE.UPDATE", "template.update "])
      expect([action, await total({ action })]).toEqual([action, 0]);
    expect(await total({ action: "" })).toBe(await total({}));
  });

  it(
    "agrees with a naive filter and sort, for any entries and any query",
    { timeout: 60_000 },
    async () => {
      const at = fc.integer({ min: START - 20, max: START + 20 });
      const action = fc.constantFrom<AuditAction>("template.create", "template.update");
      const part = { limit: fc.integer({ min: 1, max: 9 }), offset: fc.nat({ max: 9 }) };
      const query = fc.record(
        { action, from: at, to: at, ...part },
        { requiredKeys: ["limit", "offset"] },
      );
      const facts = fc.uniqueArray(fc.record({ at, action }), {
        maxLength: 40,
        selector: (fact) => fact.at,
      });
      const queries = fc.array(query, { minLength: 8, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(facts, queries, async (told, asked) => {
          const id = await newTrail();
          await tell(
            id,
            told.map((fact) => ({ ...fact, target: String(fact.at) })),
          );
          for (const { from, to, limit, offset, ...rest } of asked) {
            const { body } = await read(id, {
              ...rest,
              ...(from === undefined ? {} : { from: iso(from) }),
              ...(to === undefined ? {} : { to: iso(to) }),
              limit,
              offset,
            });
            const expected = told
              .filter((fact) => rest.action === undefined || fact.action === rest.action)
              .filter((fact) => fact.at >= (from ?? 0) && fact.at < (to ?? Infinity))
              .toSorted((a, b) => b.at - a.at)
              .map((fact) => String(fact.at));
            expect(body.total).toBe(expected.length);
            expect(body.entries.map((entry) => entry.target_id)).toEqual(
              expected.slice(offset, offset + limit),
            );
          }
        }),
        { numRuns: 12 },
      );
    },
  );

  it("reads the clock once for the time of an entry", async () => {
    let ticks = START;
    const ticking = createService({}, { now: () => ++ticks });
    const person = await ticking.newOwner();
    for (let time = 0; time < 20; time++) await person.post("/projects", { name: "Tick" });
    const { results } = await env.DB.prepare(
      "select id, created_at from audit_entries where created_at >= ?",
    )
      .bind(START)
      .all<{ id: string; created_at: number }>();
    expect(results.length).toBeGreaterThan(20);
    const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    const timeIn = (id: string) =>
      Array.from(id.slice(0, 10)).reduce((ms, letter) => ms * 32 + alphabet.indexOf(letter), 0);
    expect(results.map(({ id }) => timeIn(id))).toEqual(results.map((row) => row.created_at));
  });
});

describe("a read of a trail of 100,000 entries", () => {
  const COUNT = 100_000;
  let id = "";

  beforeAll(async () => {
    id = await newTrail();
    // Ids in the form of ULIDs: the millisecond in ten letters, here one entry a second.
    await env.DB.prepare(
      `insert into audit_entries (id, scope_id, action, target_type, target_id, metadata, ip_address, user_agent, created_at)
        with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ?2),
          letters(i, ms, rest, text) as (
            select i, ?3 - i * 1000, cast(?3 - i * 1000 as integer), '' from n union all
            select i, ms, rest / 32, substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', rest % 32 + 1, 1) || text
            from letters where length(text) < 10)
        select text || printf('%016d', i), ?1, iif(i % 100 = 0, 'smtp.update', 'template.update'),
          'project', i, '{}', '', '', ms from letters where length(text) = 10`,
    )
      .bind(id, COUNT, START)
      .run();
  }, 60_000);

  async function costOf(query: Query) {
    service.d1.reset();
    const { body } = await read(id, query);
    return { ...body, rowsRead: service.d1.rowsRead, roundTrips: service.d1.roundTrips };
  }

  it("costs the page and an index entry for each counted one, in one round trip after the access check", async () => {
    const all = await costOf({});
    const hour = await costOf({ from: iso(START - HOUR), to: iso(START) });
    const rare = await costOf({ action: "smtp.update" });
    const rareHour = await costOf({ action: "smtp.update", from: iso(START - HOUR) });
    const deep = await costOf({ action: "smtp.update", offset: 900 });
    const answers = [all, hour, rare, rareHour, deep];
    expect(answers.map(({ total }) => total)).toEqual([COUNT, 3_600, 1_000, 37, 1_000]);
    expect(rare.entries[1]?.target_id).toBe("100");
    expect(deep.entries[0]?.target_id).toBe(String(900 * 100));
    const access = 10;
    const page = 2 * 50; // an index entry and its row
    expect(all.rowsRead).toBeLessThanOrEqual(COUNT + page + access);
    expect(hour.rowsRead).toBeLessThanOrEqual(3_600 + page + access);
    expect(rare.rowsRead).toBeLessThanOrEqual(1_000 + page + access);
    expect(rareHour.rowsRead).toBeLessThanOrEqual(37 + 2 * 37 + access);
    expect(deep.rowsRead).toBeLessThanOrEqual(1_000 + 900 + page + access);
    for (const { roundTrips } of answers) expect(roundTrips).toBe(2);
  });
});

describe("the audit log of a deleted project", () => {
  it("is kept in that of its workspace, and in no other", async () => {
    const { body } = await owner.post<{ id: string; workspace_id: string }>("/projects", {
      name: "Gone",
    });
    const trail = (client: Client, workspaceId: string) =>
      client.get<AuditPage>(`/workspaces/${workspaceId}/audit-log?deleted_project=${body.id}`);
    const none = { status: 200, body: { entries: [], total: 0 } };
    expect(await trail(owner, body.workspace_id)).toMatchObject(none); // it is not deleted
    expect((await owner.delete(`/projects/${body.id}`)).status).toBe(204);
    expect((await read(body.id)).status).toBe(404);
    const kept = await trail(owner, body.workspace_id);
    expect(kept.body.entries).toMatchObject([{ action: "project.create", target_id: body.id }]);
    const stranger = await service.newOwner();
    const own = await stranger.post<{ workspace_id: string }>("/projects", { name: "Own" });
    expect(await trail(stranger, own.body.workspace_id)).toMatchObject(none);
    expect((await trail(stranger, body.workspace_id)).status).toBe(403);
  });
});
