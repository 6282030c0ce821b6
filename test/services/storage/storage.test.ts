/*
 * A database that fills (decision D6). The size is the real one of the test's database. The tests
 * lower the limit to reach a level.
 */
import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "cloudflare:sockets";
import type { Runtime } from "../../../src/deps.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { openDatabase, runBatch } from "../../../src/db/client.ts";
import type { FillLevel } from "../../../src/lib/storage-fill.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { measureStorage } from "../../../src/services/storage/index.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { isRecord, newNewsletter, workOff } from "../../support/broadcasting.ts";
import { logEntry } from "../../support/log-entry.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { mailingWorld } from "../../support/service-mail.ts";
import { createService, unique, type Answer } from "../../support/service.ts";
import { DAY, EVERY_MINUTE, HOUR, MINUTE } from "../../support/times.ts";
import { logRow, trackingEvent } from "../../support/tracking/mails.ts";

const EVERY_FIVE_MINUTES = "*/5 * * * *";
const D1_LIMIT = 10_000_000_000;
const clock = { now: Date.UTC(2026, 8, 1, 12) };

/** The connections to SMTP servers. */
let connections = 0;
const sockets: Runtime["sockets"] = (...target) => {
  connections += 1;
  return connect(...target);
};

const world = await mailingWorld(() => clock.now, { LOG_RETENTION_DAYS: "30" }, { sockets });
const { service, operator } = world;
const deps = await service.deps();
const limits = deps.config;

type Line = Record<string, unknown>;
/** The lines in the log about the storage. */
const lines: Line[] = [];
beforeEach(async () => {
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((text: string) => {
      const line = JSON.parse(text) as Line;
      if (String(line["event"]).startsWith("storage")) lines.push(line);
    });
  await allRows("update storage set bytes = 0, level = 'ok', measured_at = 0");
  await allRows("delete from pending_mails");
});
afterEach(() => {
  vi.restoreAllMocks();
  lines.length = 0;
  limits.storageLimitBytes = D1_LIMIT;
  service.d1.before = undefined;
});

const sizeNow = async () => (await env.DB.prepare("select 1").run()).meta.size_after;

/** Lowers the limit so that the database is full to this part, and measures. */
async function fillTo(fill: number) {
  limits.storageLimitBytes = Math.ceil((await sizeNow()) / fill);
  clock.now += MINUTE;
  await measureStorage(deps);
}

interface Health {
  level: FillLevel | "unknown";
  used_pct: number | null;
  log_retention_days: number;
}
const health = async () =>
  (await (await service.fetch("/health")).json<{ storage: Health }>()).storage;

const mail = () => ({ to: `${unique("full")}@any.test`, subject: "Hi", html_body: "<p>Hi</p>" });
const countOf = async (table: string) => (await allRows(`select 1 from ${table}`)).length;

