import { setTimeout as delay } from "node:timers/promises";
import { createOwner, subscribe, type Owner } from "../harness/account.ts";
import { startChild, type Remote } from "../harness/child.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { openHeap, type Heap } from "../harness/heap.ts";
import { broadcast, createTemplate } from "../harness/newsletter.ts";
import type { Goal, PartResult, Sizes } from "../harness/report.ts";
import { startService, type RunningWorker } from "../harness/runtime.ts";
import type { sinkVerbs } from "../peers/sink.ts";
import { growLog } from "./growth-of-log.ts";

const WARM_UP = 500;
const MEMORY_POLL_MS = 200;
const HEAP_LOOKS = 8;
/** Definition of "flat": the largest costs at most this many times the smallest. */
const FLAT_TIME = 1.3;
const FLAT_MEMORY = 1.5;

type Sink = Remote<typeof sinkVerbs>;

/**
 * Measures part 4: the same work ten, fifty and a hundred times as large, compared with the
 * smallest.
 */
export async function measureGrowth(sizes: Sizes): Promise<PartResult[]> {
  return [await growBroadcasts(sizes), await growLog(sizes)];
}

async function growBroadcasts({ growth }: Sizes): Promise<PartResult> {
  const timed = await withCleanUp(async (atEnd) => {
    const place = await openPlace(false, atEnd);
    await broadcastTo(WARM_UP, place, watchNothing);
    const all = [];
    for (const recipients of growth) all.push(await timeBroadcast(recipients, place));
    return all;
  });
  // Runs again with an inspected service, because inspection costs time.
  const heldMb = await withCleanUp(async (atEnd) => {
    const place = await openPlace(true, atEnd);
    const heap = await openHeap(place.service);
    atEnd(async () => heap.close());
    await broadcastTo(WARM_UP, place, watchNothing);
    const all = [];
    for (const { recipients, seconds } of timed)
      all.push(await weighBroadcast(recipients, seconds, heap, place));
    return all;
  });
  const times = (values: number[]) => (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN);
  const flat = (what: string, limit: number, values: number[]): Goal => ({
    what: `${what}, largest list times smallest`,
    measured: times(values),
    kind: "at_most",
    limit,
  });
  return {
    title: "Growth of a broadcast, no round trip, CHUNKING",
    columns: [
      "recipients",
      "seconds",
      "ms/recipient at the sink",
      "peak MB held by the service",
      "peak MB of workerd",
    ],
    rows: timed.map(({ recipients, seconds, msEach, peakMb }, index) => [
      recipients,
      seconds,
      msEach,
      heldMb[index],
      peakMb,
    ]),
    goals: [
      flat(
        "time a recipient",
        FLAT_TIME,
        timed.map(({ msEach }) => msEach),
      ),
      flat("memory held by the service", FLAT_MEMORY, heldMb),
    ],
    notes: [
      "Held is what is left of the service's heap after a collection, in a second run. workerd is the whole local runtime: what V8 has not collected yet, the simulated database and queues, and the isolates of those.",
    ],
  };
}

interface Place {
  sink: Sink;
  service: RunningWorker;
  owner: Owner;
}

async function openPlace(
  inspected: boolean,
  atEnd: (cleanUp: () => Promise<void>) => void,
): Promise<Place> {
  const sink = await started(startChild<typeof sinkVerbs>("../peers/sink.ts"), atEnd);
  const service = await started(startService({}, undefined, inspected), atEnd);
  return { sink, service, owner: await createOwner(service) };
}

/** Work done during a broadcast, until `isOver`. */
type Watch = (isOver: () => boolean) => Promise<void>;

const watchNothing: Watch = async () => undefined;

async function broadcastTo(recipients: number, { sink, service, owner }: Place, watch: Watch) {
  const project = await owner.newProject(await sink.port());
  await subscribe(await service.database(), project.id, recipients);
  const templateId = await createTemplate(project, owner);
  await service.untilIdle();
  await sink.begin({ roundTripMs: 0, chunking: true });
  const startedAt = performance.now();
  let seconds = 0;
  const send = async () => {
    const { sent } = await broadcast(project, templateId);
    seconds = (performance.now() - startedAt) / 1_000;
    return sent;
  };
  const [sent] = await Promise.all([send(), watch(() => seconds > 0)]);
  const { messages, distinctRecipients, firstAt, lastAt } = await sink.report();
  if (sent !== recipients || messages !== recipients || distinctRecipients !== recipients)
    throw new Error(`${sent} of ${recipients} sent, ${messages} arrived`);
  return { recipients, seconds, msEach: (lastAt - firstAt) / recipients };
}

async function timeBroadcast(recipients: number, place: Place) {
  let peakMb = 0;
  const times = await broadcastTo(recipients, place, async (isOver) => {
    while (!isOver()) {
      peakMb = Math.max(peakMb, place.service.use().residentMb ?? Number.NaN);
      await delay(MEMORY_POLL_MS);
    }
  });
  return { ...times, peakMb };
}

/** Returns the peak heap of the service during a broadcast that takes about `seconds`. */
async function weighBroadcast(recipients: number, seconds: number, heap: Heap, place: Place) {
  let peakMb = 0;
  await broadcastTo(recipients, place, async (isOver) => {
    // A short list gets as many samples as a long one; otherwise the long one could show higher
    // peaks by chance.
    for (let look = 0; look < HEAP_LOOKS && !isOver(); look++) {
      await delay((seconds * 1_000) / (HEAP_LOOKS + 1));
      peakMb = Math.max(peakMb, await heap.heldMb());
    }
  });
  return peakMb;
}
