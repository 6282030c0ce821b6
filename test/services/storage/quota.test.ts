/* The quota of a workspace in cloud mode (API reference §18.6). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { measureWorkspaces } from "../../../src/services/storage/index.ts";
import { WEBHOOK_QUEUE } from "../../support/events.ts";
import { testLicense } from "../../support/license.ts";
import { waitForMessage } from "../../support/mailbox.ts";
import { transferFiles } from "../../support/transfer-files.ts";
import { allRows } from "../../support/rows.ts";
import {
  CAPTURING,
  createService,
  unique,
  type Answer,
  type Client,
} from "../../support/service.ts";
import { EVERY_FIVE_MINUTES, HOUR } from "../../support/times.ts";

const QUOTA = 300_000;
let aheadMs = 0;
const license = await testLicense("team"); // for webhooks
const now = () => Date.now() + aheadMs;
const service = createService(
  { ...license, WEBHOOK_QUEUE, WORKSPACE_STORAGE_BYTES: String(QUOTA) },
  { now },
);
const deps = await service.deps();

const someone = () => `${unique("someone")}@any.test`;
const people = (count: number, more: object = {}) =>
  Array.from({ length: count }, () => ({ email: someone(), ...more }));

async function storedBy(projectId: string): Promise<number> {
  const [row] = await allRows(
    "select stored_bytes as bytes from project_counters where project_id = ?",
    projectId,
  );
  return Number(row?.["bytes"]);
}

async function newProject(owner: Client, hooks = 0) {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  for (let n = 0; n < hooks; n++) {
    const { status } = await owner.post(`${path}/webhooks`, { url: `https://hook${n}.test/in` });
    expect(status).toBe(201);
  }
  const load = (rows: object[]) => owner.post(`${path}/subscribers/import`, rows);
  return { ...project, path, load };
}

const refused = {
  status: 403,
  body: {
    error: expect.stringMatching(
      /^the workspace stores \d\.\d MB, and its quota is 0\.3 MB: .* delete subscribers, webhooks or/,
    ),
  },
};

/** Measures as the cron job does an hour later. */
async function measure() {
  aheadMs += HOUR;
  await measureWorkspaces(deps);
}

describe("a workspace above its quota", () => {
  it("adds no subscribers and events, and stores no deliveries of webhooks, while another workspace does", async () => {
    const [full, other] = [await service.newOwner(), await service.newOwner()];
    const { id, key, path, load } = await newProject(full, 1);
    const made = await full.post(`${path}/api-keys`, { name: "Join", type: "pk" });
    const visitor = service.withKey(String(made.body["key"]));
    const rows = people(400);
    expect((await load(rows)).body).toMatchObject({ imported: 400 });
    const second = await newProject(full);
    const list = (more = {}) => {
      const file = `E-Mail;Company\n${someone()};Lee\n`;
      const body = { file, mapping: { email: "E-Mail" }, status: "active", ...more };
      return full.post(`${path}/audience/import`, body);
    };
    const ways: Record<string, () => Promise<Answer>> = {
      one: () => full.post(`${path}/subscribers`, { email: someone() }),
      join: () => visitor.post("/join", { email: someone() }),
      waitlist: () => service.anonymous.post(`${path}/waitlist`, { email: someone() }),
      import: () => load(people(1)),
      list,
      event: () => full.post(`${path}/events`, { name: "bought", email: rows[0]?.email }),
      elsewhere: () => second.load(people(1)),
    };
    const counted = () =>
      allRows(
        `select (select count(*) from subscribers where project_id = ?1) as people,
          (select count(*) from webhook_deliveries where project_id = ?1) as deliveries`,
        id,
      );
    for (const [way, add] of Object.entries(ways)) expect(await add(), way).toMatchObject(refused);
    expect(await list({ dry_run: true })).toMatchObject({ status: 200 });
    const found = await full.get<{ subscribers: { id: string }[] }>(`${path}/subscribers?limit=1`);
    const item = `${path}/subscribers/${String(found.body.subscribers[0]?.id)}`;
    const left = await full.request("PATCH", item, { status: "unsubscribed" });
    expect(left.body).toMatchObject({ status: "unsubscribed" });
    const to = someone();
    const sent = await service
      .withKey(key)
      .post(`${path}/send`, { to, subject: "Hi", html_body: "<p>Hi</p>" });
    expect(sent.status).toBe(200);
    await waitForMessage(to);
    expect(await counted()).toEqual([{ people: 400, deliveries: 400 }]);

    const next = await newProject(other, 1);
    expect((await next.load(people(10))).body).toMatchObject({ imported: 10 });
    expect(
      await allRows("select 1 from webhook_deliveries where project_id = ?", next.id),
    ).toHaveLength(10);
  });

  it("has space after a deletion, once the cron job has measured it", async () => {
    const owner = await service.newOwner();
    const { path, load } = await newProject(owner);
    await load(people(700));
    const { body } = await owner.post(`${path}/subscribers/bulk`, {
      action: "delete",
      filter: { all: true },
    });
    expect(body).toEqual({ changed: 700, more: false });
    expect(await load(people(1))).toMatchObject(refused);
    await runScheduled(deps, EVERY_FIVE_MINUTES);
    expect((await load(people(1))).body).toMatchObject({ imported: 1 });
  });

  it("has space as soon as it deletes a project", async () => {
    const owner = await service.newOwner();
    const [first, second] = [await newProject(owner), await newProject(owner)];
    await first.load(people(700));
    expect(await second.load(people(1))).toMatchObject(refused);
    await owner.delete(first.path);
    expect((await second.load(people(1))).body).toMatchObject({ imported: 1 });
  });
});