describe("the minutely measurement", () => {
  it("finds the level of the actual size, logs each change, and reports it in /health", async () => {
    expect(await health()).toEqual({ level: "unknown", used_pct: null, log_retention_days: 30 });
    limits.storageLimitBytes = Math.ceil((await sizeNow()) / 0.87);
    await runScheduled(deps, EVERY_MINUTE);
    const { level, used_pct: percent } = await health();
    expect(level).toBe("warning");
    expect(percent).toBeGreaterThan(85);
    expect(percent).toBeLessThan(92);
    await fillTo(0.97);
    await fillTo(0.3);
    expect(lines.map((line) => [line["before"], line["level"]])).toEqual([
      ["ok", "warning"],
      ["warning", "full"],
      ["full", "ok"],
    ]);
    expect((await health()).level).toBe("ok");
  });

  it("costs one round trip and writes nothing while the size stays the same for ten minutes", async () => {
    await fillTo(0.5);
    service.d1.reset();
    clock.now += 9 * MINUTE;
    await measureStorage(deps);
    expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([1, 0]);
    clock.now += MINUTE;
    await measureStorage(deps);
    expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([3, 1]);
  });

  it("mails the operator once for each crossing of 85 %", async () => {
    const notices = async () =>
      (
        await allRows("select data from pending_mails where kind = 'notice' order by created_at")
      ).map(({ data }) => JSON.parse(String(data)) as Record<string, string>);
    await fillTo(0.75);
    await Promise.all([fillTo(0.9), fillTo(0.9)]);
    await fillTo(0.84); // not clearly below 85 %
    await fillTo(0.9);
    await fillTo(0.97);
    await fillTo(0.9);
    expect(await notices()).toEqual([
      {
        to: operator.email,
        title: expect.stringMatching(/^The storage of the service is (9|89)[.\d]*% full$/),
        text: expect.stringContaining("LOG_RETENTION_DAYS"),
        project: "",
      },
    ]);
    await fillTo(0.5);
    await fillTo(0.9);
    expect(await notices()).toHaveLength(2);
  });

  it("reports if the size or a fresh measurement is missing, and rejects nothing then", async () => {
    const { id, key } = world.project;
    await fillTo(0.97);
    expect((await service.withKey(key).post(`/projects/${id}/send`, mail())).status).toBe(503);
    clock.now += HOUR;
    expect((await health()).level).toBe("unknown");
    expect((await service.withKey(key).post(`/projects/${id}/send`, mail())).status).toBe(200);
    lines.length = 0;
    await measureStorage({ ...deps, db: openDatabase(sized(() => undefined)) });
    expect(lines).toEqual([{ level: "warn", event: "storage_unknown", size: "undefined" }]);
  });

  it("takes its limit from STORAGE_LIMIT_BYTES, which is 10 GB by default", async () => {
    const limitOf = async (value: string) =>
      (await createService({ STORAGE_LIMIT_BYTES: value }).deps()).config.storageLimitBytes;
    expect([await limitOf(""), await limitOf("500000000")]).toEqual([D1_LIMIT, 500_000_000]);
    for (const value of ["0", "-1", "1.5", "10GB"]) {
      const answer = await createService({ STORAGE_LIMIT_BYTES: value }).fetch("/health");
      expect([value, answer.status, await answer.text()]).toEqual([
        value,
        503,
        expect.stringContaining("STORAGE_LIMIT_BYTES must be a whole number of bytes"),
      ]);
    }
  });
});

/** The test's database with another size in its answers. */
function sized(size: () => number | undefined): D1Database {
  const change = (result: D1Result) => ({
    ...result,
    meta: { ...result.meta, size_after: size() },
  });
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    ({
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      run: async () => change(await statement.run()),
      all: async () => change(await statement.all()),
      raw: () => statement.raw(),
      real: statement,
    }) as unknown as D1PreparedStatement;
  const realOf = (statement: D1PreparedStatement) =>
    (statement as unknown as { real: D1PreparedStatement }).real;
  return {
    prepare: (sql: string) => wrap(env.DB.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) =>
      (await env.DB.batch(statements.map(realOf))).map(change),
  } as unknown as D1Database;
}

