/* The way of entries from the table of the first versions, `email_logs`, to `log_entries`. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { runBatch } from "../../../src/db/client.ts";
import { LOG_STATUSES } from "../../../src/db/schema/index.ts";
import { uuidAt } from "../../../src/lib/ids.ts";
import { consequenceOf, recordBounces } from "../../../src/services/bounces/record-bounces.ts";
import {
  appendLog,
  moveOldLog,
  pruneLog,
  selectMailsById,
  selectNewestMails,
  selectRecentMails,
  type LogEntry,
} from "../../../src/services/email-log/index.ts";
import { isLogMoving } from "../../../src/services/email-log/rollups/index.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { parseEmailAddress } from "../../../src/mail/address.ts";
import { testLicense } from "../../support/license.ts";
import { logEntry } from "../../support/log-entry.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { createService, type Client } from "../../support/service.ts";
import { DAY, HOUR, iso, MINUTE } from "../../support/times.ts";
import { logRow, totals, trackedState, trackingEvent } from "../../support/tracking/mails.ts";

const EVERY_MINUTE = "* * * * *";
const NOON = Date.UTC(2026, 4, 10, 12);

const service = createService(
  { ...(await testLicense("pro")), LOG_RETENTION_DAYS: "90" },
  { now: () => NOON },
);
const deps = await service.deps();
const { db } = deps;
let owner: Client;
let projectId = "";

beforeAll(async () => {
  owner = await service.newOwner();
});
beforeEach(async () => {
  projectId = (await owner.newProject()).id;
});
afterEach(async () => {
  service.d1.before = undefined;
  vi.restoreAllMocks();
  await allRows("delete from logged_mails");
});

const OF_ENTRY = `id, project_id, subscriber_id, template_id, broadcast_id, to_email, subject, status, error,
  tags, copies, sent_at, opened_at, clicked_at, opened_class, opened_user_agent, opened_ip`;

/** Logs mails with their totals, then writes their rows as version f134c3e did. */
async function logOld(entries: LogEntry[]) {
  for (let from = 0; from < entries.length; from += 250)
    await runBatch(db, appendLog(deps, projectId, entries.slice(from, from + 250)));
  await allRows(
    `insert into email_logs (${OF_ENTRY}) select ${OF_ENTRY} from logged_mails where project_id = ?`,
    projectId,
  );
  await allRows("delete from log_entries where project_id = unhex(?, '-')", projectId);
  await allRows("delete from log_subjects");
  return entries;
}

const entry = (change: Partial<LogEntry> = {}) => {
  const sentAt = change.sentAt ?? NOON - HOUR;
  return logEntry(projectId, { id: uuidAt(sentAt), sentAt, ...change });
};

/** Mails of every form: of two broadcasts, one with personal subjects, and of the API. */
function mixedEntries(count: number): LogEntry[] {
  const [broadcast, personal] = [crypto.randomUUID(), crypto.randomUUID()];
  const templates = [crypto.randomUUID(), crypto.randomUUID()];
  return Array.from({ length: count }, (_, n) => {
    const status = LOG_STATUSES[n % 7] ?? "sent";
    const common = {
      status,
      toEmail: `to${n % 50}@any.test`,
      // Three mails share each millisecond, and the ids do not follow the times.
      sentAt: NOON - 2 * DAY + (n - (n % 3)) * 20_000,
      error: status === "sent" ? null : `550 no ${n}`,
    };
    if (n % 2 === 0)
      return entry({
        ...common,
        subscriberId: crypto.randomUUID(),
        templateId: templates[0] ?? null,
        broadcastId: n % 4 === 0 ? broadcast : personal,
        subject: n % 4 === 0 ? "News" : `Hello ${n}`,
      });
    const isTagged = n % 5 === 0;
    return entry({
      ...common,
      subject: n % 3 === 0 ? "" : `Order ${n}`,
      templateId: n % 11 === 0 ? (templates[1] ?? null) : null,
      tags: isTagged ? { kind: "receipt", name: "Zoë 'x'" } : null,
      copies: isTagged ? [{ email: "c@any.test", status: "failed", error: "451 later" }] : null,
    });
  });
}

interface LogPage {
  logs: { id: string }[];
  total: number;
}

const get = async <T>(path: string) => (await owner.get<T>(`/projects/${projectId}/${path}`)).body;

