/*
 * Compares overviews with a plain count of the log after any traffic, and rebuilt rollups with
 * those that the traffic kept.
 */
import { env } from "cloudflare:test";
import fc from "fast-check";
import { sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { beforeAll, describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { LOG_STATUSES } from "../../../src/db/schema/index.ts";
import { ulidFloor, uuidAt } from "../../../src/lib/ids.ts";
import type { TrackingEvent } from "../../../src/queues/messages.ts";
import {
  findLogStart,
  rebuildRollups,
  type RebuildDatabase,
} from "../../../src/services/email-log/rollups/index.ts";
import { appendLog, markBounced, pruneLog } from "../../../src/services/email-log/index.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { testLicense } from "../../support/license.ts";
import { createService, type Client } from "../../support/service.ts";
import { DAY, HOUR, iso, MINUTE } from "../../support/times.ts";

const NOON = Date.UTC(2026, 4, 10, 12);
const URLS = [
  "https://a.test/",
  "https://b.test/?q=1&r='2'",
  "https://c.test/ü",
  "http://d.test/#x",
];

const service = createService(
  { ...(await testLicense("pro")), LOG_RETENTION_DAYS: "0" },
  { now: () => NOON + 20 * DAY },
);
const deps = await service.deps();
let owner: Client;
beforeAll(async () => {
  owner = await service.newOwner();
});

const all = async <T>(text: string, ...values: unknown[]) =>
  (
    await deps.db.$client
      .prepare(text)
      .bind(...values)
      .all<T>()
  ).results;

/** A mail and its later events, with delays in milliseconds after sending. */
interface Fate {
  sentAt: number;
  status: (typeof LOG_STATUSES)[number];
  template: number;
  comesBack: boolean;
  opens: number[];
  clicks: { after: number; url: number }[];
}

/** An accepted mail without later events. */
const STILL: Omit<Fate, "sentAt"> = {
  status: "sent",
  template: 0,
  comesBack: false,
  opens: [],
  clicks: [],
};

const dialect = new SQLiteSyncDialect();

/** Instants at and around the edges of hours and days, and anywhere in six days. */
const instant = fc.oneof(
  fc
    .tuple(fc.integer({ min: -72, max: 72 }), fc.constantFrom(-1, 0, 1))
    .map(([hours, ms]) => NOON + hours * HOUR + ms),
  fc.integer({ min: NOON - 72 * HOUR, max: NOON + 72 * HOUR }),
);
const delay = fc.oneof(fc.integer({ min: 1, max: HOUR }), fc.integer({ min: 1, max: 3 * DAY }));
const fate: fc.Arbitrary<Fate> = fc.record({
  sentAt: instant,
  status: fc.constantFrom("sent", "sent", "sent", ...LOG_STATUSES),
  template: fc.integer({ min: -1, max: 3 }),
  comesBack: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  opens: fc.array(delay, { maxLength: 2 }),
  clicks: fc.array(fc.record({ after: delay, url: fc.nat({ max: URLS.length - 1 }) }), {
    maxLength: 3,
  }),
});
const someWindow = fc.oneof(
  fc.tuple(instant, instant),
  fc
    .tuple(instant, fc.integer({ min: 1, max: 2 * HOUR }))
    .map(([at, ms]) => [at, at + ms] as const),
  fc
    .tuple(instant, fc.constantFrom(48 * HOUR, 90 * DAY, 731 * DAY), fc.constantFrom(-1, 0, 1))
    .map(([at, length, ms]) => [at - length - ms, at] as const),
);

let serial = 0;
function visit(kind: "open" | "click", logId: string, at: number, url = ""): TrackingEvent {
  const id = ulidFloor(at).slice(0, 10) + String(++serial).padStart(16, "0");
  const common = { id, logId, at, userAgent: "Mozilla/5.0 Firefox/140.0", ipAddress: "192.0.2.1" };
  return kind === "open" ? { kind, ...common } : { kind, ...common, url };
}

/** Project with templates, one of them deleted after use. */
async function newPlace() {
  const { id } = await owner.newProject();
  const templates: string[] = [];
  for (const name of ["Welcome", "Receipt", "Reset", "Gone"]) {
    const body = { name, subject: name, html_body: "<p>Hi</p>", text_body: "Hi" };
    const answer = await owner.post<{ id: string }>(`/projects/${id}/templates`, body);
    templates.push(answer.body.id);
  }
  await owner.delete(`/projects/${id}/templates/${templates[3]}`);
  return { id, templates };
}
type Place = Awaited<ReturnType<typeof newPlace>>;

/**
 * Writes mails in settles, their opens and clicks in batches, some of them twice, and their
 * bounces, half of them before the visits and half after.
 */
async function happen({ id, templates }: Place, fates: Fate[], urls = URLS) {
  const mails = fates.map((one) => ({ ...one, logId: uuidAt(one.sentAt) }));
  for (let at = 0; at < mails.length; at += 40)
    await runBatch(
      deps.db,
      appendLog(
        deps,
        id,
        mails.slice(at, at + 40).map(({ logId, status, sentAt, template }) => ({
          id: logId,
          projectId: id,
          subscriberId: null,
          templateId: templates[template] ?? null,
          broadcastId: null,
          toEmail: "to@any.test",
          subject: "Hello",
          status,
          error: null,
          reason: null,
          tags: null,
          copies: null,
          sentAt,
        })),
      ),
    );
  const events = mails.flatMap(({ logId, sentAt, opens, clicks }) => [
    ...opens.map((after) => visit("open", logId, sentAt + after)),
    ...clicks.map(({ after, url }) => visit("click", logId, sentAt + after, urls[url])),
  ]);
  const returned = mails.filter(({ comesBack }) => comesBack);
  const told = returned.map(({ logId }) => ({
    logId,
    error: "550 5.1.1 no such user",
    reason: "user_unknown",
  }));
  const half = Math.ceil(told.length / 2);
  const tell = (some: typeof told) => runBatch(deps.db, markBounced(deps, id, some));
  if (half > 0) await tell(told.slice(0, half));
  for (let at = 0; at < events.length; at += 30)
    await recordEvents(deps, events.slice(at, at + 35));
  if (half > 0) await tell(told);
}

interface LoggedMail {
  status: (typeof LOG_STATUSES)[number];
  template_id: string | null;
  sent_at: number;
  opened_at: number | null;
  clicked_at: number | null;
}

/** Expected overview, counted directly from the log. */
async function plainOverview({ id, templates }: Place, from: number, to: number) {
  const mails = await all<LoggedMail>("select * from logged_mails where project_id = ?", id);
  const clicks = await all<{ url: string; clicked_at: number }>(
    "select url, clicked_at from email_clicks where log_id in (select id from logged_mails where project_id = ?)",
    id,
  );
  const isIn = (at: number | null, low: number, high: number) =>
    at !== null && at >= low && at < high;
  const pct = (part: number, whole: number) =>
    whole === 0 ? 0 : Number(((part / whole) * 100).toFixed(2));
  const window = (low: number, high: number) => {
    const some = mails.filter(({ sent_at }) => isIn(sent_at, low, high));
    const counts = LOG_STATUSES.map((status) => ({
      status,
      count: some.filter((one) => one.status === status).length,
    }));
    const [sent = 0, failed = 0, bounced = 0] = counts.map(({ count }) => count);
    const accepted = some.filter(({ status }) => status === "sent");
    const opened = accepted.filter(({ opened_at }) => opened_at !== null).length;
    const clicked = accepted.filter(({ clicked_at }) => clicked_at !== null).length;
    const fields = {
      total_sent: sent,
      total_failed: failed,
      total_opened: opened,
      total_clicked: clicked,
      deliverability_pct: pct(sent, sent + failed + bounced),
      open_rate_pct: pct(opened, sent),
      click_rate_pct: pct(clicked, sent),
    };
    return { counts, fields };
  };
  const top = <T>(groups: Map<T, unknown[]>) =>
    [...groups]
      .map(([key, members]) => [key, members.length] as const)
      .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, 10);
  const { counts, fields } = window(from, to);
  const isInHours = (at: number | null) =>
    isIn(at, Math.floor(from / HOUR) * HOUR, Math.ceil(to / HOUR) * HOUR);
  const used = mails.filter(
    (one) => one.status === "sent" && one.template_id !== null && isInHours(one.sent_at),
  );
  const touching = clicks.filter(({ clicked_at }) => isInHours(clicked_at));
  const hours = (to - from) / HOUR;
  const granularity =
    hours <= 48 ? "hour" : hours <= 2_160 ? "day" : hours <= 731 * 24 ? "week" : "month";
  const bucketOf = (at: number) => {
    const text = iso(at);
    if (granularity === "hour") return `${text.slice(0, 13)}:00:00.000Z`;
    if (granularity === "month") return `${text.slice(0, 7)}-01T00:00:00.000Z`;
    const midnight = new Date(`${text.slice(0, 10)}T00:00:00.000Z`);
    const sinceMonday = (midnight.getUTCDay() + 6) % 7;
    return iso(midnight.getTime() - (granularity === "week" ? sinceMonday * DAY : 0));
  };
  const opensIn = new Map<string, number>();
  for (let at = from; at < to; at += HOUR) opensIn.set(bucketOf(at), 0);
  opensIn.set(bucketOf(to - 1), 0);
  for (const { opened_at: at } of mails)
    if (at !== null && isInHours(at))
      opensIn.set(bucketOf(at), (opensIn.get(bucketOf(at)) ?? 0) + 1);
  const names = ["Welcome", "Receipt", "Reset", ""];
  return {
    from: iso(from),
    to: iso(to),
    granularity,
    range_days: Math.ceil((to - from) / DAY),
    ...fields,
    click_to_open_pct: pct(fields.total_clicked, fields.total_opened),
    active_subscribers: 0,
    opens_series: [...opensIn].map(([bucket, opens]) => ({ bucket, opens })),
    top_templates: top(Map.groupBy(used, ({ template_id }) => template_id ?? "")).map(
      ([template_id, sends]) => ({
        template_id,
        name: names[templates.indexOf(template_id)],
        sends,
      }),
    ),
    top_clicked_links: top(Map.groupBy(touching, ({ url }) => url)).map(([url, n]) => ({
      url,
      clicks: n,
    })),
    sends_by_status: counts,
    previous: window(from - (to - from), from).fields,
  };
}

/** Rollups of a project without rows that count zero. */
const rollupsOf = (projectId: string) =>
  all(
    `select * from rollups where project_id = ? and sent + failed + bounced + suppressed + opened + clicked + opens + clicks <> 0
      order by kind, grain, bucket_at, subject`,
    projectId,
  );

const database: RebuildDatabase = {
  query: <Row>(statement: Parameters<RebuildDatabase["query"]>[0]) => deps.db.all<Row>(statement),
  batch: async (statements) => {
    await runBatch(
      deps.db,
      statements.map((statement) => deps.db.run(statement)),
    );
  },
};
const rebuild = (projectId?: string, keptFromMs?: number, using = database) =>
  rebuildRollups(using, { projectId, keptFromMs }, keptFromMs ?? 0);

describe("after any traffic", () => {
  const traffic = fc.tuple(
    fc.array(fate, { maxLength: 120 }),
    fc.array(someWindow, { minLength: 15, maxLength: 15 }),
  );
  it(
    "an overview equals a plain count of the log, and rebuilt rollups equal the stored ones",
    { timeout: 90_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(traffic, async ([fates, windows]) => {
          const place = await newPlace();
          await happen(place, fates);
          for (const [one, other] of windows) {
            if (one === other) continue;
            const [from, to] = [Math.min(one, other), Math.max(one, other)];
            const { body } = await owner.get(
              `/projects/${place.id}/analytics/overview?from=${iso(from)}&to=${iso(to)}`,
            );
            expect(body).toEqual(await plainOverview(place, from, to));
          }
          const kept = await rollupsOf(place.id);
          await rebuild(place.id);
          expect(await rollupsOf(place.id)).toEqual(kept);
        }),
        { numRuns: 4, endOnFailure: true },
      );
    },
  );
});

