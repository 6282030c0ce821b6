import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { measuredBytes } from "./quota.ts";

/** The age at which a project is measured again. */
const RENEW_MS = 45 * MINUTE_MS;

const PROJECTS_PER_RUN = 50;

/**
 * The fraction of its quota above which a workspace is measured. Writers record less than they
 * store, at most by this factor: webhook responses and tags of existing subscribers are not
 * recorded.
 */
const WORTH_MEASURING = 0.1;

/**
 * Measures the storage of projects in larger workspaces, which returns the space of deleted rows to
 * the quota. Each project is measured by one statement, so concurrent additions are not lost. Does
 * nothing without a quota. Runs every five minutes.
 */
export async function measureWorkspaces({ db, config, now }: Deps): Promise<void> {
  const quota = config.workspaceStorageBytes;
  if (quota === null) return;
  const due = await db.all<{ projectId: string }>(
    sql`select id as "projectId" from (
        select p.id, c.measured_at, sum(c.stored_bytes) over (partition by p.workspace_id) as stored
        from projects p join project_counters c on c.project_id = p.id)
      where stored > ${quota * WORTH_MEASURING} and measured_at <= ${now() - RENEW_MS}
      order by measured_at limit ${PROJECTS_PER_RUN}`,
  );
  for (const { projectId } of due)
    await db.run(
      sql`update project_counters set stored_bytes = (${measuredBytes(projectId)}), measured_at = ${now()}
        where project_id = ${projectId}`,
    );
}
