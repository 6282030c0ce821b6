import { sql, type SQL } from "drizzle-orm";

/**
 * Returns the query of the subscribers listed in the chunks of some broadcasts: those who wait, and
 * those whose mail is on its way. `ids` selects the broadcasts.
 */
export function namedBy(ids: SQL): SQL {
  const listed = (column: "again" | "deferred" | "in_flight", id: SQL) =>
    sql`select ${id} from broadcast_chunks r, json_each(r.${sql.raw(column)}) where r.broadcast_id in (${ids})`;
  return sql.join(
    [
      listed("again", sql`value ->> 'id'`),
      listed("deferred", sql`value ->> 'id'`),
      listed("in_flight", sql`value`),
    ],
    sql` union all `,
  );
}
