import { createOwner, subscribe } from "../harness/account.ts";
import { startChild } from "../harness/child.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { runLoad, type Load, type LoadResult } from "../harness/load.ts";
import { broadcast, createTemplate, findTrackedUrls } from "../harness/newsletter.ts";
import { cpuBetween } from "../harness/process-use.ts";
import type { Goal, PartResult, Sizes } from "../harness/report.ts";
import { startService, startWorker, type RunningWorker } from "../harness/runtime.ts";
import { median, quantile } from "../harness/statistics.ts";
import type { sinkVerbs } from "../peers/sink.ts";

const CONNECTIONS = 32;
/** Requests per second for measuring latency; no contender is saturated at this rate. */
const STEADY_RATE = 300;
const WARM_UP_SECONDS = 1;
const RATIO_GOAL = 0.8;
const OURS = "Postrider";
const PEER = "bare worker";
/**
 * A prefetch gets the same response but is not recorded, which isolates the cost of the response.
 */
const PREFETCH = "Sec-Purpose: prefetch\r\n";

/** A worker to measure, with its paths. */
interface Contender {
  kind: "pixel" | "click";
  who: string;
  worker: RunningWorker;
  paths: string[];
  status: number;
  headers?: string;
}

interface Sample {
  rate: number;
  cpuMs: number | undefined;
  steady: LoadResult;
}

/**
 * Measures part 2: the tracking routes, compared with a worker that only responds, and one that
 * also queues a message.
 */
export async function measureTracking(sizes: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
    const service = await started(startService({}), atEnd);
    const bare = await started(startWorker("bench/workers/bare.ts"), atEnd);
    const owner = await createOwner(service);
    const project = await owner.newProject(await sink.port());
    await subscribe(await service.database(), project.id, sizes.recipients);
    await sink.begin({ roundTripMs: 0, chunking: true, keep: sizes.recipients });
    await broadcast(project, await createTemplate(project, owner));
    const { pixels, clicks } = await findTrackedUrls((await sink.report()).kept);
    const queued = pixels.map((path) => `/queued${path}`);
    const pixel = { kind: "pixel" as const, paths: pixels, status: 200 };
    const click = { kind: "click" as const, paths: clicks, status: 302 };
    const prefetch = { who: "Postrider, prefetch", worker: service, headers: PREFETCH };
    const contenders: Contender[] = [
      { ...pixel, who: OURS, worker: service },
      { ...pixel, ...prefetch },
      { ...pixel, who: PEER, worker: bare },
      { ...pixel, who: "bare worker and queue", worker: bare, paths: queued },
      { ...click, who: OURS, worker: service },
      { ...click, ...prefetch },
      { ...click, who: PEER, worker: bare },
    ];
    return report(await measureAll(contenders, sizes), contenders);
  });
}

type Samples = Map<Contender, Sample[]>;

async function measureAll(contenders: Contender[], sizes: Sizes): Promise<Samples> {
  const samples: Samples = new Map(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) await runLoad(loadOf(contender, WARM_UP_SECONDS));
  for (let round = 0; round < sizes.rounds; round++)
    for (const contender of contenders)
      samples.get(contender)?.push(await measure(contender, sizes.loadSeconds));
  return samples;
}

function loadOf({ worker, paths, status, headers = "" }: Contender, seconds: number): Load {
  return { url: worker.url, paths, status, headers, connections: CONNECTIONS, seconds };
}

/** Measures at full speed, then at a steady rate; each starts after the previous work has ended. */
async function measure(contender: Contender, seconds: number): Promise<Sample> {
  const { worker } = contender;
  const load = loadOf(contender, seconds);
  await worker.untilIdle();
  const before = worker.use();
  const { rate, eachMs } = await runLoad(load);
  await worker.untilIdle();
  const cpu = cpuBetween(before, worker.use());
  const steady = await runLoad({ ...load, rate: STEADY_RATE });
  await worker.untilIdle();
  return { rate, cpuMs: cpu === undefined ? undefined : cpu / eachMs.length, steady };
}

function report(samples: Samples, contenders: Contender[]): PartResult {
  const middle = (contender: Contender, value: (sample: Sample) => number | undefined) =>
    median((samples.get(contender) ?? []).flatMap((sample) => value(sample) ?? []));
  const rateOf = (contender: Contender | undefined) =>
    contender ? middle(contender, ({ rate }) => rate) : Number.NaN;
  const peerOf = ({ kind }: Contender) =>
    contenders.find((other) => other.kind === kind && other.who === PEER);
  const goals = contenders
    .filter(({ who }) => who === OURS)
    .map((ours): Goal => ({
      what: `${ours.kind}, requests a second, times the bare worker`,
      measured: rateOf(ours) / rateOf(peerOf(ours)),
      kind: "at_least",
      limit: RATIO_GOAL,
    }));
  return {
    title: `Tracking, ${CONNECTIONS} connections`,
    columns: ["route", "worker", "requests/s", "× bare", "p50 ms", "p99 ms", "CPU ms/request"],
    rows: contenders.map((contender) => [
      contender.kind,
      contender.who,
      rateOf(contender),
      rateOf(contender) / rateOf(peerOf(contender)),
      middle(contender, ({ steady }) => quantile(steady.eachMs, 0.5)),
      middle(contender, ({ steady }) => quantile(steady.eachMs, 0.99)),
      middle(contender, ({ cpuMs }) => cpuMs),
    ]),
    goals,
    notes: [
      `p50 and p99 at ${STEADY_RATE} requests a second. CPU includes the simulated queue and D1, to the end of the work behind the answers.`,
    ],
  };
}
