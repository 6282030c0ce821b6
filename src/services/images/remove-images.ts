import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import { logLine } from "../../lib/log-line.ts";
import { imageKey, type ImagePlace } from "./image-rows.ts";

/** The number of images removed at once: R2 deletes up to 1,000 objects in a call. */
const IMAGES_PER_STEP = 500;
const STEPS_PER_RUN = 50;

/**
 * Removes the bytes and rows of images whose retention after their deletion has ended, and of
 * deleted projects. Each step first marks its rows, from when on no upload restores them, then
 * deletes the objects, then the rows: a run that dies is continued the next night.
 */
export async function removeOldImages({ db, images, config, now }: Deps): Promise<void> {
  if (!images) return;
  // An upload that has begun keeps its row for an hour in any case.
  const before = now() - Math.max(config.imageRetentionDays * DAY_MS, HOUR_MS);
  let removed = 0;
  for (let steps = 0; steps < STEPS_PER_RUN; steps += 1) {
    const rows = await db.all<ImagePlace & { id: string }>(
      sql`update images set deleted_at = 0
        where id in (select id from images where deleted_at <= ${before} limit ${IMAGES_PER_STEP})
        returning id, project_id as "projectId", sha256, type`,
    );
    if (rows.length === 0) break;
    await images.delete(rows.map(imageKey));
    await db.run(
      sql`delete from images where deleted_at = 0
        and id in (select value from json_each(${JSON.stringify(rows.map(({ id }) => id))}))`,
    );
    removed += rows.length;
  }
  if (removed > 0) logLine("info", "images_removed", { images: removed });
}
