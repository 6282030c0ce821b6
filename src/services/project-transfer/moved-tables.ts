import { sql, type SQL } from "drizzle-orm";
import { movedColumns } from "../../db/moved-columns.ts";
import {
  broadcastVariants,
  consentEvents,
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
import type { TableKind } from "./kinds.ts";

/** The table of a kind and what of it moves. */
export interface TableSpec {
  table?: string;
  /** The columns that move. The project is another one elsewhere. */
  columns: readonly string[];
  /** Those that hold JSON. */
  json?: readonly string[];
  /**
   * The columns by which its pages follow each other; an index of the project has them. Where a
   * table has several pages, no row moves to an earlier one, which may have been read.
   */
  keys: readonly [string, ...string[]];
  /** The values of a column that come before the keys in the index: a page merges their rows. */
  merged?: { column: string; values: readonly string[]; index: string };
  /** True if an id is one of the whole service, and not of its project. */
  hasId: boolean;
  /** The rows of one read: large ones are read a few at a time. */
  rowsPerRead: number;
  /** The rows of a project; by their column `project_id` unless it is set. */
  ofProject?: (projectId: string) => SQL;
}

/** Rows without large texts in one read, as for a list as CSV (http/stream-csv.ts). */
const MANY = 2_500;

export const TABLES: Record<TableKind, TableSpec> = {
  templates: {
    ...movedColumns(templates),
    keys: ["updated_at", "id"],
    hasId: true,
    rowsPerRead: 20,
  },
  template_versions: {
    ...movedColumns(templateVersions),
    keys: ["template_id", "id"],
    hasId: false,
    rowsPerRead: 20,
  },
  topics: {
    ...movedColumns(topics),
    keys: ["name"],
    hasId: true,
    rowsPerRead: 100,
  },
  subscribers: {
    ...movedColumns(subscribers),
    keys: ["id"],
    merged: { column: "status", values: SUBSCRIBER_STATUSES, index: "subscribers_by_status" },
    hasId: true,
    rowsPerRead: MANY,
  },
  topic_consents: {
    ...movedColumns(topicConsents),
    keys: ["topic_id", "subscriber_id"],
    hasId: false,
    rowsPerRead: MANY,
    ofProject: (projectId) =>
      sql`topic_id in (select id from topics where project_id = ${projectId})`,
  },
  consent_events: {
    ...movedColumns(consentEvents),
    keys: ["subscriber_id", "id"],
    hasId: false,
    rowsPerRead: MANY,
  },
  suppressions: {
    ...movedColumns(suppressions),
    keys: ["email"],
    hasId: true,
    rowsPerRead: MANY,
  },
  segments: {
    ...movedColumns(segments),
    keys: ["name"],
    hasId: true,
    rowsPerRead: 200, // a project has no more
  },
  broadcasts: {
    columns: [
      "id",
      "template_id",
      "subject",
      "html_body",
      "text_body",
      "status",
      "source",
      "state",
      "log_key",
      "cutoff_id",
      "planned_id",
      "sent",
      "failed",
      "bounced",
      "suppressed",
      "unknown",
      "total",
      "reasons",
      "created_at",
      "finished_at",
      "name",
      "topic_id",
      "audience_where",
    ],
    json: ["reasons"],
    keys: ["id"],
    hasId: true,
    rowsPerRead: 10,
    ofProject: (projectId) => sql`project_id = ${projectId} and kind = 'broadcast'`,
  },
  drafts: {
    table: "broadcasts",
    columns: [
      "id",
      "template_id",
      "subject",
      "html_body",
      "text_body",
      "status",
      "name",
      "topic_id",
      "variables",
      "plan",
      "per_hour",
      "from_id",
      "created_at",
      "drafted_at",
      "updated_at",
    ],
    json: ["variables", "plan"],
    keys: ["id"],
    hasId: true,
    rowsPerRead: 10,
    ofProject: (projectId) => sql`project_id = ${projectId} and kind = 'draft'`,
  },
  broadcast_variants: {
    ...movedColumns(broadcastVariants),
    keys: ["broadcast_id", "n"],
    hasId: false,
    rowsPerRead: 10,
    ofProject: (projectId) =>
      sql`broadcast_id in (select id from broadcasts where project_id = ${projectId} and kind = 'broadcast')`,
  },
  mailings: {
    table: "subscriber_mailings",
    ...movedColumns(subscriberMailings),
    keys: ["at", "first_id"],
    hasId: false,
    rowsPerRead: 500,
  },
  // A broadcast that was retried is not retried again elsewhere.
  retries: {
    table: "broadcasts",
    columns: ["id", "retried_by"],
    keys: ["id"],
    hasId: true,
    rowsPerRead: 500,
    ofProject: (projectId) =>
      sql`project_id = ${projectId} and kind = 'broadcast' and retried_by is not null`,
  },
  // The words and the pace of broadcasts: drafts, retries and copies have them, too.
  plans: {
    table: "broadcasts",
    columns: [
      "id",
      "plan",
      "variables",
      "per_hour",
      "from_id",
      "where_at",
      "send_at",
      "drafted_at",
      "updated_at",
    ],
    json: ["variables", "plan"],
    keys: ["id"],
    hasId: true,
    rowsPerRead: 100,
    ofProject: (projectId) =>
      sql`project_id = ${projectId} and kind = 'broadcast'
        and (plan is not null or variables is not null or per_hour is not null or from_id <> '' or where_at > 0)`,
  },
};

/** Returns the name of the table of a kind. */
export const tableOf = (kind: TableKind): SQL => sql.raw(TABLES[kind].table ?? kind);

/** Returns the condition for the rows of a project. */
export function rowsOfProject({ ofProject }: TableSpec, projectId: string): SQL {
  return ofProject?.(projectId) ?? sql`project_id = ${projectId}`;
}
