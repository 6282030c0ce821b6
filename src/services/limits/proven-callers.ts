import { sha256Hex } from "../../lib/hash.ts";
import { clientOf } from "./client-address.ts";

/**
 * The callers behind the address of Workers whose key or session this isolate has found valid. The
 * cap over all requests counts each of them by itself (decision D36). Callers with made-up secrets
 * stay one client, which the cap refuses before they cost a read of the database.
 */
export type ProvenCallers = Set<string>;

/** The largest number of callers that an isolate remembers. */
const MAX_CALLERS = 10_000;

/** Names a caller by its secret if the address names nobody; undefined at any other address. */
export function callerAt(clientIp: string, secret: string | undefined): string | undefined {
  if (secret === undefined || !clientOf(clientIp).isWorkers) return undefined;
  return `key-${sha256Hex(secret).slice(0, 32)}`;
}

/** Remembers a caller whom the access check admitted. The oldest one makes room for it. */
export function rememberCaller(proven: ProvenCallers, caller: string): void {
  proven.delete(caller);
  const [oldest] = proven;
  if (proven.size >= MAX_CALLERS && oldest !== undefined) proven.delete(oldest);
  proven.add(caller);
}