/** Everything that the API shows of the log: all pages, the filters, stats and an overview. */
async function shown() {
  const pages: LogPage["logs"] = [];
  for (let offset = 0, total = 1; offset < total; offset += 200) {
    const page = await get<LogPage>(`logs?limit=200&offset=${offset}`);
    pages.push(...page.logs);
    total = page.total;
  }
  const [from, to] = [iso(NOON - 36 * HOUR - 7_000), iso(NOON - 30 * HOUR + 11_000)];
  return {
    pages,
    filtered: await Promise.all(
      LOG_STATUSES.map((status) =>
        get(`logs?status=${status}&from=${from}&to=${to}&limit=50&offset=3`),
      ),
    ),
    window: await get(`logs?from=${from}&to=${to}&limit=1`),
    stats: await get("stats"),
    overview: await get(`analytics/overview?from=${from}&to=${to}`),
    refusals: await get(`analytics/refusals?from=${from}&to=${to}`),
  };
}

const inOld = async () => (await allRows<{ id: string }>("select id from email_logs")).length;
const inNew = async () => (await allRows<{ id: string }>("select id from log_entries")).length;

const bounce = (toEmail: string, logId: string | undefined) => {
  const email = parseEmailAddress(toEmail);
  if (!email.ok) throw new Error(toEmail);
  return consequenceOf("ingest", {
    kind: "bounce",
    email: email.address,
    words: "550 5.1.1 gone",
    reason: "user_unknown",
    logId,
  });
};

describe("the log of version f134c3e", () => {
  it("shows the same pages, filters, stats and overview before, during and after its move, which may die between any two pieces", async () => {
    const entries = await logOld(mixedEntries(2_300));
    const visited = entries.filter(({ status }) => status === "sent").slice(100, 140);
    await allRows(
      `update email_logs set opened_at = ?1, opened_class = 'human', clicked_at = ?1 where id in (
        select value from json_each(?2))`,
      NOON - 31 * HOUR,
      JSON.stringify(visited.map(({ id }) => id)),
    );
    const before = await shown();
    expect(before.pages).toHaveLength(2_300);
    expect(new Set(before.pages.map(({ id }) => id))).toEqual(new Set(entries.map(({ id }) => id)));

    for (const left of [1_300, 300]) {
      let steps = 0;
      service.d1.before = () => {
        if (++steps === 2) throw new Error("the worker dies");
      };
      await expect(moveOldLog(deps)).rejects.toThrow("the worker dies");
      service.d1.before = undefined;
      expect([await inOld(), await inNew()]).toEqual([left, 2_300 - left]);
      expect(await shown()).toEqual(before);
    }
    expect(await moveOldLog(deps)).toEqual({ entries: 300, isMore: false });
    expect([await inOld(), await inNew()]).toEqual([0, 2_300]);
    expect(await shown()).toEqual(before);
  });

  it("moves in the minute's job, with one line in the log of events, and a subject that mails share once", async () => {
    await logOld(mixedEntries(40));
    const lines = vi.spyOn(console, "info").mockReturnValue();
    await runScheduled(deps, EVERY_MINUTE);
    expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      { level: "info", event: "log_moved", entries: 40, isMore: false },
    ]);
    await runScheduled(deps, EVERY_MINUTE);
    expect(lines).toHaveBeenCalledTimes(1);
    const shared = `select count(*) as n from log_entries e join log_subjects s
      on s.project_id = e.project_id and s.broadcast_id = e.broadcast_id where e.subject is null and s.subject = 'News'`;
    expect(await allRows(shared)).toEqual([{ n: 10 }]);
  });

  it("moves no IP address that is older than its project keeps them", async () => {
    const [old, young] = await logOld([entry(), entry()]);
    const opens = [
      [old, 31],
      [young, 29],
    ] as const;
    for (const [mail, days] of opens)
      await allRows(
        "update email_logs set opened_at = ?, opened_ip = '192.0.2.7' where id = ?",
        deps.now() - days * DAY,
        mail?.id ?? "",
      );
    vi.spyOn(console, "info").mockReturnValue();
    await moveOldLog(deps);
    const moved = await allRows("select opened_ip from log_entries order by opened_at");
    expect(moved).toEqual([{ opened_ip: null }, { opened_ip: "192.0.2.7" }]);
  });

  it("moves 20,000 entries a run at most, and two runs at once lose none and copy none", async () => {
    await allRows(
      `insert into email_logs (id, project_id, to_email, subject, status, sent_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 21500)
        select printf('01b00000-0000-7000-8000-%012d', i), ?, 'to@any.test', '', 'sent', i from n`,
      projectId,
    );
    vi.spyOn(console, "info").mockReturnValue();
    expect(await moveOldLog(deps)).toEqual({ entries: 20_000, isMore: true });
    const [one, two] = await Promise.all([moveOldLog(deps), moveOldLog(deps)]);
    expect(one.entries + two.entries).toBe(1_500);
    expect([await inOld(), await inNew()]).toEqual([0, 21_500]);
  });

  it("costs five rows written for an API mail, and a round trip and six rows read when it is empty", async () => {
    await logOld(Array.from({ length: 100 }, () => entry()));
    service.d1.reset();
    await moveOldLog(deps);
    expect(service.d1.rowsWritten).toBeLessThanOrEqual(500);
    service.d1.reset();
    expect(await moveOldLog(deps)).toEqual({ entries: 0, isMore: false });
    const { roundTrips, rowsRead, rowsWritten } = service.d1;
    expect([roundTrips, rowsWritten]).toEqual([1, 0]);
    expect(rowsRead).toBeLessThanOrEqual(6);
  });

  it("takes entries that a Worker of the earlier version writes after the move, and doubles none", async () => {
    const [moved] = await logOld([entry()]);
    const [row = {}] = await allRows("select * from email_logs");
    await moveOldLog(deps);
    const late = uuidAt(NOON);
    await insertRow("email_logs", row);
    await insertRow("email_logs", { ...row, id: late, sent_at: NOON });
    await moveOldLog(deps);
    const { logs } = await get<LogPage>("logs");
    expect(logs.map(({ id }) => id)).toEqual([late, moved?.id]);
    expect(await inOld()).toBe(0);
  });
});

