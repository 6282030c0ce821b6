import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { hardBounce } from "../../../src/services/suppressions/index.ts";
import { CAPTURING, createService, unique, type Client } from "../../support/service.ts";

interface Suppression {
  id: string;
  project_id: string;
  email: string;
  reason: string;
  source: string;
  created_at: string;
  last_seen_at: string;
}

interface List {
  suppressions: Suppression[];
  total: number;
}

const clock = { aheadMs: 0 };
const service = createService({}, { now: () => Date.now() + clock.aheadMs });

async function newList(owner: Client, options: object = {}) {
  const project = await owner.newProject(options);
  const path = `/projects/${project.id}/suppressions`;
  return {
    ...project,
    path,
    add: (body: object) => owner.post(path, body),
    list: async (query = "") => (await owner.get<List>(`${path}${query}`)).body,
    audit: async () => {
      const { results } = await env.DB.prepare(
        "select action, target_id, metadata from audit_entries where scope_id = ? and action like 'suppression.%' order by id",
      )
        .bind(project.id)
        .all<{ action: string; target_id: string; metadata: string }>();
      return results.map(({ metadata, ...entry }) => ({
        ...entry,
        metadata: JSON.parse(metadata),
      }));
    },
    countRows: async () => {
      const row = await env.DB.prepare(
        "select reason, count(*) as n from suppressions where project_id = ? group by reason",
      )
        .bind(project.id)
        .all<{ reason: string; n: number }>();
      return Object.fromEntries(row.results.map(({ reason, n }) => [reason, n]));
    },
  };
}

describe("POST /projects/{id}/suppressions", async () => {
  const owner = await service.newOwner();

  it("adds trimmed and lower-cased addresses, counts the others as skipped, and lists invalid ones", async () => {
    const list = await newList(owner);
    const emails = [
      " Ann@Example.COM ",
      "bob@example.com",
      "ann@example.com",
      "",
      "  ",
      "no-at",
      "a@b@",
    ];
    expect(await list.add({ emails, source: "by hand" })).toMatchObject({
      status: 200,
      body: {
        added: 2,
        skipped: 5,
        rejected: [
          { row: 3, email: "", reason: "invalid_syntax" },
          { row: 4, email: "  ", reason: "invalid_syntax" },
          { row: 5, email: "no-at", reason: "invalid_syntax" },
          { row: 6, email: "a@b@", reason: "invalid_syntax" },
        ],
      },
    });
    const { suppressions, total } = await list.list();
    expect(total).toBe(2);
    expect(suppressions.map(({ email }) => email).sort()).toEqual([
      "ann@example.com",
      "bob@example.com",
    ]);
    expect(suppressions[0]).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      project_id: list.id,
      email: expect.any(String),
      reason: "manual",
      source: "by hand",
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_seen_at: suppressions[0]?.created_at,
    });
  });

  it("skips listed addresses and keeps their reason and source", async () => {
    const list = await newList(owner);
    await list.add({ emails: ["a@example.com"], reason: "hard_bounce", source: "first" });
    const again = await list.add({ emails: ["A@example.com", "b@example.com"], source: "second" });
    expect(again.body).toEqual({ added: 1, skipped: 1, rejected: [] });
    const kept = (await list.list("?reason=hard_bounce")).suppressions;
    expect(kept).toEqual([expect.objectContaining({ email: "a@example.com", source: "first" })]);
  });

  it("writes the added count and the reason into the audit trail", async () => {
    const list = await newList(owner);
    await list.add({ emails: ["a@example.com", "b@example.com"], reason: "unsubscribed" });
    await list.add({ emails: ["a@example.com", "c@example.com", "nobody"] });
    expect((await list.audit()).map(({ action, metadata }) => [action, metadata])).toEqual([
      ["suppression.add", { added: 2, reason: "unsubscribed" }],
      ["suppression.add", { added: 1, reason: "manual" }],
    ]);
  });

  it("accepts 10,000 addresses in one atomic write, and no more", async () => {
    const list = await newList(owner);
    const emails = Array.from({ length: 10_000 }, (_, n) => `u${n}@example.com`);
    service.d1.reset();
    const answer = await list.add({ emails, source: "x".repeat(255) });
    expect(answer.body).toEqual({ added: 10_000, skipped: 0, rejected: [] });
    expect(service.d1.roundTrips).toBe(3); // the access check is repeated after a large body
    expect((await list.list()).total).toBe(10_000);
    expect(await list.countRows()).toEqual({ manual: 10_000 });
    expect(await list.add({ emails: [...emails, "one@more.test"] })).toMatchObject({ status: 400 });
  });

  it("counts correctly if the same addresses are added twice concurrently", async () => {
    const list = await newList(owner);
    const emails = Array.from({ length: 50 }, (_, n) => `twice${n}@example.com`);
    const answers = await Promise.all([list.add({ emails }), list.add({ emails })]);
    const added = answers.map(({ body }) => Number(body["added"]));
    expect(added.reduce((sum, n) => sum + n, 0)).toBe(50);
    expect((await list.list()).total).toBe(50);
  });

  it("adds an address of another project's list as a separate entry", async () => {
    const [mine, other] = [await newList(owner), await newList(owner)];
    await other.add({ emails: ["a@example.com"], reason: "hard_bounce", source: "theirs" });
    const added = await mine.add({ emails: ["a@example.com"], source: "mine" });
    expect(added.body).toMatchObject({ added: 1, skipped: 0 });
    expect(await mine.list()).toMatchObject({
      total: 1,
      suppressions: [{ reason: "manual", source: "mine" }],
    });
    expect(await mine.audit()).toMatchObject([{ metadata: { added: 1, reason: "manual" } }]);
    expect(await other.list()).toMatchObject({
      total: 1,
      suppressions: [{ reason: "hard_bounce", source: "theirs" }],
    });
  });

  it.each([
    [{}],
    [{ emails: [] }],
    [{ emails: "a@example.com" }],
    [{ emails: [1] }],
    [{ emails: ["a@example.com"], reason: "bored" }],
    [{ emails: ["a@example.com"], source: "x".repeat(256) }],
  ])("rejects %j", async (body) => {
    const list = await newList(owner);
    expect(await list.add(body)).toMatchObject({ status: 400 });
    expect(await list.countRows()).toEqual({});
  });
});