describe("a database at 95 % of its limit", () => {
  const refused = {
    status: 503,
    body: { error: expect.stringMatching(/storage of this service is 9\d[.\d]*% full: no mail/) },
  };
  const facts = ({ status, body, headers }: Answer) => ({
    status,
    body,
    retry: headers.get("Retry-After"),
  });

  it("rejects each send before SMTP, and leaves no entry and no operation", async () => {
    const { id } = world.project;
    const path = `/projects/${id}`;
    const template = await operator.post(`${path}/templates`, {
      name: unique("news"),
      subject: "News",
      html_body: "<p>Hi</p>",
    });
    const secret = await operator.post(`${path}/api-keys`, { name: "s", type: "sdk" });
    const keyed = service.withKey(String(secret.body["key"]));
    const batch = { template_id: template.body["id"], recipients: [{ to: "a@any.test" }] };
    const content = { name: "May", template_id: template.body["id"] };
    const draft = await operator.post(`${path}/broadcasts`, content);
    const start = `${path}/broadcasts/${String(draft.body["id"])}/start`;
    await fillTo(0.97);
    const before = [await countOf("logged_mails"), await countOf("send_operations")];
    connections = 0;
    const withKey = { "Idempotency-Key": unique("key") };
    const single = mail();
    const answers = [
      await operator.post(`${path}/send`, single),
      await operator.post(`${path}/send`, mail(), withKey),
      await operator.post(`${path}/send/batch`, batch, withKey),
      await operator.post(`${path}/smtp/test`),
      await operator.post(`${path}/broadcast`, { template_id: template.body["id"] }),
      await operator.post(start, { accept: ["empty_audience"] }),
    ];
    for (const answer of answers) expect(facts(answer)).toMatchObject({ ...refused, retry: "300" });
    const html = '<a href="{{unsubscribe_link}}">leave</a>';
    const others = [
      await keyed.post("/send", { email: "a@any.test", html: "<p>Hi</p>", subject: "Hi" }),
      await keyed.post("/broadcast", { subject: "Hi", html }),
    ];
    for (const answer of others)
      expect(facts(answer)).toMatchObject({
        status: 503,
        retry: "300",
        body: { success: false, ...refused.body },
      });
    expect([connections, await receivedMessages(single.to)]).toEqual([0, []]);
    expect([await countOf("logged_mails"), await countOf("send_operations")]).toEqual(before);
    expect(await countOf("broadcasts")).toBe(1); // the draft

    await fillTo(0.9);
    expect(await operator.post(`${path}/send/batch`, batch, withKey)).toMatchObject({
      status: 200,
      body: { sent: 1 },
    });
  });

  it("replays the responses of earlier sends", async () => {
    const { id } = world.project;
    const body = mail();
    const key = { "Idempotency-Key": unique("key") };
    const first = await operator.post(`/projects/${id}/send`, body, key);
    await fillTo(0.97);
    expect(await operator.post(`/projects/${id}/send`, body, key)).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect(await receivedMessages(body.to)).toHaveLength(1);
  });

  it("still reads, tracks, unsubscribes, suppresses and processes bounces", async () => {
    const { id } = world.project;
    const path = `/projects/${id}`;
    const sent = await operator.post(`${path}/send`, mail());
    const logId = String(sent.body["id"]);
    const email = `${unique("reader")}@any.test`;
    const added = await operator.post(`${path}/subscribers`, { email });
    const { body: ingest } = await operator.get(`${path}/bounce-webhook`);
    await fillTo(0.97);

    expect((await operator.get(`${path}/logs`)).status).toBe(200);
    await recordEvents(deps, [trackingEvent("open", logId, clock.now)]);
    expect(await logRow(deps, logId)).toMatchObject({ opened_at: clock.now });
    const left = await service.fetch(`/unsubscribe/${id}/${String(added.body["id"])}`);
    expect(left.status).toBe(200);
    const readers = await allRows("select status from subscribers where email = ?", email);
    expect(readers).toEqual([{ status: "unsubscribed" }]);
    const blocked = `${unique("blocked")}@any.test`;
    await operator.post(`${path}/suppressions`, { emails: [blocked] });
    const bounced = `${unique("bounced")}@any.test`;
    const body = JSON.stringify({ email: bounced });
    const report = await service.fetch(String(ingest["url"]), { method: "POST", body });
    expect(report.status).toBe(200);
    const listed = await allRows("select email from suppressions where project_id = ?", id);
    expect(listed.map((row) => row["email"])).toEqual(expect.arrayContaining([blocked, bounced]));
  });

  it("pauses a running broadcast with the reason, and it continues when there is space", async () => {
    const news = await newNewsletter(service, operator);
    await news.subscribe(3);
    const started = await news.start({ Prefer: "respond-async" });
    const id = String(started.body["broadcast_id"]);
    connections = 0;
    await fillTo(0.97);
    await workOff(deps, news.id);
    expect(await news.progress(id)).toMatchObject({
      state: "paused",
      sent: 0,
      failed: 0,
      error: expect.stringMatching(/storage of this service is 9\d[.\d]*% full/),
    });
    expect([connections, await news.logs()]).toEqual([0, []]);
    const resume = () => operator.post(`${news.path}/broadcasts/${id}/resume`);
    expect(await resume()).toMatchObject(refused);
    expect((await news.progress(id)).state).toBe("paused");

    await fillTo(0.9);
    expect((await resume()).status).toBe(200);
    await workOff(deps, news.id);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 3, error: null });
    expect(connections).toBeGreaterThan(0);
  });

  it("pauses a broadcast that has begun before, at the next run of its sender", async () => {
    const news = await newNewsletter(service, operator);
    await news.subscribe(300);
    const started = await news.start({ Prefer: "respond-async" });
    const id = String(started.body["broadcast_id"]);
    await fillTo(0.5);
    service.d1.before = async (sql) => {
      if (!isRecord(sql)) return;
      service.d1.before = undefined;
      await allRows("update storage set level = 'full'");
      clock.now += MINUTE; // longer than a run
    };
    await workOff(deps, news.id);
    const { state, sent } = await news.progress(id);
    expect([state, sent > 0, sent < 200]).toEqual(["paused", true, true]);
  });

  it("keeps pending mail for days without counting an attempt, and sends it when there is space", async () => {
    const { id } = world.project;
    const made = await operator.post(`/projects/${id}/api-keys`, { name: "p", type: "pk" });
    const email = `${unique("pending")}@any.test`;
    await service
      .withKey(String(made.body["key"]))
      .post("/join", { email, sendWelcomeEmail: true });
    const { body } = await operator.get<{ workspaces: { id: string }[] }>("/workspaces");
    const invited = { email: `${unique("invited")}@any.test`, role: "viewer" };
    await operator.post(`/workspaces/${body.workspaces[0]?.id}/invitations`, invited);
    const pending = () =>
      allRows<{ attempts: number }>("select attempts from pending_mails where kind <> 'notice'");
    expect(await pending()).toHaveLength(2);
    connections = 0;
    for (let hour = 0; hour < 40; hour += 1) {
      clock.now += HOUR;
      await fillTo(0.97);
      await runScheduled(deps, EVERY_MINUTE);
      await world.deliver();
    }
    expect([connections, await pending()]).toEqual([0, [{ attempts: 0 }, { attempts: 0 }]]);
    await fillTo(0.9);
    clock.now += HOUR;
    await runScheduled(deps, EVERY_MINUTE);
    await world.deliver();
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await receivedMessages(invited.email)).toHaveLength(1);
    expect(await pending()).toEqual([]);
  });
});

