import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { uuidAt } from "../../../src/lib/ids.ts";
import type { TrackingEvent } from "../../../src/queues/messages.ts";
import { correctClasses } from "../../../src/services/email-log/index.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { createService } from "../../support/service.ts";
import {
  BARRACUDA,
  clickRows,
  DAY_MS,
  FIREFOX,
  GMAIL,
  HOUR_MS,
  logRow,
  newMails,
  rollups,
  SENT_AT,
  topLinks,
  totals,
  trackedState,
  trackingEvent,
  URL_A,
  URL_B,
} from "../../support/tracking/mails.ts";
import { trackingModel } from "../../support/tracking/model.ts";

const now = () => SENT_AT + 60_000; // addresses of much older visits would not be stored
const service = createService({ WEBHOOK_QUEUE, DEPLOYMENT_MODE: "self_hosted" }, { now }); // deliveries are written without a wake-up
const deps = await service.deps();

describe("recording", () => {
  it("writes a hundred events of a batch in one round trip after a read", async () => {
    const { projectId, logIds } = await newMails(deps, 50);
    const events = logIds.flatMap((logId, index) => [
      trackingEvent("open", logId, SENT_AT + 10_000 + index),
      trackingEvent("click", logId, SENT_AT + 20_000 + index),
    ]);
    const statements: string[][] = [];
    service.d1.before = (sql) => statements.push(sql);
    service.d1.reset();
    await recordEvents(deps, events);
    service.d1.before = undefined;
    expect(statements.map(({ length }) => length)).toEqual([1, 4]); // no webhook exists
    // Counts 50 opens of two rows, 50 clicks, three totals, and one link's hour and day with their
    // index.
    expect(service.d1.rowsWritten).toBe(50 * 2 + 50 + 2 + 2 * 2);
    expect(service.d1.rowsRead).toBeLessThanOrEqual(1_730);
    expect(await totals(deps, projectId)).toEqual({ opened: 50, clicked: 50 });
  });

  it("reads once and writes nothing when every mail of a batch is already opened", async () => {
    const { logIds } = await newMails(deps, 50);
    const opens = (at: number) => logIds.map((id) => trackingEvent("open", id, at));
    await recordEvents(deps, opens(SENT_AT + 10_000));
    const statements: string[][] = [];
    service.d1.before = (sql) => statements.push(sql);
    service.d1.reset();
    await recordEvents(deps, opens(SENT_AT + 20_000));
    service.d1.before = undefined;
    expect(statements.map(({ length }) => length)).toEqual([1]);
    expect(service.d1.rowsRead).toBeLessThanOrEqual(50 * 3 + 10);
    expect(service.d1.rowsWritten).toBe(0);
  });

  it("counts and emits once when two servers record the same events at the same time", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    const hook = await newWebhook(projectId, ["email.opened", "email.clicked"]);
    const events = [
      trackingEvent("open", logId, SENT_AT + 60_000),
      trackingEvent("click", logId, SENT_AT + 61_000),
    ];
    await Promise.all([recordEvents(deps, events), recordEvents(deps, events)]);
    expect(await totals(deps, projectId)).toEqual({ opened: 1, clicked: 1 });
    expect((await hook.types()).toSorted()).toEqual(["email.clicked", "email.opened"]);
    expect(await clickRows(deps, logId)).toHaveLength(1);
  });

  it("emits events while any project has an active webhook, and only for projects with one", async () => {
    const [mine, other] = [await newMails(deps, 1), await newMails(deps, 1)];
    const batchAt = async (at: number) => {
      const statements: string[][] = [];
      service.d1.before = (sql) => statements.push(sql);
      await recordEvents(deps, [
        trackingEvent("click", mine.logId, at),
        trackingEvent("click", other.logId, at),
      ]);
      service.d1.before = undefined;
      return statements.at(-1)?.filter((sql) => sql.includes("webhook_deliveries")).length;
    };
    await service.d1.database.prepare("update webhooks set active = 0").run();
    const paused = await newWebhook(mine.projectId, ["email.clicked"], false);
    expect(await batchAt(SENT_AT + 60_000)).toBe(0);
    const active = await newWebhook(mine.projectId, ["email.clicked"]);
    expect(await batchAt(SENT_AT + 90_000)).toBe(1);
    expect((await active.payloads()).map(({ data }) => data["log_id"])).toEqual([mine.logId]);
    expect(await paused.types()).toEqual([]);
  });

  const HOUR = SENT_AT - (SENT_AT % HOUR_MS) + HOUR_MS;
  const clicksAt = (logId: string, count: number, from = HOUR, url = URL_A, gapMs = 60_000) =>
    Array.from({ length: count }, (_, n) =>
      trackingEvent("click", logId, from + n * gapMs + 3_000, url),
    );

  it("records and emits clicks until a mail has 200, and only counts later ones", async () => {
    const { projectId, logIds } = await newMails(deps, 2);
    const [logId = "", other = ""] = logIds;
    const hook = await newWebhook(projectId, ["email.clicked"]);
    const clicks = clicksAt(logId, 230, HOUR, URL_A, 1_000);
    for (const batch of [clicks.slice(0, 21), clicks.slice(0, 190), clicks.slice(190, 220)])
      await recordEvents(deps, batch);
    for (const click of clicks.slice(220)) await recordEvents(deps, [click]);
    await recordEvents(deps, clicksAt(logId, 1, HOUR + HOUR_MS, URL_B)); // another link and hour
    await recordEvents(deps, clicksAt(other, 1, HOUR + HOUR_MS, URL_B));
    const ids = (await clickRows(deps, logId)).map(({ id }) => id);
    expect(ids).toEqual(clicks.slice(0, 220).map(({ id }) => id));
    expect(await clickRows(deps, other)).toHaveLength(1);
    expect(await hook.types()).toHaveLength(221);
    const hourly = (await topLinks(deps, projectId)).filter(({ grain }) => grain === "hour");
    expect(hourly).toEqual([
      { grain: "hour", bucket_at: HOUR, label: URL_A, clicks: 230 },
      { grain: "hour", bucket_at: HOUR + HOUR_MS, label: URL_B, clicks: 2 },
    ]);
  });

  it("records at most a batch more when many servers record clicks of one mail at the same time", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    const hook = await newWebhook(projectId, ["email.clicked"]);
    const clicks = clicksAt(logId, 232, HOUR, URL_A, 1_000);
    const batches = Array.from({ length: 8 }, (_, n) => clicks.slice(n * 29, n * 29 + 29));
    await Promise.all(batches.map((batch) => recordEvents(deps, batch)));
    expect(await clickRows(deps, logId)).toHaveLength(7 * 29);
    expect(await hook.types()).toHaveLength(7 * 29);
  });

  it("counts clicks once when they are delivered again beside new ones", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    const clicks = clicksAt(logId, 20);
    await recordEvents(deps, clicks.slice(0, 12));
    await recordEvents(deps, clicks);
    expect(await clickRows(deps, logId)).toHaveLength(20);
    expect((await topLinks(deps, projectId)).map((row) => row["clicks"])).toEqual([20, 20]);
  });

  it("writes only the counts of a click beyond the 200, and reads its records twice at most", async () => {
    const { logId } = await newMails(deps, 1);
    const clicks = clicksAt(logId, 201, HOUR, URL_A, 1_000);
    await recordEvents(deps, clicks.slice(0, 200));
    service.d1.reset();
    await recordEvents(deps, clicks.slice(200));
    expect(service.d1.rowsWritten).toBe(4); // the link's hour and day, each with its index
    expect(service.d1.rowsRead).toBeLessThan(440);
  });

  it("reads and writes a bounded number of times for repeated clicks on one link", async () => {
    const { logId } = await newMails(deps, 1);
    const clicks = Array.from({ length: 2_000 }, (_, ms) =>
      trackingEvent("click", logId, SENT_AT + 60_000 + ms),
    );
    await recordEvents(deps, [trackingEvent("click", logId, SENT_AT + 61_000, URL_B)]);
    service.d1.reset();
    for (let at = 0; at < clicks.length; at += 400)
      await recordEvents(deps, clicks.slice(at, at + 400));
    expect(service.d1.rowsRead).toBeLessThanOrEqual(17 * clicks.length);
  });

  it("counts an open in the hour and day of its mail, and in the hour and day it happened", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    await recordEvents(deps, [trackingEvent("open", logId, SENT_AT + 60_000)]);
    const day = SENT_AT - (SENT_AT % DAY_MS);
    const hour = SENT_AT - (SENT_AT % HOUR_MS);
    expect(await rollups(deps, projectId)).toEqual([
      { grain: "day", bucket_at: day, opened: 1, clicked: 0, opens: 0 },
      { grain: "day", bucket_at: day + DAY_MS, opened: 0, clicked: 0, opens: 1 },
      { grain: "hour", bucket_at: hour, opened: 1, clicked: 0, opens: 0 },
      { grain: "hour", bucket_at: hour + HOUR_MS, opened: 0, clicked: 0, opens: 1 },
    ]);
  });

  it("keeps the earliest of several first visits in one batch", async () => {
    const { logId } = await newMails(deps, 1);
    const at = (seconds: number) => SENT_AT + seconds * 1_000;
    await recordEvents(deps, [
      trackingEvent("open", logId, at(30)),
      trackingEvent("open", logId, at(20)),
    ]);
    await recordEvents(deps, [trackingEvent("open", logId, at(10))]);
    expect(await logRow(deps, logId)).toMatchObject({ opened_at: at(20) });
  });

  it("names the mails that the log does not have yet", async () => {
    const [{ logId }, unknown] = [await newMails(deps, 1), crypto.randomUUID()];
    const [open, click] = [
      trackingEvent("open", logId, SENT_AT),
      trackingEvent("click", unknown, SENT_AT),
    ];
    expect(await recordEvents(deps, [open, click])).toEqual({ unlogged: new Set([unknown]) });
  });

  it("counts once when the answer of a write is lost and the write is repeated", async () => {
    const { projectId, logId } = await newMails(deps, 1);
    const events = [
      trackingEvent("open", logId, SENT_AT + 60_000),
      trackingEvent("click", logId, SENT_AT + 61_000),
    ];
    let answers = 0;
    service.d1.after = () => {
      if (++answers === 2) throw new Error("the answer was lost"); // of the write, after the read
    };
    await expect(recordEvents(deps, events)).rejects.toThrow("the answer was lost");
    service.d1.after = undefined;
    const once = await trackedState(deps, projectId);
    await recordEvents(deps, events);
    expect(await trackedState(deps, projectId)).toEqual(once);
    expect(once.totals).toEqual({ opened: 1, clicked: 1 });
  });

  it("agrees with a naive model, however often and in whatever order events arrive", async () => {
    const urls = [URL_A, URL_B, "https://shop.test/c"];
    const agents = [FIREFOX, GMAIL, BARRACUDA, "curl/8", ""];
    const visits = fc.record({
      kind: fc.constantFrom("open" as const, "click" as const),
      mail: fc.nat(3),
      afterMs: fc.oneof(
        fc.nat(8_000),
        fc.integer({ min: 10_000, max: 14_000 }),
        fc.nat(40_000),
        fc.integer({ min: -2_000, max: 3 * DAY_MS }),
      ),
      url: fc.nat(urls.length - 1),
      agent: fc.nat(agents.length - 1),
    });
    const scenario = fc.record({
      visits: fc.array(visits, { minLength: 1, maxLength: 14 }),
      batches: fc.array(fc.array(fc.nat(13), { maxLength: 12 }), { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async (plan) => {
        const { projectId, logIds } = await newMails(deps, 3);
        const targets = [...logIds, uuidAt(SENT_AT)];
        const events = plan.visits.map(({ kind, mail, afterMs, url, agent }): TrackingEvent => ({
          ...trackingEvent(kind, targets[mail] ?? "", SENT_AT + afterMs, urls[url]),
          userAgent: agents[agent] ?? "",
        }));
        const batches = plan.batches.map((batch) => batch.flatMap((index) => events[index] ?? []));
        for (const batch of batches) await recordEvents(deps, batch);
        expect(await trackedState(deps, projectId)).toEqual(trackingModel(logIds, batches));
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it.each([
    ["the first", 0],
    ["the second", 1],
  ])(
    "classifies visits to two links of a mail within two seconds as a scanner when %s is recorded first",
    async (_which, first) => {
      const { logIds } = await newMails(deps, 3);
      const [burst = "", slow = "", double = ""] = logIds;
      for (const [logId, gapMs, second] of [
        [burst, 2_000, URL_B],
        [slow, 2_001, URL_B],
        [double, 500, URL_A],
      ] as const) {
        const clicks = [
          trackingEvent("click", logId, SENT_AT + 60_000, URL_A),
          trackingEvent("click", logId, SENT_AT + 60_000 + gapMs, second),
        ];
        for (const click of first === 0 ? clicks : clicks.toReversed())
          await recordEvents(deps, [click]);
      }
      await correctClasses(deps);
      const classes = async (logId: string) =>
        (await clickRows(deps, logId)).map((row) => row["class"]);
      expect(await classes(burst)).toEqual(["scanner", "scanner"]);
      expect(await classes(slow)).toEqual(["human", "human"]);
      expect(await classes(double)).toEqual(["human", "human"]);
    },
  );
});
