import { sql } from "drizzle-orm";
import { runBatch, type Database } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { LAST_TIME } from "../../lib/durations.ts";
import { selectRefusals, type RefusalCount } from "../email-log/reports/index.ts";
import { bounceSettingsOf, selectBounceSettings } from "../projects/index.ts";
import { COMPLAINT, pauseReason, problemIn } from "./auto-pause.ts";
import { pauseByItself } from "./pause-by-itself.ts";
import { selectOpenCounts, type BroadcastRow } from "./queries.ts";
import { NOT_YET } from "./canary.ts";

/** The maximum number of rejected mails of each kind that a check reads. */
const REFUSALS_READ = 5_000;

/**
 * Checks the outcomes of a canary, including the bounces received since. If they reach an
 * auto-pause limit, pauses the broadcast. Otherwise releases the waiting chunks.
 * Does nothing before the check is due, and for a broadcast that is not sending, and then returns
 * false.
 */
export async function checkCanary(deps: Deps, broadcast: BroadcastRow): Promise<boolean> {
  const { id, projectId, createdAt, complaints, canaryDueAt } = broadcast;
  const { db } = deps;
  const now = deps.now();
  if (broadcast.state !== "sending" || canaryDueAt === 0 || canaryDueAt > now) return false;
  const [settings, open, refusals] = await runBatch(db, [
    selectBounceSettings(db, projectId),
    selectOpenCounts(db, sql`${id}`),
    selectRefusals(db, projectId, { from: createdAt, to: LAST_TIME }, REFUSALS_READ, id),
  ]);
  const total = [broadcast, ...open].reduce(
    (sum, { sent, failed, bounced }) => sum + sent + failed + bounced,
    0,
  );
  const problems = problemsIn(refusals).set(COMPLAINT, complaints);
  const reason = pauseReason({ total, problems }, bounceSettingsOf(settings[0]).autoPause);
  if (reason !== undefined) await pauseByItself(deps, broadcast, reason);
  else await runBatch(db, [endCanary(db, broadcast), releaseAll(db, id, now)]);
  return true;
}

/** Returns how many rejected mails have each problem, added up over the reasons of bad addresses. */
function problemsIn(refusals: RefusalCount[]): Map<string, number> {
  const problems = new Map<string, number>();
  for (const refusal of refusals) {
    const problem = problemIn(refusal);
    if (problem !== undefined) problems.set(problem, (problems.get(problem) ?? 0) + refusal.n);
  }
  return problems;
}

/**
 * Records that a check is done, unless the broadcast has been paused or resumed in the meantime.
 */
function endCanary(db: Database, { id, canaryDueAt }: BroadcastRow) {
  return db.run(
    sql`update broadcasts set canary_due_at = 0 where id = ${id} and state = 'sending' and canary_due_at = ${canaryDueAt}`,
  );
}

function releaseAll(db: Database, id: string, now: number) {
  return db.run(
    sql`update broadcast_chunks set due_at = ${now}
      where broadcast_id = ${id} and state = 'pending' and due_at = ${NOT_YET}
        and exists (select 1 from broadcasts where id = ${id} and canary_due_at = 0)`,
  );
}