describe("GET /projects/{id}/suppressions", async () => {
  const owner = await service.newOwner();

  it("pages newest first over all reasons, with the total from counters", async () => {
    const list = await newList(owner);
    const reasons = ["manual", "hard_bounce", "unsubscribed"];
    for (let n = 0; n < 9; n += 1) {
      clock.aheadMs += 5;
      await list.add({ emails: [`n${n}@example.com`], reason: reasons[n % 3] });
    }
    const page = await list.list("?limit=4&offset=2");
    expect(page.total).toBe(9);
    expect(page.suppressions.map(({ email }) => email)).toEqual(
      [6, 5, 4, 3].map((n) => `n${n}@example.com`),
    );
    const manual = await list.list("?reason=manual&limit=2&offset=1");
    expect(manual.suppressions.map(({ email }) => email)).toEqual(
      [3, 0].map((n) => `n${n}@example.com`),
    );
    const bounced = await list.list("?reason=hard_bounce&limit=2");
    expect(bounced.total).toBe(3);
    expect(bounced.suppressions.map(({ email }) => email)).toEqual(
      [7, 4].map((n) => `n${n}@example.com`),
    );
  });

  it("shows 50 entries by default, and never more than 200", async () => {
    const list = await newList(owner);
    await list.add({ emails: Array.from({ length: 210 }, (_, n) => `u${n}@example.com`) });
    expect((await list.list()).suppressions).toHaveLength(50);
    expect((await list.list("?limit=1000")).suppressions).toHaveLength(200);
    expect(await owner.get(`${list.path}?reason=bored`)).toMatchObject({ status: 400 });
  });

  it("counts the entry of an address on every page, and shows it on the first one", async () => {
    const list = await newList(owner);
    await list.add({ emails: ["a@example.com", "b@example.com"] });
    const [first, second] = [
      await list.list("?email=a@example.com"),
      await list.list("?email=a@example.com&offset=1"),
    ];
    expect(first).toMatchObject({ total: 1, suppressions: [{ email: "a@example.com" }] });
    expect(second).toEqual({ total: 1, suppressions: [] });
  });

  it("shows nothing of another project", async () => {
    const [mine, other] = [await newList(owner), await newList(owner)];
    await other.add({ emails: ["a@example.com"] });
    expect(await mine.list()).toEqual({ suppressions: [], total: 0 });
  });
});

