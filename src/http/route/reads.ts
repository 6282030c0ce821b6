import type { Statement } from "../../db/client.ts";

/** The statements that a route reads with; its handler receives their results, typed. */
export type Reads = readonly Statement[];

/** Returns the reads of a route, or none for a route without any. */
export function orNone<R extends Reads>(reads: R | undefined): R {
  const none: Reads = [];
  return reads ?? (none as R); // A route without reads leaves `R` at its default, `[]`.
}
