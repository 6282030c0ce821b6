import type { SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { selectTargets } from "../audit/index.ts";
import { erasedBeside, hashesOf, selectErasedHashes } from "../suppressions/index.ts";
import { LOG_KIND, type Kind, type MovedRow } from "./kinds.ts";

/** The people erased from a project before a call of its import. */
export interface ErasedPeople {
  hashes: ReadonlySet<string>;
  /** Grows as rows of subscribers are read. */
  subscriberIds: Set<string>;
}

/** Selects the erased people of a project. It was empty when its import began, so they are few. */
export const selectErased = (db: Database, projectId: string) =>
  [selectErasedHashes(db, projectId), selectTargets(db, projectId, "subscriber.erase")] as const;

/** Returns the people of the rows of `selectErased`. */
export const peopleOf = (
  erased: { hash: string }[],
  targets: { targetId: string }[],
): ErasedPeople => ({
  hashes: new Set(erased.map(({ hash }) => hash)),
  subscriberIds: new Set(targets.map(({ targetId }) => targetId)),
});

/** Returns the condition that the project has erased another person since these were read. */
export const erasedMore = (projectId: string, { hashes }: ErasedPeople): SQL =>
  erasedBeside(projectId, [...hashes]);

/** A log entry after the erasure of its recipient. */
const BLANK_ENTRY = {
  to_email: "",
  subscriber_id: null,
  subject: "",
  error: null,
  tags: null,
  copies: null,
  opened_user_agent: null,
  opened_ip: null,
  queue_id: null,
  earlier: null,
};

/**
 * Returns rows of an export as the erasure of these people would leave them: their own rows are
 * dropped, and log entries stay without them. Collects the ids of erased subscribers.
 */
export function withoutErased(
  { config }: Pick<Deps, "config">,
  kind: Kind,
  rows: MovedRow[],
  { hashes, subscriberIds }: ErasedPeople,
): MovedRow[] {
  if (hashes.size === 0 && subscriberIds.size === 0) return rows;
  const isErased = (email: unknown) =>
    typeof email === "string" &&
    Object.values(hashesOf(config, email)).some((hash) => hashes.has(hash));
  const isErasedId = (id: unknown) => typeof id === "string" && subscriberIds.has(id);
  if (kind === "suppressions") return rows.filter(({ email }) => !isErased(email));
  if (kind === "subscribers") {
    for (const { id, email } of rows) if (isErased(email)) subscriberIds.add(String(id));
    return rows.filter(({ id }) => !isErasedId(id));
  }
  if (kind === "topic_consents" || kind === "consent_events")
    return rows.filter((row) => !isErasedId(row["subscriber_id"]));
  if (kind !== LOG_KIND) return rows;
  return rows.map((entry) => {
    const { to_email: to, subscriber_id: id, copies } = entry;
    if (isErased(to) || (isErasedId(id) && to !== "")) return { ...entry, ...BLANK_ENTRY };
    if (!Array.isArray(copies)) return entry;
    const others = copies.filter(({ email }: MovedRow) => !isErased(email));
    return { ...entry, copies: others.length > 0 ? others : null };
  });
}
