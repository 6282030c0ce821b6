import type { Counts } from "../workers/counted.ts";
import type { RunningWorker } from "./runtime.ts";

/** The service with its billed operations counted; see workers/counted.ts. */
export const COUNTED = "bench/workers/counted.ts";

/** Returns the counts since the last call and resets them. */
export async function takeCounts({ url }: RunningWorker): Promise<Counts> {
  const response = await fetch(`${url}/bench/counts`);
  return JSON.parse(await response.text()) as Counts;
}

/** Returns the counts of `work`, including the work after its responses. */
export async function countOf(
  worker: RunningWorker,
  work: () => Promise<unknown>,
): Promise<Counts> {
  await worker.untilIdle();
  await takeCounts(worker);
  await work();
  await worker.untilIdle();
  return takeCounts(worker);
}
