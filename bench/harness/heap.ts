import { WORKER_NAME, type RunningWorker } from "./runtime.ts";

/** The heap of a worker's isolate, excluding the simulated database and queues. */
export interface Heap {
  /** Heap size in MB including garbage. The worker responds between two tasks. */
  usedMb: () => Promise<number>;
  /**
   * Size of the live heap in MB: objects, the runtime objects behind them, and buffers. Runs a
   * garbage collection first, which pauses the worker.
   */
  heldMb: () => Promise<number>;
  close: () => void;
}

interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize: number;
  backingStorageSize: number;
}

type Answer = { id: number; result: unknown; error?: { message: string } };

const MB = 1_048_576;

/** Connects to the heap of an inspected worker over the Chrome DevTools Protocol. */
export async function openHeap({ inspector }: RunningWorker): Promise<Heap> {
  if (!inspector) throw new Error("the worker was not started inspected");
  const socket = new WebSocket(`ws://${inspector.host}/core:user:${WORKER_NAME}`);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const fail = (message: string) => {
    for (const { reject } of waiting.values()) reject(new Error(message));
  };
  const opened = Promise.withResolvers<void>();
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("error", () => opened.reject(new Error("there is no such inspector")));
  socket.addEventListener("close", () => fail("the inspector has gone"));
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as Answer;
    const asked = waiting.get(id); // Chunks of the snapshot have no id.
    waiting.delete(id);
    if (error) asked?.reject(new Error(error.message));
    else asked?.resolve(result);
  });
  await opened.promise;
  let last = 0;
  const call = (method: string): Promise<unknown> => {
    last += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(last, answer);
    socket.send(JSON.stringify({ id: last, method }));
    return answer.promise;
  };
  await call("HeapProfiler.enable");
  const usedMb = async () => {
    const usage = (await call("Runtime.getHeapUsage")) as HeapUsage;
    return (usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize) / MB;
  };
  return {
    usedMb,
    async heldMb() {
      // workerd never answers HeapProfiler.collectGarbage; a snapshot also collects garbage first.
      await call("HeapProfiler.takeHeapSnapshot");
      return usedMb();
    },
    close: () => socket.close(),
  };
}
