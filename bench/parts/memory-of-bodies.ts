import { setTimeout as delay } from "node:timers/promises";
import { startDohServer } from "../../test/support/doh-server.ts";
import { createOwner, type Project } from "../harness/account.ts";
import { startChild } from "../harness/child.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { openHeap, type Heap } from "../harness/heap.ts";
import { largestCalls, type Largest } from "../harness/largest-calls.ts";
import type { PartResult } from "../harness/report.ts";
import { startService, withHeapOf } from "../harness/runtime.ts";
import type { sinkVerbs } from "../peers/sink.ts";

/**
 * V8 heap for this measurement, half of production's. With room to spare, V8 collects garbage late.
 * Under this limit it can hold little more than it needs, and a request that needs more crashes the
 * process.
 */
const HEAP_MB = 64;
const LOOK_MS = 5;
/** Maximum memory of such a request, of the 128 MB of an isolate. */
const GOAL_MB = 90;

/** Measures the memory of the largest valid bodies, compared with the idle isolate. */
export async function measureMemoryOfBodies(): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const resolver = await startDohServer();
    atEnd(resolver.close);
    const settings = { DOH_URL: `http://127.0.0.1:${resolver.port}/dns-query` };
    const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
    const service = await started(
      withHeapOf(HEAP_MB, () => startService(settings, undefined, true)),
      atEnd,
    );
    const heap = await openHeap(service);
    atEnd(async () => heap.close());
    await sink.begin({ roundTripMs: 0, chunking: true });
    const owner = await createOwner(service);
    const project = await owner.newProject(await sink.port());
    const first = { to: "buyer@shop.test", subject: "First", html_body: "<p>First</p>" };
    await project.api("POST", `/projects/${project.id}/send`, first);
    await service.untilIdle();
    const idleMb = await heap.heldMb();
    const rows: [name: string, peakMb: number, moreMb: number][] = [];
    for (const call of await largestCalls(project, owner)) {
      const peakMb = await peakOf(heap, project, call);
      rows.push([call.name, peakMb, peakMb - idleMb]);
      await service.untilIdle();
    }
    return {
      title: `Memory of the largest bodies, with a heap of ${HEAP_MB} MB`,
      columns: ["request", "peak MB of the isolate", "MB more than idle"],
      rows: [["idle", idleMb, 0], ...rows],
      goals: rows.map(([name, , moreMb]) => ({
        what: `MB more than the idle isolate: ${name}`,
        measured: moreMb,
        kind: "at_most",
        limit: GOAL_MB,
      })),
      notes: [
        `Objects, buffers and garbage of the service's isolate, looked at every ${LOOK_MS} ms; the idle isolate right after a collection.`,
      ],
    };
  });
}

async function peakOf(heap: Heap, { id, api }: Project, { path, body }: Largest): Promise<number> {
  const over = new AbortController();
  const looking = (async () => {
    let peakMb = 0;
    while (!over.signal.aborted) {
      peakMb = Math.max(peakMb, await heap.usedMb());
      await delay(LOOK_MS);
    }
    return peakMb;
  })();
  try {
    await api("POST", `/projects/${id}/${path}`, body);
  } finally {
    over.abort();
  }
  return looking;
}
