import { sql, type SQL } from "drizzle-orm";

/**
 * Returns the SQL that adds opens to the hours of broadcasts. `rows` selects project, start of the
 * hour, broadcast and opens, in this order. It needs a `where`, as for `addRows`.
 */
export const addOpenHours = (rows: SQL): SQL =>
  sql`insert into open_hours (project_id, hour_at, broadcast_id, opens) ${rows}
    on conflict do update set opens = opens + excluded.opens`;
