/* When people open broadcasts: by hour since the start, and by hour of a period. */
import { beforeAll, describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { handleBatch } from "../../../src/queues/handle-batch.ts";
import type { TrackingMessage } from "../../../src/queues/messages.ts";
import { scenario, type Scenario } from "../../support/broadcasting.ts";
import { allRows } from "../../support/rows.ts";
import { DAY, EVERY_NIGHT, HOUR, iso } from "../../support/times.ts";
import { FIREFOX, GMAIL } from "../../support/tracking/mails.ts";

interface OpenTimes {
  from: string;
  to: string;
  is_complete: boolean;
  series: { bucket: string; opens: number }[];
}

let run: Scenario;
let start: number;

/** Loads pixels some hours after the start, and delivers the queued messages in one batch. */
async function open(mails: { id: string }[], hours: number, userAgent = FIREFOX) {
  const { service, clock, deps } = run;
  const bodies: TrackingMessage[] = [];
  service.env.TRACKING_QUEUE = {
    send: async (message: TrackingMessage) => void bodies.push(message),
  } as unknown as Queue<TrackingMessage>;
  clock.stoppedAt = start + hours * HOUR;
  for (const { id } of mails)
    await service.fetch(`/t/${id}.gif`, { headers: { "User-Agent": userAgent } });
  const messages = bodies.map((body) => ({ body, attempts: 1, ack() {}, retry() {} }));
  await handleBatch(deps, { queue: "postrider-tracking", messages } as unknown as MessageBatch);
}

const listOf = async (query: string) =>
  run.owner.get<{ broadcasts: { opens_by_hour?: number[] }[] }>(
    `${run.news.path}/broadcasts${query}`,
  );
const timesOf = async (from: number, to: number) =>
  run.owner.get<OpenTimes>(`${run.news.path}/stats/open-times?from=${iso(from)}&to=${iso(to)}`);
const pointsOf = ({ series }: OpenTimes) =>
  series.map(({ bucket, opens }) => [(Date.parse(bucket) - start) / HOUR, opens]);

beforeAll(async () => {
  run = await scenario(6);
  await run.finish();
  run.clock.aheadMs = 0;
  const [row] = await allRows("select created_at from broadcasts where id = ?", run.id);
  start = Math.floor(Number(row?.["created_at"]) / HOUR) * HOUR;
  const [one, two, proxied, later, last, tooLate] = (await run.news.logs()).map((mail) => [mail]);
  await open([...(one ?? []), ...(two ?? [])], 1.5);
  await open(proxied ?? [], 2.5, GMAIL);
  await open([...(one ?? []), ...(later ?? [])], 3.25); // the first was opened before
  await open(last ?? [], 47.9);
  await open(tooLate ?? [], 48);
});

describe("the opens of a broadcast by hour", () => {
  it("are the first opens by people in its first 48 hours, in a list that asks for them", async () => {
    const { body } = await listOf("?include=opens_by_hour");
    const expected = Array.from({ length: 48 }, () => 0);
    [expected[1], expected[3], expected[47]] = [2, 1, 1];
    expect(body.broadcasts.map((one) => one.opens_by_hour)).toEqual([expected]);
  });

  it("are absent from a list that does not ask for them, and anything else cannot be asked for", async () => {
    const { body } = await listOf("");
    expect(body.broadcasts.map((one) => "opens_by_hour" in one)).toEqual([false]);
    expect((await listOf("?include=opens")).status).toBe(400);
  });
});

describe("GET /projects/{id}/stats/open-times", () => {
  it("counts first opens by people in the whole hours that a period touches", async () => {
    const { body } = await timesOf(start, start + 3 * DAY);
    expect(body.is_complete).toBe(true);
    expect(pointsOf(body)).toEqual([
      [1, 2],
      [3, 1],
      [47, 1],
      [48, 1],
    ]);
    const part = await timesOf(start + 1.9 * HOUR, start + 3.1 * HOUR);
    expect([part.body.from, part.body.to]).toEqual([iso(start + HOUR), iso(start + 4 * HOUR)]);
    expect(pointsOf(part.body)).toEqual([
      [1, 2],
      [3, 1],
    ]);
  });

  it("is 400 for an empty period and for more than 731 days", async () => {
    expect((await timesOf(start, start)).status).toBe(400);
    expect((await timesOf(start, start + 732 * DAY)).status).toBe(400);
  });

  it("counts no opens of other projects", async () => {
    const { id } = await run.owner.newProject();
    const window = `from=${iso(start)}&to=${iso(start + 3 * DAY)}`;
    const { body } = await run.owner.get<OpenTimes>(`/projects/${id}/stats/open-times?${window}`);
    expect(body.series).toEqual([]);
  });

  it("forgets the hours that are older than the log", async () => {
    const { deps } = run;
    const now = () => Math.ceil((start + 47 * HOUR) / DAY) * DAY + DAY;
    const kept = Math.ceil((start + 47 * HOUR) / DAY) * DAY;
    const config = { ...deps.config, logRetentionDays: 1 };
    await runScheduled({ ...deps, now, config }, EVERY_NIGHT);
    const left = await allRows("select hour_at from open_hours where project_id = ?", run.news.id);
    expect(left).toEqual([{ hour_at: start + 48 * HOUR }].filter(({ hour_at: at }) => at >= kept));
  });
});
