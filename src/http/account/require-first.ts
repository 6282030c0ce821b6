import type { SessionAccess } from "../../services/access/index.ts";
import { requireOperator, type selectOperator } from "../../services/service-mail/index.ts";
import type { Reads } from "../route-reads.ts";

/** Reads of a route that only the operator of the service may use. */
type OperatorRead = readonly [ReturnType<typeof selectOperator>, ...Reads];

/** Throws forbidden unless the caller owns the first account; `mayEnter` of the operator's routes. */
export function requireFirst({ actor, reads: [operators] }: SessionAccess<OperatorRead>): void {
  requireOperator(actor, operators);
}
