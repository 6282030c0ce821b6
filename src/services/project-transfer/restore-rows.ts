import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { SUBSCRIBER_STATUSES, SUPPRESSION_REASONS } from "../../db/schema/index.ts";
import { noteAdded } from "../storage/index.ts";
import { holdsForeignEntries, restoreEntries } from "../email-log/index.ts";
import { restoreAbTests } from "../broadcasts/index.ts";
import { LOG_KIND, AB_TEST_KIND, type Kind, type MovedRow, type TableKind } from "./kinds.ts";
import { tableOf, TABLES } from "./moved-tables.ts";

/** Returns the condition that a row has an id of another project. */
export function holdsForeign(projectId: string, kind: Kind, rows: MovedRow[]): SQL {
  const ids = idsOf(rows);
  if (kind === LOG_KIND) return holdsForeignEntries(projectId, ids);
  const tableKind = kind === AB_TEST_KIND ? "broadcasts" : kind;
  if (!TABLES[tableKind].hasId) return sql`false`;
  return sql`exists (select 1 from ${tableOf(tableKind)} t
    where t.id in (select value from json_each(${JSON.stringify(ids)})) and +t.project_id <> ${projectId})`;
}

/** Returns the condition that consents to one of these topics are still being purged here. */
export function isBeingRemoved(kind: Kind, rows: MovedRow[]): SQL {
  if (kind !== "topics") return sql`false`;
  const ids = JSON.stringify(rows.map(({ id }) => id));
  return sql`exists (select 1 from topic_purges where topic_id in (select value from json_each(${ids})))`;
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
  if (kind === LOG_KIND) return restoreEntries(deps, projectId, distinct(rows, ["id"]), when);
  const { db } = deps;
  if (kind === AB_TEST_KIND) {
    const abTests = JSON.stringify(distinct(rows, ["id"]));
    return [restoreAbTests(db, projectId, abTests, when)];
  }
  const unlike = TABLES[kind].hasId ? distinct(rows, ["id"]) : rows;
  // An email has one subscriber, so consecutive pages are keyed by id.
  const keys = kind === "subscribers" ? ["email"] : TABLES[kind].keys;
  const list = JSON.stringify(distinct(unlike, keys));
  const at = { projectId, list, when };
  if (kind === "retries") return [markRetried(db, at)];
  if (kind === "plans") return [restorePlans(db, at)];
  return [
    ...dropDrafts(db, kind, at),
    ...countRows(db, kind, at),
    insertRows(db, kind, at),
    ...insertTags(db, kind, at),
    ...(kind === "subscribers" ? noteAdded(deps, projectId, idsOf(unlike)) : []),
  ];
}

const idsOf = (rows: MovedRow[]) => rows.map(({ id }) => String(id));

interface Place {
  projectId: string;
  list: string;
  when: SQL;
}

function distinct(rows: MovedRow[], keys: readonly string[]): MovedRow[] {
  return [
    ...new Map(rows.map((row) => [JSON.stringify(keys.map((key) => row[key])), row])).values(),
  ];
}

/** SQL for columns whose table value differs from the value in the file. */
const VALUES: Partial<Record<TableKind, Record<string, SQL>>> = {
  broadcasts: {
    kind: sql`'broadcast'`,
    plan_due_at: sql`0`,
    finished_at: sql`coalesce(value ->> 'finished_at', value ->> 'created_at')`,
  },
  // A scheduled draft waits until it is started here.
  drafts: {
    kind: sql`'draft'`,
    state: sql`'draft'`,
    log_key: sql`lower(hex(randomblob(32)))`,
    cutoff_id: sql`''`,
    planned_id: sql`''`,
    plan_due_at: sql`0`,
  },
  subscribers: { source: sql`coalesce(value ->> 'source', '')` },
};

