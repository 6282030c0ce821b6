import { env } from "cloudflare:test";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { LOG_STATUSES } from "../../../src/db/schema/index.ts";
import { toBase64Url } from "../../../src/lib/encoding.ts";
import {
  appendLog,
  markBounced,
  shareSubject,
  type LogEntry,
} from "../../../src/services/email-log/index.ts";
import { logEntry } from "../../support/log-entry.ts";
import { createService, type Client } from "../../support/service.ts";
import { DAY, HOUR, iso, SECOND } from "../../support/times.ts";

const NOON = Date.UTC(2026, 4, 10, 12);

const service = createService({ LOG_RETENTION_DAYS: "0" });
const deps = await service.deps();
let owner: Client;
let project: { id: string };
beforeAll(async () => {
  owner = await service.newOwner();
  project = await owner.newProject();
});

function entry(projectId: string, change: Partial<LogEntry> = {}): LogEntry {
  return logEntry(projectId, { sentAt: NOON, ...change });
}

const append = (projectId: string, entries: LogEntry[]) =>
  runBatch(deps.db, appendLog(deps, projectId, entries));

interface LogPage {
  logs: { id: string; sent_at: string; status: string; to_email: string; subject: string }[];
  total: number;
}

const listLog = (projectId: string, query: Record<string, string | number | undefined> = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return owner.get<LogPage>(`/projects/${projectId}/logs?${search.toString()}`);
};

/** Expected list, sorted directly: newest first, ids break ties. */
function naive(
  entries: LogEntry[],
  filter: { status?: string | undefined; from?: number | undefined; to?: number | undefined },
) {
  const { status, from = 0, to = Infinity } = filter;
  return entries
    .filter((one) => status === undefined || one.status === status)
    .filter(({ sentAt }) => sentAt >= from && sentAt < to)
    .toSorted((a, b) => b.sentAt - a.sentAt || (a.id < b.id ? 1 : -1));
}

