import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { NOT_YET } from "./canary.ts";
import { activeOf, runsDueAt, walkDueAt } from "./due-automations.ts";

/** The largest number of pieces of work that one look returns. */
const LOOK_MAX = 50;

/** A step of a broadcast that is due at a time: to start, plan or end it, or to send a chunk. */
export interface DueWork {
  broadcastId: string;
  /** The chunk to send; null for a step of planning. */
  afterId: string | null;
  /** 1 for work of the project's automations, which is no broadcast. */
  ofAutomations: number;
  dueAt: number;
}

/**
 * Selects the next steps of a project's broadcasts and batches, in the order in which they are due:
 * those that are due now, and the first that comes later. The moves of automations go first, because
 * they make more work, and batches follow, because somebody waits for each. Rows read: the broadcasts that send, are queued or scheduled, and their waiting chunks.
 */
export function selectDueWork(db: Database, projectId: string, now: number) {
  const ofProject = sql`b.project_id = ${projectId}`;
  const own = sql`broadcasts b indexed by broadcasts_by_state`;
  // One with all chunks planned and none left has to end.
  const hasStep = sql`(b.planned_id < b.cutoff_id or (b.decides_at = 0 and not exists (
    select 1 from broadcast_chunks where broadcast_id = b.id)))`;
  const automations = sql`select min(coalesce(${runsDueAt}, ${walkDueAt}), coalesce(${walkDueAt}, ${runsDueAt})) as due
    from ${activeOf(projectId)}`;
  return db.all<DueWork>(
    sql`select "broadcastId", "afterId", nth = -1 as "ofAutomations", max("dueAt", 0) as "dueAt" from (
        select b.id as "broadcastId", null as "afterId", 0 as nth, b.plan_due_at as "dueAt"
          from ${own} where b.state = 'scheduled' and b.waiting_for is null and ${ofProject}
        union all
        select b.id, null, 0, 0 from ${own}
          where b.state = 'queued' and b.waiting_for is null and ${ofProject}
        union all
        select b.id, null, 0, iif(${hasStep}, 0, b.canary_due_at) from ${own}
          where b.state = 'sending' and b.kind = 'broadcast' and ${ofProject}
            and (${hasStep} or b.canary_due_at between 1 and ${NOT_YET - 1})
        union all
        select b.id, c.after_id, iif(b.kind = 'batch', 1, 2), c.due_at from ${own}
          cross join broadcast_chunks c on c.broadcast_id = b.id
          where b.state = 'sending' and ${ofProject} and c.state = 'pending' and c.due_at < ${NOT_YET}
        union all
        select '', null, -1, min(due) from (${automations}) group by 1 having min(due) is not null)
      order by iif("dueAt" <= ${now}, 0, "dueAt"), nth, "broadcastId", "afterId" limit ${LOOK_MAX}`,
  );
}

/**
 * Selects projects with work that a sender has in hand or should have begun. Waking a sender that
 * is at work changes nothing.
 */
export function selectStalledProjects(db: Database, now: number, limit: number) {
  return db.all<{ projectId: string }>(
    sql`select distinct b.project_id as "projectId" from (
        select broadcast_id from broadcast_chunks where state = 'claimed'
        union all select * from (select broadcast_id from broadcast_chunks
          where state = 'pending' and due_at <= ${now} order by due_at limit ${limit})
        union all select id from broadcasts
          where state = 'scheduled' and plan_due_at <= ${now} and waiting_for is null
        union all select id from broadcasts where state = 'queued' and waiting_for is null
        union all select id from broadcasts where state = 'sending' and kind <> 'automation'
          and (planned_id < cutoff_id or canary_due_at between 1 and ${now})
      ) work cross join broadcasts b on b.id = work.broadcast_id
      where b.state in ('scheduled', 'queued', 'sending') or exists (
        select 1 from broadcast_chunks c where c.broadcast_id = b.id and c.state = 'claimed')
      limit ${limit}`,
  );
}
