import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { startDohServer } from "../../test/support/doh-server.ts";
import { createOwner, type Project } from "../harness/account.ts";
import { startChild } from "../harness/child.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { largestCalls, type Largest } from "../harness/largest-calls.ts";
import { cpuBetween } from "../harness/process-use.ts";
import type { PartResult, Sizes } from "../harness/report.ts";
import { startService, withHeapOf, type RunningWorker } from "../harness/runtime.ts";
import { median } from "../harness/statistics.ts";
import type { sinkVerbs } from "../peers/sink.ts";
import { measureMemoryOfBodies } from "./memory-of-bodies.ts";

const MIB = 1_048_576;
/** Heap of an isolate in production. */
const HEAP_MB = 128;
const HOSTILE_CALLS = 20;
/** Number of requests whose memory is measured individually. */
const WATCHED_CALLS = 5;
const SAMPLE_MS = 10;
/** Maximum attempts to post a hostile body until the response can be read. */
const ATTEMPTS = 3;

/** Measures part 7: hostile bodies, and the largest valid ones, with a production-sized heap. */
export async function measureBodies(_sizes: Sizes): Promise<PartResult[]> {
  return [await measureTimes(), await measureMemoryOfBodies()];
}

async function measureTimes(): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const resolver = await startDohServer();
    atEnd(resolver.close);
    const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
    const settings = { DOH_URL: `http://127.0.0.1:${resolver.port}/dns-query` };
    const service = await started(
      withHeapOf(HEAP_MB, () => startService(settings)),
      atEnd,
    );
    await sink.begin({ roundTripMs: 0, chunking: true });
    const owner = await createOwner(service);
    const project = await owner.newProject(await sink.port());
    const stranger = await measureHostile(service, project, "sk_of_nobody");
    const known = await measureHostile(service, project, project.key);
    if (stranger.status !== 401 || known.status !== 400)
      throw new Error(`hostile bodies: ${stranger.status} and ${known.status}`);
    const largest: PartResult["rows"] = [];
    for (const call of await largestCalls(project, owner))
      largest.push(await measureLargest(service, project, call));
    return {
      title: `Bodies, with a heap of ${HEAP_MB} MB`,
      columns: ["request", "MiB", "ms", "CPU ms", "resident MB more, at its peak"],
      rows: [
        ["6 MiB of lists, no key", 6, stranger.ms, stranger.cpuMs, stranger.residentMb],
        ["6 MiB of lists, a key", 6, known.ms, known.cpuMs, known.residentMb],
        ...largest,
      ],
      goals: [
        goal("CPU ms of 6 MiB of lists without a key", stranger.cpuMs ?? 0, 20),
        goal("MB of 6 MiB of lists without a key", stranger.residentMb ?? 0, 2),
        goal("ms until 6 MiB of lists with a key are refused", known.ms, 200),
      ],
      notes: [
        `The largest send, batch and import each answered 200, in one workerd under --max-old-space-size=${HEAP_MB}.`,
        "Resident memory is that of the whole local runtime, with its database and its queues.",
      ],
    };
  });
}

const goal = (what: string, measured: number, limit: number) =>
  ({ what, measured, kind: "at_most", limit }) as const;

/**
 * Monitors the runtime during some work. Throws if it crashed, because miniflare restarts it
 * silently.
 */
async function watch(service: RunningWorker, work: () => Promise<void>) {
  await service.untilIdle();
  const before = service.use();
  let peakMb = before.residentMb ?? 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      peakMb = Math.max(peakMb, service.use().residentMb ?? 0);
      await delay(SAMPLE_MS);
    }
  })();
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    over.abort();
    await watching;
  }
  const ms = performance.now() - startedAt;
  const after = service.use();
  if (before.cpuMs !== undefined && after.cpuMs === undefined) throw new Error("workerd ended");
  const residentMb = before.residentMb === undefined ? undefined : peakMb - before.residentMb;
  return { ms, cpuMs: cpuBetween(before, after), residentMb };
}

/** Posts a body and resolves with the status; the response may arrive during the upload. */
function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = { "Content-Length": Buffer.byteLength(body) };
    const call = request(url, { method: "POST", agent: false, headers: { ...headers, ...length } });
    call.once("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.resume();
    });
    call.on("error", reject); // errors after the response are irrelevant
    call.end(body);
  });
}

/**
 * Posts like `post`, with retries if the connection ends before the response can be read. A server
 * that rejects a body early discards the rest, but on a busy machine the runtime may disconnect
 * first.
 */
async function postAgain(...call: Parameters<typeof post>): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await post(...call);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (attempt === ATTEMPTS || (code !== "EPIPE" && code !== "ECONNRESET")) throw error;
    }
  }
}

/** Sends hostile bodies sequentially; all figures are per body. */
async function measureHostile(service: RunningWorker, project: Project, key: string) {
  const body = `{"to":"a@b.test","cc":[${'"",'.repeat(2 * MIB - 20)}""]}`;
  const eachMs: number[] = [];
  let status = 0;
  const call = async () => {
    const startedAt = performance.now();
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    status = await postAgain(`${service.url}/api/v1/projects/${project.id}/send`, headers, body);
    eachMs.push(performance.now() - startedAt);
  };
  await call();
  await call();
  eachMs.length = 0;
  const { cpuMs } = await watch(service, async () => {
    for (let n = 0; n < HOSTILE_CALLS; n++) await call();
  });
  const each = cpuMs === undefined ? undefined : cpuMs / HOSTILE_CALLS;
  const ms = median(eachMs);
  const peaksMb: number[] = [];
  for (let n = 0; n < WATCHED_CALLS; n++) {
    const { residentMb } = await watch(service, call);
    if (residentMb !== undefined) peaksMb.push(residentMb);
  }
  return { status, ms, cpuMs: each, residentMb: peaksMb.length > 0 ? median(peaksMb) : undefined };
}

async function measureLargest(
  service: RunningWorker,
  { id, api }: Project,
  { name, path, body }: Largest,
) {
  const { ms, cpuMs, residentMb } = await watch(service, async () => {
    await api("POST", `/projects/${id}/${path}`, body);
  });
  return [name, JSON.stringify(body).length / MIB, ms, cpuMs, residentMb];
}
