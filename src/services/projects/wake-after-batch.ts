import { sql } from "drizzle-orm";
import type { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";
import type { Deps } from "../../deps.ts";
import { followUp, type FollowUp } from "../../db/follow-up.ts";
import type { InBatch, Statement } from "../../db/statement.ts";
import { wakeSenders } from "./wake-senders.ts";

/** A row of a statement that gives the project's sender work. */
export interface Woken {
  projectId: string;
}

/**
 * Makes the batch of a statement wake the senders of the projects in its rows, after the response,
 * once each however many statements of the batch name them.
 */
export function wakingSenders<Waking extends InBatch<SQLiteRaw<Woken[]>>>(
  deps: Deps,
  statement: Waking,
): Waking {
  followUp(statement, wakerOf(deps));
  return statement;
}

/**
 * Returns the statement that makes a batch wake the project's sender if a run of the subscriber is
 * due. It follows the writes by which the subscriber may enter an automation. Rows read: the active
 * automations of the project, and the subscriber's runs of these.
 */
export function wakeForRuns(deps: Deps, projectId: string, subscriberId: string): Statement {
  return wakingSenders(
    deps,
    deps.db.all<Woken>(
      sql`select a.project_id as "projectId" from automations a
        cross join automation_runs r on r.subscriber_id = ${subscriberId} and r.automation_id = a.id
        where a.state = 'active' and a.project_id = ${projectId} and r.due_at <= ${deps.now()} limit 1`,
    ),
  );
}

const wakers = new WeakMap<Deps, FollowUp<Woken>>();

function wakerOf(deps: Deps): FollowUp<Woken> {
  const known = wakers.get(deps);
  if (known) return known;
  const waker: FollowUp<Woken> = (rows) => {
    const ids = new Set(rows.map(({ projectId }) => projectId));
    if (ids.size > 0) deps.waitUntil(wakeSenders(deps, [...ids]));
  };
  wakers.set(deps, waker);
  return waker;
}