describe("DELETE /projects/{id}/suppressions/{suppressionId}", async () => {
  const owner = await service.newOwner();

  it("removes the entry from list and counters and records it in the audit trail", async () => {
    const list = await newList(owner);
    await list.add({ emails: ["a@example.com", "b@example.com"], reason: "hard_bounce" });
    const [entry] = (await list.list()).suppressions;
    expect(await owner.delete(`${list.path}/${entry?.id}`)).toMatchObject({ status: 204 });
    const left = await list.list("?reason=hard_bounce");
    expect(left).toMatchObject({ total: 1, suppressions: [{ email: expect.any(String) }] });
    expect(left.suppressions[0]?.email).not.toBe(entry?.email);
    expect(await owner.delete(`${list.path}/${entry?.id}`)).toMatchObject({
      status: 404,
      body: { error: "suppression not found" },
    });
    expect((await list.list()).total).toBe(1);
    const deletions = (await list.audit()).filter(({ action }) => action === "suppression.delete");
    const metadata = { email: entry?.email, reason: "hard_bounce" };
    expect(deletions).toEqual([{ action: "suppression.delete", target_id: entry?.id, metadata }]);
  });

  it("removes nothing of another project", async () => {
    const [mine, other] = [await newList(owner), await newList(owner)];
    await other.add({ emails: ["a@example.com"] });
    const [entry] = (await other.list()).suppressions;
    expect(await owner.delete(`${mine.path}/${entry?.id}`)).toMatchObject({ status: 404 });
    expect((await other.list()).total).toBe(1);
    expect((await mine.list()).total).toBe(0);
    expect(await mine.audit()).toEqual([]);
  });

  it("keeps the same address on the list of another project, with its counter", async () => {
    const [mine, other] = [await newList(owner), await newList(owner)];
    for (const list of [mine, other]) await list.add({ emails: ["a@example.com"] });
    const [entry] = (await mine.list()).suppressions;
    expect(await owner.delete(`${mine.path}/${entry?.id}`)).toMatchObject({ status: 204 });
    expect((await mine.list()).total).toBe(0);
    expect(await other.list()).toMatchObject({ total: 1, suppressions: [{}] });
  });

  it("allows later sends; earlier ones are rejected and update last_seen_at", async () => {
    const list = await newList(owner, CAPTURING);
    const to = `${unique("listed")}@example.com`;
    const send = () =>
      owner.post(`/projects/${list.id}/send`, { to, subject: "x", html_body: "y" });
    await list.add({ emails: [to] });
    const [before] = (await list.list()).suppressions;
    clock.aheadMs += 60_000;
    expect(await send()).toMatchObject({ status: 422 });
    const [hit] = (await list.list()).suppressions;
    expect(hit?.created_at).toBe(before?.created_at);
    expect(Date.parse(hit?.last_seen_at ?? "")).toBeGreaterThanOrEqual(
      Date.parse(before?.last_seen_at ?? "") + 60_000,
    );
    await owner.delete(`${list.path}/${hit?.id}`);
    expect(await send()).toMatchObject({ status: 200 });
  });

  it("rejects sends only to its own addresses and updates last_seen_at of no other entry", async () => {
    const list = await newList(owner, CAPTURING);
    const [hit, other] = [`${unique("hit")}@example.com`, `${unique("other")}@example.com`];
    await list.add({ emails: [hit, other] });
    const seenAt = async (email: string) =>
      (await list.list()).suppressions.find((entry) => entry.email === email)?.last_seen_at;
    const [hitAt, otherAt] = [await seenAt(hit), await seenAt(other)];
    clock.aheadMs += 60_000;
    const send = (to: string) =>
      owner.post(`/projects/${list.id}/send`, { to, subject: "x", html_body: "y" });
    expect(await send(`${unique("free")}@example.com`)).toMatchObject({ status: 200 });
    expect(await send(hit)).toMatchObject({ status: 422 });
    expect(await seenAt(hit)).not.toBe(hitAt);
    expect(await seenAt(other)).toBe(otherAt);
  });

  it("rejects only sends of its own project and updates last_seen_at of no other list", async () => {
    const [mine, other] = [await newList(owner, CAPTURING), await newList(owner, CAPTURING)];
    const [own, both] = [`${unique("own")}@example.com`, `${unique("both")}@example.com`];
    await mine.add({ emails: [own, both] });
    await other.add({ emails: [both] });
    const before = (await other.list()).suppressions;
    clock.aheadMs += 60_000;
    const send = (id: string, to: string) =>
      owner.post(`/projects/${id}/send`, { to, subject: "x", html_body: "y" });
    expect(await send(other.id, own)).toMatchObject({ status: 200 });
    expect(await send(mine.id, both)).toMatchObject({ status: 422 });
    expect((await other.list()).suppressions).toEqual(before);
  });
});

describe("the source of a hard bounce", () => {
  it("is its origin and the server's reply, at most 255 characters in total", () => {
    expect(hardBounce("a@b.test", "smtp", "550 gone").source).toBe("smtp: 550 gone");
    expect(hardBounce("a@b.test", "smtp", "").source).toBe("smtp");
    expect(hardBounce("a@b.test", "smtp", "x".repeat(300)).source).toBe(`smtp: ${"x".repeat(249)}`);
  });
});
