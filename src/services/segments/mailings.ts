import { sql, type SQL } from "drizzle-orm";
import { runBatch, type Database } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { projectExists } from "../projects/index.ts";
import { LONGEST_MAILED_MS } from "./times.ts";

/**
 * Returns the statement that records the subscribers to whom a broadcast was delivered at a time,
 * in one row for all of them. Idempotent. The statement does nothing unless `when` holds.
 */
export function noteMailed(
  db: Database,
  projectId: string,
  { ids, at }: { ids: readonly string[]; at: number },
  when: SQL = sql`true`,
) {
  const sorted = ids.toSorted();
  const [firstId = ""] = sorted;
  const lastId = sorted.at(-1) ?? "";
  return db.run(
    sql`insert into subscriber_mailings (project_id, at, first_id, last_id, ids)
      select ${projectId}, ${at}, ${firstId}, ${lastId}, ${JSON.stringify(sorted)}
      where ${when} and ${projectExists(projectId)}
      on conflict do update set last_id = max(last_id, excluded.last_id), ids = (
        select json_group_array(value order by value) from (
          select value from json_each(subscriber_mailings.ids) union select value from json_each(excluded.ids)))`,
  );
}

/** Selects when some subscribers were last mailed, after a time: those who were, by id. */
export function selectLastMailed(db: Database, projectId: string, ids: string[], after: number) {
  const sorted = ids.toSorted();
  return db.all<{ id: string; at: number }>(
    sql`select recipient.value as id, max(mailing.at) as at
      from subscriber_mailings mailing, json_each(mailing.ids) recipient
      where mailing.project_id = ${projectId} and mailing.at > ${after}
        and mailing.last_id >= ${sorted[0] ?? ""} and mailing.first_id <= ${sorted.at(-1) ?? ""}
        and recipient.value in (select value from json_each(${JSON.stringify(ids)}))
      group by 1`,
  );
}

/** The limits of one night's cleanup, in steps of a size that D1 handles easily. */
const STEPS = 100;
const ROWS_PER_STEP = 500;

/**
 * Removes mailings that no condition can refer to anymore. A step is one statement, which reads one
 * entry per project and the rows that it removes.
 */
export async function forgetMailings({ db, now }: Deps): Promise<void> {
  const before = now() - LONGEST_MAILED_MS;
  for (let step = 0; step < STEPS; step++) {
    const [removed] = await runBatch(db, [
      db.run(
        sql`delete from subscriber_mailings where (project_id, at, first_id) in (
          select m.project_id, m.at, m.first_id from projects p
            cross join subscriber_mailings m on m.project_id = p.id and m.at < ${before}
          limit ${ROWS_PER_STEP})`,
      ),
    ]);
    if (removed.meta.changes < ROWS_PER_STEP) return;
  }
}
