import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { ROLLUP_GRAINS } from "../../../db/schema/index.ts";

/** Removes link counts before a time, at most `limit` rows. */
export function removeLinkRollups(db: Database, before: number, limit: number) {
  return db.run(
    sql`delete from rollups where (project_id, kind, grain, bucket_at, subject) in (
        select r.project_id, r.kind, r.grain, r.bucket_at, r.subject
        from projects p cross join json_each(${JSON.stringify(ROLLUP_GRAINS)}) grain
          cross join rollups r on r.project_id = p.id and r.kind = 'link'
            and r.grain = grain.value and r.bucket_at < ${before}
        limit ${limit})`,
  );
}

/** Removes the rollups of a deleted project, at most `limit` rows. */
export function removeProjectRollups(db: Database, projectId: string, limit: number) {
  return db.run(
    sql`delete from rollups where (project_id, kind, grain, bucket_at, subject) in (
        select project_id, kind, grain, bucket_at, subject from rollups
        where project_id = ${projectId} limit ${limit})`,
  );
}