describe("the retention of the log", () => {
  it("is LOG_RETENTION_DAYS however full the database is", async () => {
    const { id } = await operator.newProject();
    const entries = [31, 29].map((age) => logEntry(id, { sentAt: clock.now - age * DAY }));
    await runBatch(deps.db, appendLog(deps, id, entries));
    await fillTo(0.97);
    for (let run = 0; run < 3; run += 1) await runScheduled(deps, EVERY_FIVE_MINUTES);
    expect(await allRows("select 1 from logged_mails where project_id = ?", id)).toHaveLength(1);
    expect((await health()).log_retention_days).toBe(30);
  });
});

describe("the space that removed entries free", () => {
  const fillRows = (count: number) =>
    allRows(
      `insert into dead_letters (id, message_id, queue, type, body, bytes, failed_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
        select 'filler' || i, 'filler' || i, '', '', hex(randomblob(1000)), 1, 1 from n`,
      count,
    );

  it("counts immediately: D1 reports the pages in use", async () => {
    const empty = await sizeNow();
    await fillRows(500);
    const full = await sizeNow();
    expect(full - empty).toBeGreaterThan(1_000_000);
    await fillTo(0.97);
    expect((await health()).level).toBe("full");
    await allRows("delete from dead_letters");
    expect((await sizeNow()) - empty).toBeLessThan(50_000);
    clock.now += MINUTE;
    await measureStorage(deps);
    expect((await health()).level).toBe("ok");
    const { id, key } = world.project;
    expect((await service.withKey(key).post(`/projects/${id}/send`, mail())).status).toBe(200);
  });
});
