import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { columnOf, FIELDS } from "../../db/subscriber-columns.ts";

/*
 * The storage that counts toward a workspace's quota in cloud mode (API reference §18.6): the texts
 * of its rows and constants for the other columns and index entries.
 * test/services/storage/quota.test.ts compares them with the growth of a real database.
 */

/**
 * Bytes of a row besides its texts; the indexes of a subscriber and of a delivery take as many.
 * They are SQL literals, because D1 binds parameters as floats, which do not divide as integers.
 */
const SUBSCRIBER_BYTES = sql.raw("200");
const DELIVERY_BYTES = sql.raw("250");
const TAG_BYTES = sql.raw("90");
/** A consent history entry together with the consent itself. */
const CONSENT_BYTES = sql.raw("320");

/** An event with its entry by person. */
const EVENT_BYTES = sql.raw("230");

/**
 * Returns the bytes that a row takes. A row of more than 1,001 bytes overflows into whole pages of
 * 4 KiB (SQLite, "Cell Payload Overflow Pages", for tables WITHOUT ROWID).
 */
const inPages = (bytes: SQL) => sql`max(${bytes}, (${bytes} + 3090) / 4092 * 4096)`;

/** The bytes of the unindexed fields. */
const FIELD_BYTES = sql.join(
  FIELDS.filter((field) => field !== "name").map(
    (field) => sql`coalesce(octet_length(${columnOf(field)}), 0)`,
  ),
  sql` + `,
);

/** Returns the bytes of a row of `subscribers`. */
export const subscriberBytes = (): SQL => {
  const indexed = sql`${SUBSCRIBER_BYTES} + octet_length(email || name || source)`;
  const row = sql`(${indexed} + ${FIELD_BYTES})`;
  return sql`(${inPages(row)} + ${indexed} + json_array_length(tags) * ${TAG_BYTES})`;
};

/** Returns the bytes of a row of `webhook_deliveries`. */
export const deliveryBytes = (): SQL => {
  const row = sql`(${DELIVERY_BYTES} + octet_length(payload) + coalesce(octet_length(last_answer), 0))`;
  return sql`(${inPages(row)} + ${DELIVERY_BYTES})`;
};

/** Returns the bytes of a row of `events`. */
export const eventBytes = (): SQL =>
  sql`(${EVENT_BYTES} + 2 * octet_length(name) + octet_length(data))`;

const consentBytes = () =>
  inPages(sql`(${CONSENT_BYTES} + octet_length(user_agent) + octet_length(form_text))`);

/** Returns the query of the bytes that a project stores, exact except for the constants. */
export const measuredBytes = (projectId: string): SQL =>
  sql`select (select coalesce(sum(${subscriberBytes()}), 0) from subscribers where project_id = ${projectId})
    + (select coalesce(sum(${consentBytes()}), 0)
      from consent_events where project_id = ${projectId})
    + (select coalesce(sum(${deliveryBytes()}), 0)
      from webhook_deliveries where webhook_id in (select id from webhooks where project_id = ${projectId}))
    + (select coalesce(sum(${eventBytes()}), 0) from events where project_id = ${projectId})
    + (select coalesce(sum(octet_length(send_sealed)), 0) from pending_mails where project_id = ${projectId})`;

/** Returns an SQL expression for the bytes stored by all projects of a project's workspace. */
export const storedBy = (projectId: string | SQL): SQL =>
  sql`(select coalesce(sum(counters.stored_bytes), 0) from projects own
    cross join projects other on other.workspace_id = own.workspace_id
    cross join project_counters counters on counters.project_id = other.id
    where own.id = ${projectId})`;

/**
 * Returns the statement that adds to a project's recorded storage, in an array that is empty
 * without a quota. Null counts as 0. It follows the conditions of `hasRoom` in its batch. Deleted
 * rows count until the next measurement.
 */
export function noteStored(
  { db, config }: Pick<Deps, "db" | "config">,
  projectId: string,
  bytes: number | SQL,
): Statement[] {
  if (config.workspaceStorageBytes === null) return [];
  return [
    db.run(
      sql`update project_counters set stored_bytes = stored_bytes + coalesce(${bytes}, 0)
        where project_id = ${projectId}`,
    ),
  ];
}

/**
 * Returns the statement that counts subscribers just added by the batch, with their consents, in an
 * array like `noteStored`. Ids that were not added count nothing.
 */
export function noteAdded(deps: Pick<Deps, "db" | "config">, projectId: string, ids: string[]) {
  const added = sql`(select value from json_each(${JSON.stringify(ids)}))`;
  return noteStored(
    deps,
    projectId,
    sql`(select coalesce(sum(${subscriberBytes()}), 0) from subscribers
        where id in ${added} and +project_id = ${projectId})
      + (select coalesce(sum(${consentBytes()}), 0) from consent_events
        where project_id = ${projectId} and subscriber_id in ${added})`,
  );
}
