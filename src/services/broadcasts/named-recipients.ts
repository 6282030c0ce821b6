import { sql, type SQL } from "drizzle-orm";

/** The suffix of a recorded id whose mail the fallback server accepted. */
export const VIA_FALLBACK = "+";

/**
 * Returns the query of the subscribers listed in the chunks of some broadcasts: those who wait, and
 * those whose mail is in flight or not in the log yet. `ids` selects the broadcasts.
 */
export function namedBy(ids: SQL): SQL {
  const listed = (column: "again" | "deferred" | "in_flight" | "accepted", id: SQL) =>
    sql`select ${id} from broadcast_chunks r, json_each(r.${sql.raw(column)}) where r.broadcast_id in (${ids})`;
  const plain = sql`iif(type = 'text', rtrim(value, '${sql.raw(VIA_FALLBACK)}'), value ->> 0)`;
  return sql.join(
    [
      listed("again", sql`value ->> 'id'`),
      listed("deferred", sql`value ->> 'id'`),
      listed("in_flight", plain),
      listed("accepted", plain),
    ],
    sql` union all `,
  );
}
