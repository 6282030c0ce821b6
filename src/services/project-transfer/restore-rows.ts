import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { SUBSCRIBER_STATUSES, SUPPRESSION_REASONS } from "../../db/schema/index.ts";
import type { Deps } from "../../deps.ts";
import { holdsForeignEntries, restoreEntries } from "../email-log/index.ts";
import { keptEvents, LAST_BYTES } from "../events/index.ts";
import { noteAdded, noteStored } from "../storage/index.ts";
import {
  columnsOf,
  hasId,
  hasProjectId,
  LOG_KIND,
  nameOf,
  tableOf,
  type Kind,
  type MovedRow,
  type TableKind,
} from "./moved-tables.ts";

/**
 * Returns the condition that another project has the id of a row, or that the consents to such a
 * topic are still being purged.
 */
export function isTaken(projectId: string, kind: Kind, rows: MovedRow[]): SQL {
  const ids = idsOf(rows);
  if (kind === LOG_KIND) return holdsForeignEntries(projectId, ids);
  if (!hasId(kind)) return sql`false`;
  const among = sql`in (select value from json_each(${JSON.stringify(ids)}))`;
  const foreign = sql`exists (select 1 from ${nameOf(kind)} t
    where t.id ${among} and +t.project_id <> ${projectId})`;
  if (kind !== "topics") return foreign;
  return sql`(${foreign} or exists (select 1 from topic_purges where topic_id ${among}))`;
}

/**
 * Returns the statements that add rows of an export to a project, if `when` holds. No row may have
 * an id of another project. Idempotent: existing rows stay unchanged.
 */
export function restoreRows(
  deps: Pick<Deps, "db" | "now" | "config">,
  projectId: string,
  kind: Kind,
  rows: MovedRow[],
  when: SQL,
): Statement[] {
  if (kind === LOG_KIND) return restoreEntries(deps.db, projectId, distinct(rows), when);
  const { db } = deps;
  const given = kind === "events" ? keptEvents(rows, deps.now()) : rows;
  const unlike = hasId(kind) ? distinct(given) : given;
  const place = { projectId, list: JSON.stringify(unlike), when };
  return [
    ...countRows(db, kind, place),
    insertRows(db, kind, place),
    ...(kind === "subscribers"
      ? [insertTags(db, place), ...noteAdded(deps, projectId, idsOf(unlike))]
      : []),
    ...(kind === "events" ? noteStored(deps, projectId, LAST_BYTES) : []),
  ];
}

const idsOf = (rows: MovedRow[]) => rows.map(({ id }) => String(id));

const distinct = (rows: MovedRow[]): MovedRow[] => [
  ...new Map(rows.map((row) => [row["id"], row])).values(),
];

interface Place {
  projectId: string;
  list: string;
  when: SQL;
}

/** Adds the rows. A row of a table with a parent is skipped unless the project has its parent. */
function insertRows(db: Database, kind: TableKind, { projectId, list, when }: Place): Statement {
  const { parent } = tableOf(kind);
  const names = Object.keys(columnsOf(kind));
  const values = names.map((name) => sql.raw(`value ->> '${name}'`));
  const columns = names.map((name) => `"${name}"`).join();
  const isOwn = parent
    ? sql`exists (select 1 from ${sql.raw(parent.table)} p
        where p.id = value ->> ${parent.column} and +p.project_id = ${projectId})`
    : sql`true`;
  const ofProject = hasProjectId(kind);
  return db.run(
    sql`insert into ${nameOf(kind)} (${sql.raw(ofProject ? `${columns}, project_id` : columns)})
      select ${sql.join(ofProject ? [...values, sql`${projectId}`] : values, sql`, `)}
      from json_each(${list}) where ${when} and ${isOwn} on conflict do nothing`,
  );
}

/** The counters of new rows by a column. They must be counted before the insert. */
const COUNTED: Partial<Record<TableKind, { column: string; values: readonly string[] }>> = {
  subscribers: { column: "status", values: SUBSCRIBER_STATUSES },
  suppressions: { column: "reason", values: SUPPRESSION_REASONS },
};

function countRows(db: Database, kind: TableKind, { projectId, list, when }: Place): Statement[] {
  const counted = COUNTED[kind];
  if (!counted) return [];
  const { column, values } = counted;
  const moved = values.map((value) =>
    sql.raw(`${kind}_${value} = ${kind}_${value} + fresh."${value}"`),
  );
  const sums = values.map(
    (value) => sql`count(*) filter (where value ->> ${column} = ${value}) as ${sql.raw(value)}`,
  );
  return [
    db.run(
      sql`update project_counters set ${sql.join(moved, sql`, `)} from (
          select ${sql.join(sums, sql`, `)} from json_each(${list}) where ${when}
            and not exists (select 1 from ${nameOf(kind)} t where t.id = value ->> 'id')
            and not exists (select 1 from ${nameOf(kind)} t where t.project_id = ${projectId} and t.email = value ->> 'email')) fresh
        where project_id = ${projectId}`,
    ),
  ];
}

/** Adds the tags of restored subscribers to their index. */
const insertTags = (db: Database, { projectId, list, when }: Place): Statement =>
  db.run(
    sql`insert or ignore into subscriber_tags (project_id, tag, subscriber_id)
      select s.project_id, tag.value, s.id from json_each(${list}) row
        cross join subscribers s on s.id = row.value ->> 'id' and +s.project_id = ${projectId}
        cross join json_each(s.tags) tag
      where ${when}`,
  );
