import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { startDohServer } from "../../test/support/doh-server.ts";
import { createOwner, type Owner, type Project } from "../harness/account.ts";
import { startChild } from "../harness/child.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { cpuBetween } from "../harness/process-use.ts";
import type { PartResult, Sizes } from "../harness/report.ts";
import { startService, type RunningWorker } from "../harness/runtime.ts";
import { median } from "../harness/statistics.ts";
import type { sinkVerbs } from "../peers/sink.ts";

const MIB = 1_048_576;
/** The heap of an isolate in production. */
const HEAP_MB = 128;
const HOSTILE_CALLS = 20;
/** Number of calls whose memory is watched individually. */
const WATCHED_CALLS = 5;
const SAMPLE_MS = 10;

/**
 * The largest bodies of each route: a send with 10 MiB of attachments, 5,000 recipients, 50,000
 * rows.
 */
const ATTACHMENT_BYTES = 10 * MIB;
const RECIPIENTS = 5_000;
const ROWS = 50_000;

/**
 * Measures part 7: hostile bodies, and the largest valid ones, with a heap as small as
 * production's.
 */
export async function measureBodies(_sizes: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const resolver = await startDohServer();
    atEnd(resolver.close);
    const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
    const settings = { DOH_URL: `http://127.0.0.1:${resolver.port}/dns-query` };
    const service = await started(
      withSmallHeap(() => startService(settings)),
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
    for (const [name, call] of Object.entries(await largestCalls(project, owner)))
      largest.push(await measureLargest(service, project, name, call));
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
 * Starts a worker with a limited heap per isolate; miniflare reads the flags when it starts
 * workerd.
 */
async function withSmallHeap<T>(start: () => Promise<T>): Promise<T> {
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = `--max-old-space-size=${HEAP_MB}`;
  try {
    return await start();
  } finally {
    delete process.env["MINIFLARE_WORKERD_V8_FLAGS"];
  }
}

/**
 * Watches the runtime during some work. Throws when it ended, since miniflare restarts it silently.
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

/**
 * Posts a body and resolves with the status; the response may arrive while the body is on its way.
 */
function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = { "Content-Length": Buffer.byteLength(body) };
    const call = request(url, { method: "POST", agent: false, headers: { ...headers, ...length } });
    call.once("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.resume();
    });
    call.on("error", reject); // after a response nobody listens any more
    call.end(body);
  });
}

/** Sends hostile bodies one after another; all figures are for one body. */
async function measureHostile(service: RunningWorker, project: Project, key: string) {
  const body = `{"to":"a@b.test","cc":[${'"",'.repeat(2 * MIB - 20)}""]}`;
  const eachMs: number[] = [];
  let status = 0;
  const call = async () => {
    const startedAt = performance.now();
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    status = await post(`${service.url}/api/v1/projects/${project.id}/send`, headers, body);
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

/** A call of the largest size that its route accepts. */
interface Largest {
  path: string;
  body: unknown;
}

async function measureLargest(
  service: RunningWorker,
  { id, api }: Project,
  name: string,
  { path, body }: Largest,
) {
  const { ms, cpuMs, residentMb } = await watch(service, async () => {
    await api("POST", `/projects/${id}/${path}`, body);
  });
  return [name, JSON.stringify(body).length / MIB, ms, cpuMs, residentMb];
}

/**
 * Returns the largest valid calls, with characters beyond Latin-1, which take two bytes in memory.
 */
async function largestCalls({ id }: Project, owner: Owner): Promise<Record<string, Largest>> {
  const template = await owner.api<{ id: string }>("POST", `/projects/${id}/templates`, {
    name: "Batch",
    subject: "Hi {{name}}",
    html_body: "<p>Hi {{name}}</p>",
  });
  const filler = (bytes: number) => "x".repeat(bytes);
  const content = Buffer.alloc(ATTACHMENT_BYTES, "attachment").toString("base64");
  return {
    [`send, ${ATTACHMENT_BYTES / MIB} MiB of attachments`]: {
      path: "send",
      body: {
        to: "buyer@shop.test",
        subject: "Your order \u20ac",
        html_body: "<p>Thank you.</p>",
        attachments: [{ filename: "order.bin", content }],
      },
    },
    [`batch, ${RECIPIENTS} recipients`]: {
      path: "send/batch",
      body: {
        template_id: template.id,
        recipients: Array.from({ length: RECIPIENTS }, (_, n) => ({
          to: `buyer${n}@shop.test`,
          data: { name: `Buyer ${n} \u20ac`, filler: filler(2_010) },
        })),
      },
    },
    [`import, ${ROWS} rows`]: {
      path: "subscribers/import",
      body: Array.from({ length: ROWS }, (_, n) => ({
        email: `person${n}@d${n % 200}.takes-mail.test`,
        name: `Person ${n} \u20ac`,
        metadata: { source: "shop", plan: "free", note: filler(200) },
      })),
    },
  };
}
