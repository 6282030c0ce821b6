import { sql, type SQL } from "drizzle-orm";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { isUuid } from "../../lib/ids.ts";

/* How `log_entries` and `log_subjects` store ids, statuses and subjects. */

export type LogStatus = (typeof LOG_STATUSES)[number];

/** Returns the stored form of an id: 16 bytes for a UUID, and unchanged text for anything else. */
export const storedId = (id: string): SQL => (isUuid(id) ? sql`unhex(${id}, '-')` : sql`${id}`);

/**
 * Returns the same for an SQL expression. Null stays null. The checks of the text ensure that no
 * two ids have the same stored form.
 */
export const storedIdSql = (
  id: SQL,
): SQL => sql`iif(${id} like '________-____-____-____-____________'
  and ${id} = lower(${id}) and length(unhex(${id}, '-')) = 16, unhex(${id}, '-'), ${id})`;

/**
 * Returns the JSON parameter form of an id for `carriedId`: the digits of a UUID, or any other text
 * after a dash. `carriedId` is faster than `storedIdSql`.
 */
export function carryId(id: string | null): string | null {
  if (id === null) return null;
  return isUuid(id) ? id.replaceAll("-", "") : `-${id}`;
}

/** Returns the stored form of an id from `carryId`. */
export const carriedId = (id: SQL): SQL => sql`coalesce(unhex(${id}), substr(${id}, 2))`;

/** Returns the text of a stored id. */
export const idText = (
  id: SQL,
): SQL => sql`iif(typeof(${id}) = 'blob', lower(hex(substr(${id}, 1, 4)) || '-' ||
  hex(substr(${id}, 5, 2)) || '-' || hex(substr(${id}, 7, 2)) || '-' || hex(substr(${id}, 9, 2)) || '-' ||
  hex(substr(${id}, 11))), ${id})`;

/** Returns the stored form of a status. */
export const storedStatus = (status: LogStatus): SQL =>
  sql.raw(String(LOG_STATUSES.indexOf(status)));

/** Returns the same for an SQL expression; null for a text that is not a status. */
export const storedStatusSql = (status: SQL): SQL =>
  sql`case ${status} ${sql.raw(LOG_STATUSES.map((text, n) => `when '${text}' then ${n}`).join(" "))} end`;

/** Returns the text of a stored status. */
export const statusText = (status: SQL): SQL =>
  sql`case ${status} ${sql.raw(LOG_STATUSES.map((text, n) => `when ${n} then '${text}'`).join(" "))} end`;

/**
 * Returns the stored form of a mail's subject: null if it equals the shared subject of its
 * broadcast. The ids are in their stored form.
 */
export const storedSubject = (subject: SQL, projectId: SQL, broadcastId: SQL): SQL =>
  sql`nullif(${subject}, (select shared.subject from log_subjects shared
    where shared.project_id = ${projectId} and shared.broadcast_id = ${broadcastId}))`;

/** Returns the subject of `l`, a row of `log_entries`. */
export const SUBJECT_OF_L: SQL = sql`coalesce(l.subject, (select shared.subject from log_subjects shared
  where shared.project_id = l.project_id and shared.broadcast_id = l.broadcast_id))`;
