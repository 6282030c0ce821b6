import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { SUBSCRIBER_STATUSES } from "../../lib/subscriber-statuses.ts";
import { nearestText } from "../../lib/nearest-text.ts";
import { conditionFault } from "../../messages/conditions.ts";
import type { Message } from "../../messages/message.ts";
import { METADATA, termsOf, type Condition } from "./condition.ts";

/** The number of subscribers of each status, the newest, whose metadata is looked at. */
const LOOKED_AT = 100;

/** The maximum number of keys among which a misspelled one is looked for. */
const MOST_KEYS = 500;

/** Returns the distinct metadata keys that a condition names. */
const keysOf = (condition: Condition): string[] => [
  ...new Set(
    termsOf(condition)
      .filter(({ field }) => field.startsWith(METADATA))
      .map(({ field }) => field.slice(METADATA.length)),
  ),
];

/** The number of subscribers looked at, and their metadata keys as JSON. */
interface KnownKeys {
  count: number;
  keys: string;
}

/** Selects the metadata keys of the newest subscribers, the given ones first. */
function selectKnownKeys(db: Database, projectId: string, named: readonly string[]) {
  const newest = sql.join(
    SUBSCRIBER_STATUSES.map(
      (status) => sql`select * from (select metadata
        from subscribers indexed by subscribers_by_status
        where project_id = ${projectId} and status = ${status} order by id desc limit ${LOOKED_AT})`,
    ),
    sql` union all `,
  );
  return db.all<KnownKeys>(sql`with newest as materialized (${newest})
    select (select count(*) from newest) as count, json_group_array(key) as keys
    from (select distinct entry.key as key from newest, json_each(newest.metadata) entry
      order by entry.key in (select value from json_each(${JSON.stringify(named)})) desc, entry.key
      limit ${MOST_KEYS})`);
}

/**
 * Returns a warning for each metadata key of a condition that none of the newest subscribers has.
 * Asks the database only for keys that none of the given subscribers has.
 */
export async function findUnknownKeys(
  db: Database,
  projectId: string,
  condition: Condition,
  given: readonly { metadata: Record<string, unknown> }[],
): Promise<Message[]> {
  const named = keysOf(condition).filter(
    (key) => !given.some(({ metadata }) => Object.hasOwn(metadata, key)),
  );
  if (named.length === 0) return [];
  const [known] = await selectKnownKeys(db, projectId, named);
  if (!known || known.count === 0) return [];
  const keys = new Set(JSON.parse(known.keys) as string[]); // the statement builds it from texts
  return named
    .filter((key) => !keys.has(key))
    .map((key) => {
      const nearest = nearestText(key, keys);
      const params = { key, count: known.count };
      return nearest === undefined
        ? conditionFault("unknown_key", params)
        : conditionFault("misspelled_key", { ...params, nearest });
    });
}
