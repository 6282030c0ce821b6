import type { SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { selectTargets } from "../audit/index.ts";
import { erasedBeside, hashesOf, selectErasedHashes } from "../suppressions/index.ts";
import { LOG_KIND, type Kind, type MovedRow } from "./kinds.ts";

/** The people whom a project erased before a call of its import. */
export interface ErasedPeople {
  hashes: ReadonlySet<string>;
  /** Grows with the rows of subscribers that are read. */
  subscriberIds: Set<string>;
}

/** Selects whom a project erased. It had nobody when its import began, so they are few. */
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

/** Returns the condition that a project has erased somebody since these people were read. */
export const erasedMore = (projectId: string, { hashes }: ErasedPeople): SQL =>
  erasedBeside(projectId, [...hashes]);

/** An entry of the log as the erasure of its recipient leaves it. */
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
 * Returns rows of an export as an erasure of these people would leave them: their own go, and
 * entries of the log stay without them. Notes the ids of erased subscribers.
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
