import { sql, type SQL } from "drizzle-orm";
import { orderedAudiencesOf, parseFixed } from "../segments/index.ts";
import { BY_ID, membersOf, ofStatus, type Audience, type IdRange } from "./queries.ts";

/**
 * Returns SQL for a stretch of an audience in the order of ids. With a `limit` appended, it reads
 * no more than the stretch. `columns` are selected in addition to the `id`. `which` is the
 * condition that an id is in the stretch.
 */
export function walk(
  wanted: Audience,
  range: IdRange,
  which: (id: SQL) => SQL,
  columns: SQL = sql``,
): SQL {
  const parts = walksOf(wanted, range).map(
    ({ from, where, id }) =>
      sql`select ${id} as id${columns} from ${from} where ${where} and ${which(id)}`,
  );
  return sql`${sql.join(parts, sql` union all `)} order by 1`;
}

/**
 * Returns the scans of an audience. With a topic, they start at the consents to it, otherwise as
 * the condition does.
 */
function walksOf(
  wanted: Audience,
  range: IdRange,
): Omit<ReturnType<typeof membersOf>, "isWhole">[] {
  const { projectId, audienceWhere: where = null, whereAt: now = 0, topicId = null } = wanted;
  if (topicId !== null || where === null) return [membersOf(wanted, range)];
  const fitting = orderedAudiencesOf(parseFixed(where), { projectId, now, range });
  return fitting.map((one) => ({
    ...one,
    where: sql`${one.where} and ${ofStatus(wanted, one.isWhole ? undefined : BY_ID)}`,
  }));
}
