import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { shownAfter } from "../../db/subscriber-columns.ts";
import { MOST_METADATA_CHARACTERS } from "../../lib/metadata-key.ts";
import { MOST_TAGS } from "../../lib/tag.ts";
import { noteStored, subscriberBytes } from "../storage/index.ts";
import { hasWebhooks } from "../webhooks/index.ts";
import { subscriberEvent } from "./subscriber-event.ts";
import { sourceOf } from "./subscribers.ts";
import { reindexTags, tagsAfter } from "./tag-queries.ts";

/** A change of subscribers: tags to remove, then to add, and values to set in the metadata. */
export interface ManySet {
  removeTags: string[];
  addTags: string[];
  /** A JSON Merge Patch (RFC 7396). */
  metadata: Record<string, unknown>;
}

/**
 * Returns the statements that make a change to the subscribers that `given` selects, up to 500.
 * Whoever would have more than 50 tags or too much metadata keeps the previous ones.
 */
export function setOnMany(
  deps: Deps,
  projectId: string,
  given: SQL,
  { removeTags, addTags, metadata }: ManySet,
): Statement[] {
  const { db, now } = deps;
  const at = now();
  const tags = tagsAfter(tagsAfter(sql`subscribers.tags`, { remove: removeTags }), {
    add: addTags,
  });
  const isWithin = sql`json_array_length(${tags}) <= ${MOST_TAGS}`;
  const merged = sql`json_patch(subscribers.metadata, ${JSON.stringify(metadata)})`;
  const fits = sql`length(${merged}) <= ${MOST_METADATA_CHARACTERS}`;
  const after = {
    tags: sql`iif(${isWithin}, ${tags}, subscribers.tags)`,
    metadata: sql`iif(${fits}, ${merged}, subscribers.metadata)`,
  };
  const chosen = sql`subscribers where id in (${given}) and +project_id = ${projectId}`;
  const changed = sql`${chosen} and (${after.tags} <> tags or ${after.metadata} <> metadata)`;
  const retagged = sql`select id from ${chosen} and ${isWithin}`;
  const size = sql`(select sum(${subscriberBytes()}) from ${chosen})`;
  const source =
    "source" in metadata ? sql`, source = iif(${fits}, ${sourceOf(metadata)}, source)` : sql``;
  const kept = new Set(addTags);
  return [
    eventOfMany(deps, projectId, changed, after, at),
    reindexTags(db, projectId, retagged, { remove: removeTags.filter((tag) => !kept.has(tag)) }),
    reindexTags(db, projectId, retagged, { add: addTags }),
    ...noteStored(deps, projectId, sql`-${size}`),
    db.run(
      sql`update subscribers set tags = ${after.tags}, metadata = ${after.metadata}, updated_at = ${at}${source}
        where id in (select id from ${changed})`,
    ),
    ...noteStored(deps, projectId, size),
  ];
}

/** The most subscribers of a change. */
const MOST = 500;

/** Notifies the project's webhooks of the changes. It must run before them. */
function eventOfMany(
  deps: Deps,
  projectId: string,
  changed: SQL,
  after: Record<"tags" | "metadata", SQL>,
  at: number,
): Statement {
  const eventIds = JSON.stringify(Array.from({ length: MOST }, () => deps.newId()));
  const rows = sql`select ${shownAfter({ ...after, updatedAt: sql`${at}` })}, event.value as event_id
    from (select *, row_number() over (order by id) - 1 as n from ${changed} and ${hasWebhooks(projectId)}) subscribers
      join json_each(${eventIds}) event on event.key = subscribers.n`;
  return subscriberEvent(deps, projectId, "subscriber.updated", at, rows);
}