/** Additional conditions on `value`, a row: the row that it references exists. */
const ONLY_IF: Partial<Record<TableKind, (projectId: string) => SQL>> = {
  topic_consents: (projectId) => sql`exists (
      select 1 from topics where id = value ->> 'topic_id' and project_id = ${projectId})
    and exists (select 1 from subscribers where id = value ->> 'subscriber_id' and project_id = ${projectId})`,
  consent_events: (projectId) => sql`exists (
      select 1 from subscribers where id = value ->> 'subscriber_id' and project_id = ${projectId})`,
  broadcast_variants: (projectId) => sql`exists (
      select 1 from broadcasts where id = value ->> 'broadcast_id' and project_id = ${projectId} and kind = 'broadcast')`,
};

/** The kinds whose tables have no project column: another row determines the project. */
const OF_OTHER_ROW: ReadonlySet<TableKind> = new Set(["topic_consents", "broadcast_variants"]);

function insertRows(db: Database, kind: TableKind, { projectId, list, when }: Place): Statement {
  const values = {
    ...Object.fromEntries(
      TABLES[kind].columns.map((name) => [name, sql.raw(`value ->> '${name}'`)]),
    ),
    ...(OF_OTHER_ROW.has(kind) ? {} : { project_id: sql`${projectId}` }),
    ...VALUES[kind],
  };
  const columns = sql.raw(
    Object.keys(values)
      .map((name) => `"${name}"`)
      .join(),
  );
  const only = ONLY_IF[kind]?.(projectId) ?? sql`true`;
  return db.run(
    sql`insert into ${tableOf(kind)} (${columns})
      select ${sql.join(Object.values(values), sql`, `)} from json_each(${list})
      where ${when} and ${only} on conflict do nothing`,
  );
}

/**
 * Deletes restored drafts that started while their export was written: the file contains them again
 * as broadcasts that have sent mail.
 */
function dropDrafts(db: Database, kind: TableKind, { projectId, list, when }: Place): Statement[] {
  if (kind !== "broadcasts") return [];
  return [
    db.run(
      sql`delete from broadcasts where id in (select value ->> 'id' from json_each(${list}))
        and +project_id = ${projectId} and kind = 'draft' and ${when}`,
    ),
  ];
}

/**
 * Restores the plans of broadcasts and related columns. The plan of an A/B test comes with its
 * results.
 */
function restorePlans(db: Database, { projectId, list, when }: Place): Statement {
  const field = (name: string) => sql.raw(`moved.value ->> '${name}'`);
  const others = TABLES.plans.columns.filter(
    (name) => !["id", "plan", "updated_at"].includes(name),
  );
  const moved = others.map((name) => sql`${sql.raw(name)} = ${field(name)}`);
  return db.run(
    sql`update broadcasts set plan = iif(${field("$.plan.ab")} is null, ${field("plan")}, plan), ${sql.join(moved, sql`, `)},
        updated_at = max(broadcasts.updated_at, ${field("updated_at")})
      from json_each(${list}) moved
      where broadcasts.id = ${field("id")} and +broadcasts.project_id = ${projectId}
        and broadcasts.kind = 'broadcast' and ${when}`,
  );
}

function markRetried(db: Database, { projectId, list, when }: Place): Statement {
  return db.run(
    sql`update broadcasts set retried_by = moved.value ->> 'retried_by' from json_each(${list}) moved
      where broadcasts.id = moved.value ->> 'id' and +broadcasts.project_id = ${projectId}
        and broadcasts.kind = 'broadcast' and broadcasts.retried_by is null and ${when}`,
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
  const table = sql.raw(kind);
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
            and not exists (select 1 from ${table} t where t.id = value ->> 'id')
            and not exists (select 1 from ${table} t where t.project_id = ${projectId} and t.email = value ->> 'email')) fresh
        where project_id = ${projectId}`,
    ),
  ];
}

/** Adds the tags of restored subscribers to their index. */
function insertTags(db: Database, kind: TableKind, { projectId, list, when }: Place): Statement[] {
  if (kind !== "subscribers") return [];
  return [
    db.run(
      sql`insert or ignore into subscriber_tags (project_id, tag, subscriber_id)
        select s.project_id, tag.value, s.id from json_each(${list}) row
          cross join subscribers s on s.id = row.value ->> 'id' and +s.project_id = ${projectId}
          cross join json_each(s.tags) tag
        where ${when}`,
    ),
  ];
}
