/* Compares overviews and rollups with a plain count of the log after any traffic. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { LOG_STATUSES } from "../../../src/db/schema/index.ts";
import { ulidFloor, uuidAt } from "../../../src/lib/ids.ts";
import type { TrackingEvent } from "../../../src/queues/messages.ts";
import { appendLog, markBounced } from "../../../src/services/email-log/index.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { testLicense } from "../../support/license.ts";
import { createService, type Client } from "../../support/service.ts";
import { DAY, HOUR, iso } from "../../support/times.ts";

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
 * Writes mails in records, their opens and clicks in batches, some of them twice, and their
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
    by: "imap" as const,
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
  const used = mails.filter(
    (one) => one.status === "sent" && one.template_id !== null && isIn(one.sent_at, from, to),
  );
  const touching = clicks.filter(({ clicked_at }) =>
    isIn(clicked_at, Math.floor(from / HOUR) * HOUR, Math.ceil(to / HOUR) * HOUR),
  );
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
    if (at !== null && isIn(at, from, to))
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

const COUNTERS = [...LOG_STATUSES, "opened", "clicked", "opens", "clicks"];

/** Rollups of a project. Those of links have the URL instead of its hash. */
const rollupsOf = (projectId: string) =>
  all(
    `select kind, grain, bucket_at, iif(kind = 'link', label, subject) as subject, ${COUNTERS.join()}
      from rollups where project_id = ? and ${COUNTERS.join(" + ")} <> 0 order by 1, 2, 3, 4`,
    projectId,
  );

/** The same, counted from the log. */
function recountOf(projectId: string) {
  const fact = (kind: string, subject: string, at: string, counts: Record<string, string>) =>
    `select '${kind}' as kind, ${subject} as subject, ${at} as at,
      ${COUNTERS.map((name) => `${counts[name] ?? 0} as ${name}`).join()}`;
  const ifSent = (column: string) => `status = 'sent' and ${column} is not null`;
  const outcomes = {
    ...Object.fromEntries(LOG_STATUSES.map((status) => [status, `status = '${status}'`])),
    opened: ifSent("opened_at"),
    clicked: ifSent("clicked_at"),
  };
  return all(
    `with mails as materialized (select * from logged_mails where project_id = ?),
      grains(grain, length) as (values ('hour', ${HOUR}), ('day', ${DAY})),
      facts as (
        ${fact("log", "''", "sent_at", outcomes)} from mails
        union all ${fact("log", "''", "opened_at", { opens: "1" })} from mails where opened_at is not null
        union all ${fact("template", "template_id", "sent_at", { sent: "1" })} from mails where ${ifSent("template_id")}
        union all ${fact("link", "url", "k.clicked_at", { clicks: "1" })} from mails join email_clicks k on k.log_id = mails.id)
      select kind, grain, at - at % length as bucket_at, subject, ${COUNTERS.map((name) => `sum(${name}) as ${name}`).join()}
      from facts cross join grains
      group by 1, 2, 3, 4 having ${COUNTERS.map((name) => `sum(${name})`).join(" + ")} <> 0 order by 1, 2, 3, 4`,
    projectId,
  );
}

describe("after any traffic", () => {
  const traffic = fc.tuple(
    fc.array(fate, { maxLength: 120 }),
    fc.array(someWindow, { minLength: 15, maxLength: 15 }),
  );
  it("overviews and rollups equal a plain count of the log", { timeout: 90_000 }, async () => {
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
        expect(await rollupsOf(place.id)).toEqual(await recountOf(place.id));
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
});
