import { createOwner, subscribe, type Owner } from "../harness/account.ts";
import { startChild, type Remote } from "../harness/child.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { COUNTED, countOf } from "../harness/counts.ts";
import { fillLog } from "../harness/log-fixture.ts";
import { broadcast, createTemplate } from "../harness/newsletter.ts";
import type { Goal, PartResult, Sizes } from "../harness/report.ts";
import { startService, type RunningWorker } from "../harness/runtime.ts";
import { median } from "../harness/statistics.ts";
import type { sinkVerbs } from "../peers/sink.ts";

const WARM_UP = 500;
const MEMORY_POLL_MS = 200;
const PAGE_READS = 5;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** "Flat": the largest costs no more than this times the smallest. */
const FLAT_TIME = 1.3;
const FLAT_MEMORY = 1.5;
const FLAT_ROWS = 1.2;

type Sink = Remote<typeof sinkVerbs>;

/** Part 4: the same work ten, fifty and a hundred times as large; the peer is the smallest. */
export async function measureGrowth(sizes: Sizes): Promise<PartResult[]> {
  return [await growBroadcasts(sizes), await growLog(sizes)];
}

function growBroadcasts({ growth }: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
    const service = await started(startService({}), atEnd);
    const owner = await createOwner(service);
    await broadcastTo(WARM_UP, service, owner, sink);
    const measured = [];
    for (const recipients of growth)
      measured.push(await broadcastTo(recipients, service, owner, sink));
    const [first] = measured;
    const last = measured.at(-1);
    const flat = (what: string, limit: number, times: number): Goal => ({
      what: `${what}, largest list times smallest`,
      measured: times,
      kind: "at_most",
      limit,
    });
    const times = (field: "msEach" | "peakMb") => (last?.[field] ?? 0) / (first?.[field] ?? 0);
    return {
      title: "Growth of a broadcast, no round trip, CHUNKING",
      columns: ["recipients", "seconds", "ms/recipient at the sink", "peak MB of workerd"],
      rows: measured.map(({ recipients, seconds, msEach, peakMb }) => [
        recipients,
        seconds,
        msEach,
        peakMb,
      ]),
      goals: [
        flat("time a recipient", FLAT_TIME, times("msEach")),
        flat("memory", FLAT_MEMORY, times("peakMb")),
      ],
      notes: ["Memory is that of the whole local runtime, with the simulated database and queues."],
    };
  });
}

async function broadcastTo(recipients: number, service: RunningWorker, owner: Owner, sink: Sink) {
  const project = await owner.newProject(await sink.port());
  await subscribe(await service.database(), project.id, recipients);
  const templateId = await createTemplate(project, owner);
  await service.untilIdle();
  await sink.begin({ roundTripMs: 0, chunking: true });
  let peakMb = 0;
  const poll = setInterval(() => {
    peakMb = Math.max(peakMb, service.use().residentMb ?? Number.NaN);
  }, MEMORY_POLL_MS);
  const startedAt = performance.now();
  const { sent } = await broadcast(project, templateId);
  const seconds = (performance.now() - startedAt) / 1_000;
  clearInterval(poll);
  const { messages, distinctRecipients, firstAt, lastAt } = await sink.report();
  if (sent !== recipients || messages !== recipients || distinctRecipients !== recipients)
    throw new Error(`${sent} of ${recipients} sent, ${messages} arrived`);
  return { recipients, seconds, msEach: (lastAt - firstAt) / recipients, peakMb };
}

function growLog({ logRows }: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const counted = await started(startService({}, COUNTED), atEnd);
    const owner = await createOwner(counted);
    const now = Date.now();
    const hour = now - (now % HOUR_MS);
    const overviewUntil = (to: number) => {
      const [from, until] = [to - 30 * DAY_MS, to].map((at) => new Date(at).toISOString());
      return `analytics/overview?from=${from}&to=${until}`;
    };
    const pages = {
      list: "logs?limit=50",
      "list, failed": "logs?limit=50&status=failed",
      stats: "stats",
      "overview, whole hours": overviewUntil(hour),
      "overview, to the second": overviewUntil(now),
    };
    const measured: { count: number; page: string; rowsRead: number; trips: number; ms: number }[] =
      [];
    for (const count of logRows) {
      const { id } = await owner.newProject(9);
      await fillLog(await counted.database(), id, count);
      for (const [page, path] of Object.entries(pages)) {
        const eachMs: number[] = [];
        const counts = await countOf(counted, async () => {
          for (let time = 0; time < PAGE_READS; time++) {
            const startedAt = performance.now();
            await owner.api("GET", `/projects/${id}/${path}`);
            eachMs.push(performance.now() - startedAt);
          }
        });
        const each = {
          rowsRead: counts.d1RowsRead / PAGE_READS,
          trips: counts.d1RoundTrips / PAGE_READS,
        };
        measured.push({ count, page, ...each, ms: median(eachMs) });
      }
    }
    const rowsOf = (count: number | undefined, page: string) =>
      measured.find((one) => one.count === count && one.page === page)?.rowsRead ?? Number.NaN;
    return {
      title: "Growth of the log",
      columns: ["page", "log entries", "rows read", "D1 round trips", "ms"],
      rows: measured.map(({ page, count, rowsRead, trips, ms }) => [
        page,
        count,
        rowsRead,
        trips,
        ms,
      ]),
      goals: Object.keys(pages).map((page) => ({
        what: `rows read by ${page}, largest log times smallest`,
        measured: rowsOf(logRows.at(-1), page) / rowsOf(logRows[0], page),
        kind: "at_most",
        limit: FLAT_ROWS,
      })),
    };
  });
}
