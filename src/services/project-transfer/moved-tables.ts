import { getTableColumns, getTableName, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { movedColumns } from "../../db/moved-columns.ts";
import {
  automations,
  broadcasts,
  broadcastVariants,
  consentEvents,
  events,
  fields,
  forms,
  imports,
  savedBlocks,
  segments,
  SUBSCRIBER_STATUSES,
  subscriberMailings,
  subscribers,
  suppressions,
  templates,
  templateVersions,
  topicConsents,
  topics,
} from "../../db/schema/index.ts";
import { MOVED_LOG } from "../email-log/index.ts";

/** A table of a project, all of whose columns are exported except the project id. */
export interface MovedTable {
  table: SQLiteTable;
  /**
   * The columns of the pagination cursor, in an index by project. In a table with several pages, no
   * row may move to an earlier page, which may have been read.
   */
  keys: readonly [string, ...string[]];
  /** The values of a column that precedes the keys in the index: a page merges their rows. */
  merged?: { column: string; values: readonly string[]; index: string };
  /** The number of rows per read: few if rows are large. */
  rowsPerRead: number;
  /** The table of the project to which a row must belong, and the column that refers to it. */
  parent?: { table: string; column: string };
}

/** The number of rows without large texts per read, as in CSV lists (http/stream-csv.ts). */
const MANY = 2_500;

/**
 * The exported tables by kind of row, in the order of the file: an interrupted import has the
 * suppressions and consents before any subscriber. The email log follows; only its own module names
 * its tables.
 */
export const TABLES = {
  suppressions: { table: suppressions, keys: ["email"], rowsPerRead: MANY },
  topics: { table: topics, keys: ["name"], rowsPerRead: 100 }, // a project has no more
  topic_consents: {
    table: topicConsents,
    keys: ["topic_id", "subscriber_id"],
    rowsPerRead: MANY,
    parent: { table: "topics", column: "topic_id" },
  },
  consent_events: { table: consentEvents, keys: ["subscriber_id", "id"], rowsPerRead: MANY },
  templates: { table: templates, keys: ["updated_at", "id"], rowsPerRead: 20 },
  template_versions: { table: templateVersions, keys: ["template_id", "id"], rowsPerRead: 20 },
  saved_blocks: { table: savedBlocks, keys: ["name", "id"], rowsPerRead: 100 }, // a project has no more
  imports: { table: imports, keys: ["id"], rowsPerRead: MANY },
  subscribers: {
    table: subscribers,
    keys: ["id"],
    merged: { column: "status", values: SUBSCRIBER_STATUSES, index: "subscribers_by_status" },
    rowsPerRead: MANY,
  },
  segments: { table: segments, keys: ["name"], rowsPerRead: 200 }, // a project has no more
  fields: { table: fields, keys: ["key"], rowsPerRead: 100 }, // a project has no more
  forms: { table: forms, keys: ["name", "id"], rowsPerRead: 50 }, // a project has no more
  automations: { table: automations, keys: ["id"], rowsPerRead: 10 },
  broadcasts: {
    table: broadcasts,
    keys: ["id"],
    // Batches are not exported, because their recipients are not.
    merged: { column: "kind", values: ["broadcast", "draft"], index: "broadcasts_by_project" },
    rowsPerRead: 10,
  },
  broadcast_variants: {
    table: broadcastVariants,
    keys: ["broadcast_id", "n"],
    rowsPerRead: 10,
    parent: { table: "broadcasts", column: "broadcast_id" },
  },
  mailings: { table: subscriberMailings, keys: ["at", "first_id"], rowsPerRead: 500 },
  events: {
    table: events,
    keys: ["subscriber_id", "name", "occurred_at", "seq"],
    rowsPerRead: 500,
    parent: { table: "subscribers", column: "subscriber_id" },
  },
} satisfies Record<string, MovedTable>;
export type TableKind = keyof typeof TABLES;

export const LOG_KIND = "email_log";
export type Kind = TableKind | typeof LOG_KIND;
export const KINDS: readonly Kind[] = [...(Object.keys(TABLES) as TableKind[]), LOG_KIND];

/** A row as stored in a file: columns by name, times in milliseconds since 1970. */
export type MovedRow = Record<string, unknown>;

/** Returns the exported columns of a kind, by name. */
export const columnsOf = (kind: Kind): Record<string, SQLiteColumn> =>
  kind === LOG_KIND ? MOVED_LOG : movedColumns(TABLES[kind].table);

export const tableOf = (kind: TableKind): MovedTable => TABLES[kind];

/** Returns the name of a kind's table as SQL. */
export const nameOf = (kind: TableKind): SQL => sql.raw(getTableName(TABLES[kind].table));

/** Returns true for a table with a project id. */
export const hasProjectId = (kind: TableKind): boolean =>
  "projectId" in getTableColumns(tableOf(kind).table);

/** Returns true if ids are unique across the service, not just within the project. */
export const hasId = (kind: TableKind): boolean =>
  getTableColumns(tableOf(kind).table)["id"]?.primary === true;
