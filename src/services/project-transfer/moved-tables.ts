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

/** The table of a kind and what is exported of it. */
export interface TableSpec {
  table?: string;
  /** The exported columns. `project_id` is omitted, because the import assigns another project. */
  columns: readonly string[];
  /** The columns that contain JSON. */
  json?: readonly string[];
  /**
   * The columns of the pagination cursor, in an index by project. In a table with several pages, no
   * row may move to an earlier page, which may have been read.
   */
  keys: readonly [string, ...string[]];
  /** The values of a column that precedes the keys in the index: a page merges their rows. */
  merged?: { column: string; values: readonly string[]; index: string };
  /** True if ids are unique across the service, not just within the project. */
  hasId: boolean;
  /** The number of rows per read: few if rows are large. */
  rowsPerRead: number;
  /** The rows of a project; defaults to the column `project_id`. */
  ofProject?: (projectId: string) => SQL;
}

/** The number of rows without large texts per read, as in CSV lists (http/stream-csv.ts). */
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
  // A broadcast that was retried must not be retried again after the import.
  retries: {
    table: "broadcasts",
    columns: ["id", "retried_by"],
    keys: ["id"],
    hasId: true,
    rowsPerRead: 500,
    ofProject: (projectId) =>
      sql`project_id = ${projectId} and kind = 'broadcast' and retried_by is not null`,
  },
  // The content and pace of broadcasts, including drafts, retries and copies.
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