describe("the bytes that count", () => {
  const metadata = { source: "web", text: "x".repeat(1_500) };
  /** Each way adds at least a tenth of the quota, so that the job measures it. */
  const ways: Record<
    string,
    (project: Awaited<ReturnType<typeof newProject>>, owner: Client) => Promise<unknown>
  > = {
    "an import with topics": async ({ path, load }, owner) => {
      await owner.post(`${path}/topics`, { name: "news" });
      await load(people(60, { name: "Ann", tags: ["a", "b"], topics: ["news"] }));
    },
    events: async ({ path, load }, owner) => {
      const rows = people(2);
      await load(rows);
      const data = { text: "x".repeat(500) };
      const events = rows.map(({ email }) => ({ name: "purchased", email, data }));
      const list = Array.from({ length: 60 }, () => events).flat();
      expect((await owner.post(`${path}/events`, list)).body).toMatchObject({ accepted: 120 });
    },
    "another service's list": ({ path }, owner) => {
      const rows = people(100).map(({ email }) => `${email};Lee`);
      const body = {
        file: ["E-Mail;Company", ...rows].join("\n"),
        mapping: { email: "E-Mail" },
        status: "active",
      };
      return owner.post(`${path}/audience/import`, body);
    },
    "single subscribers": async ({ path }, owner) => {
      for (let n = 0; n < 8; n++)
        await owner.post(`${path}/subscribers`, { email: someone(), metadata });
    },
    "the waitlist": async ({ path }, owner) => {
      const body = { form_text: "x".repeat(1_000) };
      expect((await owner.put(`${path}/audience-settings`, body)).status).toBe(200);
      for (let n = 0; n < 7; n++)
        await service.anonymous.post(`${path}/waitlist`, { email: someone() });
    },
    "a change of metadata": async ({ path }, owner) => {
      for (let n = 0; n < 8; n++) {
        const { body } = await owner.post(`${path}/subscribers`, { email: someone() });
        const item = `${path}/subscribers/${String(body["id"])}`;
        for (let time = 0; time < 2; time++) await owner.request("PATCH", item, { metadata });
      }
    },
    deliveries: async ({ id, path, load }, owner) => {
      for (const url of ["https://a.test/in", "https://b.test/in"])
        await owner.post(`${path}/webhooks`, { url });
      await load(people(10, { metadata }));
      const [row] = await allRows(
        "select webhook_id w, id from webhook_deliveries where project_id = ?",
        id,
      );
      const delivery = `${path}/webhooks/${String(row?.["w"])}/deliveries/${String(row?.["id"])}`;
      expect((await owner.post(`${delivery}/replay`)).status).toBe(202);
    },
    "the import of a project": async ({ id, load }, owner) => {
      await load(people(100));
      const { exportOf, forget, load: loadExport } = transferFiles(service, owner);
      const lines = await exportOf(id);
      await forget(id);
      const target = await owner.newProject();
      await loadExport(target.id, lines);
      return target.id;
    },
  };

  it.each(Object.entries(ways))("are recorded as they are measured, for %s", async (_, store) => {
    const owner = await service.newOwner();
    const project = await newProject(owner);
    const moved = await store(project, owner);
    const id = typeof moved === "string" ? moved : project.id;
    const noted = await storedBy(id);
    expect(noted).toBeGreaterThan(QUOTA / 10);
    await measure();
    expect(await storedBy(id)).toBe(noted);
  });

  const sizeNow = async () => (await env.DB.prepare("select 1").run()).meta.size_after;

  it.each<[string, object, { topics?: string[]; hooks?: number }]>([
    ["subscribers", {}, {}],
    ["subscribers with names and tags", { name: "Ann Lee", tags: ["a", "b", "c"] }, {}],
    ["subscribers with metadata", { metadata }, {}],
    ["subscribers with topics", { topics: ["news", "offers"] }, { topics: ["news", "offers"] }],
    ["subscribers and deliveries", {}, { hooks: 2 }],
  ])("approximate the growth of the database, for %s", async (_, more, { topics, hooks }) => {
    const owner = await service.newOwner();
    const { id, path, load } = await newProject(owner, hooks);
    for (const name of topics ?? []) await owner.post(`${path}/topics`, { name });
    const before = await sizeNow();
    expect((await load(people(2_000, more))).body).toMatchObject({ imported: 2_000 });
    const grown = (await sizeNow()) - before;
    expect((await storedBy(id)) / grown).toBeGreaterThan(0.75);
    expect((await storedBy(id)) / grown).toBeLessThan(1.3);
  });

  it("approximate the growth of the database, for events", async () => {
    const owner = await service.newOwner();
    const { id, path, load } = await newProject(owner);
    const rows = people(100);
    await load(rows);
    const [stored, before] = [await storedBy(id), await sizeNow()];
    const events = rows.map(({ email }) => ({ name: "purchased", email, data: { total: 42 } }));
    const list = Array.from({ length: 10 }, () => events).flat();
    for (let n = 0; n < 2; n++) await owner.post(`${path}/events`, list);
    const grown = (await sizeNow()) - before;
    expect(((await storedBy(id)) - stored) / grown).toBeGreaterThan(0.75);
    expect(((await storedBy(id)) - stored) / grown).toBeLessThan(1.3);
  });

  it("are measured once an hour, and only above a tenth of the quota", async () => {
    const owner = await service.newOwner();
    const { id } = await newProject(owner);
    const set = (bytes: number) =>
      allRows("update project_counters set stored_bytes = ? where project_id = ?", bytes, id);
    await set(QUOTA / 10);
    await measure();
    expect(await storedBy(id)).toBe(QUOTA / 10);
    await set(QUOTA);
    await measure();
    expect(await storedBy(id)).toBe(0);
    await set(QUOTA);
    await measureWorkspaces(deps);
    expect(await storedBy(id)).toBe(QUOTA);
  });
});