describe("the rebuild of totals", () => {
  const fates = fc.sample(fate, { numRuns: 150, seed: 7 });
  let place: Place;
  beforeAll(async () => {
    place = await newPlace();
    await happen(place, fates);
  });

  const spoil = (projectId: string) =>
    runBatch(
      deps.db,
      [
        sql`update rollups set sent = sent + 3, opens = opens + 1, clicks = 0 where project_id = ${projectId} and bucket_at % 7200000 = 0`,
        sql`delete from rollups where project_id = ${projectId} and bucket_at % 10800000 = 0`,
        sql`insert into rollups (project_id, kind, grain, bucket_at, subject, sent) values (${projectId}, 'template', 'day', ${NOON - 200 * DAY - 12 * HOUR}, 'nobody', 5)`,
      ].map((statement) => deps.db.run(statement)),
    );

  it("repairs every wrong row and restores missing links", async () => {
    const kept = await rollupsOf(place.id);
    await spoil(place.id);
    expect(await rollupsOf(place.id)).not.toEqual(kept);
    await rebuild(place.id);
    expect(await rollupsOf(place.id)).toEqual(kept);
  });

  it("leaves no row with a count of zero", async () => {
    await rebuild(place.id);
    const [{ n } = { n: 0 }] = await all<{ n: number }>(
      "select count(*) as n from rollups where project_id = ?",
      place.id,
    );
    expect(await rollupsOf(place.id)).toHaveLength(n);
  });

  it("of one project leaves the others unchanged; of all projects repairs each of them", async () => {
    const other = await newPlace();
    await happen(other, fates.slice(0, 60));
    const kept = [await rollupsOf(place.id), await rollupsOf(other.id)];
    await spoil(other.id);
    const spoiled = await rollupsOf(other.id);
    await rebuild(place.id);
    expect(await rollupsOf(other.id)).toEqual(spoiled);
    await rebuild();
    expect([await rollupsOf(place.id), await rollupsOf(other.id)]).toEqual(kept);
  });

  it("keeps days that retention has emptied, and opens and clicks of removed mails", async () => {
    const own = await newPlace();
    await happen(own, fates);
    const kept = await rollupsOf(own.id);
    const cutoff = NOON - 12 * HOUR;
    const gone = "select id from logged_mails where project_id = ? and sent_at < ?";
    await all(`delete from email_clicks where log_id in (${gone})`, own.id, cutoff);
    await all(`delete from logged_mails where id in (${gone})`, own.id, cutoff);
    await rebuild(own.id, cutoff);
    expect(await rollupsOf(own.id)).toEqual(kept);
  });

  describe("of a log truncated by retention", () => {
    const DAYS_AGO = (days: number) => NOON + 20 * DAY - days * DAY;
    const mailsOn = (sentAt: number, count: number): Fate[] =>
      Array.from({ length: count }, (_, n) => ({ ...STILL, sentAt: sentAt + n }));
    const pruneAt = async (days: number) =>
      pruneLog({ ...deps, config: { ...deps.config, logRetentionDays: days } });
    const rebuildWhole = async (projectId?: string) => {
      const { wholeFrom } = await findLogStart(database, { projectId });
      await rebuild(projectId, wholeFrom);
      return wholeFrom;
    };
    const totalOf = async (id: string) => (await owner.get(`/projects/${id}/stats`)).body;

    beforeAll(async () => {
      // Removes the mails of other tests, since these tests rebuild all projects.
      for (const table of ["projects", "logged_mails", "email_clicks", "rollups"])
        await env.DB.prepare(`delete from ${table}`).run();
    });

    it("keeps stats and days of mails removed at 90 days even when LOG_RETENTION_DAYS is now 0", async () => {
      const own = await newPlace();
      await happen(own, [...mailsOn(DAYS_AGO(120), 500), ...mailsOn(DAYS_AGO(50), 20)]);
      await happen(own, mailsOn(DAYS_AGO(10), 30));
      expect(await pruneAt(90)).toMatchObject({ entries: 500 });
      const [kept, stats] = [await rollupsOf(own.id), await totalOf(own.id)];
      expect(stats).toMatchObject({ total: 550 });
      const later = DAYS_AGO(10) - (DAYS_AGO(10) % DAY);
      await all("update rollups set sent = sent + 3 where bucket_at = ?", later);
      expect(await rebuildWhole(own.id)).toBe(DAYS_AGO(49) - (DAYS_AGO(49) % DAY));
      expect(await rollupsOf(own.id)).toEqual(kept);
      expect(await totalOf(own.id)).toEqual(stats);
    });

    it("keeps the first day when some of its mails are removed, and counts it when none is", async () => {
      const own = await newPlace();
      await happen(own, mailsOn(DAYS_AGO(5), 40));
      expect(await findLogStart(database, { projectId: own.id })).toEqual({
        projects: 1,
        wholeFrom: 0,
      });
      const gone = "select id from logged_mails where project_id = ? order by sent_at limit 10";
      await all(`delete from logged_mails where id in (${gone})`, own.id);
      const kept = await rollupsOf(own.id);
      expect(await rebuildWhole(own.id)).toBe(DAYS_AGO(4) - (DAYS_AGO(4) % DAY));
      expect(await rollupsOf(own.id)).toEqual(kept);
    });

    it("starts where the last of all projects is complete, including empty logs", async () => {
      const [empty, young] = [await newPlace(), await newPlace()];
      await happen(empty, mailsOn(DAYS_AGO(3), 5));
      await happen(young, mailsOn(DAYS_AGO(1), 5));
      await all("delete from logged_mails where project_id = ?", empty.id);
      const kept = [await rollupsOf(empty.id), await rollupsOf(young.id)];
      expect(await findLogStart(database, { projectId: empty.id })).toMatchObject({ projects: 0 });
      expect(await rebuildWhole()).toBe(DAYS_AGO(2) - (DAYS_AGO(2) % DAY));
      expect([await rollupsOf(empty.id), await rollupsOf(young.id)]).toEqual(kept);
    });
  });

  it("writes links in statements that D1 accepts, even with multi-byte characters", async () => {
    const own = await newPlace();
    const clicks = Array.from({ length: 60 }, (_, n) => ({ after: n + 1, url: n }));
    const long = clicks.map(({ url }) => `https://shop.test/${"語".repeat(1_500)}'${url}`);
    await happen(own, [{ ...STILL, sentAt: NOON, clicks }], long);
    const kept = await rollupsOf(own.id);
    await all("delete from rollups where project_id = ?", own.id);
    const sizes: number[] = [];
    await rebuild(own.id, undefined, {
      query: database.query,
      batch: async (statements) => {
        const texts = statements.map((one) => dialect.sqlToQuery(one.inlineParams()).sql);
        sizes.push(...texts.map((text) => new TextEncoder().encode(text).length));
        await database.batch(statements);
      },
    });
    expect(Math.max(...sizes)).toBeGreaterThan(80_000);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
    expect(await rollupsOf(own.id)).toEqual(kept);
  });

  it("is correct during traffic", async () => {
    const own = await newPlace();
    await happen(own, fates.slice(0, 80));
    await spoil(own.id);
    const later = fates.slice(80);
    let clicks = 0;
    const amidTraffic: RebuildDatabase = {
      query: database.query,
      batch: async (statements) => {
        const [mail] = await all<{ id: string; sent_at: number }>(
          "select id, sent_at from logged_mails where project_id = ? order by sent_at desc limit 1 offset ?",
          own.id,
          ++clicks,
        );
        // Adds a link without earlier clicks, perhaps on the day under repair.
        if (mail)
          await recordEvents(deps, [
            visit("click", mail.id, mail.sent_at + MINUTE, `https://new.test/${clicks}`),
          ]);
        await happen(own, later.splice(0, 5));
        await database.batch(statements);
        await happen(own, later.splice(0, 5));
      },
    };
    await rebuild(own.id, undefined, amidTraffic);
    expect(later).toEqual([]);
    const kept = await rollupsOf(own.id);
    await rebuild(own.id);
    expect(await rollupsOf(own.id)).toEqual(kept);
  });
});
