import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { ulidFloor } from "../../lib/ids.ts";
import { removalOf, returnOf } from "./change-many.ts";

/** The number of days a person has to confirm. */
const DAYS_TO_CONFIRM = 30;

/**
 * The number of requests examined per run, and of projects that it changes: 160 statements, which
 * leave the rest of D1's limit per run to the other jobs (email-log/prune-log.ts).
 */
const REQUESTS_PER_RUN = 500;
const PROJECTS_PER_RUN = 20;

/** The key that stores the cursor of the runs. Without it, they start over. */
const PLACE = "requests:place";

/** A request to confirm, as a consent history entry. */
interface Request {
  id: string;
  projectId: string;
  subscriberId: string;
  isPending: number;
}

/**
 * Deletes people whom a form asked to confirm and who have not done so for 30 days. Those who had
 * unsubscribed before are unsubscribed again. Ids of requests are in time order, so the runs
 * examine each request once, through the index `consent_events_requested`. Runs every five minutes.
 */
export async function expireRequests(deps: Deps): Promise<void> {
  const place = (await deps.kv.get(PLACE)) ?? "";
  const due = await selectRequests(deps, place);
  const waiting = new Map<string, Request[]>();
  let last = place;
  for (const request of due) {
    const { id, projectId, isPending } = request;
    if (isPending) {
      const others = waiting.get(projectId) ?? [];
      if (others.length === 0 && waiting.size === PROJECTS_PER_RUN) break;
      waiting.set(projectId, [...others, request]);
    }
    last = id;
  }
  for (const [projectId, requests] of waiting) await expireOf(deps, projectId, requests);
  if (last !== place) await deps.kv.put(PLACE, last);
}

/** Selects the next expired requests, oldest first. */
function selectRequests({ db, now }: Deps, place: string) {
  const end = ulidFloor(now() - DAYS_TO_CONFIRM * DAY_MS);
  return db.all<Request>(
    sql`select e.id, e.project_id as "projectId", e.subscriber_id as "subscriberId",
        exists (select 1 from subscribers s where s.id = e.subscriber_id and s.status = 'pending') as "isPending"
      from consent_events e
      where e.action = 'requested' and e.topic_id is null and e.by in ('join', 'waitlist', 'page')
        and e.id > ${place} and e.id < ${end}
      order by e.id limit ${REQUESTS_PER_RUN}`,
  );
}

/** Ends requests of a project in one batch that skips people who have answered in the meantime. */
async function expireOf(deps: Deps, projectId: string, requests: Request[]): Promise<void> {
  const list = JSON.stringify(requests);
  const waiting = (hadLeft: SQL) => sql`select s.id from json_each(${list}) r
    cross join subscribers s on s.id = r.value ->> 'subscriberId'
    where s.project_id = ${projectId} and s.status = 'pending' and s.unsubscribed_at is ${hadLeft}
      and not exists (select 1 from consent_events e where e.project_id = ${projectId}
        and e.subscriber_id = s.id and e.topic_id is null and e.id > r.value ->> 'id')`;
  await runBatch(deps.db, [
    ...removalOf(deps, projectId, waiting(sql`null`)).flat(),
    ...returnOf(deps, projectId, waiting(sql`not null`)).flat(),
  ]);
}
