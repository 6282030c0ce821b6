import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { isLogPurged, purgeLog } from "../email-log/index.ts";
import { deletePurge } from "./queries.ts";

/**
 * The number of rows removed from each table per step; it keeps each statement within D1's time
 * limit.
 */
export const ROWS_PER_STEP = 500;

const IDS = (table: string, projectId: string): SQL =>
  sql`select id from ${sql.raw(table)} where project_id = ${projectId} limit ${ROWS_PER_STEP}`;

/** Tables with an id and a project, in the order of removal: referencing rows go first. */
const BY_ID = [
  "templates",
  "saved_blocks",
  "subscribers",
  "pending_mails",
  "segments",
  "fields",
  "forms",
  "imports",
  "suppressions",
  "api_keys",
  "send_operations",
];
/** Tables with one row per project. */
const BY_PROJECT = [
  "bounce_imap",
  "bounce_tokens",
  "auth_hooks",
  "sender_signatures",
  "project_counters",
  "project_imports",
];
/**
 * Tables that must be empty before the purge ends. The others are emptied in its first step or
 * before one of these.
 */
const UNTIL_EMPTY = [
  ...BY_ID,
  "template_versions",
  "automations",
  "broadcasts",
  "webhooks",
  "unverified_bounces",
  "soft_bounces",
  "unsubscription_counts",
  "topics",
  "consent_events",
  "subscriber_tags",
  "subscriber_mailings",
  "events",
  "erased_addresses",
];

/**
 * Returns the statements of one bounded step that purges a deleted project, as one batch. The
 * `removals` are those of `removeRows`.
 */
export function purgeStep(db: Database, projectId: string, removals = removeRows(db, projectId)) {
  return [noteTopics(db, projectId), ...removals] as const;
}

/** Records the topics of a project for the purge of topics, which deletes their consents. */
const noteTopics = (db: Database, projectId: string) =>
  db.run(
    sql`insert or ignore into topic_purges (topic_id, created_at) select id, created_at from topics where project_id = ${projectId}`,
  );

/** Ends the purge of a project if nothing is left of it. Changes a row on success. */
export function endPurge(db: Database, projectId: string) {
  const areEmpty = UNTIL_EMPTY.map(
    (table) => sql`not exists (select 1 from ${sql.raw(table)} where project_id = ${projectId})`,
  );
  return deletePurge(db, projectId, sql.join([isLogPurged(projectId), ...areEmpty], sql` and `));
}

/**
 * Returns the statements that delete a bounded number of rows of a deleted project from each table.
 * Otherwise, only the features that own the tables delete from them.
 */
export function removeRows(db: Database, projectId: string) {
  const run = (statement: SQL) => db.run(statement);
  const hooks = sql`select id from webhooks where project_id = ${projectId}`;
  const series = sql`select id from automations where project_id = ${projectId}`;
  const lists = sql`select id from broadcasts where project_id = ${projectId}`;
  return [
    ...purgeLog(db, projectId, ROWS_PER_STEP),
    run(
      sql`delete from webhook_deliveries where (webhook_id, id) in (select webhook_id, id from webhook_deliveries where webhook_id in (${hooks}) limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from webhooks where project_id = ${projectId} and not exists (select 1 from webhook_deliveries where webhook_id = webhooks.id)`,
    ),
    // First, so that nothing of the project starts further runs.
    run(
      sql`update automations set state = 'stopped' where project_id = ${projectId} and state <> 'stopped'`,
    ),
    run(
      sql`delete from automation_runs where (automation_id, id) in (select automation_id, id from automation_runs where automation_id in (${series}) limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from automation_versions where (automation_id, version) in (select automation_id, version from automation_versions where automation_id in (${series}) limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from automation_counts where (automation_id, version, step, what) in (select automation_id, version, step, what from automation_counts where automation_id in (${series}) limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from automations where project_id = ${projectId}
        and not exists (select 1 from automation_runs where automation_id = automations.id)
        and not exists (select 1 from automation_versions where automation_id = automations.id)
        and not exists (select 1 from automation_counts where automation_id = automations.id)`,
    ),
    run(
      sql`delete from broadcast_chunks where (broadcast_id, after_id) in (select broadcast_id, after_id from broadcast_chunks where broadcast_id in (${lists}) limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from batch_failures where (batch_id, id) in (select batch_id, id from batch_failures where batch_id in (${lists}) limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from broadcast_variants where (broadcast_id, n) in (select broadcast_id, n from broadcast_variants where broadcast_id in (${lists}) limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from broadcasts where project_id = ${projectId}
        and not exists (select 1 from broadcast_chunks where broadcast_id = broadcasts.id)
        and not exists (select 1 from batch_failures where batch_id = broadcasts.id)
        and not exists (select 1 from broadcast_variants where broadcast_id = broadcasts.id)`,
    ),
    run(
      sql`delete from template_versions where (project_id, template_id, id) in (select project_id, template_id, id from template_versions where project_id = ${projectId} limit ${ROWS_PER_STEP})`,
    ),
    ...BY_ID.map((table) =>
      run(sql`delete from ${sql.raw(table)} where id in (${IDS(table, projectId)})`),
    ),
    ...["unverified_bounces", "soft_bounces"].map((table) =>
      run(
        sql`delete from ${sql.raw(table)} where (project_id, email) in (select project_id, email from ${sql.raw(table)} where project_id = ${projectId} limit ${ROWS_PER_STEP})`,
      ),
    ),
    run(
      sql`delete from unsubscription_counts where (project_id, grain, at) in (select project_id, grain, at from unsubscription_counts where project_id = ${projectId} limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from consent_events where (project_id, subscriber_id, id) in (select project_id, subscriber_id, id from consent_events where project_id = ${projectId} limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from subscriber_tags where (project_id, tag, subscriber_id) in (select project_id, tag, subscriber_id from subscriber_tags where project_id = ${projectId} limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from subscriber_mailings where (project_id, at, first_id) in (select project_id, at, first_id from subscriber_mailings where project_id = ${projectId} limit ${ROWS_PER_STEP})`,
    ),
    run(
      sql`delete from events where seq in (select seq from events where project_id = ${projectId} limit ${ROWS_PER_STEP})`,
    ),
    run(sql`delete from topics where project_id = ${projectId}`),
    run(
      sql`delete from erased_addresses where (project_id, hash) in (select project_id, hash from erased_addresses where project_id = ${projectId} limit ${ROWS_PER_STEP})`,
    ),
    // The nightly job removes the bytes, then these rows.
    run(
      sql`update images set deleted_at = 0 where project_id = ${projectId} and deleted_at is not 0`,
    ),
    ...BY_PROJECT.map((table) =>
      run(sql`delete from ${sql.raw(table)} where project_id = ${projectId}`),
    ),
  ];
}
