import { sql, type SQL } from "drizzle-orm";
import { runBatch, type Database } from "../../db/client.ts";
import { parseOfAutomation } from "./compile.ts";
import { sizeOf, type Condition } from "./condition.ts";
import { conditionSql } from "./condition-sql.ts";

/**
 * The most comparisons in one statement: each takes up to three of the 100 parameters that D1
 * accepts.
 */
const MOST_TERMS = 28;

/**
 * Returns, by the id of each subscriber who meets any of the conditions, the index of the first.
 * `people` selects their `id` and the `event` data (JSON) of their runs, and `ids` has the same ids.
 * Takes one round trip. Throws 400 for a stored condition that does not compile.
 */
export async function firstMatches(
  db: Database,
  { projectId, now }: { projectId: string; now: number },
  { ids, people }: { ids: string[]; people: SQL },
  wheres: string[],
): Promise<Map<string, number>> {
  const sorted = ids.toSorted();
  const range = { first: sorted[0] ?? "", last: sorted.at(-1) ?? "" };
  const event = sql`person.event`;
  const from = sql`(${people}) person
    cross join subscribers on subscribers.id = person.id and +subscribers.project_id = ${projectId}`;
  const parts = bySize(wheres.map(parseOfAutomation));
  const found = await runBatch(
    db,
    parts.map((conditions) => {
      const cases = conditions.map(
        ([index, condition]) =>
          sql`when ${conditionSql(condition, { projectId, now, range, event })} then ${sql.raw(String(index))}`,
      );
      return db.all<{ id: string; first: number | null }>(
        sql`select subscribers.id, case ${sql.join(cases, sql` `)} end as first from ${from}`,
      );
    }),
  );
  const matches = new Map<string, number>();
  for (const { id, first } of found.flat())
    if (first !== null) matches.set(id, Math.min(first, matches.get(id) ?? first));
  return matches;
}

type Indexed = [index: number, condition: Condition];

/** Distributes conditions over statements. */
function bySize(conditions: Condition[]): Indexed[][] {
  const parts: Indexed[][] = [];
  let terms = MOST_TERMS;
  for (const [index, condition] of conditions.entries()) {
    const size = sizeOf(condition).terms;
    if (terms + size > MOST_TERMS) {
      parts.push([]);
      terms = 0;
    }
    terms += size;
    parts.at(-1)?.push([index, condition]);
  }
  return parts;
}