describe("GET /projects/{id}/logs", () => {
  it("shows every field of an entry", async () => {
    const { id } = await owner.newProject();
    const logged = entry(id, {
      subscriberId: crypto.randomUUID(),
      templateId: crypto.randomUUID(),
      broadcastId: crypto.randomUUID(),
      status: "bounced",
      error: "550 5.1.1 no such user",
      reason: "user_unknown",
      tags: { kind: "receipt" },
      copies: [{ email: "c@any.test", status: "failed", error: "451 later" }],
    });
    await append(id, [logged]);
    expect((await listLog(id)).body).toEqual({
      logs: [
        {
          id: logged.id,
          project_id: id,
          subscriber_id: logged.subscriberId,
          template_id: logged.templateId,
          broadcast_id: logged.broadcastId,
          automation_id: null,
          step_id: null,
          to_email: "to@any.test",
          subject: "Hello",
          status: "bounced",
          error: "550 5.1.1 no such user",
          via_fallback: false,
          reason: "user_unknown",
          tags: { kind: "receipt" },
          copies: [{ email: "c@any.test", status: "failed", error: "451 later" }],
          sent_at: iso(NOON),
          opened_at: null,
          clicked_at: null,
        },
      ],
      total: 1,
    });
  });

  it("shows the subject of each mail of a broadcast, and stores a shared one once", async () => {
    const { id } = await owner.newProject();
    const broadcastId = crypto.randomUUID();
    await runBatch(deps.db, [
      shareSubject(deps.db, { id: broadcastId, projectId: id, subject: "News" }),
    ]);
    const subjects = ["News", "News for Ann", "", "News"];
    await append(
      id,
      subjects.map((subject, n) => entry(id, { broadcastId, subject, sentAt: NOON - n })),
    );
    await append(id, [entry(id, { subject: "News", sentAt: NOON - 9 })]);
    const { body } = await listLog(id);
    const shown = body.logs.map(({ subject }) => subject);
    expect(shown).toEqual([...subjects, "News"]);
    const stored = await env.DB.prepare(
      "select subject from log_entries where project_id = unhex(?, '-') order by sent_at desc",
    )
      .bind(id)
      .all<{ subject: string | null }>();
    const own = stored.results.map(({ subject }) => subject);
    expect(own).toEqual([null, "News for Ann", "", null, "News"]);
  });

  it("is empty for a new project and shows nothing of another one", async () => {
    const [mine, other] = [await owner.newProject(), await owner.newProject()];
    await append(other.id, [entry(other.id)]);
    expect((await listLog(mine.id)).body).toEqual({ logs: [], total: 0 });
    expect((await listLog(mine.id, { from: iso(0), to: iso(NOON + DAY) })).body.total).toBe(0);
  });

  it("lists newest first across the four statuses", async () => {
    const { id } = await owner.newProject();
    const entries = [5, 1, 4, 2, 8, 6, 3, 7].map((second, index) =>
      entry(id, { sentAt: NOON + second * SECOND, status: LOG_STATUSES[index % 4] ?? "sent" }),
    );
    await append(id, entries);
    const { body } = await listLog(id);
    expect(body.logs.map(({ sent_at }) => sent_at)).toEqual(
      [8, 7, 6, 5, 4, 3, 2, 1].map((second) => iso(NOON + second * SECOND)),
    );
    expect(new Set(body.logs.map(({ status }) => status)).size).toBe(4);
  });

  it("treats `from` as inclusive and `to` as exclusive", async () => {
    const { id } = await owner.newProject();
    const sentAt = NOON + 1;
    await append(id, [entry(id, { sentAt })]);
    const totals = [];
    for (const query of [
      { from: iso(sentAt) },
      { from: iso(sentAt + 1) },
      { to: iso(sentAt) },
      { to: iso(sentAt + 1) },
      { from: iso(sentAt), to: iso(sentAt) },
      { from: iso(sentAt + 5), to: iso(sentAt - 5) },
      { from: "2026-05-10T14:00:00.001+02:00", to: "2026-05-10t12:00:00.002z" },
    ]) {
      const { body } = await listLog(id, query);
      expect(body.logs).toHaveLength(body.total);
      totals.push(body.total);
    }
    expect(totals).toEqual([1, 0, 0, 1, 0, 0, 1]);
  });

  it("pages by 50, or by `limit` up to 200, without overlap or gap", async () => {
    const { id } = await owner.newProject();
    const entries = Array.from({ length: 450 }, (_, n) =>
      entry(id, { sentAt: NOON + Math.floor(n / 7), status: LOG_STATUSES[n % 4] ?? "sent" }),
    );
    await append(id, entries);
    const expected = naive(entries, {}).map((one) => one.id);
    const page = async (query: Record<string, string | number>) => {
      const { body } = await listLog(id, query);
      expect(body.total).toBe(450);
      return body.logs.map((one) => one.id);
    };
    expect(await page({})).toEqual(expected.slice(0, 50));
    expect(await page({ limit: 1 })).toEqual(expected.slice(0, 1));
    for (const limit of ["200", "201", "99999999999999999999"])
      expect(await page({ limit })).toEqual(expected.slice(0, 200));
    expect(await page({ limit: 200, offset: 200 })).toEqual(expected.slice(200, 400));
    expect(await page({ limit: 200, offset: 400 })).toEqual(expected.slice(400));
    expect(await page({ offset: 450 })).toEqual([]);
    expect(await page({ offset: Number.MAX_SAFE_INTEGER })).toEqual([]);
  });

  it.each([
    ["limit", "0"],
    ["limit", "-1"],
    ["limit", "abc"],
    ["limit", "1.5"],
    ["limit", "1e2"],
    ["limit", " 5"],
    ["limit", "%E0%A4%A"],
    ["offset", "-1"],
    ["offset", "x"],
    ["offset", "9007199254740993"],
    ["status", "opened"],
    ["from", "yesterday"],
    ["from", "2026-05-10"],
    ["from", "1778414400000"],
    ["from", "2026-13-01T00:00:00Z"],
    ["from", "2026-02-30T00:00:00Z"],
    ["from", "2026-02-03T24:00:00Z"],
    ["to", "2026-02-03T00:00:00+24:00"],
    ["to", "2026-05-10T12:00:00"],
    ["to", "2026-05-10T25:00:00Z"],
  ])("answers 400 and names the field for %s=%j", async (field, value) => {
    expect(await owner.get(`/projects/${project.id}/logs?${field}=${value}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(`^${field}: `) },
    });
  });
});

describe("the total and the page", async () => {
  /** Instants at and around the edges of hours and days, and anywhere in five days. */
  const instant = fc.oneof(
    fc
      .tuple(fc.integer({ min: -60, max: 60 }), fc.constantFrom(-1, 0, 1))
      .map(([hours, ms]) => NOON + hours * HOUR + ms),
    fc.integer({ min: NOON - 60 * HOUR, max: NOON + 60 * HOUR }),
  );
  const row = fc.record({ sentAt: instant, status: fc.constantFrom(...LOG_STATUSES) });
  const filter = fc.record({
    status: fc.option(fc.constantFrom(...LOG_STATUSES), { nil: undefined }),
    from: fc.option(instant, { nil: undefined }),
    to: fc.option(instant, { nil: undefined }),
    offset: fc.nat({ max: 60 }),
    limit: fc.integer({ min: 1, max: 40 }),
  });

  it(
    "agree with a naive count and sort, for any rows and any filter",
    { timeout: 60_000 },
    async () => {
      const rowSets = fc.tuple(
        fc.array(row, { minLength: 0, maxLength: 300 }),
        fc.array(filter, { minLength: 10, maxLength: 10 }),
      );
      await fc.assert(
        fc.asyncProperty(rowSets, async ([rows, filters]) => {
          const { id } = await owner.newProject();
          const entries = rows.map((change) => entry(id, change));
          // Writes in several records, as sends do: totals are added up, not set.
          for (let at = 0; at < entries.length; at += 50)
            await append(id, entries.slice(at, at + 50));
          for (const { status, from, to, offset, limit } of filters) {
            const { body } = await listLog(id, {
              status,
              from: from === undefined ? undefined : iso(from),
              to: to === undefined ? undefined : iso(to),
              offset,
              limit,
            });
            const expected = naive(entries, { status, from, to });
            expect(body.total).toBe(expected.length);
            expect(body.logs.map((one) => one.id)).toEqual(
              expected.slice(offset, offset + limit).map((one) => one.id),
            );
          }
        }),
        { numRuns: 12 },
      );
    },
  );
});

describe("GET /projects/{id}/stats", () => {
  it("counts each status separately, with opens and clicks", async () => {
    const { id } = await owner.newProject();
    const nothing = { sent: 0, failed: 0, bounced: 0, suppressed: 0, opened: 0, clicked: 0 };
    expect(await owner.get(`/projects/${id}/stats`)).toMatchObject({
      status: 200,
      body: { total: 0, ...nothing },
    });
    const statuses = ["sent", "sent", "sent", "failed", "failed", "bounced", "suppressed"] as const;
    await append(
      id,
      statuses.map((status) => entry(id, { status })),
    );
    expect((await owner.get(`/projects/${id}/stats`)).body).toEqual({
      total: 7,
      sent: 3,
      failed: 2,
      bounced: 1,
      suppressed: 1,
      opened: 0,
      clicked: 0,
    });
  });
});

describe("a write to the log", () => {
  const costOf = async (projectId: string, entries: LogEntry[]) => {
    service.d1.reset();
    await append(projectId, entries);
    return { roundTrips: service.d1.roundTrips, rowsWritten: service.d1.rowsWritten };
  };

  it("costs three rows an entry, two for the totals and two for its template", async () => {
    const { id } = await owner.newProject();
    expect(await costOf(id, [entry(id)])).toEqual({ roundTrips: 1, rowsWritten: 3 + 2 });
    const templateId = crypto.randomUUID();
    for (let time = 0; time < 2; time++)
      expect(await costOf(id, [entry(id, { templateId })])).toEqual({
        roundTrips: 1,
        rowsWritten: 3 + 2 + 2,
      });
  });

  it("shares the totals among the entries of one batch", async () => {
    const { id } = await owner.newProject();
    const templateId = crypto.randomUUID();
    const fifty = Array.from({ length: 50 }, () => entry(id, { templateId }));
    expect(await costOf(id, fifty)).toEqual({ roundTrips: 1, rowsWritten: 50 * 3 + 2 + 2 });
  });

  it("stores all of its entries or none", async () => {
    const { id } = await owner.newProject();
    const twice = entry(id);
    await append(id, [twice]);
    await expect(append(id, [entry(id), twice])).rejects.toThrow(/UNIQUE/);
    expect((await owner.get(`/projects/${id}/stats`)).body).toMatchObject({ total: 1 });
    expect((await listLog(id, { from: iso(0) })).body.total).toBe(1);
  });

  it("stores nothing when it is repeated", async () => {
    const { id } = await owner.newProject();
    const entries = [entry(id), entry(id, { templateId: crypto.randomUUID() })];
    await append(id, entries);
    expect(await costOf(id, entries)).toEqual({ roundTrips: 1, rowsWritten: 0 });
    expect((await owner.get(`/projects/${id}/stats`)).body).toMatchObject({ total: 2 });
  });

  it("reads 18 rows for each of twenty bounced mails of three templates", async () => {
    const { id } = await owner.newProject();
    const mails = Array.from({ length: 20 }, (_, n) =>
      entry(id, { templateId: `template ${n % 3}` }),
    );
    await append(id, mails);
    service.d1.reset();
    const returned = mails.map((mail) => ({
      logId: mail.id,
      error: "gone",
      reason: "user_unknown",
      by: "imap" as const,
    }));
    await runBatch(deps.db, markBounced(deps, id, returned));
    expect(service.d1.rowsRead).toBeLessThanOrEqual(20 * 18);
  });

  it("moves a bounced mail from one outcome to the other in all totals, its template's included", async () => {
    const { id } = await owner.newProject();
    const templateId = crypto.randomUUID();
    const mail = entry(id, { templateId });
    await append(id, [mail, entry(id, { templateId })]);
    for (let time = 0; time < 2; time++)
      await runBatch(
        deps.db,
        markBounced(deps, id, [
          { logId: mail.id, error: "gone", reason: "user_unknown", by: "imap" },
        ]),
      );
    const { results } = await env.DB.prepare(
      "select kind, grain, bucket_at, sent, bounced from rollups where project_id = ? order by 1, 2",
    )
      .bind(id)
      .all();
    expect(results).toEqual([
      { kind: "log", grain: "day", bucket_at: NOON - (NOON % DAY), sent: 1, bounced: 1 },
      { kind: "log", grain: "hour", bucket_at: NOON, sent: 1, bounced: 1 },
      { kind: "template", grain: "day", bucket_at: NOON - (NOON % DAY), sent: 1, bounced: 0 },
      { kind: "template", grain: "hour", bucket_at: NOON, sent: 1, bounced: 0 },
    ]);
  });
});

describe("a log of 100,000 entries", () => {
  const ROWS = 100_000;
  const SPACING_MS = (90 * DAY) / ROWS;
  const START = NOON - 90 * DAY;
  let big = "";
  let small = "";

  /** Writes `count` entries up to now, and their totals, in SQL alone. */
  async function fill(projectId: string, count: number) {
    const mark = crypto.randomUUID().slice(0, 24);
    const CHUNK = 100_000;
    for (let first = ROWS - count; first < ROWS; first += CHUNK)
      await env.DB.prepare(
        `insert into log_entries (id, project_id, to_email, subject, status, sent_at)
          with recursive n(i) as (select ?3 union all select i + 1 from n where i + 1 < ?4)
          select unhex(?2 || printf('%012d', i), '-'), unhex(?1, '-'), 'r' || (i % 5000) || '@any.test', 'Hello',
            case i % 10 when 0 then 1 when 1 then 2 when 2 then 3 else 0 end,
            ?5 + cast(i * ?6 as integer) from n`,
      )
        .bind(projectId, mark, first, Math.min(first + CHUNK, ROWS), START, SPACING_MS)
        .run();
    const totals = LOG_STATUSES.map((status, n) => `sum(status = ${n}) as ${status}`).join();
    const grains = { hour: HOUR, day: DAY };
    await env.DB.batch(
      Object.entries(grains).map(([grain, length]) =>
        env.DB.prepare(
          `insert into rollups (project_id, kind, grain, bucket_at, ${LOG_STATUSES.join()})
            select ?1, 'log', ?2, sent_at - sent_at % ?3 as bucket, ${totals} from log_entries where project_id = unhex(?1, '-') group by bucket`,
        ).bind(projectId, grain, length),
      ),
    );
  }

  beforeAll(async () => {
    big = (await owner.newProject()).id;
    small = (await owner.newProject()).id;
    await fill(big, ROWS);
    await fill(small, 1_000);
  });

  const costOf = async <T>(read: () => Promise<T>) => {
    service.d1.reset();
    const answer = await read();
    return { answer, rowsRead: service.d1.rowsRead, roundTrips: service.d1.roundTrips };
  };

  it("shows its first page, total and stats at the cost of a log of a thousand and a row a day", async () => {
    const measured = [];
    for (const id of [small, big]) {
      const page = await costOf(() => listLog(id));
      const failed = await costOf(() => listLog(id, { status: "failed" }));
      const stats = await costOf(() => owner.get(`/projects/${id}/stats`));
      measured.push({
        total: page.answer.body.total,
        failed: failed.answer.body.total,
        statsTotal: stats.answer.body["total"],
        rowsRead: [page.rowsRead, failed.rowsRead, stats.rowsRead],
        roundTrips: [page.roundTrips, failed.roundTrips, stats.roundTrips],
      });
    }
    const [few, many] = measured;
    expect(few).toMatchObject({ total: 1_000, failed: 100, statsTotal: 1_000 });
    expect(many).toMatchObject({ total: ROWS, failed: ROWS / 10, statsTotal: ROWS });
    expect(many).toMatchObject({ roundTrips: [2, 2, 2] });
    const days = 91; // the totals read one row for each
    const [page = 0, filtered = 0, stats = 0] = many?.rowsRead ?? [];
    expect(page).toBeLessThanOrEqual(365 + days); // 50 rows of each status, and the page's own 50
    expect(filtered).toBeLessThanOrEqual(170 + days);
    expect(stats).toBeLessThanOrEqual(11 + days);
  });

  it("shows a page by cursor at the cost of one of a log of a thousand, wherever it is", async () => {
    const cursorAt = (at: number) =>
      toBase64Url(new TextEncoder().encode(JSON.stringify(["logs", [at, crypto.randomUUID()]])));
    const costs: number[] = [];
    for (const [id, at] of [
      [small, NOON - 10 * SPACING_MS],
      [big, NOON - DAY],
      [big, NOON - 45 * DAY],
      [big, NOON - 88 * DAY],
    ] as const) {
      const before = Math.floor(at);
      const { answer, rowsRead } = await costOf(() => listLog(id, { after: cursorAt(before) }));
      const [first] = answer.body.logs;
      expect(answer.body.logs).toHaveLength(50);
      expect(before - Date.parse(first?.sent_at ?? "")).toBeLessThanOrEqual(SPACING_MS + 1);
      costs.push(rowsRead);
    }
    expect(Math.max(...costs)).toBeLessThanOrEqual(365);
    expect(Math.max(...costs) - Math.min(...costs)).toBeLessThanOrEqual(4);
  });

  it("counts a window of 90 days from rollups and the entries of two hours", async () => {
    const entriesAnHour = HOUR / SPACING_MS;
    const { answer, rowsRead } = await costOf(() =>
      listLog(big, { from: iso(START + 1), to: iso(NOON - 1), limit: 1 }),
    );
    expect(answer.body.total).toBe(ROWS - 1);
    expect(rowsRead).toBeLessThan(2 * (entriesAnHour + 90 + 2 * 24) + 50);
  });
});