describe("WORKSPACE_STORAGE_BYTES", () => {
  const quotaOf = async (settings: Record<string, string>) =>
    (await createService(settings).deps()).config.workspaceStorageBytes;

  it("is 5 % of STORAGE_LIMIT_BYTES by default", async () => {
    expect(await quotaOf({})).toBe(500_000_000);
    expect(await quotaOf({ STORAGE_LIMIT_BYTES: "500000000" })).toBe(25_000_000);
    expect(await quotaOf({ WORKSPACE_STORAGE_BYTES: "7" })).toBe(7);
    await expect(quotaOf({ WORKSPACE_STORAGE_BYTES: "1 GB" })).rejects.toThrow(
      "WORKSPACE_STORAGE_BYTES must be a whole number of bytes",
    );
  });

  it("has no effect in a self-hosted deployment, which records and measures nothing", async () => {
    const own = createService(
      { ...license, WEBHOOK_QUEUE, DEPLOYMENT_MODE: "self_hosted", WORKSPACE_STORAGE_BYTES: "1" },
      { now },
    );
    const { id, load } = await newProject(await own.newOwner(), 1);
    expect((await load(people(10))).body).toMatchObject({ imported: 10 });
    expect(await storedBy(id)).toBe(0);
    own.d1.reset();
    await measureWorkspaces(await own.deps());
    expect(own.d1.roundTrips).toBe(0);
  });
});
