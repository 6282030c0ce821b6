import { sha256Hex } from "../../lib/hash.ts";
import { clientOf } from "./client-address.ts";

/**
 * The callers behind the Workers address whose key or session this isolate has verified. The limit
 * on all requests counts each of them separately (decision D36). Callers with invalid secrets count
 * as one client and are rejected before they cost a database read.
 */
export type ProvenCallers = Set<string>;

/** The maximum number of callers that an isolate remembers. */
const MAX_CALLERS = 10_000;

/** Identifies a caller by its secret if the address is shared; undefined for any other address. */
export function callerAt(clientIp: string, secret: string | undefined): string | undefined {
  if (secret === undefined || !clientOf(clientIp).isWorkers) return undefined;
  return `key-${sha256Hex(secret).slice(0, 32)}`;
}

/** Remembers a caller that passed the access check. Evicts the oldest one if necessary. */
export function rememberCaller(proven: ProvenCallers, caller: string): void {
  proven.delete(caller);
  const [oldest] = proven;
  if (proven.size >= MAX_CALLERS && oldest !== undefined) proven.delete(oldest);
  proven.add(caller);
}
