import { describe, expect, it } from "vitest";
import type { TrackingMessage } from "../src/queues/messages.ts";
import { env, runInDurableObject } from "cloudflare:test";
import { batchScenario, recipientsOf } from "./support/batching.ts";
import { ASYNC, scenario, withoutSample } from "./support/broadcasting.ts";
import { pruneLog } from "../src/services/email-log/index.ts";
import { recordEvents } from "../src/services/tracking/index.ts";
import { CAPTURING, createService, unique } from "./support/service.ts";
import { DAY_MS, newMails, SENT_AT, trackingEvent } from "./support/tracking/mails.ts";

/** Returns the number of rows that the object of a project writes during some work. */
async function rowsOfObject(projectId: string, work: () => Promise<unknown>): Promise<number> {
  const object = env.PROJECT_SENDER.get(env.PROJECT_SENDER.idFromName(projectId));
  const exec = await runInDurableObject(object, (_, { storage }) => {
    const prototype = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const own: SqlStorage["exec"] = Reflect.get(prototype, "exec");
    return { prototype, own };
  });
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  exec.prototype.exec = function (...args) {
    const cursor = exec.own.apply(this, args);
    cursors.push(cursor);
    return cursor as never;
  };
  try {
    await work();
    return await runInDurableObject(object, () =>
      cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
    );
  } finally {
    exec.prototype.exec = exec.own;
  }
}

/** Counts from which bench/ calculates the bill. */
describe("the cost of work", () => {
  it("is one queue message a broadcast, however many it goes to", async () => {
    const { queued, news, work } = await scenario(1_001, withoutSample);
    expect(queued).toEqual([{ type: "wake", projectId: news.id }]);
    await work();
    expect(queued).toEqual([]);
  });

  it("is at most 15 D1 round trips, 2.1 rows of D1 and 0.3 rows of the object a mail for a broadcast to 500", async () => {
    const { service, news, id, clock, work } = await scenario(500);
    clock.stoppedAt = Date.now(); // outcomes are also recorded every second
    service.d1.reset();
    const stored = await rowsOfObject(news.id, work);
    expect(await news.progress(id)).toMatchObject({ state: "done", sent: 500 });
    expect(service.d1.rowsWritten).toBeLessThanOrEqual(2.1 * 500);
    expect(service.d1.roundTrips).toBeLessThanOrEqual(15);
    expect(stored).toBeLessThanOrEqual(0.3 * 500);
  });

  it.each(["", "rcpt.550.5.7.1."])(
    "is at most 0.08 statements, 3.2 rows of D1 and 0.3 rows of the object a mail for a batch (%s)",
    async (prefix) => {
      const count = 1_000;
      const { service, news, post, batch, clock, work } = await batchScenario();
      clock.stoppedAt = Date.now();
      let statements = 0;
      service.d1.reset();
      service.d1.before = (sql) => void (statements += sql.length);
      const { body } = await post(recipientsOf(news, count, `${prefix}b`), ASYNC);
      const stored = await rowsOfObject(news.id, work);
      service.d1.before = undefined;
      expect(await batch(String(body["batch_id"]))).toMatchObject({ state: "done" });
      expect(statements).toBeLessThanOrEqual(0.08 * count);
      expect(service.d1.rowsWritten).toBeLessThanOrEqual(3.2 * count);
      expect(stored).toBeLessThanOrEqual(0.3 * count);
    },
  );

  it("is one queue message and no D1 call for an open until the queue delivers it", async () => {
    const messages: unknown[] = [];
    const queue = {
      send: async (message: TrackingMessage) => void messages.push(message),
    } as unknown as Queue<TrackingMessage>;
    const service = createService({ TRACKING_QUEUE: queue });
    service.d1.reset();
    const logId = "01a00000-0000-7000-8000-000000000001";
    expect((await service.fetch(`/t/${logId}.gif`)).status).toBe(200);
    expect(messages).toEqual([
      { type: "tracking", events: [expect.objectContaining({ kind: "open", logId })] },
    ]);
    expect(service.d1.roundTrips).toBe(0);
  });

  it("is two rows written for an open, three for a click, and one for each mail and click removed", async () => {
    const clock = { now: SENT_AT };
    const service = createService({ LOG_RETENTION_DAYS: "90" }, { now: () => clock.now });
    const deps = await service.deps();
    const { projectId, logIds } = await newMails(deps, 100);
    const written = async (work: () => Promise<unknown>) => {
      service.d1.reset();
      await work();
      return service.d1.rowsWritten;
    };
    const at = SENT_AT + 30_000;
    const visits = (kind: "open" | "click", count: number) =>
      recordEvents(
        deps,
        logIds.slice(0, count).map((id) => trackingEvent(kind, id, at)),
      );
    // Each batch also moves totals: all, hours and days, and those of a link with their index.
    expect(await written(() => visits("open", 40))).toBeLessThanOrEqual(40 * 2 + 3 + 2);
    expect(await written(() => visits("click", 10))).toBeLessThanOrEqual(10 * 3 + 3 + 4);
    clock.now += 91 * DAY_MS;
    const links = 2; // the hour and the day of the clicked link
    expect(await written(() => pruneLog(deps))).toBeLessThanOrEqual(100 + 10 + links);
    const left = "select count(*) as n from logged_mails where project_id = ?";
    expect(await service.env.DB.prepare(left).bind(projectId).first("n")).toBe(0);
  });

  it("is one read, one write of five rows and one call of the limiter for a send by API", async () => {
    const service = createService();
    const { PROJECT_SENDER: real } = service.env;
    let hits = 0;
    service.env.PROJECT_SENDER = {
      idFromName: (name: string) => real.idFromName(name),
      get: (id: DurableObjectId) => {
        hits += 1;
        return real.get(id);
      },
    } as unknown as typeof real;
    const project = await (await service.newOwner()).newProject(CAPTURING);
    const client = service.withKey(project.key);
    const mail = () => ({ to: `${unique("to")}@any.test`, subject: "Hi", html_body: "<p>Hi</p>" });
    await client.post(`/projects/${project.id}/send`, mail());
    service.d1.reset();
    hits = 0;
    expect((await client.post(`/projects/${project.id}/send`, mail())).status).toBe(200);
    expect([service.d1.roundTrips, service.d1.rowsWritten, hits]).toEqual([2, 5, 1]);
  });
});