describe("an entry that has not moved yet", () => {
  it("keeps a bounce, counts it once, and tells its mail to webhooks", async () => {
    const [mail, other] = await logOld([entry(), entry()]);
    const told = [bounce("to@any.test", mail?.id)];
    await recordBounces(deps, projectId, told);
    await recordBounces(deps, projectId, told);
    await moveOldLog(deps);
    const { logs } = await get<{ logs: Record<string, unknown>[] }>("logs");
    expect(new Map(logs.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [mail?.id, "bounced"],
        [other?.id, "sent"],
      ]),
    );
    expect(await get("stats")).toMatchObject({ sent: 1, bounced: 1, total: 2 });
  });

  it("keeps its first open and click, and counts them once", async () => {
    const [mail] = await logOld([entry()]);
    const logId = mail?.id ?? "";
    const at = NOON - 30 * MINUTE;
    const visits = [trackingEvent("open", logId, at), trackingEvent("click", logId, at)];
    expect((await recordEvents(deps, visits)).unlogged).toEqual(new Set());
    await moveOldLog(deps);
    const state = await trackedState(deps, projectId);
    expect(await logRow(deps, logId)).toMatchObject({ opened_at: at, clicked_at: at });
    expect(state.clicks).toHaveLength(1);
    expect(await totals(deps, projectId)).toEqual({ opened: 1, clicked: 1 });
    await recordEvents(deps, [...visits, trackingEvent("open", logId, at + MINUTE)]);
    expect(await trackedState(deps, projectId)).toEqual(state);
  });

  it("keeps a click after its first one", async () => {
    const [mail] = await logOld([entry()]);
    await allRows("update email_logs set clicked_at = ?", NOON - 30 * MINUTE);
    await recordEvents(deps, [trackingEvent("click", mail?.id ?? "", NOON - MINUTE)]);
    const { clicks, mails } = await trackedState(deps, projectId);
    expect(clicks).toHaveLength(1);
    expect(mails).toMatchObject([{ clicked_at: NOON - 30 * MINUTE }]);
  });

  it("keeps the open that it has, so another one counts nowhere", async () => {
    const [mail] = await logOld([entry()]);
    await allRows("update email_logs set opened_at = ?, opened_class = 'human'", NOON - MINUTE);
    service.d1.reset();
    await recordEvents(deps, [trackingEvent("open", mail?.id ?? "", NOON)]);
    expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([1, 0]);
    expect(await totals(deps, projectId)).toEqual({ opened: 0, clicked: 0 });
  });

  it("loses no bounce and no visit that arrives between two pieces or with one", async () => {
    const entries = await logOld(Array.from({ length: 1_200 }, () => entry()));
    const oldest = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const [early, late] = [oldest[0]?.id ?? "", oldest.at(-1)?.id ?? ""];
    const at = NOON - 30 * MINUTE;
    const arrivals = () => [
      ...[early, late].map((id) => recordBounces(deps, projectId, [bounce("to@any.test", id)])),
      ...[early, late].map((id) => recordEvents(deps, [trackingEvent("open", id, at)])),
    ];
    const during: Promise<unknown>[] = [];
    service.d1.before = () => {
      service.d1.before = undefined;
      during.push(...arrivals());
    };
    await moveOldLog(deps);
    await Promise.all(during);
    expect([await inOld(), await inNew()]).toEqual([0, 1_200]);
    expect(await get("stats")).toMatchObject({ total: 1_200, bounced: 2, opened: 0 });
    const { total } = await get<LogPage>("logs?status=bounced");
    expect(total).toBe(2);
    for (const id of [early, late]) expect(await logRow(deps, id)).toMatchObject({ opened_at: at });
  });

  it("is found by a report that names its id or its address, the newest of both tables first", async () => {
    const [old] = await logOld([
      entry({ toEmail: "a@any.test" }),
      entry({ toEmail: "b@any.test" }),
    ]);
    const fresh = entry({ toEmail: "b@any.test", sentAt: NOON - MINUTE });
    await runBatch(db, appendLog(deps, projectId, [fresh]));
    const facts = { isAccepted: 1, isVisited: 0 };
    const found = { id: old?.id, toEmail: "a@any.test", sentAt: old?.sentAt, ...facts };
    const newest = { id: fresh.id, toEmail: "b@any.test", sentAt: fresh.sentAt, ...facts };
    expect(await selectMailsById(db, projectId, [old?.id ?? "", "unknown"])).toEqual([found]);
    const emails = ["a@any.test", "b@any.test", "c@any.test"];
    expect(await selectNewestMails(db, projectId, emails)).toEqual([found, newest]);
    const since = NOON - 2 * HOUR;
    expect(await selectRecentMails(db, projectId, emails, since)).toEqual([
      { email: "a@any.test", isMailed: 1, isVisited: 0 },
      { email: "b@any.test", isMailed: 1, isVisited: 0 },
      { email: "c@any.test", isMailed: 0, isVisited: 0 },
    ]);
    const other = (await owner.newProject()).id;
    expect(await selectMailsById(db, other, [old?.id ?? "", fresh.id])).toEqual([]);
    expect(await selectNewestMails(db, other, emails)).toEqual([]);
  });

  it("is not logged again when a settle of the earlier version is repeated", async () => {
    const [mail] = await logOld([entry()]);
    await runBatch(db, appendLog(deps, projectId, mail ? [mail] : []));
    expect([await inOld(), await inNew()]).toEqual([1, 0]);
    expect(await get("stats")).toMatchObject({ total: 1 });
  });

  it("is removed by retention after its move, and is shown no longer before", async () => {
    await logOld([entry({ sentAt: NOON - 100 * DAY }), entry()]);
    expect((await get<LogPage>("logs")).total).toBe(1);
    vi.spyOn(console, "info").mockReturnValue();
    await moveOldLog(deps);
    expect((await pruneLog(deps)).entries).toBe(1);
    expect(await inNew()).toBe(1);
  });

  it("keeps a full database from shortening the log, because its move makes room", async () => {
    await allRows("update storage set level = 'urgent', bytes = 9000000000, measured_at = ?", NOON);
    vi.spyOn(console, "info").mockReturnValue();
    vi.spyOn(console, "warn").mockReturnValue();
    const room = async () =>
      (await allRows("select days, freed_bytes from log_retention, storage"))[0];
    await runBatch(db, appendLog(deps, projectId, [entry({ sentAt: NOON - 40 * DAY })]));
    await allRows(
      `insert into email_logs (id, project_id, to_email, subject, status, sent_at)
        values (?, ?, 'to@any.test', '', 'sent', ?)`,
      uuidAt(NOON - 50 * DAY),
      projectId,
      NOON - 50 * DAY,
    );
    await pruneLog(deps);
    expect(await room()).toEqual({ days: null, freed_bytes: 0 });
    await moveOldLog(deps);
    expect(await room()).toEqual({ days: null, freed_bytes: 200 });
    await pruneLog(deps);
    expect(await room()).toMatchObject({ days: 49 });
    await allRows("update storage set level = 'ok', bytes = 0, freed_bytes = 0, measured_at = 0");
    await allRows("update log_retention set days = null, kept_from = 0");
  });

  it("makes a rebuild of the totals wait", async () => {
    const database = {
      query: <Row>(statement: Parameters<typeof db.all>[0]) => db.all<Row>(statement),
      batch: async () => {},
    };
    await logOld([entry()]);
    expect(await isLogMoving(database)).toBe(true);
    await moveOldLog(deps);
    expect(await isLogMoving(database)).toBe(false);
  });
});
