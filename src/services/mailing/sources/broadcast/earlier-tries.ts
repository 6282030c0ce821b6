import type { Deferred, EarlierAttempt } from "../../../../db/schema/index.ts";
import type { ChunkRow } from "../../../broadcasts/index.ts";
import { EARLIER_MAX } from "../../outcome.ts";

/** The earlier attempts at the recipients of a chunk who were put off, by the recipient's id. */
export type Tries = Map<string, EarlierAttempt[]>;

/** Reads the attempts that are stored in the row of a chunk. */
export function triesOf({ again, deferred }: Pick<ChunkRow, "again" | "deferred">): Tries {
  return new Map([...again, ...deferred].map((one) => [one.id, expand(one)]));
}

/** Returns how often the server was asked about each waiting recipient of a chunk. */
export function askedOf({ again, deferred }: Pick<ChunkRow, "again" | "deferred">) {
  return new Map([...again, ...deferred].map(({ id, asked = 0 }) => [id, asked]));
}

/**
 * Returns the record of a waiting recipient, with the reason, the attempts so far, and the number
 * of times that the server was asked.
 */
export function waitingWith(
  id: string,
  error: string,
  tries: EarlierAttempt[],
  askedBefore: Map<string, number>,
): Deferred {
  const kept = tries.slice(-EARLIER_MAX);
  const asked = askedBefore.get(id) ?? 0;
  return {
    id,
    error,
    ...(kept.length > 0 ? { tries: compact(kept, error) } : {}),
    ...(asked > 0 ? { asked } : {}),
  };
}

/**
 * Removes an error that the next attempt repeats, because every write of a worker carries all
 * errors.
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
