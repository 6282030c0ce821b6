import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runsDueAt, walkDueAt } from "../broadcasts/index.ts";
import { wakeSenders } from "../projects/index.ts";

/** The most projects that one run wakes. */
const PER_RUN = 100;

/**
 * Wakes the senders of projects whose automations have due work, even if a message was lost. Runs
 * every minute.
 */
export async function sweepAutomations(deps: Deps): Promise<void> {
  const now = deps.now();
  const due = await deps.db.all<{ projectId: string }>(
    sql`select distinct a.project_id as "projectId" from automations a
      where a.state = 'active' and (${runsDueAt} <= ${now} or ${walkDueAt} <= ${now})
      order by random() limit ${PER_RUN}`,
  );
  await wakeSenders(
    deps,
    due.map(({ projectId }) => projectId),
  );
}
