import type { Statement } from "../db/client.ts";

/** The statements that a route reads with; their results arrive in its handler, typed. */
export type Reads = readonly Statement[];

/** The reads of a route, and none of a route without any. */
export function orNone<R extends Reads>(reads: R | undefined): R {
  const none: Reads = [];
  return reads ?? (none as R); // A route without reads leaves `R` at its default, `[]`.
}
