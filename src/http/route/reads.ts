import type { Statement } from "../../db/client.ts";

/** Statements of a route's reads; the handler receives their typed results. */
export type Reads = readonly Statement[];

/** Returns the reads of a route, or an empty list. */
export function orNone<R extends Reads>(reads: R | undefined): R {
  const none: Reads = [];
  return reads ?? (none as R); // Without reads, `R` has its default, `[]`.
}
