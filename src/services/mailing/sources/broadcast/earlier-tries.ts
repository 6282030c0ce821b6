import type { Deferred, EarlierAttempt } from "../../../../db/schema/index.ts";
import type { ChunkRow } from "../../../broadcasts/index.ts";
import { EARLIER_MAX } from "../../outcome.ts";

/** The attempts at the recipients of a chunk who were put off, by the recipient's id. */
export type Tries = Map<string, EarlierAttempt[]>;

/** Reads the attempts that the row of a chunk has. */
export function triesOf({ again, deferred }: Pick<ChunkRow, "again" | "deferred">): Tries {
  return new Map([...again, ...deferred].map((one) => [one.id, expand(one)]));
}

/** Returns the record of a recipient who waits, with the reason and the attempts so far. */
export function waitingWith(id: string, error: string, tries: EarlierAttempt[]): Deferred {
  const kept = tries.slice(-EARLIER_MAX);
  if (kept.length === 0) return { id, error };
  return { id, error, tries: compact(kept, error) };
}

/**
 * Leaves out an error that the next attempt repeats, because every write of a worker carries all.
 */
const compact = (tries: EarlierAttempt[], last: string): EarlierAttempt[] =>
  tries.map((one, n) =>
    one.error === (tries[n + 1]?.error ?? last) ? { ...one, error: "" } : one,
  );

function expand({ error, tries = [] }: Deferred): EarlierAttempt[] {
  let next = error;
  return tries.reduceRight<EarlierAttempt[]>((later, one) => {
    next = one.error || next;
    return [{ ...one, error: next }, ...later];
  }, []);
}
