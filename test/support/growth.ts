/** Fewest and most rounds; the fastest run of each size counts, so a busy machine adds rounds. */
const ROUNDS = { min: 3, max: 20 };

/**
 * Sixteen times the input costs 16 times the time at linear cost, up to 80 when it leaves the
 * processor's caches, and 256 at quadratic cost.
 */
const LINEAR_AT_MOST = 128;

/**
 * Measurable minimum in milliseconds: a shorter run counts as this. On a busy machine a longer run
 * is interrupted many times, a short one never. At quadratic cost the large runs take seconds.
 */
const FLOOR_MS = 2;

/** Returns true when the cost of `run` grows no faster than its input, up to `size`. */
export async function isLinear(run: (size: number) => unknown, size: number): Promise<boolean> {
  const timeOf = async (of: number) => {
    const start = performance.now();
    await run(of);
    return Math.max(performance.now() - start, FLOOR_MS);
  };
  let small = Infinity;
  let large = Infinity;
  for (let round = 1; round <= ROUNDS.max; round++) {
    small = Math.min(small, await timeOf(size / 16));
    large = Math.min(large, await timeOf(size));
    if (round >= ROUNDS.min && large / small <= LINEAR_AT_MOST) return true;
  }
  return false;
}
