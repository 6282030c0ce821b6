import { performance } from "node:perf_hooks";

/** Duration of each unit of work, and of all together. */
export interface TimedResult {
  eachMs: number[];
  allMs: number;
}

/** Runs numbered units of work with a fixed concurrency: the next one starts when one ends. */
export async function timeEach(
  count: number,
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): Promise<TimedResult> {
  const eachMs: number[] = [];
  let next = 0;
  const go = async () => {
    while (next < count) {
      const startedAt = performance.now();
      await work(next++);
      eachMs.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, go));
  return { eachMs, allMs: performance.now() - startedAt };
}
