import type { Deps } from "../../../deps.ts";
import { notFound } from "../../../errors.ts";
import { logKeptFrom } from "../retention.ts";
import type { EntryRow } from "../log-rows.ts";

/**
 * Returns the entry of a read. Throws not_found if there is none, or if it is older than the
 * retention.
 */
export function requireEntry(deps: Pick<Deps, "config" | "now">, [entry]: EntryRow[]): EntryRow {
  if (!entry || entry.sentAt < (logKeptFrom(deps) ?? 0)) throw notFound("log entry");
  return entry;
}
