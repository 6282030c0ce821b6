import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { ROLLUP_GRAINS, type rollups } from "../../../db/schema/index.ts";
import { bucketAt, bucketSql, GRAIN_ROWS } from "./grains.ts";

type RollupRow = typeof rollups.$inferSelect;

/** The counting columns of a rollup. */
export type Counter = Exclude<
  keyof RollupRow,
  "projectId" | "kind" | "grain" | "bucketAt" | "subject" | "label"
>;

/** A counted fact at a point in time. It counts in its hour and its day. */
export interface Addition {
  kind: RollupRow["kind"];
  subject: string;
  /** Milliseconds. */
  at: number;
  counters: Partial<Record<Counter, number>>;
}

/**
 * Returns the SQL that adds the buckets of `bucketsOf` to the rollups of a project if `when` holds.
 * Writes each bucket once, regardless of the number of facts in it.
 */
export function addBuckets(
  counters: readonly Counter[],
  { projectId, buckets }: { projectId: SQL; buckets: SQL },
  when: SQL,
): SQL {
  const values = counters.map((name) => sql`, value ->> ${sql.raw(`'${name}'`)}`);
  return addRows(
    counters,
    sql`select ${projectId}, value ->> 'kind', value ->> 'grain', value ->> 'at', value ->> 'subject', ''${sql.join(values)}
      from json_each(${buckets}) where ${when}`,
  );
}

/** Returns the sums of the counters for each bucket. The facts may use only these counters. */
export function bucketsOf(counters: readonly Counter[], additions: Addition[]) {
  const facts = additions.flatMap(({ kind, subject, at, counters: counts }) =>
    ROLLUP_GRAINS.map((grain) => ({
      bucket: { kind, grain, at: bucketAt(grain, at), subject },
      counts,
    })),
  );
  const groups = Map.groupBy(facts, ({ bucket }) => JSON.stringify(bucket));
  return [...groups.values()].map((members) => ({
    ...members[0]?.bucket,
    ...Object.fromEntries(
      counters.map((name) => [
        name,
        members.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0),
      ]),
    ),
  }));
}

/**
 * Returns the statement that adds the facts of a query to the rollups. `source` selects
 * `project_id`, `kind`, `subject`, `label`, `at` in milliseconds, and each of the counters by its
 * name.
 */
export function addSelected(db: Database, counters: readonly Counter[], source: SQL) {
  const sums = counters.map((name) => sql`, sum(${sql.raw(`fact.${name}`)})`);
  return db.run(
    addRows(
      counters,
      sql`select fact.project_id, fact.kind, grain, ${bucketSql(sql`fact.at`)} as bucket,
        fact.subject, fact.label${sql.join(sums)}
      from (${source}) fact cross join ${GRAIN_ROWS}
      where true group by fact.project_id, fact.kind, grain, bucket, fact.subject`,
    ),
  );
}

/**
 * Returns the SQL that adds counts to rollups. `rows` selects project, kind, grain, bucket, subject,
 * label and the counters, in this order. It needs a `where`, because SQLite would otherwise parse
 * `on conflict` as part of a join.
 */
function addRows(counters: readonly Counter[], rows: SQL): SQL {
  const changes = counters.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");
  const columns = counters.map((name) => `, ${name}`).join("");
  return sql`insert into rollups (project_id, kind, grain, bucket_at, subject, label${sql.raw(columns)})
      ${rows}
      on conflict do update set ${sql.raw(changes)}`;
}
