import { describe, expect, it } from "vitest";
import type { TrackingMessage } from "../src/queues/messages.ts";
import { planBroadcast } from "../src/services/broadcasts/index.ts";
import { sendChunks } from "../src/services/mailing/index.ts";
import {
  manualService,
  newNewsletter,
  scenario,
  withoutSample,
  type ChunkMessage,
} from "./support/broadcasting.ts";
import { pruneLog } from "../src/services/email-log/index.ts";
import { recordEvents } from "../src/services/tracking/index.ts";
import { CAPTURING, createService, unique } from "./support/service.ts";
import { DAY_MS, newMails, SENT_AT, trackingEvent } from "./support/tracking/mails.ts";

/** Counts from which bench/ calculates the bill. */
describe("the cost of work", () => {
  it("is one queue message a broadcast and one for each 500 recipients", async () => {
    const { queued, deps, id } = await scenario(1_001, withoutSample);
    expect(queued).toEqual([{ type: "broadcast_plan", broadcastId: id }]);
    await planBroadcast(deps, id);
    expect(queued.slice(1).map(({ type }) => type)).toEqual(Array(3).fill("broadcast_chunk"));
  });

  it("is at most 2.28 rows written and 0.16 D1 calls for each mail of a broadcast", async () => {
    const { service, queued, deps, id } = await scenario(500);
    await planBroadcast(deps, id);
    const chunk = queued.find(({ type }) => type === "broadcast_chunk") as ChunkMessage;
    service.d1.reset();
    await sendChunks(deps, chunk);
    // Allows two rows a mail, two for each of 63 writes of eight mails, and some renewals of the
    // lease where the machine is slow.
    expect(service.d1.rowsWritten).toBeLessThanOrEqual(2.28 * 500);
    expect(service.d1.roundTrips).toBeLessThanOrEqual(0.16 * 500);
  });

  it("is at most 0.13 statements a mail for a batch of 2,000, which its request sends alone", async () => {
    const { service, queued } = manualService();
    const owner = await service.newOwner();
    const news = await newNewsletter(service, owner);
    const recipients = Array.from({ length: 2_000 }, (_, n) => ({
      to: `b${n}.${news.from}`,
      data: { name: `n${n}` },
    }));
    let statements = 0;
    service.d1.before = (sql) => void (statements += sql.length);
    const body = { template_id: news.templateId, recipients };
    const answer = await owner.post(`${news.path}/send/batch`, body);
    expect(answer.body).toMatchObject({ sent: 2_000, failed: 0 });
    // Mostly some 190. A slow machine settles fewer mails at once, and renews the lease more often.
    expect(statements).toBeLessThanOrEqual(0.13 * 2_000);
    expect(queued).toHaveLength(1); // one for each further 1,000, in case the request dies
  });

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

  it("is one read, one write of six rows and one call of the limiter for a send by API", async () => {
    const service = createService();
    const { PROJECT_LIMITER: real } = service.env;
    let hits = 0;
    service.env.PROJECT_LIMITER = {
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
    expect([service.d1.roundTrips, service.d1.rowsWritten, hits]).toEqual([2, 6, 1]);
  });
});
