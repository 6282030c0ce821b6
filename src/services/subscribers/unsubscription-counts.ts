import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import type { UNSUBSCRIPTION_GRAINS } from "../../db/schema/index.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../lib/durations.ts";

type Grain = (typeof UNSUBSCRIPTION_GRAINS)[number];

const LENGTH_MS: Record<Grain, number> = { hour: HOUR_MS, day: DAY_MS };

/**
 * Returns the statement that counts unsubscribes of a project in two rows. `leaving` selects the
 * subscribers who leave. It must run before their change.
 */
export function countUnsubscriptions(
  db: Database,
  projectId: string,
  leaving: SQL,
  now: number,
): Statement {
  const grains = Object.entries(LENGTH_MS).map(
    ([grain, length]) => sql`select ${grain} as grain, ${floorTo(now, length)} as at`,
  );
  return db.run(
    sql`insert into unsubscription_counts (project_id, grain, at, n)
      select ${projectId}, bucket.grain, bucket.at, gone.n
      from (${sql.join(grains, sql` union all `)}) bucket
        cross join (select count(*) as n from (${leaving})) gone
      where gone.n > 0
      on conflict do update set n = n + excluded.n`,
  );
}

/**
 * Returns the statement that counts a subscriber who unsubscribes through a mail of a broadcast,
 * once per broadcast. `leaving` is as in `countUnsubscriptions`. Links are not signed, so the
 * broadcast must belong to the project and be recent enough to include the subscriber.
 */
export function countInBroadcast(
  db: Database,
  projectId: string,
  broadcastId: string,
  leaving: SQL,
): Statement {
  return db.run(
    sql`insert into broadcast_counts (project_id, broadcast_id, unsubscribed)
      select b.project_id, b.id, 1 from broadcasts b
      where b.id = ${broadcastId} and b.project_id = ${projectId} and b.kind in ('broadcast', 'automation') and exists (
        select 1 from subscribers s where s.id in (${leaving}) and s.id <= b.cutoff_id and s.left_by is not b.id)
      on conflict do update set unsubscribed = unsubscribed + 1`,
  );
}

/**
 * Returns the statement that records through which broadcast the subscribers leave. It must run
 * after the count.
 */
export function noteLeftBy(
  db: Database,
  projectId: string,
  broadcastId: string,
  leaving: SQL,
): Statement {
  return db.run(
    sql`update subscribers set left_by = ${broadcastId} where id in (${leaving}) and exists (
      select 1 from broadcasts b where b.id = ${broadcastId} and b.project_id = ${projectId} and b.kind in ('broadcast', 'automation'))`,
  );
}

/**
 * Selects the unsubscribes of a project by bucket, from one bucket up to but not including another.
 */
export function selectUnsubscriptions(
  db: Database,
  projectId: string,
  grain: Grain,
  { from, to }: { from: number; to: number },
) {
  return db.all<{ at: number; n: number }>(
    sql`select at, n from unsubscription_counts
      where project_id = ${projectId} and grain = ${grain} and at >= ${from} and at < ${to}`,
  );
}
